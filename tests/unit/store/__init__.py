"""Unit tests of the store that need no database."""
