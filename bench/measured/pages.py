"""From a click to the page, and from a key on the score sheet to "saved", beside Streamlit's own floor."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Page

from bench.figures import Figure, at_most, below
from bench.floors.floor import ROOT, app, chromium, click, floor_of, load, press, shown, tab, wait
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database

EXAMPLES = 6
VISITS = 10
PRESSES = 20
BEGUN = 5
"""Reviews of new pairs of web pages that are opened."""
QUEUE = f"window.benchAll('tbody tr').length >= {EXAMPLES}"
SCORES = ".scores td.you.A [role=radio]"
SAVED = shown('.saved[data-waiting="0"]')
NEW = shown(".st-key-new_judge_now button")
READING = 1500
"""Milliseconds for which somebody looks at the filled in page."""
SHOWN = f"{shown('.pane[data-side=a] iframe.front')} && {shown('.pane[data-side=b] iframe.front')}"
# By the menu, and what is there once the page stands. Both lists are come to from New, where no other list stands.
WAYS = (
    ("new", "a[href$='new']", NEW),
    ("history", "a[href$='history']", QUEUE),
    ("", "a[href$='new']", NEW),
    ("queue", "a[href='']", QUEUE),
)


def measure() -> Sequence[Figure]:
    """Medians in milliseconds, each beside that of a button's click, or of a load of Streamlit's hello page."""
    moves: dict[str, list[float]] = {name: [] for name in ("queue", "new", "history", "review")}
    loads: list[float] = []
    with (
        tempfile.TemporaryDirectory(prefix="bench-pages-") as folder,
        chromium() as browser,
        app(Path(folder)) as url,
    ):
        floor = floor_of(browser)
        page = tab(browser)
        load(page, url, until="tbody tr")
        wait(page, until=QUEUE)
        for _ in range(VISITS):
            for name, link, there in WAYS:
                took = click(page, link, until=there)
                if name:
                    moves[name].append(took)
            moves["review"].append(click(page, "tr a.open", until=shown(SCORES)))
            loads.append(load(page, page.url, until=SCORES))
            load(page, url, until="tbody tr")
        click(page, "tr a.open", until=shown(SCORES))
        seen, saved = _scored(page, Settings(home=Path(folder)).database)
        begun = [_begun(page, url, number) for number in range(BEGUN)]
        page.context.close()
    button = "a button's click"
    return (
        *floor.figures(),
        *(
            at_most(
                f"{name}: click until visible",
                statistics.median(took),
                unit="ms",
                floor=floor.click,
                times=6,
                n=VISITS,
                of=button,
            )
            for name, took in moves.items()
        ),
        at_most(
            "review: warm load",
            statistics.median(loads),
            unit="ms",
            floor=floor.warm,
            times=3,
            n=VISITS,
            of="the hello page's",
        ),
        at_most(
            "review: score key until shown", seen, unit="ms", floor=floor.click, times=1, n=PRESSES, of=button
        ),
        at_most(
            "review: score key until saved, and in the database",
            saved,
            unit="ms",
            floor=floor.click,
            times=2,
            n=PRESSES,
            of=button,
        ),
        below(
            "new: Judge and review until two web pages are visible",
            statistics.median(begun) / 1000,
            unit="s",
            limit=2,
            n=BEGUN,
        ),
    )


def _begun(page: Page, url: str, number: int) -> float:
    """Milliseconds from "Judge and review" to both outputs on the review page; they have no pictures yet."""
    load(page, f"{url}/new", until=".st-key-new_judge_now button")
    page.get_by_role("button", name="Start over").click()
    page.get_by_label("What was asked").fill(f"Write a page for the repair café, number {number}.")
    page.get_by_label("What was asked").press("Control+Enter")
    for place, side in enumerate("ab"):
        path = page.get_by_label("File or folder on this machine").nth(place)
        path.fill(str(ROOT / "examples" / "repair-cafe-page" / side))
        path.press("Enter")
        page.locator(f".st-key-new_{('first', 'second')[place]}_reread").wait_for()
    ready = page.locator(".st-key-new_judge_now button:not([disabled])")
    ready.wait_for()
    # What was read of the page is prepared while it is being filled in.
    page.wait_for_timeout(READING)
    took = click(page, ".st-key-new_judge_now button", until=SHOWN)
    # The judge and the pictures of this pair shall not slow the next one down.
    wait(page, until="window.benchFind('span.step') === null")
    return took


def _scored(page: Page, database_url: str) -> tuple[float, float]:
    """Median milliseconds from a score's key until the sheet shows it, and until it says that it is saved.

    Raises RuntimeError where it says so and there is no row of it.
    """
    seen, saved = [], []
    database = Database.open(database_url)
    for number in range(PRESSES):
        score = 1 + number % 5
        chosen = f"window.benchAll({SCORES!r})[{score - 1}].getAttribute('aria-checked') === 'true'"
        seen.append(press(page, str(score), until=chosen))
        wait(page, until=SAVED)
        before = _stored(database)
        score = 1 + (number + 2) % 5
        chosen = f"window.benchAll({SCORES!r})[{score - 1}].getAttribute('aria-checked') === 'true'"
        saved.append(press(page, str(score), until=f"{chosen} && {SAVED}"))
        if _stored(database) != before + 1:
            raise RuntimeError("a change was called saved and is not in the database")
    database.close()
    return statistics.median(seen), statistics.median(saved)


def _stored(database: Database) -> int:
    """How many changes there are."""
    with database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(tables.change)).scalar_one()
