"""Markdown, notebooks, code, formulas and diagrams."""
