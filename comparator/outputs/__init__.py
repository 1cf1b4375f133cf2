"""From a path or an upload to an immutable snapshot, and from there to what a judge and a reviewer see."""

EXTRACTOR = "4"
"""Version of how outputs are read and blinded; raise it when views come out differently."""
