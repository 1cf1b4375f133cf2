"""Tables of any size, a page of rows at a time."""
