"""What 100,000 comparisons in the database cost whoever opens the queue, the next pair and the history."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from statistics import median

from bench.browser import chromium, click, load, shown, tab
from bench.figures import Figure, figure
from bench.generator import served

FEW, MANY, TIMES, PAGE = 100, 100_000, 10, 25
LIST = f"window.benchAll('tbody tr').length >= {PAGE}"
NEW = shown(".st-key-new_judge_now button")
SCORES = shown(".scores td.you.A [role=radio]")


def measure() -> Sequence[Figure]:
    """Milliseconds of opening the pages, few and many by turns, so that what else the machine does falls on both."""
    took: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    with ExitStack() as stack:
        urls = {
            comparisons: stack.enter_context(served(comparisons, waiting=True)) for comparisons in (FEW, MANY)
        }
        browser = stack.enter_context(chromium())
        pages = {comparisons: tab(browser) for comparisons in urls}
        for comparisons, page in pages.items():
            load(page, urls[comparisons], until=LIST)
        for comparisons, page in [*pages.items()] * TIMES:
            # Each time from another page; the queue is left open.
            for name, link, there in (
                ("opening the next pair", ".st-key-queue_start button", SCORES),
                ("", "a[href$='new']", NEW),
                ("opening the history", "a[href$='history']", LIST),
                ("", "a[href$='new']", NEW),
                ("opening the queue", "a[href='']", LIST),
            ):
                took[name, comparisons].append(click(page, link, until=there))
    return [
        figure(f"{name}: {MANY:,} comparisons in the database", values, "ms", floor=median(took[name, FEW]),
               times=1.2, of=f"with {FEW}")
        for (name, comparisons), values in [*took.items()] if name and comparisons == MANY
    ]  # fmt: skip
