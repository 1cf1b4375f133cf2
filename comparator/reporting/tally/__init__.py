"""The counts that every figure is read from, kept in step with what was said."""
