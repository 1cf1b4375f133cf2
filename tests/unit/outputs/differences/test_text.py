"""Texts: what differs is all there, on the right side, and quickly found."""

from __future__ import annotations

import html
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.differences import alignment
from comparator.outputs.differences.alignment import Block, aligned
from comparator.outputs.differences.model import Both, FileComparison
from comparator.outputs.differences.text import compare_texts

LINES = st.lists(
    st.sampled_from(["", "a", "b c", "the end of it", "the end of that", "- one", "other", "a <b> & c"]),
    max_size=14,
)
NUMBERS = st.lists(st.integers(0, 30), max_size=60)
ROOM = re.compile(r'<span class="room".*?</span>', re.DOTALL)


def text_of(side: str, tag: str = "") -> str:
    """What a reader sees of a side, or with a tag what of it is marked as the same."""
    side = ROOM.sub("", side)
    if tag:
        side = re.sub(f"<{tag}>.*?</{tag}>", "", side, flags=re.DOTALL)
    return html.unescape(re.sub("<[^>]*>", "", side))


def bodies(result: FileComparison) -> Both:
    return Both(*("".join(part.body[n] for part in result.parts) for n in (0, 1)))


@given(LINES, LINES)
def test_both_sides_show_their_text_whole_and_agree_on_what_is_the_same(a: list[str], b: list[str]) -> None:
    body = bodies(compare_texts("\n".join([*a, ""]), "\n".join([*b, ""])))
    for side, lines in zip(body, (a, b), strict=True):
        assert text_of(side).split() == " ".join(lines).split()
    assert text_of(body.a, "del").split() == text_of(body.b, "ins").split()
    assert body.a.count("<p") == body.b.count("<p")


@given(LINES)
def test_a_text_does_not_differ_from_itself(a: list[str]) -> None:
    result = compare_texts("\n".join(a), "\n".join(a))
    assert (result.changes, result.percent) == (0, 100)


@given(LINES, LINES)
def test_other_texts_differ_in_at_least_one_change(a: list[str], b: list[str]) -> None:
    own, other = "\n".join([*a, "end"]), "\n".join([*b, "end"])
    result = compare_texts(own, other)
    assert (result.changes > 0) == (own != other)
    assert (result.percent == 100) == (own == other)


@given(NUMBERS, NUMBERS, st.integers(1, 40))
def test_sequences_are_covered_without_a_gap_however_small_the_windows_are(
    a: list[int], b: list[int], window: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_WINDOW", window)
        blocks = aligned(a, b)
    assert [n for block in blocks for n in a[block.a : block.a_end]] == a
    assert [n for block in blocks for n in b[block.b : block.b_end]] == b
    assert all(a[block.a : block.a_end] == b[block.b : block.b_end] for block in blocks if block.same)
    assert all(before.same is not after.same for before, after in pairwise(blocks))


def test_long_texts_with_changes_throughout_lie_beside_each_other_as_they_would_at_best() -> None:
    a = [f"step {n}" if n % 3 else "" for n in range(30_000)]
    b = [line if n % 20 else f"changed {n}" for n, line in enumerate(a)]
    b.insert(100, "inserted")
    changed = [block for block in aligned(a, b) if not block.same]
    assert len(changed) == 1_500
    assert all(block.b - block.a == 1 for block in changed[6:])
    assert changed[0] == Block(False, 0, 1, 0, 1)


def test_a_changed_word_is_marked_on_its_line_alone() -> None:
    (part,) = compare_texts("one\nthe cat sat here\nend", "one\nthe dog sat here\nend").parts
    assert "the <del>cat</del> sat here" in part.body.a
    assert "the <ins>dog</ins> sat here" in part.body.b
    assert part.body.a.count("<del>") == part.body.b.count("<ins>") == 1
    for side in part.body:
        assert 'data-change="1" data-n="2"' in side


def test_changed_lines_stand_beside_each_other_line_by_line() -> None:
    own = [f"line {n} says that all is well in room {n}" for n in range(30)]
    other = [line.replace("well", "fine") for line in own]
    result = compare_texts("\n".join(own), "\n".join(other))
    assert result.changes == 30
    assert 'data-change="17" data-n="17"' in result.parts[0].body.b


def test_rewrapped_lines_differ_in_their_line_ends_only() -> None:
    words = [f"word{n}" for n in range(60)]
    own = "\n".join(" ".join(words[n : n + 10]) for n in range(0, 60, 10))
    other = "\n".join(" ".join(words[n : n + 12]) for n in range(0, 60, 12))
    body = compare_texts(own, other).parts[0].body
    assert "word" not in "".join(re.findall("<del>(.*?)</del>", body.a, re.DOTALL))


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
    spans = [(part.first, part.last) for part in result.parts]
    assert (spans[0][0], spans[-1][1]) == (1, 40)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(spans))
    assert sum(part.body.a.count("<p") for part in result.parts) == 20_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ab " * 300_000, "ba " * 300_000),
        ("x" * 2_000_000, "y" + "x" * 2_000_000),
        ("a\n" * 12_000, "b\na\n" * 10_000),
        ("".join(f"{n}\n" for n in range(200_000)), "".join(f"{n}\n" for n in range(200_000, 0, -1))),
    ],
    ids=["one line of words", "one word", "the same lines again and again", "no line in its place"],
)
def test_hostile_texts_are_compared_to_their_end_in_parts_that_a_browser_bears(a: str, b: str) -> None:
    result = compare_texts(a, b)
    assert result.changes
    assert max(len(side) for part in result.parts for side in part.body) < 2_000_000
