"""Fifty reviewers who score at the same time, and one who scores while somebody opens a large dashboard."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from bench.browser import chromium, load, tab
from bench.figures import Figure, figure
from bench.reviewers import VALID_CPU, place, run, work
from comparator.reporting.history.listing import all_projects

REVIEWERS, SECONDS = 50, 30.0
COMPARISONS, BUSY = 100_000, 25.0


def measure() -> Sequence[Figure]:
    """Milliseconds until saved, what was lost or doubled, and how busy the generator was."""
    found = run(reviewers=REVIEWERS, seconds=SECONDS)
    alone = statistics.median(found.alone) * 1000
    sent = len(found.alone) + len(found.together)
    return (
        figure("load: one reviewer, until saved", [each * 1000 for each in found.alone], "ms"),
        figure(f"load: {REVIEWERS} reviewers, 95th percentile until saved", found.p95 * 1000, "ms",
               floor=alone, times=5, of="one reviewer's median"),
        figure(f"load: changes lost, doubled or altered, of {sent:,}", found.wrong, "", limit=0),
        figure("load: the generator's CPU", found.cpu * 100, "%", limit=VALID_CPU * 100),
        _beside_a_dashboard(),
    )  # fmt: skip


def _beside_a_dashboard() -> Figure:
    """The 95th percentile until a score is saved while the same process opens cold dashboards."""
    with place(processes=1, comparisons=COMPARISONS) as where, chromium() as browser:
        large = next(x.id for x in all_projects(where.services.database) if x.name == "Generated")
        people = [where.reviewer(number, 0.2) for number in range(2)]
        work(people[:1], BUSY)
        page = tab(browser)
        session = {
            "name": "comparator_session",
            "value": where.come("Lead", lead=large).token,
            "url": where.urls[0],
        }
        page.context.add_cookies([session])  # type: ignore[list-item]
        address = f"{where.urls[0]}/dashboards?project=Generated&verdicts=Reviews%2C%20else%20the%20judge"
        work(people[1:], BUSY, beside=lambda: load(page, address, until=".js-plotly-plot"))
        quiet, busy = (
            statistics.quantiles([each.seconds * 1000 for each in person.sent], n=20)[-1] for person in people
        )
    return figure(
        f"load: 95th percentile until saved while dashboards of {COMPARISONS:,} open cold", busy, "ms",
        floor=quiet, times=2, of="the same alone",
    )  # fmt: skip
