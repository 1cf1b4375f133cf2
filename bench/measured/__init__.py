"""One module for each name that `make bench ONLY=name` takes."""
