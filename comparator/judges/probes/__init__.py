"""Pairs that a good judge cannot miss, and changes that must not move it; they are made here, always the same bytes."""
