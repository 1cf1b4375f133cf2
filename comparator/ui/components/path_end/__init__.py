"""Keeps the end of a long path in view."""
