"""What a judge reads of each family, and what the reviewer's copy of it is."""

import base64
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import openpyxl.styles
import pypdfium2
import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from comparator.domain.pair.view import DocumentBlock, Family, ImageBlock, ViewedFile
from comparator.outputs.preview.render import render
from comparator.outputs.tables.store import MEDIA_TYPE, StoredTable, as_csv
from tests.worlds.files import outputs_office
from tests.worlds.files.office_documents import par, table
from tests.worlds.files.outputs import World, picture, rows_in, zipped
from tests.worlds.files.outputs_office import WORDS, docx, parquet, pptx, saved


def _images(file: ViewedFile) -> list[Image.Image]:
    return [Image.open(io.BytesIO(block.data)) for block in file.blocks if isinstance(block, ImageBlock)]


@pytest.mark.parametrize(
    ("name", "family"),
    [
        *(("a.md", Family.MARKDOWN), ("a.py", Family.CODE), ("a.json", Family.JSON), ("a.yaml", Family.YAML)),
        *(("a.toml", Family.TOML), ("a.xml", Family.XML), ("a.csv", Family.CSV), ("a.txt", Family.TEXT)),
    ],
)
def test_text_is_given_as_it_is(world: World, name: str, family: Family) -> None:
    file = world.file(name, "äußerst <b> wichtig\r\n")

    assert (file.family, file.text, file.notes) == (family, "äußerst <b> wichtig\n", ())
    assert world.copy(name, "äußerst <b> wichtig\n").decode() == file.text


@pytest.mark.parametrize(
    ("encoding", "noted"),
    [
        *(("utf-8-sig", False), ("utf-16", False), ("utf-32", False)),
        *(("utf-16-le", True), ("utf-16-be", True), ("cp1252", True)),
    ],
)
def test_encodings_are_detected(world: World, encoding: str, noted: bool) -> None:
    words = "Größenänderung für die Straße: café, naïve, 5 €. " * 20
    file = world.file("a.txt", words.encode(encoding))

    assert file.text == words
    assert any("not UTF-8" in note for note in file.notes) == noted


def test_a_file_is_cut_at_the_reading_limit_with_a_mark(tmp_path: Path) -> None:
    limited = World(tmp_path / "b")
    limited.limits = limited.limits.model_copy(update={"text_bytes": 1_000})
    file = limited.file("a.txt", "x" * 1_234)

    assert file.text.endswith("[… about 234 characters left out here …]\n")
    assert file.notes == ("Only its first 1,000 bytes were read; 234 bytes are left out.",)
    assert [block.omitted for block in file.blocks if block.kind == "text"] == [234]


def test_a_page_keeps_what_is_seen_and_done(world: World) -> None:
    source = (
        '<!doctype html><html lang="en"><head><meta charset="latin1"><title>T</title><style>p > b {color: red}</style>'
        '<link rel="stylesheet" href="a.css"></head><body><p class="x">a &lt; b &amp; c<br><b>d</b></p>'
        "<script>if (a < b && c) { go('</p>') }</script></body></html>"
    )
    assert world.file("a.html", source).text == source.replace('charset="latin1"', 'charset="utf-8"')
    shapes = '<title>t</title><path d="M0 0" stroke-width="2"/>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{shapes}</svg>'
    assert all(kept in world.file("a.svg", drawing).text for kept in ('viewBox="0 0 9 9"', shapes))


def test_page_data_stay_and_values_that_name_an_author_become_neutral(world: World) -> None:
    source = (
        '<meta name="author" content="Jane Roe"><meta NAME=DC.Creator CONTENT=Roe><meta name=generator content="Foo 3">'
        '<meta property="og:title" content="Soup"><link rel="author" href="/jane"><!-- a remark --><!-- Author: Roe -->'
        '<script type="application/ld+json">{"@type":"Recipe","name":"Soup","author":{"@type":"Person","name":"Roe"}}'
        '</script><p itemscope itemtype="t"><meta itemprop="publisher" content="Roe"><b itemprop=name >Soup</b></p>'
    )
    file = world.file("a.html", source)

    for kept in ('property="og:title" content="Soup"', "<!-- a remark -->", "<b itemprop=name >Soup</b>"):
        assert kept in file.text
    for neutral in (
        *('content="a person"', 'content="a tool"', '"name": "a person"', "<!-- Author: a person-->"),
    ):
        assert neutral in file.text
    for gone in ("Roe", "Foo", "jane"):
        assert gone not in file.text
    assert world.copy("a.html", source) == file.text.encode()


def test_drawings_and_style_sheets_in_addresses_are_kept_whole(world: World) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><circle cx='4' cy='4' r='3' fill='%23c58'/></svg>"
    source = (
        f'<style>@import url("data:text/css;base64,cCB7IGNvbG9yOiByZWQgfQ==");p{{background:url("data:image/svg+xml,'
        f'{drawing}") 0 0}}</style><p>x</p>'
    )
    text = world.copy("a.html", source).decode()

    assert 'url("data:text/css,p%20{%20color:%20red%20}")' in text
    assert "circle" in text
    assert text.endswith('") 0 0}</style><p>x</p>')


