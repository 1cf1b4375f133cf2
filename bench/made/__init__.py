"""What is measured: histories and pairs of any size, workers and reviewers."""
