"""The verdict of a blind review before the judge's values opened. Agreement with the judge is measured on it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.scoring.review import Part, Preference
from comparator.domain.scoring.verdict import Assessment, settle
from comparator.reporting.tally.facts import Facts, Reviewed

SPOKEN = (Part.SCORE, Part.EXPECTATION, Part.WINNER, Part.PREFERENCE)
"""What a change has to be about to be an opinion."""


def first_record(facts: Facts, review: Reviewed) -> Reviewed | None:
    """The review as it stood when the judge's values opened; the same one where nothing was changed after that.

    What was answered only afterwards is taken for unanswered, so that the judge's own value holds there, as it does in
    every review. None where what stood by then gives no verdict. `blind_winner` in `workflow/guidance/corrections.py`
    fills no gaps, because guidance is tested on winners that rest on nothing a judge said.
    """
    since = [each.target for each in review.changes if not each.blind and each.target.startswith(SPOKEN)]
    if not since:
        return review
    if review.verdict is None or review.rubric is None:
        return None
    before = {each.target: each for each in review.blind_changes}
    given = {target: each.value for target, each in before.items() if each.value is not None}

    def of(label: Label, final: Assessment) -> Assessment:
        judge = facts.judged[label] if facts.judged else None
        scores, met = dict(final.scores), list(final.expectations)
        for path in final.scores:
            target = f"{Part.SCORE}:{label.value}:{path}"
            if target not in since:
                continue
            own = Decimal(given[target]) if target in given else judge.scores.get(path) if judge else None
            if own is None:
                del scores[path]
            else:
                scores[path] = own
        for index in range(len(met)):
            target = f"{Part.EXPECTATION}:{label.value}:{index}"
            if target in since:
                met[index] = given.get(target, judge.expectations[index] if judge else None)
        return Assessment(scores=scores, expectations=tuple(met))

    final = review.verdict.assessments
    winner, preferred = given.get(Part.WINNER.value), given.get(Part.PREFERENCE.value)
    outright = Winner(winner) if winner else Preference(preferred).winner if preferred else None
    verdict = settle(
        review.rubric,
        PerOutput[Assessment](A=of(Label.A, final.A), B=of(Label.B, final.B)),
        set_by_reviewer=outright,
    )
    if verdict is None:
        return None
    changes = tuple(each for each in review.blind_changes if each.value is not None)
    return replace(review, winner=verdict.winner.value, verdict=verdict, changes=changes)
