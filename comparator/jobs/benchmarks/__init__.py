"""Benchmarks: labelled pairs and probes are read by the same runner as everything, and the result is kept."""
