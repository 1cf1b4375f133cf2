"""Stated reasons and their themes."""
