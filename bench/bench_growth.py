"""What 100,000 comparisons in the database cost the queue, the next pair and the history, beside a hundred."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from bench.figures import Figure, at_most
from bench.generator import generate
from comparator.reporting.history import counts, history
from comparator.reporting.history_conditions import HistoryFilter
from comparator.reporting.queue import progress
from comparator.store import people, tables
from comparator.store.comparisons import ListOrder
from comparator.store.database import Database
from comparator.store.ids import new_id
from comparator.store.queue import next_to_review
from comparator.store.standings import Status

FEW, MANY, TIMES, PAGE = 100, 100_000, 15, 25


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of what the pages ask the database, on SQLite; the floor is that of few comparisons."""
    few, many = _asked(FEW), _asked(MANY)
    return [
        at_most(
            f"{name}: {MANY:,} comparisons in the database",
            many[name],
            unit="ms",
            floor=few[name],
            times=1.2,
            n=TIMES,
            of=f"with {FEW}",
        )
        for name in few
    ]


def _asked(comparisons: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as folder:
        database = Database.open(f"sqlite:///{Path(folder) / 'comparator.db'}")
        try:
            project_id = generate(database, comparisons).project_id
            return {name: _median(ask) for name, ask in _questions(database, project_id).items()}
        finally:
            database.close()


def _questions(database: Database, project_id: str) -> Mapping[str, Callable[[], object]]:
    with database.write() as connection:
        me = people.ensure_person(
            connection, "local:bench", name="bench", new_id=new_id, at=datetime.now(UTC)
        ).id
        assert connection.execute(sa.select(sa.func.count()).select_from(tables.standing)).scalar()
    waiting = HistoryFilter(project_id=project_id, status=Status.TO_REVIEW, order=ListOrder.OLDEST)
    everything = HistoryFilter(project_id=project_id)

    def queue() -> None:
        counts(database, project_id=project_id)
        progress(database, person_id=me, project_id=project_id, at=datetime.now(UTC))
        history(database, waiting, limit=PAGE)

    def following() -> None:
        with database.read() as connection:
            next_to_review(connection, person_id=me, project_id=project_id, at=datetime.now(UTC))

    return {
        "queue, all that it shows": queue,
        "queue, its list alone": lambda: history(database, waiting, limit=PAGE),
        "next pair": following,
        "history, a page": lambda: history(database, everything, limit=PAGE),
    }


def _median(ask: Callable[[], object]) -> float:
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        ask()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)
