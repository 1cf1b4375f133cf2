"""PDF: its text, and a copy rebuilt from what its pages draw."""
