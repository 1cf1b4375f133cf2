"""Dashboards and history of a revealed project at 100 and 10,000 comparisons, filters there and over the iterations
of an experiment, and the figures of 100,000.

The floor of a load is Streamlit's hello page, that of a filter a button's click, both in the same run.
"""

import resource
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from playwright.sync_api import Page

from bench.browser import CLICK, HELLO, chromium, click, floors, load, memory, shown, tab, wait
from bench.figures import Figure, figure, seconds
from bench.generator import ITERATIONS, NAME, TASKS, kept, served
from comparator.reporting.results.candidates import project_state
from comparator.reporting.results.result import result
from comparator.reporting.scope import By, ResultFilter, Verdicts, Within
from comparator.store.core.database import Database
from comparator.ui.frame.lists.filters import PARTS

LOADS, LARGE = 2, 100_000
QUERY = f"project={NAME}&verdicts=Reviews%2C%20else%20the%20judge&within=task:"
ANSWER = shown(".st-key-dashboards_answer")
DRAWN = "document.querySelectorAll('.js-plotly-plot .main-svg').length >= 3"
LISTED = "window.benchAll('tbody tr').length >= 20"
CHIP = ".st-key-chip_0 button"
WORDS = "document.querySelector('[data-testid=stMain]').textContent"
CALM = "document.querySelector('[data-test-script-state=notRunning]')"


def measure() -> Sequence[Figure]:
    """Medians in milliseconds of loads, from a filter taken away to the changed tab, and what one process pays for the
    figures of 100,000."""
    sizes = {100: 2.0, 10_000: 2.5, 0: 0.0}
    tasks = {comparisons: kept(comparisons)[2] for comparisons in sizes}
    with chromium() as browser:
        button, hello = figures = [*floors(browser)]
        for comparisons, times in sizes.items():
            size = (
                f"{comparisons:,} comparisons" if comparisons else f"{TASKS} tasks in {ITERATIONS} iterations"
            )
            query = QUERY + tasks[comparisons]
            with served(comparisons) as url:
                if comparisons:
                    figures += _loads(tab(browser), url, query, f"dashboards, {size}", hello, times)
                for part in ("why", "where", "differ") if comparisons else ("time",):
                    address = f"{url}/dashboards?{query}&part={PARTS[part]}&by=Criterion"
                    name = f"dashboards, {size}: {PARTS[part]}, a filter to its changed tab"
                    took = _filtered(tab(browser), address)
                    figures.append(figure(name, took, "ms", floor=button.value, times=4, of=CLICK))
    # In a process of its own, whose memory is measured.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        cold, narrowed, grown = other.submit(_compute, *kept(LARGE)).result()
    named = f"figures of {LARGE:,} comparisons"
    return (
        *figures,
        figure(f"{named}: cold", cold, "s", limit=3),
        figure(f"{named}: a filter", narrowed, "s", limit=0.3),
        figure(f"{named}: memory", grown, "MB", limit=200),
    )


def _loads(page: Page, url: str, query: str, named: str, hello: Figure, times: float) -> Iterator[Figure]:
    cold = load(page, f"{url}/dashboards?{query}", until=ANSWER)
    before = memory()
    answers, drawn, listed = [], [], []
    for _ in range(LOADS):
        answers.append(load(page, f"{url}/dashboards?{query}", until=ANSWER))
        drawn.append(answers[-1] + wait(page, until=DRAWN))
        listed.append(load(page, f"{url}/history?{query}", until=LISTED))
    grown = memory() - before
    page.context.close()
    for name, took in (("answer", answers), ("first chart", drawn), ("history's list", listed)):
        yield figure(f"{named}: {name} visible", took, "ms", floor=hello.value, times=times, of=HELLO)
    yield figure(f"{named}: the first answer of a new process", cold, "ms")
    yield figure(f"{named}: memory of the server grown over {2 * LOADS} loads", grown, "MB", limit=100)


def _filtered(page: Page, address: str) -> float:
    """Milliseconds from taking a filter away until the whole tab says something else, the fourth time: by then the
    browser keeps what it compiled."""
    took = 0.0
    for _ in range(4):
        load(page, address, until=shown(CHIP))
        # Of one task, some tabs have no chart.
        wait(page, until=CALM)
        page.wait_for_timeout(800)
        page.evaluate(f"window.benchBefore = {WORDS}")
        took = click(page, CHIP, until=f"{WORDS} !== window.benchBefore && {CALM}")
    page.context.close()
    return took


def _compute(url: str, project_id: str, task: str) -> tuple[float, float, float]:
    """Seconds of the first result and of a narrowed one, and the megabytes that the process has grown by."""
    database, before = Database.open(url), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def chosen() -> ResultFilter:
        met = project_state(database, project_id).revealed_meetings[0]
        return ResultFilter(project_id=project_id, one=met.one, two=met.two, verdicts=Verdicts.EITHER)

    cold = seconds(lambda: result(database, chosen()))
    narrower = chosen().model_copy(update={"within": (Within(by=By.TASK, value=task),)})
    narrowed = seconds(lambda: result(database, narrower))
    return cold, narrowed, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
