"""What the store does is shown on both databases."""

import pytest

from tests.worlds.databases import KINDS, migrated


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new database with all tables: once on SQLite, once on PostgreSQL."""
    return migrated(request, request.param)
