"""Importing experiments: finding runs, choosing pairs, the audit, storing."""
