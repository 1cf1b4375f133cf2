"""What a judge's tool call takes on files up to 1 MB and on a table of 100 MB."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import Figure, figure, seconds
from comparator.domain.pair.examination import ToolLimits
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.outputs.preview.child_process import Renderer
from tests.worlds.files.examined import Bench
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import xlsx

SMALL, LARGE, REPEATS = 1_000_000, 100_000_000, 11
Calls = dict[str, tuple[str, dict[str, Any]]]
_A, _B = {"side": "A", "file": "plan.md"}, {"side": "A", "file": "rows.csv"}
_PDF, _SHEET = {"side": "A", "file": "book.pdf"}, {"side": "A", "file": "rows.xlsx"}
_SORTED = {"sort": [{"column": "kg", "descending": True}]}
_HEAVY = {"where": [{"column": "kg", "test": "greater", "value": "990"}]}
_GROUPED = {"group_by": ["field"], "figures": [{"figure": "sum", "column": "kg"}]}
ON_SMALL: Calls = {
    "list": ("list", {}),
    "read": ("read", _A | {"first": 9_000, "last": 9_100}),
    "search": ("search", {"text": "part 88 of"}),
    "table, filtered": ("table", _B | _HEAVY),
    "read pages of a PDF": ("read", _PDF | {"unit": "pages", "first": 90, "last": 92}),
    "table of a sheet, sorted": ("table", _SHEET | _SORTED),
    "look at a page of a PDF": ("look", _PDF | {"page": 90}),
    "compare": ("compare", {"file": "plan.md"}),
}
ON_LARGE: Calls = {
    "table, filtered": ("table", _B | _HEAVY),
    "table, sorted": ("table", _B | _SORTED),
    "table, grouped": ("table", _B | _GROUPED),
    "read rows": ("read", _B | {"unit": "rows", "first": 400_000, "last": 400_050}),
    "search": ("search", _B | {"text": "field 39,364,"}),
}


def measure() -> Sequence[Figure]:
    """Milliseconds of the first call, which opens the file, and of later ones, by tool."""
    renderer = Renderer(children=1)
    try:
        return [
            *_figures(renderer, SMALL, ON_SMALL, limit=30.0),
            *_figures(renderer, LARGE, ON_LARGE, limit=300.0),
        ]
    finally:
        renderer.close()


def _figures(renderer: Renderer, size: int, calls: Calls, *, limit: float) -> Iterator[Figure]:
    of = f"{size // 1_000_000} MB"
    with tempfile.TemporaryDirectory() as folder:
        material = Bench(World(Path(folder) / "blobs"), renderer).material(*_outputs(size))
        for name, call in calls.items():
            first, *later = (seconds(partial(_call, material, *call)) * 1_000 for _ in range(1 + REPEATS))
            yield figure(f"first call on {of}: {name}", first, "ms")
            yield figure(f"tool call on {of}: {name}", later, "ms", limit=limit)


def _call(material: Material, tool: str, arguments: dict[str, Any]) -> None:
    answered = Examination(material, limits=ToolLimits()).call(tool, arguments)
    assert not answered.is_error, answered.content


def _outputs(size: int) -> tuple[dict[str, bytes | str], dict[str, bytes | str]]:
    """A text of at most 1 MB, a table of about `size` bytes, papers where it is small; B's text has another line."""
    chance = random.Random(7)
    text = [
        f"Step {n}: check part {n % 89} of the cluster and note its result in the book."
        for n in range(12_000)
    ]
    rows = [[f"field {n % 40}", n % 365, chance.randrange(1_000), f"a note {n}"] for n in range(26_000)]
    block = "".join(f"{','.join(map(str, row))}\n" for row in rows)
    table = "field,day,kg,note\n" + block * max(1, size // len(block))
    a: dict[str, bytes | str] = {"plan.md": "\n".join(text), "rows.csv": table}
    if size == SMALL:
        lines = [f"{line} {chance.getrandbits(256):x}" for line in text]
        a["book.pdf"] = long_pdf(["\n".join(lines[n : n + 50]) for n in range(0, 6_000, 50)])
        a["rows.xlsx"] = xlsx([["field", "day", "kg", "note"], *rows])
    text[9_050] = "Step 9050: leave it."
    return a, {"plan.md": "\n".join(text), "rows.csv": table[:1_000]}
