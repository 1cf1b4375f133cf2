"""Databases with pairs, judgments and reviews in them."""
