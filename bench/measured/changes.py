"""From a filter or a mark to what it changes, at 100 and 10,000 comparisons, and a grid of 60 tasks and 35 iterations.

At 100 the floor is a click, for Why also the same charts from constants, which is what Streamlit and Plotly need. All
are taken by turns, on pages that stay open, as a reader's does: the browser's Back brings the filter again.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Browser, Page

from bench.figures import Figure, at_most, below
from bench.floors.floor import ROOT, WAIT, app, chromium, click, load, serving, tab, wait
from bench.made.generator import generate
from bench.measured.dashboards import KEPT, NAME, app_on, page_constants
from comparator.reporting.history.listing import all_projects
from comparator.reporting.results.candidates import Names, project_state
from comparator.reporting.scope import ResultFilter, Verdicts
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.ui.dashboards.data import headline
from comparator.ui.dashboards.tabs.over_time import cell_link, since_chart, tasks_chart
from comparator.ui.frame.charts.task_grid import grid_chart
from comparator.ui.frame.lists.filters import PARTS
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

TIMES = 6
BY_TURNS = 15
"""How often a value and its floors are measured: one time differs by a tenth from the next one."""
COUNT = ".st-key-count button"
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3 * {charts}"
EXPERIMENT = "Invoices"
ITERATIONS, TASKS = 35, 60
OVER_TIME = ((ITERATIONS, TASKS), (40, 250))
"""Iterations and tasks of histories in which the tab Over time is measured: of 2,100 and of 10,000 comparisons."""
AT_100 = ("why", "where", "differ", "time")
PAIRS = """(() => {
    const rows = document.querySelector('[role=dialog] [data-testid=stDataFrame] canvas');
    if (!rows?.width) return false;
    const { data } = rows.getContext('2d').getImageData(0, 45, 200, 30);
    return data.some((each, at) => each !== data[at % 4]);
})()"""
"""That something is drawn below the head of the table in the dialog."""
LISTED = """[document.body.innerText.match(/[0-9,]+ comparisons?/)?.[0], window.benchFind('tbody tr')?.textContent]"""
"""What History says of its list: how many there are, and the first."""
FIGURES = """[...document.querySelectorAll('.js-plotly-plot')].map(
    (chart) => JSON.parse(JSON.stringify({ data: chart.data, layout: chart.layout })))"""
OPTIONS = ("--server.headless=true", "--browser.gatherUsageStats=false")


def measure() -> Sequence[Figure]:
    """All figures, on SQLite."""
    with chromium() as browser:
        figures = list(_at_100(browser))
        for name, took in (_at_10_000(browser) | _over_time(browser)).items():
            figures.append(below(name, statistics.median(took), unit="ms", limit=500, n=TIMES))
        figures += [_grid(browser), _grid_in_another_order(browser)]
    return figures


def _at_100(browser: Browser) -> Iterator[Figure]:
    """From a filter to the last changed chart of each tab, beside a click; of Why beside the same from constants."""
    with (
        _dashboards("changes-100", lambda own: generate(own, 100, name=NAME)) as plain_address,
        _history(5, 20) as over_time,
        _script("floor_page.py") as button,
    ):
        own = {part: tab(browser) for part in AT_100}
        plain = tab(browser)
        load(plain, button, until=COUNT)
        for part, page in own.items():
            # Without iterations there is no tab of them; narrowed to a task, pairs differ by little but criteria.
            address = over_time if part == "time" else f"{plain_address}&by=criterion"
            page.goto(f"{address}&part={part}", wait_until="commit")
            _filtered(page, again=False)
        drawn = (own["why"].evaluate("window.benchDrawn"), own["why"].evaluate(FIGURES))
        (KEPT / "charts.json").write_text(json.dumps(drawn), encoding="utf-8")
        with _script("charts_floor.py", CHARTS_CONSTANTS=os.fspath(KEPT / "charts.json")) as constants:
            same = tab(browser)
            same.goto(constants, wait_until="commit")
            wait(same, until=DRAWN.format(charts=1))
            took: dict[str, list[float]] = defaultdict(list)
            for at in range(BY_TURNS + 1):
                for part, page in own.items():
                    took[part].append(_filtered(page, again=True))
                took["same"].append(_until_changed(same, COUNT, at=(0, -1)))
                took["click"].append(statistics.median(_clicks(plain, 5, after=5 * at)))
            for page in (*own.values(), same, plain):
                page.context.close()
    # The first of each loads and compiles what any later one has.
    middle = {name: statistics.median(each[1:]) for name, each in took.items()}
    told = "dashboards, 100 comparisons: {}, a filter to its changed charts"
    for part in AT_100:
        name, floor = told.format(PARTS[part]), middle["click"]
        yield at_most(name, middle[part], unit="ms", floor=floor, times=2.0, n=BY_TURNS, of="a click")
    name, floor = told.format(PARTS["why"]), middle["same"]
    yield at_most(
        name, middle["why"], unit="ms", floor=floor, times=1.5, n=BY_TURNS, of="the same from constants"
    )


def _at_10_000(browser: Browser) -> dict[str, list[float]]:
    """Milliseconds from a filter to the last changed chart of each tab and of History, and from a mark to its pairs."""
    found: dict[str, list[float]] = {}
    told = "dashboards, 10,000 comparisons: {}"
    with _dashboards("changes-10000", lambda own: generate(own, 10_000, name=NAME)) as address:
        page = tab(browser)
        for part, name in PARTS.items():
            if part == "time":
                continue
            # Narrowed to a task, its pairs differ by little else.
            page.goto(f"{address}&part={part}&by=criterion", wait_until="commit")
            took = [_filtered(page, again=at > 0) for at in range(TIMES + 1)]
            found[told.format(f"{name}, a filter to its changed charts")] = took[1:]
        whole = address.partition("&within")[0]
        page.goto(f"{whole}&part=why", wait_until="commit")
        took = [_opened(page, ".st-key-box_criteria .barlayer .point path") for _ in range(TIMES + 1)]
        found[told.format("Why, a mark to its pairs")] = took[1:]
        page.goto(f"{address.replace('/dashboards', '/history')}&metric=Mean+score", wait_until="commit")
        wait(page, until=DRAWN.format(charts=1) + " && window.benchAll('tbody tr').length > 0")
        other = "[data-testid=stButtonGroup] button:nth-of-type({})"
        took = [_until_changed(page, other.format(2 - at % 2), at=(0,)) for at in range(TIMES + 1)]
        found[told.format("history, iterations or days to the changed chart")] = took[1:]
        days = f"{whole.replace('/dashboards', '/history')}&metric=Mean+score&over=days"
        page.goto(days, wait_until="commit")
        took = [_brushed(page) for _ in range(TIMES + 1)]
        found[told.format("history, days drawn across to their list")] = took[1:]
        page.context.close()
    return found


def _over_time(browser: Browser) -> dict[str, list[float]]:
    """Milliseconds on Over time, from a filter to the changed grid, and from a square of it to its pairs."""
    found = {}
    for iterations, tasks in OVER_TIME:
        told = f"dashboards, {tasks} tasks in {iterations} iterations: Over time, {{}}"
        with _history(iterations, tasks) as address:
            page = tab(browser)
            page.goto(f"{address}&part=time", wait_until="commit")
            took = [_filtered(page, again=at > 0) for at in range(TIMES + 1)]
            found[told.format("a filter to its changed charts")] = took[1:]
            took = [_opened(page, ".st-key-box_grid .point") for _ in range(TIMES + 1)]
            found[told.format("a mark to its pairs")] = took[1:]
            page.context.close()
    return found


def _history(iterations: int, tasks: int) -> AbstractContextManager[str]:
    """The address of the dashboards of two candidates who met once an iteration in each task, narrowed to a task."""
    return _dashboards(
        f"grid-{iterations}-{tasks}",
        partial(_experiment, iterations=iterations, tasks=tasks),
        name=EXPERIMENT,
    )


@contextmanager
def _dashboards(file: str, write: Callable[[Database], object], *, name: str = NAME) -> Iterator[str]:
    """The address of the dashboards of what is kept in this file, narrowed to a task."""
    path = KEPT / f"{file}.db"
    database, project_id = _generated(path, write, name=name)
    try:
        with database.read() as connection:
            query = sa.select(tables.task.c.id).where(tables.task.c.project_id == project_id).limit(1)
            task = connection.execute(query).scalar_one()
    finally:
        database.close()
    with app(_home(file), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as url:
        yield f"{url}/dashboards?project={project_id}&verdicts={Verdicts.EITHER.value}&within=task:{task}"


def _filtered(page: Page, *, again: bool) -> float:
    """Take the filter away; milliseconds until the first and the last chart say something else."""
    chip = ".st-key-chip_0 button"
    if again:
        # The address follows the charts; without its step there is nothing to go back to.
        wait(page, until="!location.search.includes('within')")
        page.evaluate("history.back()")
    wait(page, until=f"window.benchFind('{chip}') !== null && " + DRAWN.format(charts=1))
    return _until_changed(page, chip, at=(0, -1))


def _opened(page: Page, mark: str) -> float:
    """From a click on the first of these marks of a chart until its pairs are listed, which are closed again."""
    wait(page, until=f"document.querySelector('{mark}') !== null")
    page.wait_for_timeout(800)
    at = page.locator(mark).first
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    took = _let_go(page, page.mouse.down, until=PAIRS)
    page.keyboard.press("Escape")
    wait(page, until="document.querySelector('[role=dialog]') === null")
    return took


def _brushed(page: Page) -> float:
    """From a box across the first days of History's picture until their list stands; then all days are asked for."""
    plot = ".js-plotly-plot .nsewdrag"
    wait(page, until=f"document.querySelector('{plot}') !== null && window.benchAll('tbody tr').length > 0")
    page.wait_for_timeout(800)
    page.evaluate(f"window.benchBefore = {LISTED}")
    box = page.locator(plot).first.bounding_box()
    assert box is not None

    def draw() -> None:
        page.mouse.move(box["x"] + 2, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 80, steps=10)

    took = _let_go(
        page, draw, until=f"{LISTED}.every((each, at) => ![undefined, window.benchBefore[at]].includes(each))"
    )
    click(page, ".st-key-picture_span button", until=f"{LISTED}[0] === window.benchBefore[0]")
    return took


