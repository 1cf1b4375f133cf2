"""Web pages, made harmless."""
