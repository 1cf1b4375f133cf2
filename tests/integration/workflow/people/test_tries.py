"""Tries to come in are counted for all processes of a database together."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.people.sign_in import MOST, WITHIN, may_try
from comparator.workflow.services import Services
from tests.worlds.databases import on_both

START = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


class Processes:
    """Two processes with connections of their own to one database, and one clock."""

    def __init__(self, url: str, blobs: BlobStore) -> None:
        self.now = START
        self.both = tuple(
            Services(settings=Settings(), database=Database.open(url), blobs=blobs, now=lambda: self.now)
            for _ in range(2)
        )

    def stored(self) -> int:
        with self.both[0].database.read() as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(tables.entry_try)).scalar_one()
            )


@pytest.fixture
def processes(database_url: str, blobs: BlobStore) -> Iterator[Processes]:
    processes = Processes(database_url, blobs)
    yield processes
    for each in processes.both:
        each.database.close()


def test_tries_in_one_process_count_in_the_other(processes: Processes) -> None:
    one, other = processes.both
    assert all(may_try(one, "address 192.0.2.7") for _ in range(MOST // 2))
    assert all(may_try(other, "address 192.0.2.7") for _ in range(MOST - MOST // 2))
    assert not may_try(one, "address 192.0.2.7")
    assert not may_try(other, "address 192.0.2.7")
    assert may_try(one, "address 192.0.2.8")
    assert may_try(other, "person mallory")


@on_both
def test_tries_at_the_same_moment_in_both_are_no_more(processes: Processes) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = pool.map(lambda number: may_try(processes.both[number % 2], "person mallory"), range(2 * MOST))
        assert sum(made) == MOST


def test_whoever_waited_may_try_again_and_refused_tries_do_not_prolong_it(processes: Processes) -> None:
    one, other = processes.both
    assert all(may_try(one, "person mallory") for _ in range(MOST))
    processes.now += WITHIN - timedelta(seconds=1)
    assert not may_try(other, "person mallory")
    processes.now += timedelta(seconds=1)
    assert may_try(other, "person mallory")


def test_tries_that_count_no_more_are_kept_nowhere_and_no_address_is_readable(processes: Processes) -> None:
    one, other = processes.both
    for number in range(9):
        may_try(one, f"address 192.0.2.{number}")
    with one.database.read() as connection:
        rows = connection.execute(sa.select(tables.entry_try)).all()
    assert "192.0.2" not in str(rows)
    processes.now += WITHIN
    may_try(other, "address 192.0.2.9")
    assert processes.stored() == 1
