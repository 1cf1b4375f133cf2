"""The columns of a row of facts, from its judgment and the verdict that holds; what is not given is None."""

from __future__ import annotations

from typing import Any

from comparator.domain.labels import Label, Order, PerOutput
from comparator.domain.scoring.judgment import ByPosition, assess, merge, named_by_position, winner_of_order
from comparator.domain.scoring.several_judges import MemberJudge, judges_agree
from comparator.domain.scoring.verdict import Assessment, VerdictSource
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
_SAID = ("position_consistent", "self_consistent", "stated_confidence", "quotes_found", "quotes_total")


def judge_columns(now: JudgedPasses, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """Which judge read the pair, and what its answers come to once they are complete."""
    chosen, judgment = now.chosen, now.judgment
    found: dict[str, Any] = {"judge_kind": chosen.judge_kind, "judge_model": chosen.judge_model}
    if now.form:
        found["form"] = now.form.words
    if judgment is not None:
        found |= {name: getattr(judgment, name) for name in _SAID}
        found["uneven_attention"] = judgment.examined.uneven if judgment.examined else None
        if (verdict := judgment.verdict) is not None:
            found["judge_winner"] = verdict.winner
            if verdict.totals:
                found["judge_overall_a"] = verdict.totals.A.overall_score
                found["judge_overall_b"] = verdict.totals.B.overall_score
    return found | (_readings(now, first) if now.by or chosen.complete else {})


def verdict_columns(effective: EffectiveVerdict, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    """The verdict that holds, with its scores: A's lead by criterion in half points, and who meets each expectation.

    The offline check has no winner and no scores to count by; `form` says what it found.
    """
    verdict, source = effective.verdict, effective.source
    found: dict[str, Any] = {"verdict_source": source}
    if verdict is None or source is VerdictSource.OFFLINE:
        return found
    found |= {
        "winner": verdict.winner,
        "decided_by": verdict.decided_by,
        "left_out": len(verdict.left_out),
        "criteria": {},
    }
    for label in Label:
        side = label.value.lower()
        if verdict.totals:
            totals = verdict.totals[label]
            for part in ("overall", "content", "structure"):
                found[f"{part}_{side}"] = getattr(totals, f"{part}_score")
        if verdict.pass_rates:
            found[f"pass_rate_{side}"] = verdict.pass_rates[label]
    values = first if source is VerdictSource.JUDGE else verdict.assessments
    if values is not None:
        a, b = values.map(halves).A, values.map(halves).B
        letters = zip(values.A.expectations, values.B.expectations, strict=True)
        found["criteria"] = {path: score - b[path] for path, score in a.items() if path in b}
        found["met"] = "".join(MET.get(both, NOT_ASSESSED) for both in letters) or None
    return found


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


def _readings(now: JudgedPasses, first: PerOutput[Assessment] | None) -> dict[str, Any]:
    chosen, judgment = now.chosen, now.judgment
    found: dict[str, Any] = {
        "rubric_id": chosen.rubric_id,
        "shared_rubric": now.rubric is not None and now.rubric.shared,
    }
    if not now.form and chosen.judge_kind != OFFLINE_KIND:
        found["judge_digest"] = chosen.judge_digest
    settled = judgment.verdict if judgment else None
    if now.by is not None:
        found["judges_agree"] = judges_agree(now.by.opinion)
        found |= {"readings": 0, "judges": [_judge(now.by, each) for each in now.by.judges.members]}
    elif judgment is not None:
        firsts = tuple(each for each in judgment.passes if each.repetition == 0)
        for order in Order:
            if given := [each.answer for each in firsts if each.order is order]:
                found[f"winner_{order.name.lower()}"] = winner_of_order(judgment.rubric, given)
        found["readings"] = len(judgment.passes)
        found["read_again"] = again = len(judgment.passes) > len(firsts)
        found["used_tools"] = any(used.calls for each in firsts if (used := each.answer.examined))
        if again and first is not None:
            settled = merge(judgment.rubric, firsts).verdict or settled
    return found | {"first_winner": settled.winner if settled else None}


def _judge(by: OfSeveral, member: MemberJudge) -> list[Any]:
    judgment = by.judgments[member.name]
    leans = named_by_position(judgment) if judgment else ByPosition(0, 0)
    vote = by.opinion.votes[member.name].value
    return [member.name, member.kind, member.model, member.digest, vote, leans.first, leans.second]
