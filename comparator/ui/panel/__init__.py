"""The page Panel."""
