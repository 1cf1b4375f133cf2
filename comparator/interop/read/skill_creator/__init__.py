"""Workspaces of skill-creator."""
