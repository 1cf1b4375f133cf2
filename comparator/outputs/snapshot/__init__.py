"""An output as an immutable copy."""
