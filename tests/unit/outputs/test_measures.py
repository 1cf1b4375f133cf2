"""How much of what is in an output, and how often something stands in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event

import pytest

from comparator.domain.errors import InputError
from comparator.domain.pair.view import Family, ImageBlock, OutputView, PrintedPages, TextBlock, ViewedFile
from comparator.outputs.examine.lines import PIECE, Pattern, TooSlow, count_in
from comparator.outputs.view.measures import measures_of

REPORT = """# Report

Two words, and a [link](https://example.org/a) and https://example.org/b.

## Findings

- first
- second
1. third

| a | b |
| --- | --- |
| 1 | 2 |

```sh
echo hello
```

![chart](chart.png)
"""


def file(name: str, family: Family, *blocks: TextBlock | ImageBlock, pages: int = 0) -> ViewedFile:
    printed = PrintedPages(total=pages) if pages else None
    return ViewedFile(id=name, name=name, family=family, size=1, blocks=blocks, printed=printed)


def test_each_thing_in_an_output_is_counted_once() -> None:
    picture = ImageBlock(media_type="image/png", data=b"x")
    view = OutputView(
        files=(
            file("report.md", Family.MARKDOWN, TextBlock(text=REPORT)),
            file("run.py", Family.CODE, TextBlock(text="print(1)\n")),
            file("rows.csv", Family.CSV, TextBlock(text="a,b\n1,2\n")),
            file("plan.pdf", Family.PDF, TextBlock(text="[page 1]\nOne\n\n[page 2]\nTwo\n"), picture),
            file("letter.docx", Family.DOCX, TextBlock(text="Dear all"), pages=3),
            file("photo.png", Family.IMAGE, TextBlock(text="[picture, 3 × 4 pixels]"), picture),
        )
    )

    found = measures_of(view)

    assert found.characters == sum(len(each.text) for each in view.files)
    assert found.words == sum(len(each.text.split()) for each in view.files)
    assert (found.headings, found.list_items, found.links) == (2, 3, 2)
    assert (found.tables, found.code_blocks) == (2, 2)
    assert (found.pictures, found.pages) == (2, 5)
    assert found.families == {
        "code": 1, "csv": 1, "docx": 1, "image": 1, "markdown": 1, "pdf": 1,
    }  # fmt: skip


def test_a_pattern_is_counted_wherever_it_stands() -> None:
    texts = ["one two\ntwo two", "x" * (2 * PIECE + 5) + "two", "Two"]

    assert count_in(texts, Pattern("two", regex=False, match_case=True), seconds=5) == 4
    assert count_in(texts, Pattern("two", regex=False, match_case=False), seconds=5) == 5
    assert count_in(texts, Pattern(r"^t\w+", regex=True, match_case=True), seconds=5) == 1


N = 2_000
ENDLESS = {
    r"^(a+)+$": ("a" * N + "!", 0),
    r"^(a|aa)+$": ("a" * N + "!", 0),
    r"(a*)*b": ("a" * N, 0),
    r"(x+x+)+y": ("x" * N, 0),
    r"^(.*?,){25}P": ("1," * N, 0),
    r"^(\w+\s?)*$": ("word " * N + "!", 0),
    r"(.*a){12}b": ("a" * N, 0),
    r"^(([a-z])+.)+[A-Z]([a-z])+$": ("a" * N, 0),
    r"<(.|\s)*>x": ("<" + "a" * N, 0),
    r"^(a?){200}a{200}$": ("a" * 200, 1),
}
"""Patterns that take an engine that goes back 2 to the power of hundreds steps, each with such a text, and how often it
stands there."""


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_runs_for_ever_in_other_engines_is_answered_without_a_limit(pattern: str) -> None:
    text, expected = ENDLESS[pattern]

    # The clock stands still, so nothing but the engine ends this.
    found = count_in([text], Pattern(pattern, regex=True, match_case=True), seconds=0.5, clock=lambda: 0.0)

    assert found == expected


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_runs_for_ever_in_other_engines_ends_within_a_second(pattern: str) -> None:
    text, _ = ENDLESS[pattern]

    began = time.thread_time()
    count_in([text], Pattern(pattern, regex=True, match_case=True), seconds=60)

    assert time.thread_time() - began < 1


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)\1+b", r"(?=(a+))a*b", r"(?<!a)b", r"(?>a+)b", r"((a{1,100}){1,100}){1,100}", r"(a{1000}){1000}"],
)
def test_a_pattern_that_needs_more_than_linear_time_or_much_memory_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="follows RE2"):
        Pattern(pattern, regex=True, match_case=True)


def test_counting_is_ended_between_two_pieces_of_a_text() -> None:
    ticks = iter([0.0, 0.1, 0.2, 0.6, 0.7])

    with pytest.raises(TooSlow, match=r"0\.5 s"):
        count_in(
            ["a" * PIECE * 4],
            Pattern("a", regex=False, match_case=True),
            seconds=0.5,
            clock=lambda: next(ticks),
        )


def test_what_a_pattern_waits_for_is_not_held_against_it() -> None:
    def held_up() -> Iterator[str]:
        yield "two"
        Event().wait(0.06)
        yield "two"

    assert count_in(held_up(), Pattern("two", regex=False, match_case=True), seconds=0.05) == 2
