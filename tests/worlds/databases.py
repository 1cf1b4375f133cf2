"""On which databases a test runs: on SQLite, or on PostgreSQL too where it is about what the database does."""

import pytest

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
on_both = pytest.mark.parametrize("database_url", KINDS, indirect=True)
"""Marks a test that runs once on each."""


def migrated(request: pytest.FixtureRequest, kind: str) -> str:
    """The address of a new database of this kind with all tables."""
    return str(request.getfixturevalue(f"migrated_{'sqlite' if kind == 'sqlite' else 'postgres'}_url"))
