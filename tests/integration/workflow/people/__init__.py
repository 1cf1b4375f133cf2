"""Who may do what, and who comes in."""
