"""The page Judge: one module a tab."""
