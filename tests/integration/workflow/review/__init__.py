"""A review, from its first value to the reveal."""
