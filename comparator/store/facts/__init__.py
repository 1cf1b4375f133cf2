"""What each comparison comes to, derived from what judges and people said."""
