"""What the review says of a pair before it is read."""

from decimal import Decimal
from typing import Any

import pytest

from comparator.domain.labels import Label, PerOutput
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.several_judges import Vote
from comparator.web.review.shown import findings_of
from comparator.workflow.review.sheet import JudgeSays, JudgeSummary, Sheet


def sheet(**more: Any) -> Sheet:
    plain = {"judge": JudgeSummary(state=JudgeState.DONE), "judgment": None, "finalised": False}
    none = {"view_notes": PerOutput[tuple[str, ...]](A=(), B=())}
    return Sheet.model_construct(**{**plain, **none, **more})


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, None),
        ({"revealed": True}, "Candidates are known: your review will not count as blind"),
        ({"revealed": True, "finalised": True, "blindness": Blindness.SIDES_HIDDEN}, "Candidates revealed"),
        ({"blindness": Blindness.SIDES_HIDDEN}, "Sides are hidden; you know the candidates"),
        ({"blindness": Blindness.KNOWN}, "Not blind for you"),
        ({"cut_off": (Label.B,)}, "{B} cut off"),
        ({"void": True}, "Unusable output"),
        ({"view_notes": PerOutput[tuple[str, ...]](A=("No text.",), B=())}, "{A}: No text."),
    ],
)
def test_a_pair_has_one_finding_for_what_is_to_be_known_of_it(more: dict[str, Any], name: str | None) -> None:
    assert [each.name for each in findings_of(sheet(**more))] == ([name] if name else [])


def test_judges_that_disagree_are_told_one_by_one() -> None:
    votes = (Vote.A, Vote.TIE, Vote.ABSTAINED)
    judges = tuple(
        JudgeSays(name=f"judge {at}", model="m", vote=vote, overall=None, cost=Decimal(0))
        for at, vote in enumerate(votes)
    )
    (found,) = findings_of(sheet(judge=JudgeSummary(state=JudgeState.DONE, judges=judges)))
    assert found.lines == ("judge 0: {A} wins", "judge 1: a tie", "judge 2: abstained")
