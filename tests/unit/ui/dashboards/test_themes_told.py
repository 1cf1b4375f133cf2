"""What the page says of themes: for winners and losers, and how much the codebook leaves out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from comparator.domain.themes import Theme
from comparator.reporting.theme_picture import AssignmentStatus, ThemePicture, ThemeSides
from comparator.stats.figures import TooFew
from comparator.store.themes.inquiries import Inquiry, InquiryKind, InquiryState
from comparator.ui.dashboards.why.themes import sentences

FEW = TooFew(n=0)
ABOUT = AssignmentStatus(
    assignment=Inquiry(
        id="i",
        project_id="p",
        kind=InquiryKind.ASSIGN,
        model="a model",
        created_by=None,
        state=InquiryState.DONE,
        result=None,
        problem=None,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
        finished_at=None,
    ),
    unfinished=None,
    waiting=0,
    outdated=False,
)


def told(*, none: int = 0, for_winner: int = 0, for_loser: int = 0) -> str:
    """The sentences over 400 findings of which so many belong to none of the themes."""
    sides = ThemeSides(
        theme=Theme(id="t", name="Logs", test="It is about logs."),
        one=20,
        even=0,
        two=0,
        tasks=1,
        share=FEW,
        for_winner=for_winner,
        for_loser=for_loser,
    )
    return " ".join(sentences(ThemePicture(themes=(sides,), read=20, findings=400, none=none), ABOUT))


@pytest.mark.parametrize(("none", "covers"), [(99, True), (100, True), (101, False)])
def test_a_codebook_does_not_cover_if_more_than_a_quarter_of_the_findings_belong_to_none(
    none: int, covers: bool
) -> None:
    assert ("The codebook does not cover" not in told(none=none)) == covers


def test_the_first_theme_is_told_for_winners_where_a_pair_is_decided() -> None:
    said = "“Logs” speaks for the winner in 14 of 17 decided pairs in which it speaks for one side."
    assert said in told(for_winner=14, for_loser=3)
    assert "for the winner" not in told()
