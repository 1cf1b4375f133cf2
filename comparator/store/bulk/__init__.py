"""Batches, the workers that read them, and where a judge is at this moment."""
