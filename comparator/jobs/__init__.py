"""Judging that goes on in the background."""
