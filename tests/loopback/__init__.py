"""A Messages API server on the loopback address, and pairs to judge with it."""
