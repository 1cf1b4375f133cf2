"""Previews for people: a safe HTML document made from a file's blinded copy, one module a family."""
