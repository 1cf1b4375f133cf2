"""`python -m comparator` is the command line."""

from comparator.cli import main

main()
