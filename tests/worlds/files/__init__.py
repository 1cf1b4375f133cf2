"""Files, folders and pages that tests hand in."""
