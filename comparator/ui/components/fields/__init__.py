"""Components of form fields: keep what is typed, show the end of a path, accept dropped folders."""
