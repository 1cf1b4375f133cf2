"""A comparison's outcome for its two candidates: who won, by how much, and on what."""

from __future__ import annotations

from datetime import UTC
from decimal import Decimal
from functools import lru_cache
from typing import Any

from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.rubric import half_step_mean
from comparator.domain.scoring.verdict import Assessment
from comparator.reporting.tally.facts import Facts
from comparator.reporting.tally.scope import KIND_OF, VerdictKind

MET: dict[tuple[bool | None, bool | None], str] = {
    (True, True): "b",
    (False, False): "n",
    (True, False): "1",
    (False, True): "2",
}
"""An expectation that both outputs meet, neither, only candidate one's, only candidate two's."""
NOT_ASSESSED = "-"
SIGN = {"A": 1, "B": -1, "TIE": 0}


def outcome(facts: Facts) -> dict[str, Any]:
    """The comparison's row of the table `outcome` without what it adds to the tally, seen from the smaller id."""
    mirrored = facts.candidate_a > facts.candidate_b
    one, two = sorted((facts.candidate_a, facts.candidate_b))
    passed = facts.passed[::-1] if facts.passed and mirrored else facts.passed
    kind = kind_of(facts)
    return {
        "comparison_id": facts.comparison_id,
        "project_id": facts.project_id,
        "one": one,
        "two": two,
        "task_id": facts.task_id,
        "revealed": facts.revealed,
        "valid": facts.valid,
        "kind": kind.value if kind else None,
        "points": points(facts.winner, mirrored) if kind else None,
        "overall": _difference(facts.overall, mirrored),
        "content": _difference(facts.content, mirrored),
        "structure": _difference(facts.structure, mirrored),
        "pass_rate": _difference(facts.passed, mirrored),
        "passed_one": passed[0] if passed else None,
        "passed_two": passed[1] if passed else None,
        "decided_by": facts.decided_by if kind else None,
        "position_consistent": facts.position_consistent,
        "judge_points": points(facts.judge_winner, mirrored),
        "audited": facts.audited,
        "criteria": _criteria(facts, mirrored),
        "met": _met(facts, mirrored),
        "reasons": _reasons(facts, mirrored),
        "version_id": facts.version_id,
        "rubric_id": facts.rubric_id,
        "judge": facts.judged_by,
        "judge_digest": facts.judge_digest,
        "day": facts.created_at.astimezone(UTC).strftime("%Y-%m-%d") if facts.created_at else None,
        **_sides(facts, mirrored),
    }


def _sides(facts: Facts, mirrored: bool) -> dict[str, Any]:
    """What is known of each side by itself, the smaller id's first."""
    both = {
        "view": facts.views or (None, None),
        "overall": facts.overall or (None, None),
        "tokens": facts.tokens,
        "seconds": tuple(None if each is None else round(each * 10) for each in facts.seconds),
        "cost": facts.cost,
        "graded": tuple(None if each is None else round(each * 100) for each in facts.graded),
    }
    return {
        f"{name}_{side}": value
        for name, values in both.items()
        for side, value in zip(("one", "two"), values[::-1] if mirrored else values, strict=True)
    }


def kind_of(facts: Facts) -> VerdictKind | None:
    """Whose verdict holds; None where there is none."""
    if facts.winner is None or facts.source is None:
        return None
    if facts.source == VerdictKind.JUDGE.value:
        return VerdictKind.JUDGE_REVEALING if facts.may_reveal else VerdictKind.JUDGE
    if facts.may_reveal:
        return VerdictKind.REVEALING
    finals = (each.blindness for each in facts.reviews if each.last_event == "final")
    return KIND_OF[Blindness.least((facts.ruled, *finals))]


def points(winner: str | None, mirrored: bool) -> int | None:
    """2 for a win of candidate one, 1 for a tie, 0 for a loss; None where there is no winner."""
    if winner is None:
        return None
    return 1 - SIGN[winner] if mirrored else 1 + SIGN[winner]


def _difference(both: tuple[int, int] | None, mirrored: bool) -> int | None:
    if both is None:
        return None
    return both[1] - both[0] if mirrored else both[0] - both[1]


def _criteria(facts: Facts, mirrored: bool) -> dict[str, int] | None:
    """Differences by criterion of the verdict that holds, by the path of the criterion in whichever rubric."""
    if facts.winner is None:
        return None
    if facts.effective is None:
        return {}
    a, b = halves(facts.effective.A), halves(facts.effective.B)
    sign = -1 if mirrored else 1
    return {path: sign * (score - b[path]) for path, score in a.items() if path in b}


def _met(facts: Facts, mirrored: bool) -> str | None:
    """A letter for each expectation, of the verdict that holds: see MET. None without a verdict or expectations."""
    if facts.winner is None or facts.effective is None:
        return None
    a, b = facts.effective.A.expectations, facts.effective.B.expectations
    pairs = zip(b, a, strict=True) if mirrored else zip(a, b, strict=True)
    return "".join(MET.get(pair, NOT_ASSESSED) for pair in pairs) or None


def _reasons(facts: Facts, mirrored: bool) -> dict[str, list[int]] | None:
    """How many scores people changed for each kind of reason: of candidate one's output, and of the other's."""
    found: dict[str, list[int]] = {}
    for review in facts.reviews:
        if review.last_event != "final":
            continue
        for each in review.changes:
            about, _, address = each.target.partition(":")
            if about == "score" and each.kind == "set" and each.code:
                side = (address[:1] == "B") != mirrored
                found.setdefault(each.code, [0, 0])[side] += 1
    return found or None


def halves(assessment: Assessment) -> dict[str, int]:
    """Scores by path in half points."""
    return {path: _half_points(score) for path, score in assessment.scores.items()}


@lru_cache(maxsize=1024)
def _half_points(score: Decimal) -> int:
    return int(half_step_mean([score]) * 2)
