"""The least that a page or a batch can cost, measured in the same run."""
