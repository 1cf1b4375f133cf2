"""What a blind review came to before the judge's values opened: by that its agreement with the judge is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from comparator.domain.labels import Dimension, Winner
from comparator.domain.scoring.arithmetic import dimension_score, pass_rate
from comparator.domain.scoring.review import Part, Preference
from comparator.reporting.tally.facts import Facts, Reviewed

SPOKEN = (Part.SCORE, Part.EXPECTATION, Part.WINNER, Part.PREFERENCE)
"""What a change has to be about to be an opinion."""


def first_record(facts: Facts, review: Reviewed, *, judged: Mapping[str, Mapping[str, int]]) -> Reviewed:
    """The review as it stood when the judge's values opened; the same one where nothing was changed after that.

    What was answered only afterwards is taken for unanswered, so that the judge's own value holds there, as it does in
    every review. `judged` are the judge's scores by label and criterion, in half points.
    """
    since = [each.target for each in review.said if not each.blind and each.target.startswith(SPOKEN)]
    if not since:
        return review
    before = {each.target: each for each in review.blind_said}
    given = {target: each.value for target, each in before.items() if each.value is not None}
    scores = {label: dict(of) for label, of in review.scores.items()}
    met = {label: list(of) for label, of in review.met.items()}
    judge_met = _met(facts)
    for target in since:
        part, _, address = target.partition(":")
        label, _, key = address.partition(":")
        if part == Part.SCORE and label in scores and key in scores[label]:
            judge = judged.get(label, {}).get(key)
            value = given.get(target, None if judge is None else Decimal(judge) / 2)
            if value is None:
                del scores[label][key]
            else:
                scores[label][key] = str(value)
        elif part == Part.EXPECTATION and key.isdecimal() and int(key) < len(met.get(label, ())):
            met[label][int(key)] = given.get(target, judge_met[label][int(key)])
    winner = given.get(Part.WINNER.value)
    preferred = given.get(Part.PREFERENCE.value)
    if winner is None and preferred is not None:
        winner = Preference(str(preferred)).winner.value
    said = tuple(each for each in review.blind_said if each.value is not None)
    return replace(review, winner=str(winner or _winner(scores, met)), scores=scores, said=said)


def _winner(scores: Mapping[str, Mapping[str, str]], met: Mapping[str, list[bool | None]]) -> str:
    """By the scores, else by the expectations, as `domain.verdict` settles totals that a reviewer has changed."""
    overall = dict.fromkeys(scores, Decimal())
    for dimension in Dimension:
        paths = [
            path for path in scores["A"] if path.startswith(f"{dimension.value}.") and path in scores["B"]
        ]
        for label, of in scores.items():
            overall[label] += dimension_score([Decimal(of[path]) for path in paths]) if paths else 0
    if overall["A"] != overall["B"]:
        return Winner.A.value if overall["A"] > overall["B"] else Winner.B.value
    both = [pair for pair in zip(met["A"], met["B"], strict=True) if None not in pair]
    rates = {label: pass_rate([bool(pair[at]) for pair in both]) for at, label in enumerate("AB") if both}
    if rates and rates["A"] != rates["B"]:
        return Winner.A.value if rates["A"] > rates["B"] else Winner.B.value
    return Winner.TIE.value


def _met(facts: Facts) -> dict[str, list[bool | None]]:
    """For each expectation, whether every reading of the judge says that the output meets it; None if not assessed."""

    def together(said: list[bool | None]) -> bool | None:
        return None if None in said else all(said)

    told = [reading.answer["expectations"] for reading in facts.readings]
    return {
        label: [together([mark[label]["passed"] for mark in marks]) for marks in zip(*told, strict=True)]
        for label in ("A", "B")
    }
