"""Batches: starting them, what they will cost, pausing and ending them, and the provider's own batches."""
