"""Components with their own JavaScript, one folder each."""