def test_a_notebook_is_given_cell_by_cell_with_its_outputs(world: World) -> None:
    table = "<table><tr><th>k</th></tr><tr><td>v</td></tr></table>"
    formats = {"image/png": base64.b64encode(picture()).decode(), "text/html": table, "text/plain": "k v"}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
        {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\x1b[31mE: v\x1b[0m"]},
        {"output_type": "execute_result", "data": formats},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {"cell_type": "code", "source": "print(1)", "outputs": outputs},
    ]
    book = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4})
    file = world.file("a.ipynb", book)

    assert "[cell 1: markdown]\n\n# Title\nwords" in file.text
    assert "[cell 2: code]\n\n```python\nprint(1)\n```\n\n[output]\n\n```\n1\n```" in file.text
    assert "[error]\n\n```\nE: v\n```" in file.text
    assert "| k |\n| --- |\n| v |" in file.text
    assert [image.size for image in _images(file)] == [(32, 24)]
    assert "k v" not in file.text
    copy = world.copy("a.ipynb", book).decode()
    assert copy.startswith("[cell 1: markdown]\n\n# Title")
    assert "![picture](data:image/png;base64," in copy


def test_a_pdf_is_rebuilt_and_its_text_is_given_by_page(world: World) -> None:
    file = world.file("a.pdf", outputs_office.pages("First page", "Second page"))

    assert file.text == "[page 1]\nFirst page\n\n[page 2]\nSecond page\n"
    (document,) = [block for block in file.blocks if isinstance(block, DocumentBlock)]
    with pypdfium2.PdfDocument(document.data) as rebuilt:
        assert len(rebuilt) == 2
        assert rebuilt[1].get_textpage().get_text_bounded() == "Second page"
    assert world.copy("a.pdf", outputs_office.pages("First page", "Second page")) == document.data


def test_a_docx_gives_headings_lists_tables_and_pictures(world: World) -> None:
    bold = "<w:p><w:r><w:t>plain </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r></w:p>"
    header = f"<w:hdr {WORDS}>{par('Page head')}</w:hdr>"
    budget = table([["Item", "Cost"], ["Clay", "78"]])
    data = docx("# Budget", bold, budget, image=picture("JPEG"), extra={"word/header1.xml": header})
    file = world.file("a.docx", data)

    assert file.family is Family.DOCX
    assert "plain **bold**" in file.text
    assert "| Item | Cost |\n| --- | --- |\n| Clay | 78 |" in file.text
    assert "[a chart]" in file.text
    assert "Page head" in file.text
    assert len(_images(file)) == 1
    assert b'src="data:image/jpeg;base64,' in world.copy("a.docx", data)


def test_tracked_changes_and_comments_of_a_docx_stand_in_its_text_without_their_authors(world: World) -> None:
    change = (
        '<w:p><w:r><w:t xml:space="preserve">The fee is </w:t></w:r>'
        '<w:del w:id="1" w:author="Vesna Okafor"><w:r><w:delText>40</w:delText></w:r></w:del>'
        '<w:ins w:id="2" w:author="Vesna Okafor"><w:r><w:t>55</w:t></w:r></w:ins>'
        '<w:r><w:t xml:space="preserve"> euros.</w:t></w:r><w:r><w:commentReference w:id="7"/></w:r></w:p>'
    )
    comments = (
        f'<w:comments {WORDS}><w:comment w:id="7" w:author="Vesna Okafor" w:initials="VO">'
        "<w:p><w:r><w:t>Ask the council.</w:t></w:r></w:p></w:comment></w:comments>"
    )
    file = world.file("a.docx", docx(change, extra={"word/comments.xml": comments}))

    assert file.text.strip() == "The fee is [deleted: 40][inserted: 55] euros. [comment: Ask the council.]"
    assert file.notes == (
        "It has 2 tracked changes, shown in brackets.",
        "It has 1 comment, shown in brackets without authors.",
    )


def test_a_workbook_gives_values_formulas_and_merged_cells(world: World) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Costs"
    for row in (["Item", "Cost"], ["Clay", 78.5], ["Room", 60], ["Total", "=SUM(B2:B3)"]):
        sheet.append(row)
    sheet.merge_cells("A6:B6")
    book.create_sheet("Notes").sheet_state = "hidden"
    data = saved(book)
    file = world.file("a.xlsx", data)

    for line in (
        *("## Sheet: Costs", "| 2 | Clay | 78.5 |", "| 3 | Room | 60 |", "B4: =SUM(B2:B3)", "Merged: A6:B6"),
        *("| 4 | Total | =SUM(B2:B3) (not calculated) |", "## Sheet: Notes"),
    ):
        assert line in file.text
    copy = world.copy("a.xlsx", data)
    assert rows_in(copy)[1] == ["Clay", "78.5"]
    assert "[=SUM(B2:B3)]" in as_csv(copy).decode()
    assert StoredTable(copy).sheet(2).facts == ("This sheet is hidden.",)


