"""Writing the formats that other tools read."""
