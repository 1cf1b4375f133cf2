"""Ways through several pages."""
