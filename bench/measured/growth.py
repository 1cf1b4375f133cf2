"""What 100,000 comparisons in the database cost whoever opens the queue, the next pair and the history."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Page

from bench.figures import Figure, at_most
from bench.floors.floor import app, chromium, click, load, shown, tab, wait
from bench.made.generator import generate
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import counts, history
from comparator.reporting.queue import progress
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.people import people
from comparator.store.reviewing.queue import next_to_review

FEW, MANY, TIMES, PAGE = 100, 100_000, 15, 25
VISITS = 12
LIST = f"window.benchAll('tbody tr').length >= {PAGE}"
NEW = shown(".st-key-new_judge_now button")
SCORES = shown(".scores td.you.A [role=radio]")


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of opening the pages, and of what they ask the database; the floor is that of few.

    Few and many take turns, so that whatever else the machine does falls on both.
    """
    took: dict[str, dict[int, list[float]]] = {}

    def note(name: str, comparisons: int, milliseconds: float) -> None:
        took.setdefault(name, {FEW: [], MANY: []})[comparisons].append(milliseconds)

    with ExitStack() as stack:
        homes = {
            comparisons: Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-growth-")))
            for comparisons in (FEW, MANY)
        }
        projects = {comparisons: _filled(home, comparisons) for comparisons, home in homes.items()}
        browser = stack.enter_context(chromium())
        pages = {}
        for comparisons, home in homes.items():
            pages[comparisons] = tab(browser)
            load(pages[comparisons], stack.enter_context(app(home)), until="tbody tr")
        for comparisons in (*homes,) * VISITS:
            for name, milliseconds in _opened(pages[comparisons]):
                note(name, comparisons, milliseconds)
        questions = {
            comparisons: _questions(stack.enter_context(_database(home)), projects[comparisons])
            for comparisons, home in homes.items()
        }
        for comparisons in (*homes,) * TIMES:
            for name, ask in questions[comparisons].items():
                note(name, comparisons, _time(ask))
    return [
        at_most(
            f"{name}: {MANY:,} comparisons in the database",
            statistics.median(both[MANY]),
            unit="ms",
            floor=statistics.median(both[FEW]),
            times=1.2,
            n=len(both[MANY]),
            of=f"with {FEW}",
        )
        for name, both in took.items()
    ]


@contextmanager
def _database(home: Path) -> Iterator[Database]:
    database = Database.open(Settings(home=home).database)
    try:
        yield database
    finally:
        database.close()


def _filled(home: Path, comparisons: int) -> str:
    """The id of a project of so many comparisons."""
    with _database(home) as database:
        return generate(database, comparisons, blobs=BlobStore.at(Settings(home=home).blobs))


def _opened(page: Page) -> Iterator[tuple[str, float]]:
    """How long it takes from the click until a page stands, each time from another page; the queue is left open."""
    wait(page, until=LIST)
    yield "opening the next pair", click(page, ".st-key-queue_start button", until=SCORES)
    click(page, "a[href$='new']", until=NEW)
    yield "opening the history", click(page, "a[href$='history']", until=LIST)
    click(page, "a[href$='new']", until=NEW)
    yield "opening the queue", click(page, "a[href='']", until=LIST)


def _questions(database: Database, project_id: str) -> Mapping[str, Callable[[], object]]:
    with database.write() as connection:
        me = people.ensure_person(
            Unit(connection, at=datetime.now(UTC), new_id=new_id), "local:bench", name="bench"
        ).id
        assert connection.execute(sa.select(sa.func.count()).select_from(tables.fact)).scalar()
    waiting = HistoryFilter(project_id=project_id, status=Status.TO_REVIEW, order=ListOrder.OLDEST)
    everything = HistoryFilter(project_id=project_id)

    def queue() -> None:
        counts(database, project_id=project_id)
        progress(database, person_id=me, project_id=project_id, at=datetime.now(UTC))
        history(database, waiting, limit=PAGE)

    def following() -> None:
        with database.read() as connection:
            next_to_review(Unit(connection, at=datetime.now(UTC)), person_id=me, project_id=project_id)

    return {
        "queue, what it asks the database": queue,
        "next pair, what it asks the database": following,
        "history, a page of its list": lambda: history(database, everything, limit=PAGE),
    }


def _time(ask: Callable[[], object]) -> float:
    began = time.perf_counter()
    ask()
    return (time.perf_counter() - began) * 1000
