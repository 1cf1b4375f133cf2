"""How much of what is in an output, and how often something stands in it."""

from __future__ import annotations

from contextlib import suppress

import pytest

from comparator.domain.errors import InputError
from comparator.domain.pair.view import Family, ImageBlock, OutputView, PrintedPages, TextBlock, ViewedFile
from comparator.outputs.examine.counting import PIECE, TooSlow, count_in
from comparator.outputs.examine.lines import Pattern
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


@pytest.mark.timeout(60)
@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(x+x+)+y", r"(.*a){12}b", r"(a?){200}a{200}"])
def test_a_pattern_that_runs_for_ever_elsewhere_comes_to_an_end(pattern: str) -> None:
    with suppress(TooSlow, InputError):
        count_in(["a" * 300_000 + "!"] * 20, Pattern(pattern, regex=True, match_case=True), seconds=0.5)


def test_counting_is_ended_between_two_pieces_of_a_text() -> None:
    ticks = iter([0.0, 0.1, 0.2, 0.6, 0.7])

    with pytest.raises(TooSlow, match=r"0\.5 s"):
        count_in(
            ["a" * PIECE * 4],
            Pattern("a", regex=False, match_case=True),
            seconds=0.5,
            clock=lambda: next(ticks),
        )
