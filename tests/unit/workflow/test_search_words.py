"""The words of a file are found in one pass, whatever somebody wrote into it."""

from __future__ import annotations

import pytest

from comparator.workflow.review.search import plain_words, without_markup


class Counted(bytes):
    """Bytes that count how many of them were searched."""

    searched = 0

    def find(self, sub: bytes, start: int = 0) -> int:  # type: ignore[override]
        found = super().find(sub, start)
        Counted.searched += (len(self) if found < 0 else found + len(sub)) - start
        return found

    def lower(self) -> Counted:
        return Counted(super().lower())


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        b"<",
        b"<style>",
        b"<style></style",
        b"<style-a>y</style-a>\n",
        b"<style>y</style-a>\n",
        b"<script><style></script-",
        b"<script></script   ",
        b"<>",
        b"</style><script ",
    ],
)
@pytest.mark.parametrize("end", [b"", b">"])
def test_no_part_of_hostile_markup_is_looked_at_again_and_again(hostile: bytes, end: bytes) -> None:
    data = Counted(hostile * (500_000 // len(hostile)) + end)
    Counted.searched = 0

    assert sum(len(part) for part in without_markup(data)) <= len(data)
    assert Counted.searched <= 8 * len(data)


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        (b"<p>The <b>Grand</b>\n total: 420&nbsp;kg</p>", "the grand total: 420 kg"),
        (b"a<STYLE media=x>p{}</Style >b<script>if(a<b){}</script>c", "a b c"),
        (b"a<style>p{}</style-a></style>b", "a b"),
        (b"<styles>kept</styles>", "kept"),
        (b"<style>kept too", "kept too"),
        (b"2 < 3", "2 < 3"),
        (b"<style", "<style"),
        (b"", ""),
    ],
)
def test_markup_scripts_and_styles_are_no_words(markup: bytes, words: str) -> None:
    assert plain_words(markup, marked=True) == words
