"""The reasoning of a reviewed pair: it always argues for the winner that holds."""

from __future__ import annotations

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import ReviewEntry
from comparator.domain.scoring.verdict import DecidedBy, Verdict


def sentence_of(entry: ReviewEntry | None) -> str:
    """Why a reviewer chose the winner, in their words and by the kind of reason; empty where they did not say."""
    return "" if entry is None else "; ".join(part for part in (entry.code, entry.reason.strip()) if part)


def decision_of(verdict: Verdict) -> str:
    """Who is better and by which rule, as a sentence.

    A winner that a reviewer set needs no rule; a tie has none.
    """
    if verdict.winner is Winner.TIE:
        return "Both outputs do the task equally well."
    rule = "" if verdict.decided_by is DecidedBy.REVIEWER else f" ({verdict.decided_by.in_words})"
    return f"Output {verdict.winner.value} is better{rule}."


def with_the_judges(lead: str, *, judges: str, argues_for: Winner) -> str:
    """The reviewer's sentence or the decision, and after it what the judge wrote for another winner, as the judge's."""
    held = "called it a tie" if argues_for is Winner.TIE else f"preferred output {argues_for.value}"
    return f"{lead}\n\nThe judge {held}: {judges}"
