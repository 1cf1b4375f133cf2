"""Stated confidence is calibrated for each version of a judge and each project by itself."""

from __future__ import annotations

import pytest

from comparator.reporting.trust.confidence import probability
from comparator.store import tables
from comparator.store.core.revisions import changed
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World


def test_neither_another_version_nor_another_project_has_a_part_in_it(world: World) -> None:
    history, database = History(world), world.database
    counts = {"good": (54, 6), "poor": (18, 42), "new": (49, 0)}
    pairs = {version: history.pair(5, 3) for version in counts}
    with database.write() as connection:
        for version, (same, other) in counts.items():
            said = [("A", same), ("B", other)]
            reviews = [{**_REVIEW, "winner": winner, "named": winner} for winner, n in said for _ in range(n)]
            connection.execute(
                tables.fact.update()
                .where(tables.fact.c.comparison_id == pairs[version].id)
                .values(judge_digest=version, stated_confidence=80, first_winner="A", reviews=reviews)
            )
        changed(connection, projects=[history.project])

    def said_by(version: str) -> float | None:
        return probability(database, history.project, version=version, stated=80)

    assert said_by("good") == pytest.approx(0.9, abs=0.02)
    assert said_by("poor") == pytest.approx(0.3, abs=0.02)
    # One review short of what it takes, whatever other versions have.
    assert said_by("new") is None


_REVIEW = {
    "person": "p",
    "how": "blind_first",
    "minutes": 1,
    "spoken": True,
    "reviewed": [],
    "given": [],
    "against": [],
}
