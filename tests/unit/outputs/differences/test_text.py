"""Texts: what differs is all there, on the right side, and quickly found."""

import html
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.differences import text as differences_of_texts
from comparator.outputs.differences.model import Both, FileComparison
from comparator.outputs.differences.text import aligned, compare_texts

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


@given(NUMBERS, NUMBERS, st.integers(1, 40))
def test_sequences_are_covered_without_a_gap_however_small_the_windows_are(
    a: list[int], b: list[int], window: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(differences_of_texts, "_WINDOW", window)
        blocks = aligned(a, b)
    assert [n for block in blocks for n in a[block.a : block.a_end]] == a
    assert [n for block in blocks for n in b[block.b : block.b_end]] == b
    assert all(a[block.a : block.a_end] == b[block.b : block.b_end] for block in blocks if block.same)
    assert all(before.same is not after.same for before, after in pairwise(blocks))


def test_changed_lines_stand_beside_each_other_line_by_line() -> None:
    own = [f"line {n} says that all is well in room {n}" for n in range(30)]
    other = [line.replace("well", "fine") for line in own]
    result = compare_texts("\n".join(own), "\n".join(other))
    assert result.changes == 30
    assert 'data-change="17" data-n="17"' in result.parts[0].body.b


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
