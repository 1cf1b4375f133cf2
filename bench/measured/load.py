"""Fifty reviewers who score at the same time, and one who scores while somebody opens a large dashboard."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from bench.browser import chromium, load, tab
from bench.figures import Figure, figure
from bench.reviewers import Reviewer, place, work
from comparator.reporting.history.listing import all_projects

REVIEWERS, SECONDS, PACE = 50, 30.0, 2.0
COMPARISONS, BUSY = 100_000, 25.0
VALID_CPU = 0.8
"""Of one core: beyond it, the generator itself is the bottleneck."""


def measure() -> Sequence[Figure]:
    """Milliseconds until saved, what was lost or doubled, and how busy the generator was."""
    return (*together(REVIEWERS, SECONDS), _beside_a_dashboard())


def together(reviewers: int, seconds: float) -> Sequence[Figure]:
    """First one reviewer alone, then all together, on two processes."""
    with place(processes=2) as where:
        alone, *people = (where.reviewer(number, PACE if number else 0.5) for number in range(reviewers + 1))
        work([alone], 12)
        began, cpu = time.monotonic(), time.process_time()
        work(people, seconds)
        used = (time.process_time() - cpu) / (time.monotonic() - began)
        sent = [change for person in (alone, *people) for change in person.sent]
        wrong = where.wrong(sent)
    return (
        figure("load: one reviewer, until saved", _milliseconds([alone]), "ms"),
        figure(f"load: {reviewers} reviewers, 95th percentile until saved", _p95(people), "ms",
               floor=statistics.median(_milliseconds([alone])), times=5, of="one reviewer's median"),
        figure(f"load: changes lost, doubled or altered, of {len(sent):,}", wrong, "", limit=0),
        figure("load: the generator's CPU", used * 100, "%", limit=VALID_CPU * 100),
    )  # fmt: skip


def _milliseconds(people: Sequence[Reviewer]) -> list[float]:
    return [change.seconds * 1000 for person in people for change in person.sent]


def _p95(people: Sequence[Reviewer]) -> float:
    return statistics.quantiles(_milliseconds(people), n=20)[-1]


def _beside_a_dashboard() -> Figure:
    """The 95th percentile until a score is saved while the same process opens cold dashboards."""
    with place(processes=1, comparisons=COMPARISONS) as where, chromium() as browser:
        large = next(x.id for x in all_projects(where.services.database) if x.name == "Generated")
        quiet, busy = (where.reviewer(number, 0.2) for number in range(2))
        work([quiet], BUSY)
        page, (url, *_) = tab(browser), where.urls
        session = {"name": "comparator_session", "value": where.come("Lead", lead=large).token, "url": url}
        page.context.add_cookies([session])  # type: ignore[list-item]
        address = f"{url}/dashboards?project=Generated&verdicts=Reviews%2C%20else%20the%20judge"
        work([busy], BUSY, beside=lambda: load(page, address, until=".js-plotly-plot"))
    return figure(
        f"load: 95th percentile until saved while dashboards of {COMPARISONS:,} open cold", _p95([busy]), "ms",
        floor=_p95([quiet]), times=2, of="the same alone",
    )  # fmt: skip
