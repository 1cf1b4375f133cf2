"""What is measured: a module for each name of `make bench ONLY=name`."""
