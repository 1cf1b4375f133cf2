"""How much of a file was seen: by what was given, and by the calls that were made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.examination import Extent, Place, SeenUnits, ToolCall
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import (
    BlindedPair,
    DocumentBlock,
    Family,
    ImageBlock,
    OutputView,
    PageEvidence,
    PagePicture,
    PrintedPages,
    TextBlock,
    ViewedFile,
)
from comparator.judges.tools.answering import look
from comparator.judges.tools.arguments import Look
from comparator.judges.tools.attention import Attention, attention
from comparator.judges.tools.material import Material
from comparator.outputs.examine.opened import Opener

PICTURE = ImageBlock(media_type="image/png", data=b"png")
SHORT = ViewedFile(id="s", name="short.md", family=Family.MARKDOWN, size=5, blocks=(TextBlock(text="Short"),))
CUT_PAGE = PageEvidence(
    pictures=(PagePicture(device="desktop", width=1_280, height=5_000, shown=900, tiles=(PICTURE,)),)
)
DECK = PrintedPages(pages=(PICTURE,), total=60)
LONG_PDF = "It has 900 pages; only the first 500 are read."


def file_of(family: Family, *notes: str, omitted: int = 0, **more: Any) -> ViewedFile:
    text = TextBlock(text="words", omitted=omitted)
    return ViewedFile(id="f", name="f", family=family, size=9, **{"blocks": (text,), "notes": notes, **more})


def call(
    *spans: tuple[int, int, int], part: str = "", place: Place = "A", name: str = "f", size: int = 100
) -> ToolCall:
    seen = tuple(
        SeenUnits(place=place, file=name, first=first, last=last, total=total, part=part)
        for first, last, total in spans
    )
    return ToolCall(tool="read", arguments={}, size=size, tokens=1, seconds=0.0, digest="0" * 64, seen=seen)


def pair_of(a: ViewedFile, b: ViewedFile = SHORT) -> BlindedPair:
    outputs = PerOutput[OutputView](A=OutputView(files=(a,)), B=OutputView(files=(b,)))
    return BlindedPair(task=TaskText(prompt="Write."), outputs=outputs)


def seen(a: ViewedFile, calls: Sequence[ToolCall] = (), *, b: ViewedFile = SHORT) -> Attention:
    return attention(pair_of(a, b), calls)


def extent(a: ViewedFile, *calls: ToolCall) -> Extent:
    (of_a,) = seen(a, calls).of("A")
    return of_a.extent


@pytest.mark.parametrize(
    "file",
    [
        file_of(Family.TEXT, omitted=9),
        file_of(Family.PDF, LONG_PDF, blocks=(DocumentBlock(data=b"%PDF"), TextBlock(text="words"))),
        file_of(Family.PDF),
        file_of(Family.HTML, page=CUT_PAGE),
        file_of(Family.PPTX, printed=DECK),
        file_of(Family.IMAGE, "1 of its pictures is left out."),
    ],
    ids=["a cut text", "a long PDF", "a PDF as text", "a cut page", "a deck", "a picture left out"],
)
def test_what_is_given_in_part_is_not_seen_wholly_without_a_call(file: ViewedFile) -> None:
    assert extent(file) is Extent.IN_PART


def test_what_is_given_whole_is_seen_wholly() -> None:
    assert extent(SHORT.model_copy(update={"name": "f"})) is Extent.WHOLLY
    assert extent(file_of(Family.PPTX, printed=PrintedPages(pages=(PICTURE,), total=1, whole=True))) is (
        Extent.WHOLLY
    )


def test_a_cut_text_is_seen_wholly_once_every_line_of_it_was_read() -> None:
    cut = file_of(Family.TEXT, omitted=9)

    assert extent(cut, call((1, 40, 100))) is Extent.IN_PART
    assert extent(cut, call((1, 40, 100)), call((60, 100, 100))) is Extent.IN_PART
    assert extent(cut, call((1, 60, 100)), call((50, 100, 100))) is Extent.WHOLLY


def test_a_deck_is_seen_wholly_once_every_slide_was_looked_at_and_not_by_its_words() -> None:
    deck = file_of(Family.PPTX, printed=DECK)
    slides = [(n, n, 60) for n in range(1, 61)]

    assert extent(deck, call((1, 300, 300))) is Extent.IN_PART
    assert extent(deck, call(*slides[:59], part="pages")) is Extent.IN_PART
    assert extent(deck, call(*slides, part="pages")) is Extent.WHOLLY
    assert extent(deck, call((1, 1, 1), part="pictures")) is Extent.IN_PART


def test_the_pictures_of_a_web_page_that_goes_on_below_them_do_not_show_it_wholly() -> None:
    page = file_of(Family.HTML, page=CUT_PAGE)
    whole = PagePicture(device="desktop", width=1_280, height=900, shown=900, tiles=(PICTURE,))
    taken = PageEvidence(pictures=(whole,))

    def looked_at(evidence: PageEvidence) -> Extent:
        shown = look(
            Material(pair_of(page), {}, cast(Opener, None), pages={page.id: evidence}),
            Look(side="A", file="f"),
        )
        return extent(page, call(*[(s.first, s.last, s.total) for s in shown.seen], part=shown.seen[0].part))

    assert looked_at(CUT_PAGE) is Extent.IN_PART
    assert looked_at(taken) is Extent.WHOLLY


def test_pages_that_were_not_read_keep_a_pdf_from_being_seen_wholly() -> None:
    pdf = file_of(Family.PDF, LONG_PDF)

    assert extent(pdf, call((1, 9_000, 9_000)), call((1, 500, 500), part="pages")) is Extent.IN_PART


def test_of_several_sheets_those_that_were_read_are_a_part() -> None:
    assert extent(file_of(Family.XLSX, omitted=9), call((1, 10, 10), part="1")) is Extent.IN_PART


def test_what_is_not_given_and_not_opened_was_never_seen() -> None:
    bare = file_of(Family.TEXT, blocks=())

    assert extent(bare) is Extent.NEVER
    assert extent(bare, call((1, 5, 10))) is Extent.IN_PART
    assert not seen(bare).may_win(Winner.B)
    assert seen(bare).may_win(Winner.TIE)
    assert seen(bare, [call((1, 5, 10))]).opened(Label.A)


@pytest.mark.parametrize("file", [file_of(Family.HTML, page=CUT_PAGE), file_of(Family.PPTX, printed=DECK)])
def test_attention_is_uneven_where_one_side_was_opened_that_is_given_in_part(file: ViewedFile) -> None:
    other = file.model_copy(update={"id": "g"})
    both = [call((1, 1, 60), part="pages", place=place, size=9_000) for place in ("A", "B")]

    assert seen(file, both[:1], b=other).uneven
    assert not seen(file, both, b=other).uneven
    assert not seen(SHORT, [call((1, 1, 1), name="short.md", size=9_000)]).uneven
