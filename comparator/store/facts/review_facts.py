"""What people's reviews add to a comparison's facts: whom each names, and what it says of the judge's scores."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.scoring.review import (
    OPINIONS,
    UNTOUCHED,
    Blindness,
    Change,
    ChangeKind,
    How,
    Part,
    Preference,
    effective,
    fold,
)
from comparator.domain.scoring.rubric import Rubric, half_step_mean
from comparator.domain.scoring.verdict import Assessment, Verdict, settle
from comparator.store import tables
from comparator.store.core.sql import Connection, select_as, several
from comparator.store.judging import rubrics

PAUSE = timedelta(minutes=5)
"""A longer gap between two acts counts as this much: who went to lunch did not review."""
SPOKEN = (Part.SCORE, Part.EXPECTATION, Part.WINNER, Part.PREFERENCE)
"""What a change has to be about to be an opinion."""


def review_facts(
    connection: Connection, rows: Iterable[Any], judged: PerOutput[Assessment] | None, *, may_reveal: bool
) -> dict[str, Any]:
    """The columns `reviews` and `reasons` from rows of `queries.REVIEWS`; `judged` is what the judge's first readings
    say together.

    Each review is an object: `person`, `how`, `winner`, `minutes` of work in tenths, whether anything in it is an
    opinion (`spoken`), and the winner that is compared with the judge's (`named`; None where there is none). `reviewed`
    lists what became of the judge's scores (path, outcome, kind of reason), `given` the person's scores (label, path,
    half points), and `against` both of them (path, judge's, person's).
    """
    rows, change = [row for row in rows if row.kind == "final"], tables.change.c
    if not rows:
        return {"blindness": None}
    reviews = []
    reasons: dict[str, list[int]] = {}
    for row in rows:
        these = (change.review_id == row.id, change.seq <= (row.last_change or 0))
        covered = several(connection, select_as(tables.change, Change, *these).order_by(change.seq), Change)
        for edit in _last(covered):
            if edit.target.part is Part.SCORE and edit.kind is ChangeKind.SET and edit.code:
                reasons.setdefault(edit.code, [0, 0])[edit.target.label is Label.B] += 1
        if row.winner is not None:
            rubric = rubrics.get(connection, row.rubric_id).rubric if row.rubric_id else None
            how = _how(row, may_reveal=may_reveal)
            reviews.append(_review(row, covered, judged, rubric=rubric, how=how))
    known = [Blindness.KNOWN if row.unblinded else Blindness(row.blindness) for row in rows]
    return {"reviews": reviews or None, "reasons": reasons or None, "blindness": Blindness.least(known)}


def worked(times: Sequence[datetime]) -> float:
    """Seconds between the acts at these times, none of them longer than a pause."""
    gaps = (after - before for before, after in pairwise(times))
    return sum(min(max(gap, timedelta(0)), PAUSE).total_seconds() for gap in gaps)


def halves(assessment: Assessment) -> dict[str, int]:
    """Scores by path in half points."""
    return {path: _half_points(score) for path, score in assessment.scores.items()}


@lru_cache(maxsize=1024)
def _half_points(score: Decimal) -> int:
    return int(half_step_mean([score]) * 2)


def _how(review: Any, *, may_reveal: bool) -> How:
    if may_reveal:
        return How.REVEALING
    if review.unblinded or review.blindness == Blindness.KNOWN:
        return How.KNEW
    if review.blindness != Blindness.BLIND:
        return How.SIDES_HIDDEN
    return How.BLIND_FIRST if review.mode.startswith("blind") else How.JUDGE_FIRST


def _review(
    row: Any,
    covered: Sequence[Change],
    judged: PerOutput[Assessment] | None,
    *,
    rubric: Rubric | None,
    how: How,
) -> dict[str, Any]:
    verdict = Verdict.model_validate(row.verdict)
    own, opinions = verdict.assessments.map(halves), _opinions(covered)
    theirs = judged.map(halves) if judged is not None else None
    reviewed, given = [], []
    for change, label, path in _scores(opinions):
        if (score := own[label].get(path)) is not None:
            given.append([label.value, path, score])
        if not change.blind:
            # A score given before the judge's was seen is no change of it; nor where the judge gave none, or the same.
            judges = theirs[label].get(path) if theirs else None
            outcome = "changed" if theirs is None or judges is not None else "assessed"
            if change.kind is not ChangeKind.SET or (score is not None and score == judges):
                outcome = "confirmed"
            reviewed.append([path, outcome, change.code])
    named: str | None = row.winner
    against = opinions
    if how is How.BLIND_FIRST and any(
        not change.blind for change in _last(covered) if change.target.part in SPOKEN
    ):
        # What was answered before the judge's values opened is what can be compared with the judge.
        before = [change for change in covered if change.blind]
        blind = _verdict_before(verdict, rubric, judged, before)
        named, against = None, []
        if blind is not None:
            named, own = blind.winner.value, blind.assessments.map(halves)
            against = [opinion for opinion in _opinions(before) if opinion.value is not None]
    both = [
        [path, theirs[label][path], own[label][path]]
        for _, label, path in _scores(against)
        if theirs is not None and path in theirs[label] and path in own[label]
    ]
    return {
        "person": row.person_id,
        "how": how.value,
        "winner": row.winner,
        "minutes": round(worked((row.opened_at, *(change.at for change in covered), row.at)) / 6),
        "spoken": bool(opinions),
        "named": named if opinions else None,
        "reviewed": reviewed,
        "given": given,
        "against": both,
    }


def _last(changes: Iterable[Change]) -> Iterable[Change]:
    """The last change of each value."""
    return {str(change.target): change for change in changes}.values()


def _opinions(changes: Iterable[Change]) -> list[Change]:
    """The values that the reviewer gave or confirmed."""
    return [change for change in _last(changes) if change.kind in OPINIONS and change.target.part in SPOKEN]


def _scores(changes: Iterable[Change]) -> Iterator[tuple[Change, Label, str]]:
    for change in changes:
        if change.target.part is Part.SCORE and change.target.label and change.target.key:
            yield change, change.target.label, change.target.key


def _verdict_before(
    verdict: Verdict, rubric: Rubric | None, judged: PerOutput[Assessment] | None, blind: Iterable[Change]
) -> Verdict | None:
    """The verdict of a blind review as it stood when the judge's values opened; None where nothing gives one.

    What was answered only afterwards is taken for unanswered, so that the judge's own value holds there, as it does in
    every review.
    """
    if rubric is None:
        return None
    state, number = fold(blind), len(verdict.assessments.A.expectations)
    both, _ = effective(rubric, number, judge=judged, state=state)
    winner, preferred = (state.get(part, UNTOUCHED).value for part in (Part.WINNER, Part.PREFERENCE))
    outright = Winner(str(winner)) if winner else Preference(str(preferred)).winner if preferred else None
    return settle(rubric, both, set_by_reviewer=outright)
