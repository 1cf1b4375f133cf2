"""Exporting verdicts: comparison.json, its provenance, and the formats of other tools."""
