"""Tables of every kind: read once, kept as Parquet, and paged, sorted, compared and asked from there."""
