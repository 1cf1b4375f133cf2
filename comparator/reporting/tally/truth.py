"""Which winner is right for a comparison, by those who said so without having seen a judge."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.domain.labels import Winner, most_named
from comparator.domain.scoring.review import Blindness
from comparator.reporting.tally.facts import Facts, Reviewed
from comparator.reporting.tally.first_record import first_record
from comparator.reporting.tally.scope import How


def truth_of(facts: Facts) -> Winner | None:
    """A gold label's winner, else what most people's labels say, else most blind reviews.

    A tie where two winners are named equally often; None where nobody named one.
    """
    gold = [Winner(winner) for kind, winner in facts.labels if kind == "gold"]
    people = [Winner(winner) for kind, winner in facts.labels if kind == "human"]
    winners = gold[-1:] or people or list(blind_winners(facts))
    return (most_named(winners) or Winner.TIE) if winners else None


def blind_winners(facts: Facts) -> Iterator[Winner]:
    """What the final reviews that were made blind first said before the judge's values opened."""
    if not facts.valid:
        return
    for review in facts.reviews:
        final = review.last_event == "final" and review.winner is not None
        if final and how_of(facts, review) is How.BLIND_FIRST:
            first = first_record(facts, review)
            if first is not None:
                yield Winner(str(first.winner))


def how_of(facts: Facts, review: Reviewed) -> How:
    """How a final review of a comparison was made."""
    if facts.may_reveal:
        return How.REVEALING
    if review.blindness is not Blindness.BLIND:
        return How.KNEW if review.blindness is Blindness.KNOWN else How.SIDES_HIDDEN
    return How.BLIND_FIRST if review.mode.startswith("blind") else How.JUDGE_FIRST
