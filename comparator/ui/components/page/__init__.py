"""What is done to a whole page: the sidebar folded where it is narrow, and the page fitted to paper."""
