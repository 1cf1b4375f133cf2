"""From a click to the page, a key to "saved", and the next pair until both outputs are visible."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Page

from bench.browser import CLICK, HELLO, ROOT, chromium, click, floors, load, memory, press, shown, tab, wait
from bench.figures import Figure, figure
from comparator.bootstrap import open_services
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit
from comparator.store.people import people, projects
from comparator.workflow.review.review import record
from tests.browser.servers.real_app import App
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.office_documents import LOREM
from tests.worlds.workbench import Workbench

EXAMPLES, VISITS, PRESSES, BEGUN, NEXT, STRETCH = 6, 6, 10, 4, 5, 20
QUEUE = f"window.benchAll('tbody tr').length >= {EXAMPLES}"
SCORES = ".scores td.you.A [role=radio]"
SAVED = shown('.saved[data-waiting="0"]')
NEW = shown(".st-key-new_judge_now button")
READING = 1500
"""Milliseconds for which somebody looks at a page at least before going on."""
FINALISE = "[data-command='finalise_next']"
START = "[class*=st-key-queue_start] button"
OTHER_FILE = ".files [role=tab][aria-selected=false]"
# The sheet of the pair in the address: the one before it stands there until it comes, and takes nothing any more.
OWN_SCORES = f"""window.benchAll('.review').some((root) => root.querySelector('{SCORES}')
    && root.review.comparisonId === new URLSearchParams(location.search).get('c'))"""
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
OPENED = " && ".join(shown(f".pane[data-side={side}] iframe.front") for side in "ab")
LEAVE = "() => { window.benchBefore = window.benchAll('iframe.front').map((frame) => frame.dataset.file); }"
# By the menu, and what is there once the page stands. Both lists are come to from New, where no other list stands.
WAYS = (
    ("new", "a[href$='new']", NEW),
    ("history", "a[href$='history']", QUEUE),
    ("", "a[href$='new']", NEW),
    ("queue", "a[href='']", QUEUE),
)
TEXT_BYTES, PDF_PAGES = 200_000, 40
TEXT, PDF, TWO = "text", "pdf", "two"
EXPECTATIONS = ("It names every invoice.", "It gives the total.", "It says which region comes first.")


def measure() -> Sequence[Figure]:
    """Medians in milliseconds, each beside that of a button's click, or of a load of Streamlit's hello page."""
    kinds = (TEXT,) * (NEXT + 1) + (PDF,) * NEXT + (TWO,) * NEXT + (TEXT,) * (STRETCH + 2)
    moves: dict[str, list[float]] = {name: [] for name in ("queue", "new", "history", "review")}
    loads = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-pages-")))
        empty, filled = folder / "empty", folder / "filled"
        empty.mkdir()
        store(filled, kinds)
        browser = stack.enter_context(chromium())
        button, hello = floors(browser)
        with App(empty, examples=True) as server:
            page = tab(browser)
            load(page, server.url, until="tbody tr")
            wait(page, until=QUEUE)
            for _ in range(VISITS):
                for name, link, there in WAYS:
                    took = click(page, link, until=there)
                    if name:
                        moves[name].append(took)
                moves["review"].append(click(page, "tr a.open", until=shown(SCORES)))
                loads.append(load(page, page.url, until=SCORES))
                load(page, server.url, until="tbody tr")
            click(page, "tr a.open", until=shown(SCORES))
            seen, saved = _scored(page, Settings(home=empty).database)
            begun = [_begun(page, server.url, number) for number in range(BEGUN)]
            page.context.close()
        with App(filled) as server:
            page = tab(browser)
            load(page, server.url, until=START)
            click(page, START, until=SEEN)
            texts, pdfs = ([_next(page) for _ in range(NEXT)] for _ in range(2))
            switched = [(_next(page), _switch(page))[1] for _ in range(NEXT)]
            before = memory()
            # At a stretch without reading: nothing of a pair can have been made ready.
            hurried = [_next(page, reading=0) for _ in range(STRETCH)]
            grown = memory() - before
            chosen = [_from_a_list(page, server.url, place) for place in range(NEXT)]
    beside_a_click = (
        *((f"{name}: click until visible", took, 6) for name, took in moves.items()),
        ("review: score key until shown", seen, 1),
        ("review: score key until saved, and in the database", saved, 2),
        ("a pair chosen in the history until both outputs are visible", chosen, 3),
        ("next pair of two 200 KB texts until both are visible", texts, 2),
        ("next pair of two 40-page PDFs until both are visible", pdfs, 4),
        ("switching file until both are visible", switched, 3),
    )
    return (
        button,
        hello,
        *(
            figure(name, took, "ms", floor=button.value, times=times, of=CLICK)
            for name, took, times in beside_a_click
        ),
        figure("review: warm load", loads, "ms", floor=hello.value, times=3, of=HELLO),
        figure("new: Judge and review until two pages are visible", begun, "s", limit=2),
        figure("next pair of texts, the one before it not read at all", hurried, "ms", floor=hello.value, times=4,
               of=HELLO),
        figure(f"memory of the server over {STRETCH} pairs opened in turn", grown, "MB", limit=100),
    )  # fmt: skip


def _scored(page: Page, database_url: str) -> tuple[list[float], list[float]]:
    """Milliseconds from a score's key until the sheet shows it, and until it says that it is saved.

    Raises RuntimeError where it says so and there is no row of it.
    """
    seen, saved = [], []
    database = Database.open(database_url)
    for number in range(PRESSES):
        first, second = 1 + number % 5, 1 + (number + 2) % 5
        chosen = "window.benchAll({!r})[{}].getAttribute('aria-checked') === 'true'"
        seen.append(press(page, str(first), until=chosen.format(SCORES, first - 1)))
        wait(page, until=SAVED)
        before = _stored(database)
        saved.append(press(page, str(second), until=f"{chosen.format(SCORES, second - 1)} && {SAVED}"))
        if _stored(database) != before + 1:
            raise RuntimeError("a change was called saved and is not in the database")
    database.close()
    return seen, saved


def _begun(page: Page, url: str, number: int) -> float:
    """Seconds from "Judge and review" to both outputs on the review page; they have no pictures yet."""
    load(page, f"{url}/new", until=".st-key-new_judge_now button")
    page.get_by_role("button", name="Start over").click()
    page.get_by_label("What was asked").fill(f"Write a page for the repair café, number {number}.")
    page.get_by_label("What was asked").press("Control+Enter")
    for place, side in enumerate("ab"):
        page.get_by_text("Path", exact=True).nth(place).click()
        path = page.get_by_label("File or folder on this machine").nth(place)
        path.fill(str(ROOT / "examples" / "repair-cafe-page" / side))
        path.press("Enter")
        page.get_by_text("read: HTML").nth(place).wait_for()
    page.locator(".st-key-new_judge_now button:not([disabled])").wait_for()
    # What was read of the page is prepared while it is being filled in.
    page.wait_for_timeout(READING)
    took = click(page, ".st-key-new_judge_now button", until=OPENED)
    # The judge and the pictures of this pair shall not slow the next one down.
    wait(page, until="window.benchFind('span.step') === null")
    return took / 1000


def _stored(database: Database) -> int:
    with database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(tables.change)).scalar_one()


def _next(page: Page, *, reading: int = READING) -> float:
    """Read for a while, finalise, and be shown the next pair; its scores are waited for, but not counted."""
    page.wait_for_timeout(reading)
    wait(page, until=shown(FINALISE))
    page.evaluate(LEAVE)
    took = click(page, FINALISE, until=SEEN)
    wait(page, until=OWN_SCORES)
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


def store(home: Path, kinds: Iterable[str]) -> tuple[str, ...]:
    """Ids of the comparisons stored below `home`, one a kind and in this order, each ready to be finalised."""
    settings = Settings(home=home, judge="offline", chromium="off")
    with closing(open_services(settings)) as services, tempfile.TemporaryDirectory() as folder:
        bench = Workbench(services.database, services.blobs, Path(folder), settings)
        with services.database.write() as connection:
            unit = Unit(connection, at=datetime.now(UTC), new_id=services.new_id)
            project = projects.ensure_project(unit, "Measured")
            kept = project.settings.model_copy(update={"ask_guess_share": 0.0})
            projects.save_settings(unit, project.id, kept)
            # Whoever reviews is not who knows which output is whose.
            author = people.ensure_person(unit, "local:author", name="Author").id
        reviewer, bench.person = bench.person, author
        return tuple(_pair(bench, number, kind, reviewer=reviewer) for number, kind in enumerate(kinds))


def _pair(bench: Workbench, number: int, kind: str, *, reviewer: str) -> str:
    for label in Label:
        for file, data in _files(kind, random.Random(f"{number}{label}")).items():
            bench.file(f"{number}/{label.value}/{file}", data)
    own = bench.folder / str(number)
    comparison_id = bench.submitted(
        PerOutput[Path](A=own / "A", B=own / "B"),
        task=TaskText(prompt=f"Report {number} on the invoices of this month.", expectations=EXPECTATIONS),
        project="Measured",
    )
    assert bench.judged(comparison_id).complete
    # The offline check judges nothing, so that a review needs an opinion of its own.
    why = bench.change("reasoning", "It answers more of what was asked.")
    record(bench.services.by(reviewer), comparison_id, [why])
    return comparison_id


def _files(kind: str, chance: random.Random) -> Mapping[str, bytes]:
    def lines(count: int) -> str:
        return "\n".join(" ".join(chance.choices(LOREM.split(), k=12)) for _ in range(count))

    if kind == PDF:
        return {"report.pdf": long_pdf([lines(45) for _ in range(PDF_PAGES)])}
    names = ("one.txt", "two.txt") if kind == TWO else ("report.txt",)
    return {name: lines(TEXT_BYTES // 60)[:TEXT_BYTES].encode() for name in names}
