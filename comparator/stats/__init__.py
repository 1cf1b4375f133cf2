"""Figures with their uncertainty: pure functions on counts and sums, with frozen results."""
