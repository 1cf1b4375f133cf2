"""From a filter to the charts it changes, at 100 and 10,000 comparisons, and a grid of 60 tasks and 35 iterations.

At 100 there are two floors: a click, and the same charts from constants, which is what Streamlit and Plotly need. All
three are taken on a page that stays open, as a reader's does: the browser's Back brings the filter again.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bench.figures import Figure, at_most, below
from bench.floors.floor import ROOT, app, chromium, click, floor_of, load, serving, tab, wait
from bench.made.generator import generate
from bench.measured.dashboards import KEPT, NAME
from comparator.reporting.history.listing import all_projects
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.over_iterations import over_iterations
from comparator.reporting.tally.keeping import bring_up
from comparator.reporting.tally.scope import ResultFilter, Verdicts
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.dashboards.tabs.over_time import cell_link
from comparator.ui.frame.charts.task_grid import grid_panel
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.frame.lists.filters import PARTS
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

TIMES = 6
GRID_TIMES = 15
"""A load of either page differs by a tenth from the next one."""
LONG = 1_440
"""With more comparisons a generated history lasts several days."""
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3 * {charts}"
ITERATIONS, TASKS = 35, 60
FIGURES = """[...document.querySelectorAll('.js-plotly-plot')].map(
    (chart) => JSON.parse(JSON.stringify({ data: chart.data, layout: chart.layout })))"""
OPTIONS = ("--server.headless=true", "--browser.gatherUsageStats=false")


def measure() -> Sequence[Figure]:
    """All figures, on SQLite."""
    figures: list[Figure] = []
    with chromium() as browser:
        floor = floor_of(browser)
        for comparisons in (100, 10_000):
            took = _changes(browser, comparisons)
            for name, each in took.items():
                told = f"dashboards, {comparisons:,} comparisons: {name}"
                middle = statistics.median(each)
                if comparisons == 100:
                    alone = statistics.median(_from_constants(browser))
                    figures += (
                        at_most(told, middle, unit="ms", floor=floor.click, times=2.0, n=TIMES, of="a click"),
                        at_most(
                            told,
                            middle,
                            unit="ms",
                            floor=alone,
                            times=1.5,
                            n=TIMES,
                            of="the same from constants",
                        ),
                    )
                else:
                    figures.append(below(told, middle, unit="ms", limit=500, n=TIMES))
        figures.append(_grid(browser))
    return figures


def _changes(browser: Any, comparisons: int) -> dict[str, list[float]]:
    """Milliseconds from a click to a changed chart."""
    path = KEPT / f"changes-{comparisons}.db"
    database, project_id = _generated(path, lambda own: generate(own, comparisons, name=NAME))
    try:
        with database.read() as connection:
            query = sa.select(tables.task.c.id).where(tables.task.c.project_id == project_id).limit(1)
            task = connection.execute(query).scalar_one()
    finally:
        database.close()
    found: dict[str, list[float]] = defaultdict(list)
    with app(_home(), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as url:
        page = tab(browser)
        kept = f"project={project_id}&verdicts={Verdicts.EITHER.value}"
        chip = ".st-key-chip_0 button"
        # What is new on each other tab is what it asks of the database; at 100 that is nothing.
        for part in PARTS if comparisons > LONG else ("why",):
            told = f"{PARTS[part]}, a filter to its changed charts"
            # Narrowed to a task, its pairs differ by little else.
            page.goto(
                f"{url}/dashboards?{kept}&part={part}&by=criterion&within=task:{task}", wait_until="commit"
            )
            for at in range(TIMES + 1):
                if at:
                    # The address follows the charts; without its step there is nothing to go back to.
                    wait(page, until="!location.search.includes('within')")
                    page.evaluate("history.back()")
                wait(page, until=f"window.benchFind('{chip}') !== null && " + DRAWN.format(charts=1))
                found[told].append(_until_changed(page, chip, at=(0, -1)))
        if comparisons > LONG:
            page.goto(f"{url}/history?project={project_id}&metric=Mean+score", wait_until="commit")
            wait(page, until=DRAWN.format(charts=1) + " && window.benchAll('tbody tr').length > 0")
            for at in range(TIMES + 1):
                other = f"[data-testid=stButtonGroup] button:nth-of-type({2 - at % 2})"
                found["history, iterations or days to the changed chart"].append(
                    _until_changed(page, other, at=(0,))
                )
        else:
            drawn = (page.evaluate("window.benchDrawn"), page.evaluate(FIGURES))
            (KEPT / "charts.json").write_text(json.dumps(drawn), encoding="utf-8")
        page.context.close()
    # The first time loads and compiles what any later one has.
    return {name: each[1:] for name, each in found.items()}


def _until_changed(page: Any, selector: str, *, at: tuple[int, ...]) -> float:
    """From the click until each of these charts says something else: 0 is the headline's, -1 the last one below it."""
    page.wait_for_timeout(800)
    words = f"{list(at)}.map((at) => [...document.querySelectorAll('.js-plotly-plot')].at(at)?.textContent)"
    page.evaluate(f"window.benchBefore = {words}; window.benchDrawn = {FIGURES}")
    return click(
        page,
        selector,
        until=f"{words}.every((each, at) => !['', undefined, window.benchBefore[at]].includes(each))",
    )


