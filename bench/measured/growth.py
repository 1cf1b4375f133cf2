"""What 100,000 comparisons in the database cost whoever opens the queue, the next pair and the history."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median

from playwright.sync_api import Page

from bench.browser import chromium, click, load, shown, tab, wait
from bench.figures import Figure, figure
from bench.generator import generate
from comparator.settings import Settings
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from tests.browser.servers.real_app import App

FEW, MANY, TIMES, PAGE = 100, 100_000, 10, 25
LIST = f"window.benchAll('tbody tr').length >= {PAGE}"
NEW = shown(".st-key-new_judge_now button")
SCORES = shown(".scores td.you.A [role=radio]")


def measure() -> Sequence[Figure]:
    """Milliseconds of opening the pages, with what they ask the database; the floor is that of few.

    Few and many take turns, so that whatever else the machine does falls on both.
    """
    took: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        browser, pages = stack.enter_context(chromium()), {}
        for comparisons in (FEW, MANY):
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-growth-")))
            with closing(Database.open(Settings(home=home).database)) as database:
                generate(database, comparisons, blobs=BlobStore.at(Settings(home=home).blobs))
            pages[comparisons] = tab(browser)
            load(pages[comparisons], stack.enter_context(App(home)).url, until="tbody tr")
        for _ in range(TIMES):
            for comparisons, page in pages.items():
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
