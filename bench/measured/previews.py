"""The next pair until both outputs are visible, another file, and the server's memory: on the real review page."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page

from bench.figures import Figure, at_most, below
from bench.floors.floor import app, chromium, click, floor_of, load, shown, tab, wait
from bench.made.review_pairs import PDF, TEXT, TWO, store

N = 20
PAIRS = 200
READING = 1500
"""Milliseconds for which a reviewer looks at a pair at least before going on."""
STILL = 8
"""Looks at the memory, half a second apart, that must agree within a megabyte before it counts as being at rest."""
FINALISE = "[data-command='finalise_next']"
OTHER_FILE = "[data-entry][aria-selected=false]"
# The sheet of the pair in the address: the one before it stands there until it comes, and takes nothing any more.
SCORES = """window.benchAll('.sheet').some((sheet) =>
    sheet.dataset.comparison === new URLSearchParams(location.search).get('c')
    && sheet.querySelector('.scores td.you.A [role=radio]'))"""
# Both panes show other files than before, their text or the picture of their first page among it, with nothing above.
SEEN = """(() => {
    const frames = window.benchAll('iframe.front');
    return frames.length === 2 && frames.every((frame) =>
        !(window.benchBefore ?? []).includes(frame.dataset.file)
        && frame.contentDocument?.querySelector('pre.text, .sheet')
        && [...frame.contentDocument.querySelectorAll('.sheet img')].slice(0, 1)
            .every((image) => image.complete && image.naturalWidth)
    ) && window.benchAll('.veil').length === 0;
})()"""
LEAVE = "() => { window.benchBefore = window.benchAll('iframe.front').map((frame) => frame.dataset.file); }"


def measure() -> Sequence[Figure]:
    """Medians in milliseconds beside a click on Streamlit's own page, and megabytes.

    Each pair is opened by "Finalise and open next", which stores the review, takes the next pair and shows it.
    """
    kinds = (TEXT,) * (N + 1) + (PDF,) * N + (TWO,) * N + (TEXT,) * (N + 1)
    kinds += (TEXT,) * (PAIRS + 1 - len(kinds))
    with tempfile.TemporaryDirectory(prefix="bench-previews-") as name:
        pairs = store(Path(name), kinds)
        with chromium() as browser:
            floor = floor_of(browser)
            with app(Path(name)) as url:
                page = tab(browser)
                load(page, f"{url}/review?c={pairs[0]}", until=FINALISE)
                wait(page, until=SEEN)
                before = _memory_at_rest(page, url)
                texts = [_next(page) for _ in range(N)]
                pdfs = [_next(page) for _ in range(N)]
                two = [(_next(page), _switch(page)) for _ in range(N)]
                # Two pairs at a stretch without reading: nothing of the second can have been made ready.
                hurried = [_next(page, reading=0) for _ in range(N + 1)][1:]
                for _ in range(PAIRS - len(texts) - len(pdfs) - len(two) - len(hurried) - 1):
                    _next(page, reading=0)
                grown = _memory(url) - before
                chosen = [_from_a_list(page, url, place) for place in range(N)]
                page.context.close()
    of = "a button's click"
    return (
        *floor.figures(),
        at_most("a pair chosen in the history until both outputs are visible", statistics.median(chosen), unit="ms",
                floor=floor.click, times=3, n=N, of=of),
        at_most("next pair of two 200 KB texts until both are visible", statistics.median(texts), unit="ms",
                floor=floor.click, times=2, n=N, of=of),
        at_most("next pair of two 40-page PDFs until both are visible", statistics.median(pdfs), unit="ms",
                floor=floor.click, times=4, n=N, of=of),
        at_most("switching file until both are visible", statistics.median(took for _, took in two), unit="ms",
                floor=floor.click, times=3, n=N, of=of),
        at_most("next pair of texts, the one before it not read at all", statistics.median(hurried), unit="ms",
                floor=floor.hello, times=4, n=N, of="a click in streamlit hello"),
        below(f"memory of the server over {PAIRS} pairs opened in turn", grown, unit="MB", limit=100, n=PAIRS),
    )  # fmt: skip


def _next(page: Page, *, reading: int = READING) -> float:
    """Read for a while, finalise, and be shown the next pair; its scores are waited for, but not counted."""
    page.wait_for_timeout(reading)
    wait(page, until=shown(FINALISE))
    page.evaluate(LEAVE)
    took = click(page, FINALISE, until=SEEN)
    wait(page, until=SCORES)
    return took


def _from_a_list(page: Page, url: str, place: int) -> float:
    """Open the pair of this row of the history, which nothing has made ready."""
    load(page, f"{url}/history?q=invoices of this month", until="tr a.open")
    page.wait_for_timeout(READING)
    return click(page, f"tbody tr:nth-of-type({place + 1}) a.open", until=SEEN)


def _switch(page: Page) -> float:
    page.wait_for_timeout(READING)
    page.evaluate(LEAVE)
    return click(page, OTHER_FILE, until=SEEN)


def _memory_at_rest(page: Page, url: str) -> float:
    """What `_memory` says once it stays the same: the first page starts children that load their libraries after it."""
    said: list[float] = []
    while len(said) < STILL or max(said[-STILL:]) - min(said[-STILL:]) > 1:
        page.wait_for_timeout(500)
        said.append(_memory(url))
    return said[-1]


def _memory(url: str) -> float:
    """Megabytes that the server at `url` and its children hold."""
    port = url.rsplit(":", 1)[1].encode()
    status = {path.parent.name: path for path in Path("/proc").glob("[0-9]*/status")}
    told = {id: dict(_lines(path)) for id, path in status.items()}
    own = {id for id in told if _serves(id, port)}
    for _ in told:
        more = {id for id, lines in told.items() if lines.get("PPid") in own} - own
        if not more:
            break
        own |= more
    return sum(float(told[id].get("VmRSS", "0").split()[0]) for id in own) / 1000


def _serves(process: str, port: bytes) -> bool:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return b"serve" in words and port in words


def _lines(status: Path) -> Iterator[tuple[str, str]]:
    try:
        for line in status.read_text().splitlines():
            name, _, value = line.partition(":\t")
            yield name, value
    except OSError:
        # It has ended meanwhile.
        return
