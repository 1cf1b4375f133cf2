"""What is true about comparisons, without input or output: standard library, pydantic and a search for words."""
