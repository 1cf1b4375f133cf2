"""Pairs as they are handed in and set up."""
