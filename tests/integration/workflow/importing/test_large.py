"""Files of 200 MB of every kind, whole and cut: a clear reason, bounded memory, and nothing else is lost."""

import csv
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.interop.imported import Format
from tests.worlds.process import run

ROOT = Path(__file__).parents[4]
ROWS = 20_000
BODY = ("The quick brown fox, “quoted”, jumps over the lazy dog; " * 90)[:5_000]
READ = """
import json, sys
from pathlib import Path
from comparator.domain.errors import InputError
from comparator.interop.recognise import read
from tests.worlds.process import own_megabytes
report = {}
try:
    content = read(Path(sys.argv[1]), format=None)
    left_out = [(row.file, row.reason) for row in content.left_out]
    report |= {"format": content.format, "runs": len(content.runs), "left_out": left_out}
except InputError as error:
    report["refused"] = str(error)
report["megabytes"] = own_megabytes()
print(json.dumps(report))
"""


ROW: dict[Format, Callable[[int, Any, str], dict[str, Any]]] = {
    Format.CSV: lambda n, a, b: {"prompt": f"Task {n}", "output_a": a, "output_b": b},
    Format.JSONL: lambda n, a, b: {"prompt": f"Task {n}", "output_a": a, "output_b": b},
    Format.PARQUET: lambda n, a, b: {"prompt": f"Task {n}", "output_a": a, "output_b": b},
    Format.LLMBAR: lambda n, a, b: {"input": f"Task {n}", "output_1": a, "output_2": b, "label": 1},
    Format.PROMPTFOO: lambda n, a, b: {
        "testIdx": n // 2,
        "promptIdx": n % 2,
        "provider": {"id": f"m{n % 2}"},
        "vars": {"n": n // 2},
        "prompt": {"raw": f"Task {n // 2}", "label": "l"},
        "response": {"output": f"{a}{b}"},
    },
}
"""A row of each kind of file: its number, and both outputs."""


def rows(kind: Format) -> Iterator[dict[str, Any]]:
    for number in range(ROWS):
        yield ROW[kind](number, f"{number} a {BODY}", f"{number} b {BODY}")


def written(path: Path, kind: Format) -> Path:
    if kind is Format.PARQUET:
        table = pyarrow.Table.from_pylist(list(rows(kind)))
        pyarrow.parquet.write_table(table, path, compression="none", use_dictionary=False)
        return path
    with path.open("w", encoding="utf-8", newline="") as out:
        if kind is Format.CSV:
            table = csv.writer(out)
            table.writerow(("prompt", "output_a", "output_b"))
            table.writerows(row.values() for row in rows(kind))
        elif kind is Format.JSONL:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(kind))
        else:
            is_promptfoo = kind is Format.PROMPTFOO
            before, after = ('{"results": {"version": 3, "results": [', "]}}") if is_promptfoo else ("[", "]")
            out.write(before)
            for number, row in enumerate(rows(kind)):
                out.write(("," if number else "") + json.dumps(row, ensure_ascii=False))
            out.write(after)
    return path


def report_of(path: Path) -> dict[str, Any]:
    done = run(sys.executable, "-c", READ, path, cwd=ROOT, env={**os.environ, "PYTHONPATH": os.fspath(ROOT)})
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["megabytes"] < 1_500
    return report


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ROW)
def test_a_file_of_200_mb_comes_in_whole_and_a_cut_one_up_to_the_cut(tmp_path: Path, kind: Format) -> None:
    path = written(tmp_path / "large", kind)
    # A row of promptfoo is one run; two a row elsewhere.
    size, every = path.stat().st_size, ROWS if kind is Format.PROMPTFOO else 2 * ROWS
    assert size > 190_000_000

    whole = report_of(path)
    assert (whole["format"], whole["runs"], whole["left_out"]) == (kind.value, every, [])

    with path.open("r+b") as file:
        file.truncate(size // 2)
    cut = report_of(path)
    # What these hold can be read up to where they are cut.
    if kind in (Format.CSV, Format.JSONL):
        assert every // 2 - every // 100 < cut["runs"] <= every // 2 + every // 100
        ((where, why),) = cut["left_out"]
        assert "row" in where or "line" in where
        assert why
    else:
        assert "not" in cut["refused"]


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("head", "tail"), [("", ""), ('"', '"'), ('{"a": "', '"}'), ('["', '"]'), ("\0", ""), ("PAR1", "")]
)
def test_200_mb_of_something_else_is_refused_with_a_reason(tmp_path: Path, head: str, tail: str) -> None:
    path = tmp_path / "large"
    with path.open("w", encoding="utf-8") as out:
        out.write(head)
        for _ in range(40_000):
            out.write(BODY)
        out.write(tail)

    report = report_of(path)

    assert "runs" not in report
    assert str(path) in report["refused"]
    assert len(report["refused"]) < 400
