"""How long a first and a later start take until the page stands."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.browser import chromium, load, shown, tab
from bench.figures import Figure, figure
from tests.browser.servers.real_app import App

STARTS = 3


def measure() -> Sequence[Figure]:
    """The first start in an empty home, then later ones with what the first has stored, in seconds."""
    answers, pages = [], []
    with tempfile.TemporaryDirectory(prefix="bench-home-") as folder, chromium() as browser:
        for _ in range(STARTS + 1):
            began = time.perf_counter()
            with App(Path(folder), examples=True) as server:
                answers.append(time.perf_counter() - began)
                load(tab(browser), server.url, until=shown("tbody tr"))
                pages.append(time.perf_counter() - began)
    return (
        figure("first start until the examples are listed", pages[0], "s"),
        figure("later start until the server answers", answers[1:], "s", limit=2),
        figure("later start until the queue is listed", pages[1:], "s", limit=4),
    )
