"""Workspaces that the skill-creator leaves, read: where runs lie, and what the files around them say."""
