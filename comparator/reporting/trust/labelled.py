"""Which winner is right for a pair, where somebody said so who saw no judge: gold labels, people's votes, reviews."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from comparator.domain.labels import Frozen, LabelKind, Winner, most_named
from comparator.domain.project import is_held_out
from comparator.domain.scoring.review import How
from comparator.reporting.facts import Facts
from comparator.reporting.frames import Frame


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
    task: str = ""
    """The title of its task."""


def labelled(facts: Facts) -> tuple[Labelled, ...]:
    """The project's pairs of which somebody said who wins, by id.

    A gold label counts before people's labels, those before our own reviews. Several people's majority counts; where
    they are split, it is a tie. Reviews count if they were made blind first, by what they said before the judge's
    values opened; whoever saw those first, or knew the candidates, proves nothing.
    """
    labels = facts.labels
    gold = labels[labels.kind == LabelKind.GOLD].drop_duplicates("comparison_id", keep="last")
    found = {
        **reviewed_blind(facts),
        **_votes(
            (people := labels[labels.kind == LabelKind.HUMAN]).winner, people.comparison_id, LabelledBy.PEOPLE
        ),
        **{
            row.comparison_id: Labelled(
                comparison_id=row.comparison_id, winner=row.winner, by=LabelledBy.GOLD, value=row.value
            )
            for row in gold.itertuples()
        },
    }
    tasks = facts.pairs.task_id
    return tuple(
        each.model_copy(update={"task": facts.tasks[tasks[id]].title}) for id, each in sorted(found.items())
    )


def reviewed_blind(facts: Facts) -> dict[str, Labelled]:
    """The valid pairs that people reviewed blind first, with the winner that most of them named; no label counts."""
    reviews = facts.reviews
    valid = reviews.comparison_id.isin(facts.pairs.index[facts.pairs.valid])
    blind = reviews[valid & (reviews.how == How.BLIND_FIRST) & reviews.named.notna()]
    return _votes(blind.named, blind.comparison_id, LabelledBy.REVIEWS)


def held_out(facts: Facts) -> dict[str, Labelled]:
    """Those of the pairs reviewed blind on which guidance is tried."""
    tasks = facts.pairs.task_id
    return {id: pair for id, pair in reviewed_blind(facts).items() if is_held_out(tasks[id])}


def _votes(winners: Frame, ids: Frame, by: LabelledBy) -> dict[str, Labelled]:
    return {
        id: Labelled(comparison_id=id, winner=most_named(map(Winner, named)) or Winner.TIE, by=by)
        for id, named in winners.groupby(ids)
    }
