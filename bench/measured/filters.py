"""Filters of the dashboards at 100 and 10,000 comparisons, and over the iterations of an experiment.

The floor is a button's click in the same run.
"""

from collections.abc import Sequence

from playwright.sync_api import Page

from bench.browser import CLICK, chromium, click, floors, load, shown, tab, wait
from bench.figures import Figure, figure
from bench.generator import ITERATIONS, TASKS, kept, served
from bench.measured.dashboards import QUERY
from comparator.ui.frame.lists.filters import PARTS

CHIP = ".st-key-chip_0 button"
WORDS = "document.querySelector('[data-testid=stMain]').textContent"
CALM = "document.querySelector('[data-test-script-state=notRunning]')"


def measure() -> Sequence[Figure]:
    """Milliseconds from a filter taken away to the changed tab."""
    sizes = {100: ("why", "where", "differ"), 10_000: ("why", "where", "differ"), 0: ("time",)}
    tasks = {comparisons: kept(comparisons)[2] for comparisons in sizes}
    with chromium() as browser:
        button, _ = floors(browser)
        figures = [button]
        for comparisons, parts in sizes.items():
            size = (
                f"{comparisons:,} comparisons" if comparisons else f"{TASKS} tasks in {ITERATIONS} iterations"
            )
            with served(comparisons) as url:
                for part in parts:
                    address = f"{url}/dashboards?{QUERY}{tasks[comparisons]}&part={PARTS[part]}&by=Criterion"
                    name = f"dashboards, {size}: {PARTS[part]}, a filter to its changed tab"
                    took = _filtered(tab(browser), address)
                    figures.append(figure(name, took, "ms", floor=button.value, times=4, of=CLICK))
    return figures


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