def _let_go(page: Page, act: Callable[[], None], *, until: str) -> float:
    """Milliseconds from letting the mouse button go, which `act` presses, until the condition holds."""
    look = WAIT.replace("ACT;", "").replace("UNTIL", until)
    page.evaluate(
        "() => { window.benchTook = new Promise((resolve) => addEventListener('mouseup', "
        f"() => resolve(({look})()), {{ capture: true, once: true }})); }}"
    )
    act()
    page.mouse.up()
    return float(page.evaluate("window.benchTook"))


def _clicks(page: Page, times: int, *, after: int) -> Iterator[float]:
    """Milliseconds of so many clicks in a row on the page of one button, as `floor_of` takes them."""
    for n in range(after + 1, after + times + 1):
        yield click(page, COUNT, until=f"document.body.innerText.includes('Clicked {n} times')")


@contextmanager
def _script(name: str, **told: str) -> Iterator[str]:
    """The address of one of the floors' pages."""
    script = os.fspath(ROOT / "bench" / "floors" / name)
    with serving(
        lambda port: ["-m", "streamlit", "run", script, f"--server.port={port}", *OPTIONS], told
    ) as url:
        yield url


def _until_changed(page: Page, selector: str, *, at: tuple[int, ...]) -> float:
    """From the click until each of these charts says something else: 0 is the headline's, -1 the last one below it."""
    page.wait_for_timeout(800)
    words = f"{list(at)}.map((at) => [...document.querySelectorAll('.js-plotly-plot')].at(at)?.textContent)"
    page.evaluate(f"window.benchBefore = {words}; window.benchDrawn = {FIGURES}")
    return click(
        page,
        selector,
        until=f"{words}.every((each, at) => !['', undefined, window.benchBefore[at]].includes(each))",
    )


