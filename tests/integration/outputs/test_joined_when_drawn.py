"""A name that a file holds in pieces, and only its reader puts together, is found and neutralised as it is read."""

import base64
import io
import re
from pathlib import Path

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import scan
from comparator.domain.labels import PerOutput
from comparator.outputs.preview.render import render
from comparator.outputs.tables.store import MEDIA_TYPE, as_csv
from tests.worlds.files.office_documents import document, split
from tests.worlds.files.outputs import World

NAME = "kestrel-bark9"
READ = "kestrelbark9"
FILES: dict[str, str | bytes] = {
    "entity.md": "By kestrel&#98;ark9.",
    "hexadecimal.md": "By kestrel&#x62;ark9.",
    "comment.md": "By kestrel<!-- x -->bark9.",
    "bold.md": "By kestrel**bark9**.",
    "code.md": "By `kestrel`bark9.",
    "escape.md": r"By kestrel\-bark9.",
    "line.md": "By kestrel-\n      bark9.",
    "comment.html": "<p>By kestrel<!-- x -->bark9.</p>",
    "bold.html": "<p>By kestrel<b>bark9</b>.</p>",
    "span.html": '<p>By <span style="color:red">kes</span><span>trel</span>bark9.</p>',
    "break.html": "<p>By kestrel<wbr>bark9, kestrel&shy;bark9.</p>",
    "bold.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text><tspan>kestrel</tspan><tspan>bark9</tspan></text></svg>',
    "joined.yaml": 'by: "kestrel\\\n  bark9"\n',
    "folded.yaml": "by: >-\n  kestrel-\n  bark9\n",
    "escaped.yaml": 'by: "kestrel\\x62ark9"\n',
    "escaped.json": '{"by": "kestrel\\u0062ark9"}',
    "markup.json": r'{"by": "<p>By <b>kestrel<\/b>bark9.<\/p>"}',
    "struck.txt": "By kestrel-\bbark9.",
    "coloured.log": "By kestrel\x1b[1mbark9\x1b[0m.",
    "bold.docx": document(split("By kestrel", "bark9", ".")),
    "entity.xml": "<a>kestrel&#98;ark9</a>",
}


def words(text: str) -> str:
    """The letters that a person reads."""
    text = re.sub(r"\x1b\[[\d;]*m|.\x08|<!--.*?-->|<[^<>]*>|[*`]", "", text, flags=re.DOTALL)
    text = re.sub(r"&#x62;|&#98;|\\u0062|\\x62", "b", text)
    return re.sub(r"&shy;|\W", "", text).lower()


@pytest.mark.parametrize("file", FILES)
def test_a_name_in_pieces_is_found_and_neutral_for_judge_and_reviewer(tmp_path: Path, file: str) -> None:
    world = World(tmp_path / "blobs")
    snapshot = world.uploads({file: FILES[file]})

    found = scan(patterns_for([NAME]), world.texts(PerOutput(A=snapshot, B=snapshot)))
    built = world.single(snapshot, NAME)

    assert [finding.pattern for finding in found if finding.pattern == NAME] == [NAME]
    (viewed,) = built.view.files
    assert READ not in words(viewed.text), viewed.text
    for copy in built.copies:
        data = world.blobs.get(copy.blob)
        assert READ not in words(data.decode("utf-8", "replace")), data[:400]
        shown = render(file, family=viewed.family, media_type=copy.media_type, data=data)
        assert READ not in words(shown.body), shown.body


def badge() -> str:
    """A drawing of the name, as the address that holds it."""
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg"><text>by {NAME}</text></svg>'
    return f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}"


def workbook(*cells: str) -> bytes:
    out = io.BytesIO()
    book = openpyxl.Workbook()
    sheet = book.create_sheet("badges", 0)
    for row in (["what", "badge"], *(["one", cell] for cell in cells)):
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def parquet(*cells: object) -> bytes:
    out = pyarrow.BufferOutputStream()
    rows = [{"what": "one", "badge": cell} for cell in cells]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return bytes(out.getvalue())


TABLES = {
    "sheet.xlsx": workbook(badge(), f"see {badge()} there"),
    "long.xlsx": workbook(f"first\n{badge()}\nlast"),
    "cells.parquet": parquet(badge(), f"![x]({badge()})"),
    "nested.parquet": parquet([{"picture": badge()}]),
    "cells.tsv": f"what\tbadge\none\t{badge()}\n".encode(),
    "cells.csv": f'what,badge\none,"x ""{badge()}"""\n'.encode(),
}


def opened(text: str) -> str:
    """The text with what its addresses hold."""
    return re.sub(
        r"base64,([\w+/=]+)", lambda found: base64.b64decode(found[1]).decode("utf-8", "replace"), text
    )


@pytest.mark.parametrize("file", TABLES)
def test_a_name_in_a_picture_in_a_cell_is_found_and_neutral(tmp_path: Path, file: str) -> None:
    world = World(tmp_path / "blobs")
    snapshot = world.uploads({file: TABLES[file]})

    found = scan(patterns_for([NAME]), world.texts(PerOutput(A=snapshot, B=snapshot)))
    built = world.single(snapshot, NAME)

    assert NAME in [finding.pattern for finding in found]
    (viewed,) = built.view.files
    assert READ not in words(opened(viewed.text)), viewed.text
    (copy,) = built.copies
    data = world.blobs.get(copy.blob)
    shown = render(file, family=viewed.family, media_type=copy.media_type, data=data)
    assert READ not in words(opened(shown.body))
    if copy.media_type == MEDIA_TYPE:
        data = as_csv(data)
    assert READ not in words(opened(data.decode()))
