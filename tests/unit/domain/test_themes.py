"""The codebook: what a lead changes holds, and survives a new draft."""

from __future__ import annotations

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.domain.themes import LONGEST_NAME, Codebook, CodebookRow, Theme, speaks

PARTS, SOURCES, TONE = (
    Theme(id=id, name=name, test=f"The finding says that {name.lower()}.")
    for id, name in (("p", "Has all parts"), ("s", "Cites sources"), ("t", "Reads well"))
)
FRESH = Theme(id="n", name="Short", test="The finding says that it is short.")


def row(theme: Theme, **changed: str) -> CodebookRow:
    return CodebookRow.model_validate({**theme.model_dump(), **changed})


def names(book: Codebook) -> list[str]:
    return [theme.name for theme in book.themes]


def test_a_new_draft_replaces_what_nobody_touched_and_keeps_what_somebody_did() -> None:
    book = Codebook(themes=(PARTS, SOURCES)).edited([row(PARTS, name="Complete"), row(SOURCES)])

    again = book.drafted_again([PARTS, FRESH])

    assert book.kept == ("p",)
    assert names(again) == ["Complete", "Short"]


def test_what_was_deleted_or_merged_away_does_not_come_back_under_its_name() -> None:
    again = PARTS.model_copy(update={"id": "p2", "name": "has  ALL parts"})

    book = Codebook(themes=(PARTS, SOURCES, TONE)).edited([row(SOURCES, into="t"), row(TONE)])

    assert names(book.drafted_again([again, SOURCES, TONE])) == ["Reads well"]


def test_a_theme_of_the_same_name_is_the_same_in_a_new_draft() -> None:
    again = PARTS.model_copy(update={"id": "p2", "test": "The finding says it anew."})

    book = Codebook(themes=(PARTS, SOURCES)).drafted_again([again])

    assert [(theme.id, theme.test) for theme in book.themes] == [("p", "The finding says it anew.")]


def test_findings_follow_one_merge_after_another_and_leave_a_deleted_theme() -> None:
    book = Codebook(themes=(PARTS, SOURCES, TONE)).edited([row(PARTS), row(SOURCES, into="t"), row(TONE)])

    merged = book.edited([row(PARTS), row(TONE, into="p")])

    assert book.themes_of(["s"]) == ("t",)
    assert merged.themes_of(["s"]) == ("p",)
    assert merged.themes_of(["s", "t", "p"]) == ("p",)
    assert merged.themes_of(["gone"]) == ()
    assert merged.edited([]).themes_of(["s", "p"]) == ()


def test_a_codebook_that_nobody_edited_stays_as_it_is() -> None:
    book = Codebook(themes=(PARTS, SOURCES), kept=("s",), merged={"x": "s"}, removed=("old",))

    assert book.edited([row(PARTS), row(SOURCES)]) == book


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(FRESH)], "no longer in the codebook"),
        ([row(PARTS, into="p"), row(SOURCES)], "another theme that stays"),
        ([row(PARTS, into="s"), row(SOURCES, into="p")], "another theme that stays"),
        ([row(PARTS, into="s")], "another theme that stays"),
        ([row(PARTS, name="cites  SOURCES"), row(SOURCES)], "Merge the two"),
        ([row(PARTS, name=" "), row(SOURCES)], "a name of 1 to 80"),
        ([row(PARTS, name="x" * (LONGEST_NAME + 1)), row(SOURCES)], "a name of 1 to 80"),
        ([row(PARTS, test=""), row(SOURCES)], "a test of 1 to 400"),
    ],
)
def test_rows_that_are_no_codebook_are_refused_with_what_to_do(rows: list[CodebookRow], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Codebook(themes=(PARTS, SOURCES)).edited(rows)


def test_what_a_theme_says_in_one_pair_is_added_up() -> None:
    assert speaks([Winner.A, Winner.TIE]) is Winner.A
    assert speaks([Winner.A, Winner.B]) is Winner.TIE
    assert speaks([Winner.B, Winner.B, Winner.A]) is Winner.B