def _from_constants(browser: Any) -> list[float]:
    """Milliseconds from a click to the last of the same charts, on a page of one button and these charts."""
    script = os.fspath(ROOT / "bench" / "floors" / "charts_floor.py")
    told = {"CHARTS_CONSTANTS": os.fspath(KEPT / "charts.json")}
    with serving(
        lambda port: ["-m", "streamlit", "run", script, f"--server.port={port}", *OPTIONS], told
    ) as url:
        page = tab(browser)
        page.goto(url, wait_until="commit")
        wait(page, until=DRAWN.format(charts=1))
        found = [_until_changed(page, ".st-key-count button", at=(0, -1)) for _ in range(TIMES + 1)]
        page.context.close()
    return found[1:]


def _grid(browser: Any) -> Figure:
    """Milliseconds until the grid stands on its tab, against a page of the same figures from constants."""
    path = KEPT / f"grid-{ITERATIONS}-{TASKS}.db"
    database, project_id = _generated(path, _experiment, name="Invoices")
    try:
        met = project_state(database, project_id).revealed_meetings[0]
        asked = ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)
        found = over_iterations(database, asked)
        assert found is not None
        assert (len(found.iterations), len(found.tasks)) == (ITERATIONS, TASKS)
        panel = grid_panel(found, cell_link(asked, found), theme=ColourTheme.LIGHT, order="name")
    finally:
        database.close()
    assert panel.figure is not None
    constants = KEPT / "grid.json"
    constants.write_text(json.dumps({"figure": json.loads(panel.figure.to_json())}), encoding="utf-8")
    script = os.fspath(ROOT / "bench" / "floors" / "grid_floor.py")
    with (
        serving(
            lambda port: ["-m", "streamlit", "run", script, f"--server.port={port}", *OPTIONS],
            {"GRID_CONSTANTS": os.fspath(constants)},
        ) as plain,
        app(_home(), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as url,
    ):
        own, other = tab(browser), tab(browser)
        squares = (
            f"document.querySelectorAll('.js-plotly-plot .textpoint').length >= {ITERATIONS * TASKS // 2}"
        )
        address = f"{url}/dashboards?project={project_id}&verdicts={Verdicts.EITHER.value}&part=time"
        took: dict[str, list[float]] = {address: [], plain: []}
        for _ in range(GRID_TIMES + 1):
            for page, where in ((own, address), (other, plain)):
                began = time.perf_counter()
                load(page, where, until="h1")
                wait(page, until=squares)
                took[where].append((time.perf_counter() - began) * 1000)
        own.context.close()
        other.context.close()
    return at_most(
        f"dashboards: grid of {TASKS} tasks and {ITERATIONS} iterations visible",
        statistics.median(took[address][1:]),
        unit="ms",
        floor=statistics.median(took[plain][1:]),
        times=1.2,
        n=GRID_TIMES,
        of="the same figures from constants",
    )


def _experiment(database: Database) -> None:
    """So many iterations of two candidates, each task once in each."""
    blobs = BlobStore.at(os.fspath(KEPT / "grid-blobs"))
    Experiment(World(database, blobs), iterations=ITERATIONS, tasks_of=TASKS).build()


def _generated(path: Path, write: Callable[[Database], object], *, name: str = NAME) -> tuple[Database, str]:
    """A database that is kept for the next time, and the project in it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    database = Database.open(f"sqlite:///{path}")
    database.upgrade()
    if new:
        write(database)
    bring_up(database)
    return database, next(each.id for each in all_projects(database) if each.name == name)


def _home() -> Path:
    home = KEPT / "home"
    shutil.rmtree(home, ignore_errors=True)
    return home
