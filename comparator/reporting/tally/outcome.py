"""A comparison's outcome for its two candidates: who won, by how much, and on what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC
from decimal import Decimal
from itertools import chain, zip_longest
from statistics import median
from typing import Any

from comparator.domain.labels import Label, Order
from comparator.reporting.tally.facts import Facts
from comparator.reporting.tally.scope import VerdictKind

OFFLINE = "offline"
MET = {(True, True): "b", (False, False): "n", (True, False): "1", (False, True): "2"}
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
        "judge_points": points(facts.judge_winner, mirrored) if facts.judge_kind != OFFLINE else None,
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
    if facts.source in (VerdictKind.JUDGE.value, VerdictKind.OFFLINE.value):
        told = facts.may_be_told and facts.source == VerdictKind.JUDGE.value
        return VerdictKind.JUDGE_TOLD if told else VerdictKind(facts.source)
    if facts.may_be_told:
        return VerdictKind.TOLD
    knew = any(each.act == "final" and (each.knows or each.unblinded) for each in facts.reviews)
    return VerdictKind.KNEW if knew or facts.ruled_unblinded else VerdictKind.BLIND


def judge_scores(facts: Facts) -> dict[str, dict[str, int]]:
    """The judge's score by label and criterion in half points: the mean of both orders, rounded half up.

    What was not assessed is not in it.
    """
    found: dict[str, dict[str, int]] = {"A": {}, "B": {}}
    if facts.together is not None:
        both = facts.together.items()
        return {
            label.value: {path: int(score * 2 + Decimal("0.5")) for path, score in each.scores.items()}
            for label, each in both
        }
    by_order = {order: [r.answer for r in facts.readings if r.order is order] for order in Order}
    if not all(by_order.values()):
        return found
    for path in by_order[Order.A_FIRST][0]["criteria"]:
        for label, scores in found.items():
            given = [
                [
                    score
                    for answer in answers
                    if (score := answer["criteria"][path][label]["score"]) is not None
                ]
                for answers in by_order.values()
            ]
            # As `domain.judgment` merges them: what one order did not assess is not assessed.
            if all(given):
                means = [sum(each) / len(each) for each in given]
                scores[path] = int(sum(means) / len(means) * 2 + 0.5)
    return found


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
    finals = [each.scores for each in facts.reviews if each.act == "final" and each.scores]
    said = [facts.ruled_scores] if facts.ruled_scores else finals
    scores = _medians(said) if said else judge_scores(facts)
    sign = -1 if mirrored else 1
    return {path: sign * (a - scores["B"][path]) for path, a in scores["A"].items() if path in scores["B"]}


def _met(facts: Facts, mirrored: bool) -> str | None:
    """A letter for each expectation, of the verdict that holds: see MET. None without a verdict or expectations."""
    if facts.winner is None:
        return None
    finals = [each.met for each in facts.reviews if each.act == "final" and each.met]
    said = [facts.ruled_met] if facts.ruled_met else finals
    both = [
        _majority([each.get(label, ()) for each in said]) if said else _judged_met(facts, label)
        for label in "AB"
    ]
    if mirrored:
        both.reverse()
    return "".join(MET.get(pair, NOT_ASSESSED) for pair in zip(*both, strict=False)) or None


def _majority(given: Sequence[Sequence[bool | None]]) -> list[bool | None]:
    """What most say of each expectation; an even split counts as not met, as `domain.scoring.panel` settles it."""
    found: list[bool | None] = []
    for votes in zip_longest(*given):
        cast = [vote for vote in votes if vote is not None]
        found.append(sum(cast) * 2 > len(cast) if cast else None)
    return found


def _judged_met(facts: Facts, label: str) -> list[bool | None]:
    """Whether the judge says in every reading that the output meets each expectation; of several, what most say."""
    if facts.together is not None:
        return list(facts.together[Label(label)].expectations)
    given = [
        [mark[label]["passed"] for mark in reading.answer.get("expectations", ())]
        for reading in facts.readings
    ]
    return [None if None in marks else all(marks) for marks in zip(*given, strict=False)]


def _reasons(facts: Facts, mirrored: bool) -> dict[str, list[int]] | None:
    """How many scores people changed for each kind of reason: of candidate one's output, and of the other's."""
    found: dict[str, list[int]] = {}
    for review in facts.reviews:
        if review.act != "final":
            continue
        for each in review.said:
            about, _, address = each.target.partition(":")
            if about == "score" and each.kind == "set" and each.code:
                side = (address[:1] == "B") != mirrored
                found.setdefault(each.code, [0, 0])[side] += 1
    return found or None


def _medians(said: Sequence[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, int]]:
    """The median by label and criterion in half points, as `domain.scoring.panel` settles several reviews."""
    found: dict[str, dict[str, int]] = {}
    for label in ("A", "B"):
        given = [halves(each.get(label, {})) for each in said]
        votes = {
            path: [scores[path] for scores in given if path in scores]
            for path in dict.fromkeys(chain(*given))
        }
        found[label] = {path: int(median(each) + 0.5) for path, each in votes.items()}
    return found


def halves(scores: Mapping[str, str]) -> dict[str, int]:
    """Scores by path in half points."""
    return {path: int(Decimal(score) * 2) for path, score in scores.items()}
