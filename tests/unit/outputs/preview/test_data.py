"""Large files are shown part by part, and tables in any order."""

import base64
import contextlib
import csv
import io
import json
import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from comparator.domain.pair.view import Family
from comparator.outputs.extract.notebook import read as read_notebook
from comparator.outputs.isolated.messages import Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.preview.child_process import PreviewCopy, Renderer
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.render import Neighbours, render
from comparator.outputs.preview.tables import PageRequest, RowOrder
from comparator.outputs.preview.text import indented
from comparator.outputs.tables.delimited import Delimited
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.worlds.files.outputs import kept

OUT = io.BytesIO()
Image.new("RGB", (3, 2)).save(OUT, "PNG")
PNG = base64.b64encode(OUT.getvalue()).decode()


def text(name: str, family: Family, data: bytes, page: int = 1) -> Preview:
    return render(name, family=family, media_type="text/plain", data=data, page=page)


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
    types = {"n": "number", "when": "text", "what": "text", "ok": "text"}
    assert heads == [(name, f"sort={at},asc", kind) for at, (name, kind) in enumerate(types.items(), 1)]
    assert "<th data-skip>3</th>" in body
    assert "<td>a\nb</td>" in body
    formulas = text("a.csv", Family.CSV, b"a,b\n=1+1,@x\n+1,-2\n").body
    assert all(f">{cell}<" in formulas for cell in ("=1+1", "@x", "+1", "-2"))


def test_a_workbook_has_sheets_values_formulas_and_letters() -> None:
    sheets: list[dict[str, object]] = [
        {"name": "One & two", "rows": [["Item", "Sum"], ["Paper", 12.0], ["Total", None]],
         "formulas": {"B2": "=2*6", "B3": "=SUM(B2)"},
         "merged": ("A1:B1",), "facts": ("Sheet is hidden",), "omitted": 7},
        {"name": "Empty", "rows": []},
    ]  # fmt: skip
    preview = render("a.xlsx", family=Family.XLSX, media_type=MEDIA_TYPE, data=kept(*sheets))
    for part in (
        *("One &amp; two", "merged: A1:B1", "Sheet is hidden", "7 more rows not read", "<th>3</th>"),
        *('<th data-name="Sum">B<a ', '<td class="n">12<span', 'data-cell="B2">=2*6<'),
        *("=SUM(B2) (not calculated)", '<span class="type" data-skip>number</span>'),
        '<a data-go="sheet=2">Empty</a>',
    ):
        assert part in preview.body


def test_a_notebook_shows_cells_with_their_saved_outputs() -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["printed\n"]},
        {"output_type": "error", "traceback": ["\x1b[31mValueError\x1b[0m: bad"]},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "7", "text/html": "<table><tr><th>n</th></tr><tr><td>7</td></tr></table>"},
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
    for part in ("<h1>Title</h1>", "[cell 2: code]", "printed", "ValueError: bad", "<td>7</td>",
                 "data:image/png;base64,", "<math"):  # fmt: skip
        assert part in body


def notebook(book: object) -> Preview:
    """The preview of a notebook's blinded copy. Raises Unreadable."""
    copy = read_notebook(json.dumps(book).encode("utf-8", "replace"), Limits()).copy
    assert copy is not None
    return render("a.ipynb", family=Family.NOTEBOOK, media_type=copy.media_type, data=copy.data)


@given(JSON, JSON)
def test_no_odd_notebook_is_more_than_a_note(value: object, inside: object) -> None:
    outputs = [inside, {"output_type": "stream", "text": inside}]
    cell = {"cell_type": "code", "source": inside, "outputs": outputs}
    for book in ({"cells": value, "metadata": value}, {"cells": [cell], "metadata": value}):
        with contextlib.suppress(Unreadable):
            assert notebook(book).body


def test_no_cell_of_a_notebook_swallows_the_next_and_a_large_picture_is_drawn() -> None:
    large = base64.b64encode(random.Random(1).randbytes(300_000))
    out = io.BytesIO()
    Image.frombytes("RGB", (300, 333), base64.b64decode(large)[: 300 * 333 * 3]).save(out, "PNG")
    packed = base64.b64encode(out.getvalue()).decode()
    drawing = {"output_type": "display_data", "data": {"image/png": packed, "text/plain": "<Figure>"}}
    cells = [
        {"cell_type": "markdown", "source": "```python\nleft open"},
        {"cell_type": "code", "source": "```", "outputs": [drawing]},
        {"cell_type": "markdown", "source": "*end*"},
    ]
    preview = notebook({"cells": cells})

    assert preview.body.count('<section class="cell">') == 3
    assert "<em>end</em>" in preview.body
    assert len(preview.body) > 300_000
    assert preview.pages == 1


@given(JSON)
def test_no_odd_workbook_is_more_than_a_note(value: object) -> None:
    data = json.dumps({"sheets": value}).encode("utf-8", "replace")
    assert render("x", family=Family.XLSX, media_type=MEDIA_TYPE, data=data).body


@given(st.text(alphabet='a",;\r\né', max_size=40), st.sampled_from([1, 5, 1 << 20]))
def test_delimited_text_is_read_as_a_csv_reader_does(text: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("comparator.outputs.tables.delimited._BLOCK", block)
        table = Delimited(f"sep=,\n{text}".encode())
        rows = list(table.rows())
    if table.open_quote is None:
        assert rows == list(csv.reader(io.StringIO(text, newline="")))


def test_a_large_csv_is_paged_gone_to_and_sorted_as_a_whole(renderer: Renderer) -> None:
    data = b"n,word\n" + b"".join(b'%d,"w %d"\n' % (number, number % 7) for number in range(200_000))
    cache: dict[str, bytes] = {}

    def keep(name: str, make: Callable[[], bytes]) -> bytes:
        if name not in cache:
            cache[name] = make()
        return cache[name]

    def view(page: PageRequest) -> Preview:
        file = PreviewCopy("a.csv", Family.CSV, "text/plain", len(data), lambda: data)
        return renderer.view(file, page, neighbours=Neighbours(), keep=keep)

    first = view(PageRequest())
    assert first.pages == 500
    assert "200,000 rows \u00d7 2 columns" in first.body
    assert '<td class="n">123456</td>' in view(PageRequest(309)).body
    down = view(PageRequest(order=RowOrder(0, down=True)))
    assert down.body.index(">199999<") < down.body.index(">199998<")
    assert 'aria-sort="descending"' in down.body
    assert "In the order of the file" in down.body
    assert sorted(cache) == ["order-1-1,desc", "table"]
