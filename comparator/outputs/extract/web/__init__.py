"""HTML, SVG and data addresses, rebuilt without metadata."""
