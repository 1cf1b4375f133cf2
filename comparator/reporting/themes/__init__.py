"""Themes of the reasons: for whom each speaks, and how far the assignment is."""
