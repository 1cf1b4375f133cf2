"""Lists of comparisons: their rows in words, their filters in the address, and the way from a row and back."""
