"""What 100,000 comparisons in the database cost whoever opens the queue, the next pair and the history."""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

from bench.browser import chromium, click, load, shown, tab, wait
from bench.figures import Figure, figure
from bench.generator import generate
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import counts, history
from comparator.reporting.queue import progress
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Connection, Unit, new_id
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.people import people
from comparator.store.reviewing.queue import next_to_review
from tests.browser.servers.real_app import App

FEW, MANY, TIMES, PAGE = 100, 100_000, 10, 25
LIST = f"window.benchAll('tbody tr').length >= {PAGE}"
NEW = shown(".st-key-new_judge_now button")
SCORES = shown(".scores td.you.A [role=radio]")


def measure() -> Sequence[Figure]:
    """Milliseconds of opening the pages, and of what they ask the database; the floor is that of few.

    Few and many take turns, so that whatever else the machine does falls on both.
    """
    took: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        places = {}
        for comparisons in (FEW, MANY):
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-growth-")))
            database = Database.open(Settings(home=home).database)
            stack.callback(database.close)
            project = generate(database, comparisons, blobs=BlobStore.at(Settings(home=home).blobs))
            page = tab(browser)
            load(page, stack.enter_context(App(home)).url, until="tbody tr")
            places[comparisons] = page, _questions(database, project)
        for _ in range(TIMES):
            for comparisons, (page, questions) in places.items():
                for name, ask in questions.items():
                    began = time.perf_counter()
                    ask()
                    took[name, comparisons].append((time.perf_counter() - began) * 1000)
                for name, milliseconds in _opened(page):
                    took[name, comparisons].append(milliseconds)
    return [
        figure(f"{name}: {MANY:,} comparisons in the database", values, "ms", floor=median(took[name, FEW]),
               times=1.2, of=f"with {FEW}")
        for (name, comparisons), values in [*took.items()] if comparisons == MANY
    ]  # fmt: skip


def _opened(page: Page) -> Iterator[tuple[str, float]]:
    """How long it takes from the click until a page stands, each time from another page; the queue is left open."""
    wait(page, until=LIST)
    yield "opening the next pair", click(page, ".st-key-queue_start button", until=SCORES)
    click(page, "a[href$='new']", until=NEW)
    yield "opening the history", click(page, "a[href$='history']", until=LIST)
    click(page, "a[href$='new']", until=NEW)
    yield "opening the queue", click(page, "a[href='']", until=LIST)


def _questions(database: Database, project_id: str) -> Mapping[str, Callable[[], object]]:
    def unit_of(connection: Connection) -> Unit:
        return Unit(connection, at=datetime.now(UTC), new_id=new_id)

    with database.write() as connection:
        me = people.ensure_person(unit_of(connection), "local:bench", name="bench").id
    waiting = HistoryFilter(project_id=project_id, status=Status.TO_REVIEW, order=ListOrder.OLDEST)

    def queue() -> None:
        counts(database, project_id=project_id)
        progress(database, person_id=me, project_id=project_id, at=datetime.now(UTC))
        history(database, waiting, limit=PAGE)

    def following() -> None:
        with database.read() as connection:
            next_to_review(unit_of(connection), person_id=me, project_id=project_id)

    return {
        "queue, what it asks the database": queue,
        "next pair, what it asks the database": following,
        "history, a page of its list": lambda: history(
            database, HistoryFilter(project_id=project_id), limit=PAGE
        ),
    }
