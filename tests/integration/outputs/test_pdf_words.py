"""Words replaced in the pages of a PDF: the looks stay, the word does not; where that fails, both sides are text."""

import io
import zlib

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageDraw

from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import DocumentBlock
from comparator.outputs.view.built import BuiltView
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import flate, pages, pdf

NAME = "quillwort"
DRAWN = b"0.9 0.2 0.1 rg 40 20 60 40 re f 0 0 0 rg BT /F 10 Tf 20 180 Td (A line that stays) Tj ET "
CYRILLIC = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
    b"2 beginbfrange <20> <7D> <0020> <7E> <7E> <0416> endbfrange endcmap end end"
)
WRITTEN = {
    "one string": b"BT /F 12 Tf 20 100 Td (Made by quillwort for all) Tj ET",
    "kerning": b"BT /F 12 Tf 20 100 Td [(Made by quil) -30 (lwo) 20 (rt for all)] TJ ET",
    "hexadecimal": b"BT /F 12 Tf 20 100 Td <4D61646520627920> Tj <7175696C6C776F7274> Tj ( for all) Tj ET",
    "two strings": b"BT /F 12 Tf 20 100 Td (Made by quill) Tj (wort for all) Tj ET",
    "octal": b"BT /F 12 Tf 20 100 Td (Made by \\161\\165\\151\\154\\154wort for all) Tj ET",
    "turned and coloured": b"BT 0 0 1 rg /F 12 Tf 0.7 0.7 -0.7 0.7 80 60 Tm (by quillwort for all) Tj ET",
    "a column of letters": b"BT /F 12 Tf 20 100 Td "
    + b" ".join(b"(%c) Tj" % c for c in b"by quillwort")
    + b" ET",
}


def page(instructions: bytes, *, form: bytes = b"") -> bytes:
    return pdf(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Count 1 /Kids [10 0 R]>>",
            3: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
            4: (b"/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources <</Font <</F 3 0 R>>>>", form),
            5: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R>>",
            6: flate(CYRILLIC),
            10: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 11 0 R "
            b"/Resources <</Font <</F 3 0 R /C 5 0 R>> /XObject <</X 4 0 R>>>>>>",
            11: flate(DRAWN + instructions),
        }
    )


def document_of(built: BuiltView) -> bytes:
    (block,) = (part for part in built.view.files[0].blocks if isinstance(part, DocumentBlock))
    return block.data


def everything_in(document: bytes) -> bytes:
    """The file with what each stream holds when it is unpacked, read without any code of ours."""
    streams = [document]
    at = 0
    while (start := document.find(b"stream\n", at)) >= 0:
        at = document.find(b"endstream", start)
        try:
            streams.append(zlib.decompressobj().decompress(document[start + 7 : at]))
        except zlib.error:
            streams.append(document[start + 7 : at])
        at += 9
    return b"\n".join(streams)


def picture(document: bytes, *, without: tuple[int, int, int, int], number: int = 0) -> Image.Image:
    with pypdfium2.PdfDocument(document) as opened:
        drawn: Image.Image = opened[number].render(scale=2).to_pil().convert("RGB")
    ImageDraw.Draw(drawn).rectangle([2 * side for side in without], fill="white")
    return drawn


