"""Which winner is right for a pair, where somebody said so who saw no judge: gold labels, people's votes, reviews."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen, Winner, most_named
from comparator.reporting.tally.read_facts import facts
from comparator.reporting.tally.truth import blind_winners
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.pairs.labels import LabelKind

AT_A_TIME = 250


class LabelledBy(StrEnum):
    """Whose word it is, the weightiest first."""

    GOLD = "gold labels"
    PEOPLE = "people's labels"
    REVIEWS = "reviews made before the judge's values opened"


class Labelled(Frozen):
    """A pair with the winner that it should have."""

    comparison_id: str
    winner: Winner
    by: LabelledBy
    value: Any = None
    """What came with a gold label."""


def labelled(connection: Connection, project_id: str) -> tuple[Labelled, ...]:
    """The project's pairs of which somebody said who wins, by id.

    A gold label counts before people's labels, those before our own reviews. Several people's majority counts; where
    they are split, it is a tie. Reviews count if they were made blind first, by what they said before the judge's
    values opened; whoever saw those first, or knew the candidates, proves nothing.
    """
    label, comparison = tables.label.c, tables.comparison.c
    query = (
        sa.select(label.comparison_id, label.kind, label.winner, label.value)
        .join_from(tables.label, tables.comparison, comparison.id == label.comparison_id)
        .where(
            comparison.project_id == project_id,
            label.kind.in_([LabelKind.GOLD.value, LabelKind.HUMAN.value]),
            label.winner.is_not(None),
        )
        .order_by(label.at, label.id)
    )
    gold: dict[str, Labelled] = {}
    votes: dict[str, list[Winner]] = defaultdict(list)
    for row in connection.execute(query):
        winner = Winner(row.winner)
        if row.kind == LabelKind.GOLD.value:
            gold[row.comparison_id] = Labelled(
                comparison_id=row.comparison_id, winner=winner, by=LabelledBy.GOLD, value=row.value
            )
        else:
            votes[row.comparison_id].append(winner)
    found = {
        **{
            id: _voted(id, each, LabelledBy.REVIEWS) for id, each in _reviewed(connection, project_id).items()
        },
        **{id: _voted(id, each, LabelledBy.PEOPLE) for id, each in votes.items()},
        **gold,
    }
    return tuple(each for _, each in sorted(found.items()))


def _reviewed(connection: Connection, project_id: str) -> dict[str, list[Winner]]:
    review, comparison = tables.review.c, tables.comparison.c
    ids: Sequence[str] = (
        connection.execute(
            sa.select(review.comparison_id)
            .join_from(tables.review, tables.comparison, comparison.id == review.comparison_id)
            .where(comparison.project_id == project_id)
            .distinct()
            .order_by(review.comparison_id)
        )
        .scalars()
        .all()
    )
    found: dict[str, list[Winner]] = {}
    for start in range(0, len(ids), AT_A_TIME):
        for id, known in facts(connection, ids[start : start + AT_A_TIME]).items():
            if winners := list(blind_winners(known)):
                found[id] = winners
    return found


def _voted(comparison_id: str, winners: Sequence[Winner], by: LabelledBy) -> Labelled:
    return Labelled(comparison_id=comparison_id, winner=most_named(winners) or Winner.TIE, by=by)
