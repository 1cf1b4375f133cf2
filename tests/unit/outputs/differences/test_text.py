"""Texts: what differs is all there, on the right side, and quickly found."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.differences import blocks as module
from comparator.outputs.differences.blocks import Block, BlockKind, aligned
from comparator.outputs.differences.lines_html import compare_texts
from comparator.outputs.differences.text import Marked, lines_of, text_blocks, word_marks

LINES = st.lists(
    st.sampled_from(["", "a", "b c", "the end of it", "the end of that", "- one", "other"]), max_size=14
)
TEXT = st.text("ab .\n<é", max_size=40)


def rebuilt(a: list[str], b: list[str], blocks: tuple[Block, ...]) -> list[str]:
    """B, from what is the same in A and what was changed or added."""
    out: list[str] = []
    for block in blocks:
        out += a[block.a : block.a_end] if block.kind is BlockKind.SAME else b[block.b : block.b_end]
    return out


def joined(pieces: tuple[Marked, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@given(LINES, LINES)
def test_the_differences_applied_to_a_give_b(a: list[str], b: list[str]) -> None:
    found = text_blocks(a, b)
    assert rebuilt(a, b, found) == b
    assert [line for block in found for line in a[block.a : block.a_end]] == a
    assert [line for block in found for line in b[block.b : block.b_end]] == b


@given(LINES)
def test_a_text_does_not_differ_from_itself(a: list[str]) -> None:
    assert all(block.kind is BlockKind.SAME for block in text_blocks(a, a))
    assert compare_texts("\n".join(a), "\n".join(a)).changes == 0


@given(LINES, LINES)
def test_swapped_sides_are_a_mirror(a: list[str], b: list[str]) -> None:
    there = aligned(a, b)
    back = aligned(b, a)
    same = [sum(x.a_end - x.a for x in found if x.kind is BlockKind.SAME) for found in (there, back)]
    assert same[0] == same[1]
    assert compare_texts("\n".join(a), "\n".join(b)).percent == pytest.approx(
        compare_texts("\n".join(b), "\n".join(a)).percent, abs=100 * bool(set(a) & set(b))
    )


@given(TEXT, TEXT)
def test_marked_words_are_the_texts_and_agree_on_what_is_the_same(a: str, b: str) -> None:
    own, other = word_marks(a, b)
    assert (joined(own), joined(other)) == (a, b)
    same = [joined(tuple(p for p in side if p.kind is BlockKind.SAME)) for side in (own, other)]
    assert same[0] == same[1]
    assert {piece.kind for piece in own} <= {BlockKind.SAME, BlockKind.REMOVED}
    assert {piece.kind for piece in other} <= {BlockKind.SAME, BlockKind.ADDED}


@given(st.lists(st.integers(0, 30), max_size=60), st.lists(st.integers(0, 30), max_size=60))
def test_long_sequences_are_covered_without_a_gap(a: list[int], b: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_AT_ONCE", 40)
        patch.setattr(module, "_QUICK", 10)
        patch.setattr(module, "_PIECE", 7)
        found = aligned(a, b)
    assert [
        n for x in found for n in (a[x.a : x.a_end] if x.kind is BlockKind.SAME else b[x.b : x.b_end])
    ] == b
    assert all(a[x.a : x.a_end] == b[x.b : x.b_end] for x in found if x.kind is BlockKind.SAME)


def test_long_texts_with_changes_throughout_lie_beside_each_other_as_they_would_at_best() -> None:
    a = [f"step {n}" if n % 3 else "" for n in range(3_000)]
    b = [line if n % 20 else f"changed {n}" for n, line in enumerate(a)]
    changed = [block for block in aligned(a, b) if block.kind is not BlockKind.SAME]
    assert changed == [Block(BlockKind.CHANGED, n, n + 1, n, n + 1) for n in range(0, 3_000, 20)]


def test_a_changed_word_is_marked_on_its_line_alone() -> None:
    (part,) = compare_texts("one\nthe cat sat here\nend", "one\nthe dog sat here\nend").parts
    assert "the <del>cat</del> sat here" in part.body.a
    assert "the <ins>dog</ins> sat here" in part.body.b
    assert part.body.a.count("<del>") == part.body.b.count("<ins>") == 1
    assert 'data-change="1"' in part.body.a
    assert 'data-change="1"' in part.body.b


def test_rewrapped_lines_differ_in_their_line_ends_only() -> None:
    words = [f"word{n}" for n in range(60)]
    own = "\n".join(" ".join(words[n : n + 10]) for n in range(0, 60, 10))
    other = "\n".join(" ".join(words[n : n + 12]) for n in range(0, 60, 12))
    body = compare_texts(own, other).parts[0].body
    assert "word" not in "".join(piece.split("</del>")[0] for piece in body.a.split("<del>")[1:])


def test_each_side_keeps_room_for_what_only_the_other_has() -> None:
    (part,) = compare_texts("one\ntwo", "one\nbrand new line\ntwo").parts
    assert part.body.a.count("<p") == part.body.b.count("<p")
    assert '<p class="gap" data-change="1"' in part.body.a
    assert 'aria-hidden="true">brand new line' in part.body.a


def test_long_texts_go_on_in_parts_with_every_change_numbered_once() -> None:
    lines = [f"line {n} of a long text that goes on" for n in range(20_000)]
    changed = [f"{line} changed" if n % 500 == 0 else line for n, line in enumerate(lines)]
    result = compare_texts("\n".join(lines), "\n".join(changed))
    assert len(result.parts) > 3
    assert result.changes == 40
    spans = [(part.first, part.last) for part in result.parts if part.first <= part.last]
    assert spans[0][0] == 1
    assert spans[-1][1] == 40
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert sum(part.body.a.count("<p") for part in result.parts) == 20_000


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.text(st.characters(codec="utf-8"), max_size=60))
def test_lines_are_the_text_however_it_is_cut(a: str, b: str) -> None:
    text = f"{a * 60}\n{b}\n"
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    whole = "".join(("\n" if line.number > 1 else "") + line.text for line in lines_of(text))
    assert whole == normal.removesuffix("\n")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ab " * 300_000, "ba " * 300_000),
        ("x" * 2_000_000, "y" + "x" * 2_000_000),
        ("a\n" * 12_000, "b\na\n" * 10_000),
    ],
    ids=["one line of words", "one word", "the same lines again and again"],
)
def test_hostile_texts_are_compared_to_their_end(a: str, b: str) -> None:
    result = compare_texts(a, b)
    assert result.changes
