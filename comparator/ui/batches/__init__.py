"""The page Batches."""
