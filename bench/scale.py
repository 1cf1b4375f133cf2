"""`python -m bench.scale [COMPARISONS]`: fifty reviewers beside a million comparisons and four workers, on PostgreSQL.

It takes half an hour or more, so `make bench` leaves it out. What was measured stands in docs/operations.md.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence

from bench.figures import Figure, below, plain, show
from bench.made.load import Background, run

COMPARISONS, REVIEWERS, WORKERS, PAIRS = 1_000_000, 50, 4, 2_000
SECONDS, PACE = 300.0, 2.0


def measure(comparisons: int = COMPARISONS, *, seconds: float = SECONDS) -> Sequence[Figure]:
    """What it takes to write so many, to save and to open pages beside them, and to judge meanwhile."""
    background = Background(history=comparisons, workers=WORKERS, pairs=PAIRS)
    found = run(reviewers=REVIEWERS, seconds=seconds, pace=PACE, background=background)
    at = f"{comparisons:,} comparisons"
    wrong = found.lost + found.doubled + found.altered
    return (
        plain(f"{at}: database on disk", found.database / 1e9, unit="GB", n=1),
        plain("one reviewer, median until saved", found.single * 1000, unit="ms", n=len(found.alone)),
        plain(
            f"{REVIEWERS} reviewers, median until saved",
            statistics.median(found.together) * 1000,
            unit="ms",
            n=len(found.together),
        ),
        plain(
            f"{REVIEWERS} reviewers, 95th percentile until saved",
            found.p95 * 1000,
            unit="ms",
            n=len(found.together),
        ),
        plain("saved in a second", found.sent / found.seconds, unit="", n=found.sent),
        below("changes lost, doubled or altered", wrong, unit="of those sent", limit=0, n=found.sent),
        plain("a review page opens", statistics.median(found.opened), unit="s", n=len(found.opened)),
        *(
            plain(f"a lead's page opens: {name}", statistics.median(took), unit="s", n=len(took))
            for name, took in found.pages.items()
        ),
        plain(f"{WORKERS} workers: answers in a minute", found.judged, unit="", n=1),
        plain("memory of a process of the app", max(found.apps), unit="MB", n=len(found.apps)),
        plain("memory of a worker", max(found.workers), unit="MB", n=len(found.workers)),
        plain("the generator's CPU", found.generator_cpu * 100, unit="%", n=1),
    )


if __name__ == "__main__":
    show(measure(*(int(word) for word in sys.argv[1:2])))
