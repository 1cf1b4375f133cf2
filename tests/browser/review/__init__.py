"""The review page and its score sheet."""
