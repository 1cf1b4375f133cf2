"""What exports write: rows, reports and lists."""