def look_alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether no colour of any pixel differs by more than a step of sixteen greys."""
    return all(high <= 9 for _, high in ImageChops.difference(one, other).getextrema())  # type: ignore[misc] # of each colour


WAYS = {
    **{f"{way}.pdf": page(text) for way, text in WRITTEN.items()},
    **{f"{way} in a form.pdf": page(b"/X Do", form=text) for way, text in WRITTEN.items()},
}
"""Each way of writing the word in a page, and in a form that is drawn as a whole."""


@pytest.fixture(scope="module")
def replaced(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, PerOutput[BuiltView]]:
    world = World(tmp_path_factory.mktemp("blobs"))
    return world, world.pair(WAYS, dict.fromkeys(WAYS, page(b"")), NAME)


@pytest.mark.parametrize("name", WAYS)
def test_only_the_word_is_replaced(replaced: tuple[World, PerOutput[BuiltView]], name: str) -> None:
    world, built = replaced
    before = WAYS[name]
    (viewed,) = (file for file in built.A.view.files if file.name == name)
    (block,) = (part for part in viewed.blocks if isinstance(part, DocumentBlock))
    document = block.data

    with pypdfium2.PdfDocument(document) as opened:
        text = " ".join(opened[0].get_textpage().get_text_bounded().split())
    assert "toolkit" in text
    assert "A line that stays" in text
    inside = everything_in(document).lower()
    assert NAME.encode() not in inside
    assert NAME.encode().hex().encode() not in inside
    assert NAME.encode("utf-16-be") not in inside
    # The words stand between 85 and 170 points from the top in all of them; the box and the line do not.
    strip = (0, 25, 300, 140)
    assert look_alike(picture(before, without=strip), picture(document, without=strip))
    own, other = (next(copy for copy in side.copies if copy.name == name) for side in (built.A, built.B))
    assert own.media_type == other.media_type == "application/pdf"
    assert b"quillwort" not in world.blobs.get(own.blob)
    assert "toolkit" in viewed.text


def test_parts_within_parts_keep_their_own_fonts_places_and_edges(world: World) -> None:
    font, form = b"<</Type /Font /Subtype /Type1 /BaseFont /%s>>", b"/Type /XObject /Subtype /Form /BBox "
    before = pdf(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Count 2 /Kids [10 0 R 12 0 R]>>",
            3: font % b"Courier",
            4: font % b"Times-Bold",
            # The same name is another font in each; the inner part is cut at its edge and set askew.
            5: (form + b"[0 0 300 200] /Resources <</Font <</F 3 0 R>> /XObject <</X 6 0 R>>>>",
                b"BT /F 12 Tf 20 100 Td (By quillwort) Tj ET 0 0 1 rg /X Do 150 20 90 9 re f"),
            6: (form + b"[0 0 60 40] /Matrix [1 .2 0 1 100 30] /Resources <</Font <</F 4 0 R>>>>",
                b"0 1 0 rg 0 0 200 9 re f BT /F 30 Tf 0 12 Td (Edge) Tj ET"),
            10: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 11 0 R /Resources 7 0 R>>",
            7: b"<</Font <</F 4 0 R>> /XObject <</X 5 0 R>>>>",
            11: flate(b"/X Do BT /F 20 Tf 20 150 Td (Outside) Tj ET 200 100 50 50 re f"),
            12: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 13 0 R /Resources 7 0 R>>",
            13: flate(b"0.5 0 0 0.5 50 50 cm /X Do"),
        }
    )  # fmt: skip
    document = document_of(world.pair({"a.pdf": before}, {"a.pdf": page(b"")}, NAME).A)

    assert NAME.encode() not in everything_in(document).lower()
    for number, strip in enumerate([(15, 85, 200, 110), (55, 90, 150, 110)]):
        assert look_alike(*(picture(pdf, without=strip, number=number) for pdf in (before, document)))
    with pypdfium2.PdfDocument(document) as opened:
        assert "By toolkit" in opened[0].get_textpage().get_text_bounded()


@pytest.mark.timeout(60)
@pytest.mark.slow
def test_parts_that_repeat_each_other_without_bound_come_to_an_end(world: World) -> None:
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources <</Font <</F 3 0 R>> /XObject <</X %d 0 R>>>>"
    last = b"BT /F 12 Tf 20 100 Td (By quillwort) Tj ET"
    before = pdf(
        {
            1: b"<</Type /Catalog /Pages 2 0 R>>",
            2: b"<</Type /Pages /Count 1 /Kids [10 0 R]>>",
            3: b"<</Type /Font /Subtype /Type1 /BaseFont /Courier>>",
            **{4 + n: (form % (5 + n), b"/X Do " * 20) for n in range(5)},
            9: (form % 3, last),
            10: b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 11 0 R "
            b"/Resources <</XObject <</X 4 0 R>>>>>>",
            11: flate(b"/X Do"),
        }
    )
    built = world.pair({"a.pdf": before}, {"a.pdf": page(b"")}, NAME)

    for side in (built.A, built.B):
        assert all(b"quillwort" not in world.blobs.get(copy.blob) for copy in side.copies)


def test_a_pdf_of_many_pages_keeps_those_that_do_not_hold_the_word(world: World) -> None:
    built = world.pair({"a.pdf": pages("One", "By quillwort here", "Three")}, {"a.pdf": pages("x")}, NAME)
    with pypdfium2.PdfDocument(io.BytesIO(document_of(built.A))) as opened:
        words = [opened[number].get_textpage().get_text_bounded().strip() for number in range(len(opened))]

    assert words == ["One", "By toolkit here", "Three"]
