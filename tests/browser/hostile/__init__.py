"""Outputs, words and pages that attack."""
