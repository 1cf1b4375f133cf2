"""What is true about comparisons, without any input or output: standard library and pydantic only."""
