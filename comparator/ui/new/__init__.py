"""The page New."""
