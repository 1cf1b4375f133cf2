"""New, Import and Batches."""
