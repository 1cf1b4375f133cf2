"""Blind comparison of two outputs of one task: judge, review, decide."""

__version__ = "0.1.0"
