"""Apps and pages that the browser tests open, each in a process of its own."""
