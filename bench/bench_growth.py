"""What 100,000 comparisons in the database cost whoever opens the queue, the next pair and the history."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Browser, Page

from bench.figures import Figure, at_most
from bench.floor import app, chromium, click, load, shown, tab, wait
from bench.generator import generate
from comparator.reporting.history import counts, history
from comparator.reporting.history_conditions import HistoryFilter
from comparator.reporting.queue import progress
from comparator.settings import Settings
from comparator.store import people, tables
from comparator.store.comparisons import ListOrder
from comparator.store.database import Database
from comparator.store.ids import new_id
from comparator.store.queue import next_to_review
from comparator.store.standings import Status

FEW, MANY, TIMES, PAGE = 100, 100_000, 15, 25
VISITS = 12
LIST = f"window.benchAll('tbody tr').length >= {PAGE}"
NEW = shown(".st-key-new_judge_now button")
SCORES = shown(".scores td.you.A [role=radio]")


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of opening the pages, and of what they ask the database; the floor is that of few."""
    with chromium() as browser:
        few, many = _measured(browser, FEW), _measured(browser, MANY)
    return [
        at_most(
            f"{name}: {MANY:,} comparisons in the database",
            statistics.median(many[name]),
            unit="ms",
            floor=statistics.median(few[name]),
            times=1.2,
            n=len(many[name]),
            of=f"with {FEW}",
        )
        for name in few
    ]


def _measured(browser: Browser, comparisons: int) -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as folder:
        database = Database.open(Settings(home=Path(folder)).database)
        try:
            project_id = generate(database, comparisons).project_id
            asked = {name: _times(ask) for name, ask in _questions(database, project_id).items()}
        finally:
            database.close()
        with app(Path(folder)) as url:
            return {**_opened(tab(browser), url), **asked}


def _opened(page: Page, url: str) -> dict[str, list[float]]:
    """How long it takes from the click until the page stands, each time from another page."""
    took: dict[str, list[float]] = {
        "opening the queue": [],
        "opening the history": [],
        "opening the next pair": [],
    }
    load(page, url, until="tbody tr")
    for _ in range(VISITS):
        wait(page, until=LIST)
        took["opening the next pair"].append(click(page, ".st-key-queue_start button", until=SCORES))
        click(page, "a[href$='new']", until=NEW)
        took["opening the history"].append(click(page, "a[href$='history']", until=LIST))
        click(page, "a[href$='new']", until=NEW)
        took["opening the queue"].append(click(page, "a[href='']", until=LIST))
    page.context.close()
    return took


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
        "queue, what it asks the database": queue,
        "next pair, what it asks the database": following,
        "history, a page of its list": lambda: history(database, everything, limit=PAGE),
    }


def _times(ask: Callable[[], object]) -> list[float]:
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        ask()
        took.append((time.perf_counter() - began) * 1000)
    return took
