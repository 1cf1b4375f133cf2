"""From a path or an upload to an immutable snapshot, and from there to what a judge and a reviewer see."""
