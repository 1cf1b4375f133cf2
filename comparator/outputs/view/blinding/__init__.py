"""Names and phrases in every kind of file, and what stands in their place."""
