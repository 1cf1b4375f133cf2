"""The columns of a row of facts, from its judgment and the verdict that holds."""

from __future__ import annotations

from typing import Any

from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judgment import (
    ByPosition,
    MergedJudgment,
    assess,
    merge,
    named_by_position,
    winner_of_order,
)
from comparator.domain.scoring.several_judges import MemberJudge
from comparator.domain.scoring.verdict import Assessment, Verdict, VerdictSource
from comparator.store.facts.review_facts import halves
from comparator.store.facts.verdicts import OFFLINE_KIND, EffectiveVerdict, JudgedPasses, OfSeveral

MET: dict[tuple[bool | None, bool | None], str] = {
    (True, True): "b",
    (False, False): "n",
    (True, False): "A",
    (False, True): "B",
}
"""An expectation that both outputs meet, neither, only A, only B."""
NOT_ASSESSED = "-"


def judge_columns(judgment: MergedJudgment | None) -> dict[str, Any]:
    """What the judge's answers come to; every value None before they are complete."""
    if judgment is None:
        more = (
            "position_consistent",
            "self_consistent",
            "uneven_attention",
            "stated_confidence",
            "quotes_found",
            "quotes_total",
        )
        return _judge_verdict(None) | dict.fromkeys(more)
    return {
        **_judge_verdict(judgment.verdict),
        "position_consistent": judgment.position_consistent,
        "self_consistent": judgment.self_consistent,
        "uneven_attention": judgment.examined.uneven if judgment.examined else None,
        "stated_confidence": judgment.stated_confidence,
        "quotes_found": judgment.quotes_found,
        "quotes_total": judgment.quotes_total,
    }


def _judge_verdict(verdict: Verdict | None) -> dict[str, Any]:
    return {
        "judge_winner": verdict.winner.value if verdict else None,
        "judge_overall_a": verdict.totals.A.overall_score if verdict and verdict.totals else None,
        "judge_overall_b": verdict.totals.B.overall_score if verdict and verdict.totals else None,
    }


def verdict_columns(verdict: Verdict | None) -> dict[str, Any]:
    """The verdict that holds, with its scores; every value None without one."""
    totals, rates = (verdict.totals, verdict.pass_rates) if verdict else (None, None)
    return {
        "winner": verdict.winner.value if verdict else None,
        "decided_by": verdict.decided_by.value if verdict else None,
        "left_out": len(verdict.left_out) if verdict else None,
        "overall_a": totals.A.overall_score if totals else None,
        "overall_b": totals.B.overall_score if totals else None,
        "content_a": totals.A.content_score if totals else None,
        "content_b": totals.B.content_score if totals else None,
        "structure_a": totals.A.structure_score if totals else None,
        "structure_b": totals.B.structure_score if totals else None,
        "pass_rate_a": rates.A if rates else None,
        "pass_rate_b": rates.B if rates else None,
    }


def first_assessments(now: JudgedPasses | None) -> PerOutput[Assessment] | None:
    """What the first readings of each order say together, or several judges jointly; None while one is missing.

    A pair that was read again was unsure: figures of the judge look at first readings.
    """
    if now is None or now.judgment is None:
        return None
    passes = now.judgment.passes
    first = tuple(each for each in passes if each.repetition == 0)
    if now.by is not None or len(first) == len(passes):
        return now.judgment.assessments
    return assess(now.judgment.rubric, first) if {each.order for each in first} == set(Order) else None


def reading_columns(now: JudgedPasses | None, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """Which judge read the pair, how often, and what its first readings said."""
    found: dict[str, Any] = dict.fromkeys(_READING)
    if now is None or not (now.by or now.chosen.complete):
        return found
    found |= {
        "rubric_id": now.chosen.rubric_id,
        "shared_rubric": now.rubric is not None and now.rubric.shared,
        "judge_digest": None
        if now.form or now.chosen.judge_kind == OFFLINE_KIND
        else now.chosen.judge_digest,
    }
    judgment = now.judgment
    if now.by is not None:
        found |= {"readings": 0, "judges": [_judge(now.by, each) for each in now.by.judges.members]}
    elif judgment is not None:
        firsts = [each for each in judgment.passes if each.repetition == 0]
        again = len(judgment.passes) > len(firsts)
        by_order = {
            order: winner_of_order(judgment.rubric, given)
            for order in Order
            if (given := [each.answer for each in firsts if each.order is order])
        }
        found |= {
            "readings": len(judgment.passes),
            "read_again": again,
            "used_tools": any(used.calls for each in firsts if (used := each.answer.examined)),
            "winner_a_first": by_order.get(Order.A_FIRST),
            "winner_b_first": by_order.get(Order.B_FIRST),
        }
        if again and first is not None:
            verdict = merge(judgment.rubric, tuple(firsts)).verdict
            found["first_winner"] = verdict.winner.value if verdict else None
    if found["first_winner"] is None and judgment is not None and judgment.verdict is not None:
        found["first_winner"] = judgment.verdict.winner.value
    return found


_READING = (
    *("rubric_id", "shared_rubric", "judge_digest", "first_winner", "winner_a_first", "winner_b_first"),
    *("readings", "read_again", "used_tools", "judges"),
)


def _judge(by: OfSeveral, member: MemberJudge) -> list[Any]:
    judgment = by.judgments[member.name]
    leans = named_by_position(judgment) if judgment else ByPosition(0, 0)
    vote = by.opinion.votes[member.name].value
    return [member.name, member.kind, member.model, member.digest, vote, leans.first, leans.second]


def value_columns(effective: EffectiveVerdict, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """Of the verdict that holds: A's lead by criterion in half points, and who meets each expectation."""
    if effective.verdict is None or effective.source is VerdictSource.OFFLINE:
        return {"criteria": None, "met": None}
    values = first if effective.source is VerdictSource.JUDGE else effective.verdict.assessments
    if values is None:
        return {"criteria": {}, "met": None}
    a, b = values.map(halves).A, values.map(halves).B
    letters = zip(values.A.expectations, values.B.expectations, strict=True)
    return {
        "criteria": {path: score - b[path] for path, score in a.items() if path in b},
        "met": "".join(MET.get(both, NOT_ASSESSED) for both in letters) or None,
    }