FORMULAS = {"D9": "=SUM(A1:A2)", "A3": "=TODAY()", "AB40": "=RAND()", "A1": "=1+1"}


def test_a_formula_without_a_value_is_a_cell_wherever_it_stands(world: World) -> None:
    books: dict[str, bytes | str] = {}
    for place, formula in FORMULAS.items():
        book = openpyxl.Workbook()
        sheet = book.worksheets[0]
        if place != "A1":
            sheet["A1"], sheet["A2"] = 3, 4
        sheet[place] = formula
        books[f"{place}.xlsx"] = saved(book)

    built = world.single(world.uploads(books))

    assert len(built.view.files) == len(built.copies) == len(FORMULAS)
    for file, copy in zip(built.view.files, built.copies, strict=True):
        formula = FORMULAS[file.name.removesuffix(".xlsx")]
        data = world.blobs.get(copy.blob)
        page = render(file.name, family=Family.XLSX, media_type=MEDIA_TYPE, data=data)
        assert (copy.file_id, copy.name) == (file.id, file.name)
        assert f"{formula} (not calculated)" in file.text
        assert "(no cells)" not in file.text
        assert f"{formula} (not calculated)" in page.body
    # One at the far end does not make a sheet of billions of cells.
    far = openpyxl.Workbook()
    far.worksheets[0]["A1"], far.worksheets[0]["XFD1048576"] = 3, "=1+1"
    text = world.file("far.xlsx", saved(far)).text
    assert "XFD1048576: =1+1" in text
    assert len(text) < 1_000


def test_a_presentation_gives_titles_points_tables_charts_notes_and_pictures(world: World) -> None:
    original = pptx("Results", "first", "second", notes="say it slowly", image=picture())
    deck = Presentation(io.BytesIO(original))
    slide = deck.slides[0]
    cells = slide.shapes.add_table(1, 2, Inches(1), Inches(1), Inches(2), Inches(1)).table
    cells.cell(0, 0).text, cells.cell(0, 1).text = "left", "right"
    chart: Any = CategoryChartData()  # type: ignore[no-untyped-call] # python-pptx has no types here
    chart.categories = ["Q1", "Q2"]
    chart.add_series("Sales", (1, 2))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(2), Inches(2), chart)
    file = world.file("a.pptx", saved(deck))

    for part in ("## Slide 1: Results", "- first\n- second", "| left | right |", "| Sales | 1.0 | 2.0 |"):
        assert part in file.text
    assert "Speaker notes: say it slowly" in file.text
    assert [block.caption for block in file.blocks if isinstance(block, ImageBlock)] == ["picture on slide 1"]


def test_a_parquet_table_gives_schema_and_rows(world: World) -> None:
    data = parquet([{"city": "Bonn", "n": 1}, {"city": None, "n": 2}])
    file = world.file("a.parquet", data)

    assert "Table with 2 rows and 2 columns" in file.text
    assert "| Bonn | 1 |" in file.text
    assert rows_in(world.copy("a.parquet", data))[0] == ["city", "n"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
def test_pictures_are_made_anew_from_their_pixels(world: World, kind: str) -> None:
    file = world.file(f"a.{kind.lower()}", picture(kind))

    (image,) = _images(file)
    assert image.size == (32, 24)
    assert image.convert("RGB").crop((18, 10, 22, 14)).getextrema()[0][0] > 180  # type: ignore[index] # of three bands
    assert file.text == "[picture, 32 × 24 pixels]"


def test_an_archive_inside_an_output_is_listed(world: World) -> None:
    packed = zipped({"one.txt": "1", "two/three.txt": "22"})
    _, file = world.single(world.uploads({"a.txt": "x", "b.zip": packed})).view.files

    members = "one.txt (1 bytes)\ntwo/three.txt (2 bytes)\n"
    assert file.text == f"Archive with 2 members, 3 bytes unpacked:\n{members}"


def test_sound_film_and_unknown_files_have_name_type_and_size_and_no_copy(world: World) -> None:
    data = b"\0\1\2\3" * 50
    names = ("a.mp3", "a.mp4", "a.ogg", "a.webm", "a.bin")
    built = world.single(world.uploads({**dict.fromkeys(names, data), "b.txt": "x"}))

    files = {file.name: file for file in built.view.files}
    assert [copy.name for copy in built.copies] == ["b.txt"]
    assert {(files[name].size, files[name].blocks) for name in names} == {(200, ())}
    for name in names[:-1]:
        assert "It is not played (200 bytes)" in files[name].notes[0]
        assert files[name].notes[1:] == ("The judge gets only its name, type and size.",)
    assert files["a.bin"].notes[1] == f"SHA-256 {hashlib.sha256(data).hexdigest()}."
