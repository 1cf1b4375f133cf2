import base64
import contextlib
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from comparator.domain.pair.view import Family
from comparator.outputs.extract.notebook import read as read_notebook
from comparator.outputs.isolated.results import Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.preview.code import indented
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.pdf import PdfPage, TextRun, laid
from comparator.outputs.preview.render import render
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.worlds.files.kept_tables import kept


def png() -> str:
    out = io.BytesIO()
    Image.new("RGB", (3, 2)).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


PNG = png()


def text(name: str, family: Family, data: bytes, page: int = 1) -> Preview:
    return render(name, family=family, media_type="text/plain", data=data, page=page)


def test_words_of_a_pdf_are_laid_out_as_wide_as_they_are_on_the_page() -> None:
    # Twelve points of Helvetica on a page 600 points wide: 1.722 em wide, two hundredths of the page each.
    sheet = PdfPage(600, 800, ())
    assert "--size:2.000cqw" in laid(TextRun(10, 10, 1.722 * 2, 1.2, "Hall"), sheet)
    assert "width:3.44%" in laid(TextRun(10, 10, 1.722 * 2, 1.2, "Hall"), sheet)
    # Words that run upwards are narrow and high; no letter is so small or so large that it says nothing.
    assert "--size:16.000cqw" in laid(TextRun(10, 10, 1, 30, "upwards"), sheet)
    assert "--size:1.600cqw" in laid(TextRun(10, 10, 40, 0.75, "a"), sheet)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_json_of_one_line_is_indented_and_only_its_white_space_changes(value: object) -> None:
    written = json.dumps([value, "x" * 600], ensure_ascii=False).encode("utf-8", "replace").decode()
    assert indented(written) == json.dumps(json.loads(written), ensure_ascii=False, indent=2)

    preview = text("a.json", Family.JSON, written.encode())
    assert preview.notes[0].startswith("Indented")


@pytest.mark.parametrize(
    "written", ['{"n": 1.50, "n": 2}', '{"a": ', "[" * 100_000, '{"a":1}{"b":2}', 'a "b', "]]}"]
)
def test_what_is_like_json_keeps_all_that_is_written(written: str) -> None:
    assert "".join(indented(written).split()) == "".join(written.split())


def test_json_and_yaml_are_highlighted_as_they_are_written() -> None:
    assert ">1.50<" in text("a.json", Family.JSON, b'{\n  "n": 1.50\n}\n').body
    assert "*a" in re.sub("<[^>]*>", "", text("a.yaml", Family.YAML, b"a: &a [x]\nb: *a\n").body)


def test_a_table_has_headings_types_and_row_numbers() -> None:
    body = text("a.csv", Family.CSV, b'n,when,what,ok\n1,2026-01-02,x,true\n2,2026-01-03,"a\nb",false\n').body
    heads = re.findall(
        r'<th>(\w+)<a [^>]*data-go="([^"]*)"[^>]*>.</a><span class="type" data-skip>([^<]*)<', body
    )
    assert heads == [
        ("n", "sort=1,asc", "number"),
        ("when", "sort=2,asc", "date"),
        ("what", "sort=3,asc", "text"),
        ("ok", "sort=4,asc", "true/false"),
    ]
    assert "<th data-skip>3</th>" in body
    assert "<td>a\nb</td>" in body


def test_cells_that_start_like_formulas_are_text() -> None:
    body = text("a.csv", Family.CSV, b"a,b\n=1+1,@x\n+1,-2\n").body
    for cell in ("=1+1", "@x", "+1", "-2"):
        assert f">{cell}<" in body


def test_separators_are_recognised_and_uneven_rows_counted() -> None:
    preview = text("a.csv", Family.CSV, b"a;b;c\n1;2,5;3\n1;2\n")
    assert "separated by semicolons" in preview.body
    assert '<td class="n">2,5</td>' in preview.body
    assert preview.notes == ("1 row with more or fewer cells than the heading.",)