def _grid(browser: Browser) -> Figure:
    """Milliseconds until the grid stands on its tab, against the same page with the same figures from constants."""
    path = KEPT / f"grid-{ITERATIONS}-{TASKS}.db"
    written = partial(_experiment, iterations=ITERATIONS, tasks=TASKS)
    database, project_id = _generated(path, written, name=EXPERIMENT)
    try:
        state = project_state(database, project_id)
        met = state.revealed_meetings[0]
        asked = ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)
        with app_on(database):
            top = headline(database, asked, Names(met.one_name, met.two_name))
            found = top.history
            assert found is not None
            assert (len(found.iterations), len(found.tasks)) == (ITERATIONS, TASKS)
            boxes = (
                grid_chart(found, cell_link(asked, found), order="change"),
                since_chart(asked, found, ITERATIONS - 2),
                tasks_chart(asked, found),
            )
            told = page_constants(top, boxes) | {
                "part": PARTS["time"],
                "tasks": [each.title for each in found.tasks],
            }
    finally:
        database.close()
    constants = KEPT / "grid.json"
    constants.write_text(json.dumps(told), encoding="utf-8")
    with (
        _script("dashboards_floor.py", DASHBOARDS_CONSTANTS=os.fspath(constants)) as plain,
        app(_home("grid"), COMPARATOR_DATABASE_URL=f"sqlite:///{path}") as url,
    ):
        own, other = tab(browser), tab(browser)
        squares = f"document.querySelectorAll('.js-plotly-plot .point').length >= {ITERATIONS * TASKS // 2}"
        address = f"{url}/dashboards?project={project_id}&verdicts={Verdicts.EITHER.value}&part=time"
        took: dict[str, list[float]] = {address: [], plain: []}
        for _ in range(BY_TURNS + 1):
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
        n=BY_TURNS,
        of="the same figures from constants",
    )


