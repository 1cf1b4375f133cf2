"""From a click to the page, a key to "saved", and the next pair until both outputs are visible."""

import random
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Page

from bench.browser import CLICK, HELLO, ROOT, chromium, click, floors, load, memory, press, shown, tab, wait
from bench.figures import Figure, figure
from comparator.bootstrap import open_services
from comparator.domain.labels import Label, PerOutput
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.workflow.review.review import record
from tests.browser.servers.real_app import App
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.office_documents import LOREM
from tests.worlds.workbench import TASK, Workbench

EXAMPLES, VISITS, PRESSES, BEGUN, NEXT, STRETCH = 6, 6, 10, 4, 5, 20
QUEUE = f"window.benchAll('tbody tr').length >= {EXAMPLES}"
SCORES = ".scores td.you.A [role=radio]"
NEW = shown(".st-key-new_judge_now button")
SAVED = shown('.saved[data-waiting="0"]')
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
    ("review", "tr a.open", shown(SCORES)),
)
TEXT_BYTES, PDF_PAGES = 200_000, 40
TEXT, PDF, TWO = "text", "pdf", "two"


def measure() -> Sequence[Figure]:
    """Medians in milliseconds, each beside that of a button's click, or of a load of Streamlit's hello page."""
    kinds = (TEXT,) * (NEXT + 1) + (PDF,) * NEXT + (TWO,) * NEXT + (TEXT,) * (STRETCH + 2)
    moves: defaultdict[str, list[float]] = defaultdict(list)
    loads = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-pages-")))
        empty, filled = folder / "empty", folder / "filled"
        empty.mkdir()
        _store(filled, kinds)
        browser = stack.enter_context(chromium())
        button, hello = floors(browser)
        with App(empty, examples=True) as server:
            page = tab(browser)
            load(page, server.url, until=QUEUE)
            for _ in range(VISITS):
                for name, link, there in WAYS:
                    moves[name].append(click(page, link, until=there))
                loads.append(load(page, page.url, until=shown(SCORES)))
                load(page, server.url, until=QUEUE)
            click(page, "tr a.open", until=shown(SCORES))
            seen, saved = _scored(page, Settings(home=empty).database)
            begun = [_begun(page, server.url, number) for number in range(BEGUN)]
            page.context.close()
        with App(filled) as server:
            page = tab(browser)
            load(page, server.url, until=shown(START))
            click(page, START, until=SEEN)
            texts, pdfs = ([_next(page) for _ in range(NEXT)] for _ in range(2))
            switched = [(_next(page), _to_others(page, OTHER_FILE))[1] for _ in range(NEXT)]
            before = memory()
            # At a stretch without reading: nothing of a pair can have been made ready.
            hurried = [_next(page, reading=0) for _ in range(STRETCH)]
            grown = memory() - before
            chosen = []
            for place in range(1, NEXT + 1):
                load(page, f"{server.url}/history?q=invoices of this month", until=shown("tr a.open"))
                chosen.append(_to_others(page, f"tbody tr:nth-of-type({place}) a.open"))
    beside_a_click = (
        *((f"{name}: click until visible", took, 6) for name, took in moves.items() if name),
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
        *(figure(name, took, "ms", floor=button.value, times=times, of=CLICK)
          for name, took, times in beside_a_click),
        figure("review: warm load", loads, "ms", floor=hello.value, times=3, of=HELLO),
        figure("new: Judge and review until two pages are visible", begun, "s", limit=2),
        figure("next pair of texts, the one before it not read at all", hurried, "ms", floor=hello.value, times=4,
               of=HELLO),
        figure(f"memory of the server over {STRETCH} pairs opened in turn", grown, "MB", limit=100),
    )  # fmt: skip


def _scored(page: Page, database_url: str) -> tuple[list[float], list[float]]:
    """Milliseconds from a score's key until the sheet shows it, and until it is saved, which the database confirms."""
    seen, saved = [], []
    chosen = "window.benchAll({!r})[{}].getAttribute('aria-checked') === 'true'"
    with closing(Database.open(database_url)) as database:

        def stored() -> int:
            with database.read() as connection:
                return connection.execute(sa.select(sa.func.count()).select_from(tables.change)).scalar_one()

        for number in range(PRESSES):
            first, second = 1 + number % 5, 1 + (number + 2) % 5
            seen.append(press(page, str(first), until=chosen.format(SCORES, first - 1)))
            wait(page, until=SAVED)
            before = stored()
            saved.append(press(page, str(second), until=f"{chosen.format(SCORES, second - 1)} && {SAVED}"))
            if stored() != before + 1:
                raise RuntimeError("a change was called saved and is not in the database")
    return seen, saved


def _begun(page: Page, url: str, number: int) -> float:
    """Seconds from "Judge and review" to both outputs on the review page; they have no pictures yet."""
    load(page, f"{url}/new", until=NEW)
    page.get_by_label("Prompt", exact=True).fill(f"Write a page for the repair café, number {number}.")
    page.get_by_label("Prompt", exact=True).press("Control+Enter")
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


def _next(page: Page, *, reading: int = READING) -> float:
    """Finalise, and be shown the next pair; its scores are waited for, but not counted."""
    took = _to_others(page, FINALISE, reading=reading)
    wait(page, until=OWN_SCORES)
    return took


def _to_others(page: Page, link: str, *, reading: int = READING) -> float:
    """Read for a while, and go to other files."""
    page.wait_for_timeout(reading)
    wait(page, until=shown(link))
    page.evaluate(LEAVE)
    return click(page, link, until=SEEN)


def _store(home: Path, kinds: Iterable[str]) -> None:
    """Comparisons below `home`, one a kind and in this order, each ready to be finalised."""
    settings = Settings(home=home, judge="offline", chromium="off")
    with closing(open_services(settings)) as services, tempfile.TemporaryDirectory() as folder:
        bench = Workbench(services.database, services.blobs, Path(folder), settings)
        for number, kind in enumerate(kinds):
            for label in Label:
                for file, data in _files(kind, random.Random(f"{number}{label}")):
                    bench.file(f"{number}/{label.value}/{file}", data)
            own = bench.folder / str(number)
            comparison_id = bench.submitted(
                PerOutput[Path](A=own / "A", B=own / "B"),
                task=TASK.model_copy(update={"prompt": f"Report {number} on the invoices of this month."}),
            )
            assert bench.judged(comparison_id).complete
            record(bench.me, comparison_id, [bench.change("reasoning", "It answers more of what was asked.")])


def _files(kind: str, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    def lines(count: int) -> str:
        return "\n".join(" ".join(chance.choices(LOREM.split(), k=12)) for _ in range(count))

    if kind == PDF:
        yield "report.pdf", long_pdf([lines(45) for _ in range(PDF_PAGES)])
    else:
        for name in ("one.txt", "two.txt") if kind == TWO else ("report.txt",):
            yield name, lines(TEXT_BYTES // 60)[:TEXT_BYTES].encode()
