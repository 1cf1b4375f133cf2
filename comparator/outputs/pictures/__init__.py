"""Pages as a user sees them: opened in a locked-down browser of their own, without a network, and photographed."""

RECIPE = "3"
"""Version of how pictures are taken; raise it when they come out differently."""
