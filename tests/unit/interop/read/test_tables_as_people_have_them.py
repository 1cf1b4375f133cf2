"""Tables come in as spreadsheets and colleagues leave them, and another kind of file is named as what it is."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest

from comparator.domain.errors import InputError
from comparator.interop.recognise import read
from tests.unit.interop.samples import as_parquet

ROWS = [("Name a city.", "Zürich – schön", "It’s Bern"), ("Name a river.", "Aare", "Rhône")]
PLAIN = "prompt,output_a,output_b\n" + "".join(f"{p},{a},{b}\n" for p, a, b in ROWS)


def zipped(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


def damaged_lzma() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("table.csv", PLAIN * 9)
    whole = out.getvalue()
    return whole[:55] + bytes(12) + whole[67:]


def workbook(*sheets: list[tuple[object, ...]]) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


COLUMNS = {
    name: {str(number): row[place] for number, row in enumerate(ROWS)}
    for place, name in enumerate(("prompt", "output_a", "output_b"))
}


PARQUET = as_parquet([dict(zip(COLUMNS, row, strict=True)) for row in ROWS])
QUOTED = "prompt, output_a, output_b\n" + "".join(f'"{p}", "{a}", "{b}"\n' for p, a, b in ROWS)
RATED = {"prompt": "p", "response": "r", "helpfulness": 4, "correctness": 3, "verbosity": 2}
HEAD = [("prompt", "output_a", "output_b")]
FILES = {
    "plain.csv": PLAIN.encode(),
    "marked.csv": PLAIN.encode("utf-8-sig"),
    "western.csv": PLAIN.encode("cp1252"),
    "wide.csv": PLAIN.encode("utf-16"),
    "old mac.csv": PLAIN.replace("\n", "\r").encode(),
    "windows.csv": PLAIN.replace("\n", "\r\n").encode(),
    "stated.csv": ("sep=;\r\n" + PLAIN.replace(",", ";")).encode(),
    "stated bar.csv": ("sep=|\n" + PLAIN.replace(",", "|")).encode(),
    "tabs.tsv": PLAIN.replace(",", "\t").encode(),
    "tabs under another name.csv": PLAIN.replace(",", "\t").encode(),
    "too many cells.csv": PLAIN.replace("\n", ",,,\n").encode(),
    "too few cells.csv": PLAIN.replace("output_b\n", "output_b,tags,reference\n").encode(),
    "blank lines.csv": PLAIN.replace("\n", "\n\n").encode(),
    "blanks before quotes.csv": QUOTED.encode(),
    "blanks before quotes in the header.csv": QUOTED.replace("output_a", '"output_a"').encode(),
    "blanks before quotes behind semicolons.csv": QUOTED.replace(",", ";").encode(),
    "blanks before some quotes.csv": QUOTED.replace(' "Aare"', " Aare").encode(),
    "of pandas.json": json.dumps(COLUMNS).encode(),
    "of pandas, indented.json": json.dumps(COLUMNS, indent=2).encode(),
    "of pandas, of some rows.json": json.dumps(COLUMNS).replace('"0":', '"17":').encode(),
    "packed.csv.gz": gzip.compress(PLAIN.encode("cp1252"), mtime=0),
    "packed.zip": zipped(**{"pairs.csv": PLAIN}),
    "packed by a Mac.zip": zipped(**{"pairs.csv": PLAIN, "__MACOSX/._pairs.csv": "x"}),
    "packed with Finder's files.zip": zipped(
        **{"x/pairs.csv": PLAIN, "x/.DS_Store": "x", "desktop.ini": "x"}
    ),
    "stated in quotes.csv": ('"sep=\t"\r\n' + PLAIN.replace(",", "\t")).encode("utf-16"),
    "book.xlsx": workbook([*HEAD, *ROWS]),
    "book with empty sheets.xlsx": workbook([], [*HEAD, *ROWS], []),
    "columns.parquet": PARQUET,
    "columns under another name.csv": PARQUET,
    "columns without a name": PARQUET,
}


@pytest.mark.parametrize("name", FILES)
def test_a_table_comes_in_as_it_was_meant(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])

    findings = read(tmp_path / name, format=None)

    assert [(run.prompt, run.text) for run in findings.runs] == [
        (prompt, text) for prompt, a, b in ROWS for text in (a, b)
    ]
    raw = gzip.decompress(FILES[name]) if name.endswith(".gz") else FILES[name]
    guessed = ["it does not say its encoding; it was read as cp1252"] * (b"Z\xfcrich" in raw)
    assert [left.reason for left in findings.left_out] == guessed


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("report.pdf", b"%PDF-1.7\n1 0 obj", ("a PDF", "Save the table as CSV")),
        ("picture.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ("a picture", "Save the table")),
        ("two.zip", zipped(**{"a.csv": PLAIN, "b.csv": PLAIN}), ("archive of 2 files", "import the folder")),
        ("none.zip", zipped(), ("an archive",)),
        ("sheets.xlsx", workbook([*HEAD, *ROWS], [*HEAD, *ROWS]), ("all have rows", "Save the sheet")),
        ("empty.xlsx", workbook([]), ("none of its sheets has rows",)),
        ("cut.csv.gz", gzip.compress(PLAIN.encode() * 99, mtime=0)[:40], ("compression is damaged",)),
        ("letter.docx", zipped(**{"[Content_Types].xml": "", "word/document.xml": "<a/>"}), ("a text document",)),
        ("set.parquet", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\n", ("Git LFS", "git lfs pull")),
        ("out.csv", b"x,[openai:gpt] Say {{x}}\na,[PASS] out\n", ("promptfoo's table", "results.json")),
        ("other.json", b'[{"q": "a", "left_text": "b"}]', ("not recognised", "There are: q, left_text")),
        ("data.json", b'{"data": [{"prompt": "p"}]}', ("under data", "Save that list alone as JSON")),
        ("rows.json", b'{"features": [{"name": "prompt"}], "rows": [{"row_idx": 0, "row": {"prompt": "p"}}]}',
         ("Hugging Face's dataset viewer", "as Parquet or JSON lines")),
        ("rated.jsonl", f"{json.dumps(RATED)}\n{json.dumps(RATED)}".encode(), ("single answers", "preference.jsonl")),
        ("rated.csv", ",".join(RATED).encode() + b"\np,r,4,3,2\n", ("single answers", "both answers in a row")),
        ("list.yaml", b"- prompt: p\n  output_a: a\n", ("it is YAML", "-o results.json", "Save the table as CSV")),
        ("lzma.zip", damaged_lzma(), ("damaged", "Unpack it yourself")),
        ("bytes.csv", bytes(range(256)) * 4, ("not text",)),
    ],
)  # fmt: skip
def test_another_kind_of_file_is_named(
    tmp_path: Path, name: str, data: bytes, words: tuple[str, ...]
) -> None:
    (tmp_path / name).write_bytes(data)

    with pytest.raises(InputError) as refused:
        read(tmp_path / name, format=None)

    assert all(word in str(refused.value) for word in words), refused.value


def test_a_row_without_its_last_cell_lacks_that_output_and_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("prompt,output_a,output_b\nOne?,a,b\nTwo?,a\nThree?,a,\n", "utf-8")

    findings = read(path, format=None)

    assert [(left.file, left.reason) for left in findings.left_out] == [
        (f"{path}, row 2", "it has no output_b")
    ]
    assert [(run.prompt, run.text, run.void) for run in findings.runs][2:] == [
        ("Three?", "a", ""),
        ("Three?", "", "the output is empty"),
    ]