def _grid_in_another_order(browser: Browser) -> Figure:
    """Milliseconds from a click on an order to the changed grid, against a page with nothing but the same figures."""
    with _history(ITERATIONS, TASKS) as address:
        own = tab(browser)
        own.goto(f"{address.partition('&within')[0]}&part=time", wait_until="commit")
        # The headline's bar, the trend and the grid.
        wait(own, until=DRAWN.format(charts=3))
        orders = [f".st-key-dashboards_rows button:nth-of-type({place})" for place in (2, 3)]
        drawn = []
        for order in orders:
            _until_changed(own, order, at=(-1,))
            drawn.append([own.evaluate(FIGURES)[-1]])
        constants = KEPT / "grids.json"
        constants.write_text(json.dumps(drawn), encoding="utf-8")
        with _script("charts_floor.py", CHARTS_CONSTANTS=os.fspath(constants)) as plain:
            other = tab(browser)
            other.goto(plain, wait_until="commit")
            wait(other, until=DRAWN.format(charts=1))
            took, floor = [], []
            for at in range(BY_TURNS + 1):
                took.append(_until_changed(own, orders[at % 2], at=(-1,)))
                floor.append(_until_changed(other, COUNT, at=(-1,)))
            for page in (own, other):
                page.context.close()
    return at_most(
        f"dashboards: grid of {TASKS} tasks and {ITERATIONS} iterations in another order",
        statistics.median(took[1:]),
        unit="ms",
        floor=statistics.median(floor[1:]),
        times=1.2,
        n=BY_TURNS,
        of="the same figure alone from constants",
    )


def _experiment(database: Database, *, iterations: int, tasks: int) -> None:
    """So many iterations of two candidates, each task once in each."""
    blobs = BlobStore.at(os.fspath(KEPT / "grid-blobs"))
    world = World(database, blobs, project=EXPERIMENT)
    Experiment(world, iterations=iterations, tasks_of=tasks).build()


def _generated(path: Path, write: Callable[[Database], object], *, name: str = NAME) -> tuple[Database, str]:
    """A database that is kept for the next time, and the project in it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    database = Database.open(f"sqlite:///{path}")
    database.upgrade()
    if new:
        write(database)
    return database, next(each.id for each in all_projects(database) if each.name == name)


def _home(name: str) -> Path:
    home = KEPT / f"home-{name}"
    shutil.rmtree(home, ignore_errors=True)
    return home
