"""How long a second start takes until the page stands."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from bench.figures import Figure, below, plain
from bench.floors.floor import app, chromium, load, tab

STARTS = 3


def measure() -> Sequence[Figure]:
    """The first start in an empty home, then later ones with what the first has stored."""
    with tempfile.TemporaryDirectory(prefix="bench-home-") as folder, chromium() as browser:
        first = _start(browser, Path(folder))
        later = [_start(browser, Path(folder)) for _ in range(STARTS)]
    answers, pages = zip(*later, strict=True)
    return (
        plain("first start until the examples are listed", first[1], unit="s", n=1),
        plain("later start until the server answers", statistics.median(answers), unit="s", n=STARTS),
        below("later start until the queue is listed", statistics.median(pages), unit="s", limit=6, n=STARTS),
    )


def _start(browser: Browser, home: Path) -> tuple[float, float]:
    began = time.perf_counter()
    with app(home) as url:
        answered = time.perf_counter() - began
        page = tab(browser)
        load(page, url, until="tbody tr")
        took = time.perf_counter() - began
        page.context.close()
    return answered, took
