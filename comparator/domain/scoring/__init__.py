"""From the rubric through judgments and reviews to the verdict and its file."""
