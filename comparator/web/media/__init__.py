"""The routes that show outputs, under strict headers of their own."""
