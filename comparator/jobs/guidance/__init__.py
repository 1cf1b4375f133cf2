"""Guidance is tried on pairs that people reviewed blind, and adopted if it brings the judge nearer to them."""
