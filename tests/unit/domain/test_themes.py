"""The codebook: what a person changes holds, is taken back in order, and survives a new draft."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.domain.themes import (
    Codebook,
    Theme,
    ThemeChange,
    ThemeChangeKind,
    check_change,
    codebook_of,
    last_to_undo,
    speaks,
)

AT = datetime(2026, 3, 1, tzinfo=UTC)
PARTS, SOURCES, TONE = (
    Theme(id=id, name=name, test=f"The finding says that {name.lower()}.")
    for id, name in (("p", "Has all parts"), ("s", "Cites sources"), ("t", "Reads well"))
)
HALF = Theme(id="h", name="Leaves parts out", test="The finding says that parts are missing.")
FRESH = Theme(id="n", name="Short", test="The finding says that it is short.")


def changes(*made: Mapping[str, object]) -> tuple[ThemeChange, ...]:
    return tuple(
        ThemeChange.model_validate({"id": f"c{seq}", "seq": seq, "at": AT, **each})
        for seq, each in enumerate(made, start=1)
    )


def draft(*themes: Theme) -> dict[str, object]:
    return {"kind": ThemeChangeKind.DRAFT, "themes": themes}


def names(book: Codebook) -> list[str]:
    return [theme.name for theme in book.themes]


def test_a_new_draft_replaces_what_nobody_touched_and_keeps_what_somebody_did() -> None:
    renamed = {
        "kind": ThemeChangeKind.RENAME,
        "theme": "p",
        "name": "Complete",
        "test": "The finding says so.",
    }

    book = codebook_of(changes(draft(PARTS, SOURCES), renamed, draft(PARTS, FRESH)))

    assert names(book) == ["Complete", "Short"]
    assert book.drafted == 3


def test_what_was_deleted_or_merged_away_does_not_come_back_under_its_name() -> None:
    again = PARTS.model_copy(update={"id": "p2", "name": "has  ALL parts"})

    book = codebook_of(
        changes(
            draft(PARTS, SOURCES, TONE),
            {"kind": ThemeChangeKind.DELETE, "theme": "p"},
            {"kind": ThemeChangeKind.MERGE, "theme": "s", "into": "t"},
            draft(again, SOURCES, TONE),
        )
    )

    assert names(book) == ["Reads well"]


def test_a_theme_of_the_same_name_is_the_same_in_a_new_draft() -> None:
    again = PARTS.model_copy(update={"id": "p2", "test": "The finding says it anew."})

    book = codebook_of(changes(draft(PARTS, SOURCES), draft(again)))

    assert [(theme.id, theme.test) for theme in book.themes] == [("p", "The finding says it anew.")]


def test_a_split_survives_a_new_draft_with_its_findings() -> None:
    split = {"kind": ThemeChangeKind.SPLIT, "theme": "p", "themes": (HALF,), "findings": ("f1",)}
    again = HALF.model_copy(update={"id": "h2", "name": "leaves parts OUT"})

    book = codebook_of(changes(draft(PARTS, SOURCES), split, draft(FRESH, again)))

    assert names(book) == ["Has all parts", "Leaves parts out", "Short"]
    assert book.themes_of("f1", ["p"]) == ("h",)
    assert book.themes_of("f2", ["p"]) == ("p",)


@pytest.mark.parametrize(
    ("into", "left", "now"),
    [("s", ["Has all parts", "Cites sources", "Short"], ("s",)), (None, ["Has all parts", "Short"], ())],
)
def test_a_move_survives_a_new_draft_with_both_of_its_themes(
    into: str | None, left: list[str], now: tuple[str, ...]
) -> None:
    moved = {"kind": ThemeChangeKind.MOVE, "theme": "p", "into": into, "findings": ("f1",)}

    book = codebook_of(changes(draft(PARTS, SOURCES, TONE), moved, draft(FRESH)))

    assert names(book) == left
    assert book.themes_of("f1", ["p"]) == now
    assert book.themes_of("f2", ["p"]) == ("p",)


def test_findings_follow_a_merge_a_move_and_a_split() -> None:
    first = changes(
        draft(PARTS, SOURCES, TONE),
        {"kind": ThemeChangeKind.MERGE, "theme": "s", "into": "t"},
        {"kind": ThemeChangeKind.MOVE, "theme": "t", "into": "p", "findings": ("f1",)},
        {"kind": ThemeChangeKind.SPLIT, "theme": "p", "themes": (HALF,), "findings": ("f2",)},
    )

    book = codebook_of(first)

    assert book.themes_of("f1", ["s"]) == ("p",)
    assert book.themes_of("f9", ["s"]) == ("t",)
    assert book.themes_of("f2", ["p", "s"]) == ("t", "h")
    assert book.themes_of("f9", ["gone"]) == ()


def test_a_finding_can_be_moved_to_none_of_the_themes() -> None:
    moved = {"kind": ThemeChangeKind.MOVE, "theme": "p", "into": None, "findings": ("f1",)}

    book = codebook_of(changes(draft(PARTS), moved))

    assert book.themes_of("f1", ["p"]) == ()
    assert book.themes_of("f2", ["p"]) == ("p",)


def test_undo_takes_back_the_last_change_that_stands_and_never_a_draft() -> None:
    made = changes(
        draft(PARTS, SOURCES),
        {"kind": ThemeChangeKind.DELETE, "theme": "p"},
        {"kind": ThemeChangeKind.DELETE, "theme": "s"},
        {"kind": ThemeChangeKind.UNDO, "undoes": "c3"},
    )

    assert names(codebook_of(made)) == ["Cites sources"]
    last = last_to_undo(made)
    assert last is not None
    assert last.id == "c2"
    every = (*made, ThemeChange(id="c5", seq=5, kind=ThemeChangeKind.UNDO, at=AT, undoes="c2"))
    assert names(codebook_of(every)) == ["Has all parts", "Cites sources"]
    assert last_to_undo(every) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": ThemeChangeKind.DELETE, "theme": "x"}, "no theme"),
        ({"kind": ThemeChangeKind.MERGE, "theme": "p", "into": "p"}, "another theme"),
        ({"kind": ThemeChangeKind.MERGE, "theme": "p"}, "merge into"),
        ({"kind": ThemeChangeKind.MOVE, "theme": "p", "into": "s"}, "at least one finding"),
        ({"kind": ThemeChangeKind.RENAME, "theme": "p", "name": "cites sources"}, "already"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_with_what_to_do(change: dict[str, object], said: str) -> None:
    book = codebook_of(changes(draft(PARTS, SOURCES)))

    with pytest.raises(InputError, match=said):
        check_change(book, changes(change)[0])


def test_what_a_theme_says_in_one_pair_is_added_up() -> None:
    assert speaks([Winner.A, Winner.TIE]) is Winner.A
    assert speaks([Winner.A, Winner.B]) is Winner.TIE
    assert speaks([Winner.B, Winner.B, Winner.A]) is Winner.B
