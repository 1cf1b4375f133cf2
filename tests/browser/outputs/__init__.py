"""Outputs in the panes."""
