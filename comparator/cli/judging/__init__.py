"""Commands that have pairs judged, and that look after judges."""
