"""Folds the navigation away where a window is narrow."""