def test_a_long_table_goes_on_over_pages() -> None:
    data = b"n\n" + b"".join(b"%d\n" % number for number in range(1_000))
    preview = text("a.csv", Family.CSV, data, page=3)
    assert preview.pages == 3
    assert '<td class="n">999</td>' in preview.body
    assert "<th data-skip>1001</th>" in preview.body


def test_a_workbook_has_sheets_values_formulas_and_letters() -> None:
    sheets: list[dict[str, object]] = [
        {"name": "One & two", "rows": [["Item", "Sum"], ["Paper", 12.0], ["Total", None]],
         "formulas": {"B2": "=2*6", "B3": "=SUM(B2)"},
         "merged": ("A1:B1",), "facts": ("Sheet is hidden",), "omitted": 7},
        {"name": "Empty", "rows": []},
    ]  # fmt: skip
    preview = render(
        "a.xlsx",
        family=Family.XLSX,
        media_type=MEDIA_TYPE,
        data=kept(*sheets),
    )
    parts = [
        "One &amp; two",
        '<th data-name="Sum">B<a ',
        '<span class="type" data-skip>number</span>',  # the names in the first row apart
        '<td class="n">12<span',
        'data-cell="B2">=2*6<',
        "=SUM(B2) (not calculated)",
    ]
    for part in (
        *parts,
        "merged: A1:B1",
        "Sheet is hidden",
        "7 more rows not read",
        '<a data-go="sheet=2">Empty</a>',
        "<th>3</th>",
    ):
        assert part in preview.body


def test_parquet_has_its_own_headings() -> None:
    rows = [["name", "n"], ["x", "1"]]
    sheet = {"name": "table", "rows": rows, "headed": True, "types": ("string", "int64")}
    body = render("a.parquet", family=Family.PARQUET, media_type=MEDIA_TYPE, data=kept(sheet)).body
    assert "<th>name<a " in body
    assert ">int64<" in body
    assert '<td class="n">1</td>' in body


def test_a_notebook_shows_cells_with_their_saved_outputs() -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["printed\n"]},
        {"output_type": "error", "traceback": ["\x1b[31mValueError\x1b[0m: bad"]},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "7", "text/html": "<table><tr><td>7</td></tr></table>"},
        },
        {"output_type": "display_data", "data": {"image/png": [f"{PNG[:9]}\n", PNG[9:]]}},
        {"output_type": "display_data", "data": {"text/latex": "$x$"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "words"]},
        {"cell_type": "code", "execution_count": 3, "source": "print(1)", "outputs": outputs},
    ]
    book = {"nbformat": 4, "cells": cells, "metadata": {"language_info": {"name": "python"}}}
    body = notebook(book).body
    for part in ("<h1>Title</h1>", "[3]", "printed", "ValueError: bad", "<td>7</td>", "data:image/png;base64,",
                 "Output of type text/latex not shown."):  # fmt: skip
        assert part in body


def notebook(book: object) -> Preview:
    """The preview of a notebook's blinded copy. Raises Unreadable."""
    copy = read_notebook(json.dumps(book).encode("utf-8", "replace"), Limits()).copy
    assert copy is not None
    return render("a.ipynb", family=Family.NOTEBOOK, media_type=copy.media_type, data=copy.data)


@given(JSON, JSON)
def test_no_odd_notebook_is_more_than_a_note(value: object, inside: object) -> None:
    cells = [
        {
            "cell_type": "code",
            "source": inside,
            "outputs": [inside, {"output_type": "stream", "text": inside}],
        }
    ]
    for book in ({"cells": value, "metadata": value}, {"cells": cells, "metadata": value}):
        with contextlib.suppress(Unreadable):
            assert notebook(book).body


@given(JSON)
def test_no_odd_workbook_is_more_than_a_note(value: object) -> None:
    data = json.dumps({"sheets": value}).encode("utf-8", "replace")
    assert render("x", family=Family.XLSX, media_type=MEDIA_TYPE, data=data).body
