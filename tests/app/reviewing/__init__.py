"""Queue, Review and Panel."""
