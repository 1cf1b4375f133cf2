"""Fifty reviewers who score at the same time, on two app processes and one PostgreSQL; the soak test takes longer."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures import Figure, at_most, below, plain
from bench.made.load import VALID_CPU, run

REVIEWERS, SECONDS, PACE = 50, 30.0, 2.0


def measure() -> Sequence[Figure]:
    """Milliseconds until saved, what was lost or doubled, and how busy the generator was."""
    found = run(reviewers=REVIEWERS, seconds=SECONDS, pace=PACE)
    return (
        plain("load: one reviewer, median until saved", found.single * 1000, unit="ms", n=len(found.alone)),
        at_most(
            f"load: {REVIEWERS} reviewers, 95th percentile until saved",
            found.p95 * 1000,
            unit="ms",
            floor=found.single * 1000,
            times=5,
            n=len(found.together),
            of="one reviewer's median",
        ),
        below("load: changes lost", found.lost, unit="of those sent", limit=0, n=found.sent),
        below(
            "load: changes doubled or never sent",
            found.doubled,
            unit="in the database",
            limit=0,
            n=found.sent,
        ),
        below(
            "load: changes with another value", found.altered, unit="in the database", limit=0, n=found.sent
        ),
        plain("load: saved in a second", found.sent / found.seconds, unit="", n=found.sent),
        below("load: the generator's CPU", found.generator_cpu * 100, unit="%", limit=VALID_CPU * 100, n=1),
    )
