"""What every page stands in, and the pages Judge and Settings."""
