"""Preference sets and what their rows are written in: their own rules for labels, and messages of a chat."""
