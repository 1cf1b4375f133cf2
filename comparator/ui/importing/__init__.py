"""The page Import."""
