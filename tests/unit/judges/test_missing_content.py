"""What a judge lacks of a file: by what is in the view, and by the notes on it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from comparator.domain.labels import PerOutput
from comparator.domain.pair.notes import NoteKind
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
from comparator.domain.scoring.judgment import Tools
from comparator.judges.tools.missing_content import Lack, lacking, needs_tools, noted, noted_of_view

PICTURE = ImageBlock(media_type="image/png", data=b"png")
SMALLER = "A judge is given it smaller, with 1,568 pixels on its longer side."


def a_file(
    family: Family = Family.TEXT, text: str = "words", *notes: str, blocks: tuple[Any, ...] = (), **more: Any
) -> ViewedFile:
    return ViewedFile(
        id="f",
        name="f",
        family=family,
        size=9,
        blocks=(TextBlock(text=text), *blocks),
        notes=notes,
        **more,
    )


def printed(pictured: int, total: int) -> PrintedPages:
    return PrintedPages(pages=(PICTURE,) * pictured, total=total, whole=0 < total <= pictured)


def page(*heights: int) -> PageEvidence:
    return PageEvidence(
        pictures=tuple(
            PagePicture(device="desktop", width=1_280, height=high, shown=900, tiles=(PICTURE,))
            for high in heights
        )
    )


def asks_for_tools(file: ViewedFile) -> bool:
    short = OutputView(files=(a_file(),))
    outputs = PerOutput[OutputView](A=OutputView(files=(file,)), B=short)
    return needs_tools(BlindedPair(task=TaskText(prompt="Write."), outputs=outputs), Tools.AUTO)


@pytest.mark.parametrize(
    ("pages", "lacks", "tools"),
    [
        pytest.param(printed(1, 60), {Lack.LOOKS}, True, id="one page of sixty"),
        pytest.param(printed(0, 3), {Lack.LOOKS}, True, id="no room for any page"),
        pytest.param(printed(3, 3), set(), False, id="every page"),
        pytest.param(PrintedPages(lines=("Install LibreOffice.",)), {Lack.LOOKS}, False, id="no pages made"),
        pytest.param(None, set(), False, id="nothing known of pages"),
    ],
)
def test_pages_of_a_deck_that_are_not_pictured_are_lacking_and_tools_open_those_there_are(
    pages: PrintedPages | None, lacks: set[Lack], tools: bool
) -> None:
    deck = a_file(Family.PPTX, printed=pages)

    assert lacking(deck) == lacks
    assert asks_for_tools(deck) is tools


def test_pictures_left_out_of_a_document_are_seen_on_its_pages() -> None:
    note = "3 of its pictures are left out."

    assert lacking(a_file(Family.DOCX, "words", note)) == {Lack.LOOKS}
    assert lacking(a_file(Family.DOCX, "words", note, printed=printed(2, 2))) == set()


def test_a_pdf_of_which_only_the_text_is_sent_lacks_its_pages() -> None:
    note = "No words can be read on page 3: a scan, a drawing or an empty page."

    assert lacking(a_file(Family.PDF, "words", note)) == {Lack.LOOKS}
    assert lacking(a_file(Family.PDF, "words", note, blocks=(DocumentBlock(data=b"%PDF"),))) == set()


def test_pages_that_were_not_read_are_gone_even_where_the_rest_is_sent() -> None:
    note = "It has 900 pages; only the first 500 are read."

    assert lacking(a_file(Family.PDF, "words", note, blocks=(DocumentBlock(data=b"%PDF"),))) == {Lack.GONE}


def test_a_web_page_that_goes_on_below_its_picture_or_has_none_is_not_seen_wholly() -> None:
    assert lacking(a_file(Family.HTML, page=page(900))) == set()
    assert lacking(a_file(Family.HTML, page=page(900, 5_000))) == {Lack.LOOKS}
    assert lacking(a_file(Family.HTML, page=PageEvidence(problem="There is no Chromium."))) == {Lack.LOOKS}
    assert asks_for_tools(a_file(Family.HTML, page=page(900, 5_000)))
    assert not asks_for_tools(a_file(Family.HTML, page=PageEvidence(problem="There is no Chromium.")))


def test_only_a_high_picture_gains_by_being_opened() -> None:
    high = a_file(Family.IMAGE, "[picture, 1600 × 4000 pixels]", SMALLER, blocks=(PICTURE,))
    wide = a_file(Family.IMAGE, "[picture, 3840 × 2160 pixels]", SMALLER, blocks=(PICTURE,))

    assert lacking(high) == lacking(wide) == {Lack.LOOKS}
    assert asks_for_tools(high)
    assert not asks_for_tools(wide)


def test_page_data_that_are_not_listed_are_read_in_the_source() -> None:
    note = "12 of its 60 entries of page data are not listed for the judge."

    assert lacking(a_file(Family.HTML, "<p>", note, page=page(900))) == {Lack.TEXT}
    assert asks_for_tools(a_file(Family.HTML, "<p>", note, page=page(900)))


@pytest.mark.parametrize(
    "note",
    [
        "It has 40 frames or pages; only the first is shown.",
        "2 outputs of kinds that are not read were left out.",
        "Pictures of it are left out, as on the other side: not every page could be pictured.",
    ],
)
def test_no_tools_are_offered_for_what_they_do_not_show_either(note: str) -> None:
    assert lacking(a_file(Family.TEXT, "words", note))
    assert not noted([note])


def test_stored_notes_alone_tell_of_pages_that_are_not_pictured() -> None:
    assert noted(["Fonts differ.", "The judge is given pictures of the first 1 of its 60 pages."])
    assert noted(
        ["Its pages are not pictured for the judge: both outputs would exceed the number of pictures."]
    )
    assert not noted(["It has 2 tracked changes, shown in brackets."])


@pytest.mark.parametrize("kind", NoteKind)
def test_every_kind_of_note_says_what_is_lacking_of_a_file_or_of_a_whole_view(kind: NoteKind) -> None:
    note = re.sub(r"\{.*?\}", "2", kind.value)

    assert bool(lacking(a_file(Family.TEXT, "words", note))) is not noted_of_view([note])


@pytest.mark.parametrize(
    ("family", "text", "tools"),
    [
        pytest.param(Family.CSV, "id,name\n" + "1,x\n" * 299, False, id="a table of 300 rows"),
        pytest.param(Family.CSV, "id,name\n" + "1,x\n" * 301, True, id="a longer table"),
        pytest.param(Family.JSON, '[{"n": 1}' + ', {"n": 1}' * 301 + "]", True, id="objects on one line"),
        pytest.param(Family.JSON, str([4711] * 4_000), True, id="4,000 numbers on one line"),
        pytest.param(Family.CODE, "x = 1\n" * 2_000, False, id="a long program"),
        pytest.param(Family.TEXT, "The measured load is 47.11 kN.\n" * 2_400, False, id="prose with figures"),
        pytest.param(Family.TEXT, "4711 4712 4713\n" * 1_000, True, id="figures as text"),
    ],
)
def test_what_nobody_compares_by_eye_is_read_with_tools(family: Family, text: str, tools: bool) -> None:
    assert asks_for_tools(a_file(family, text)) is tools
