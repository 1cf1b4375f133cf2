"""What a judge's tool call takes on files up to 1 MB and on a table of 100 MB."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from bench.figures import Figure, figure, seconds
from comparator.domain.pair.examination import ToolLimits
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.outputs.preview.child_process import Renderer
from tests.worlds.files.examined import Bench, Files
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import xlsx

SMALL, LARGE, REPEATS = 1_000_000, 100_000_000, 11
_PLAN, _ROWS = {"side": "A", "file": "plan.md"}, {"side": "A", "file": "rows.csv"}
_PDF, _SHEET = {"side": "A", "file": "book.pdf"}, {"side": "A", "file": "rows.xlsx"}
_SORTED = {"sort": [{"column": "kg", "descending": True}]}
_HEAVY = {"where": [{"column": "kg", "test": "greater", "value": "990"}]}
_GROUPED = {"group_by": ["field"], "figures": [{"figure": "sum", "column": "kg"}]}
CALLS: dict[int, dict[str, tuple[str, dict[str, Any]]]] = {
    SMALL: {
        "list": ("list", {}),
        "read": ("read", _PLAN | {"first": 9_000, "last": 9_100}),
        "search": ("search", {"text": "part 88 of"}),
        "table, filtered": ("table", _ROWS | _HEAVY),
        "read pages of a PDF": ("read", _PDF | {"unit": "pages", "first": 90, "last": 92}),
        "table of a sheet, sorted": ("table", _SHEET | _SORTED),
        "look at a page of a PDF": ("look", _PDF | {"page": 90}),
        "compare": ("compare", {"file": "plan.md"}),
    },
    LARGE: {
        "table, filtered": ("table", _ROWS | _HEAVY),
        "table, sorted": ("table", _ROWS | _SORTED),
        "table, grouped": ("table", _ROWS | _GROUPED),
        "read rows": ("read", _ROWS | {"unit": "rows", "first": 400_000, "last": 400_050}),
        "search": ("search", _ROWS | {"text": "field 39,364,"}),
    },
}


def measure() -> Iterator[Figure]:
    """Milliseconds of the first call, which opens the file, and of later ones, by tool."""
    with closing(Renderer(children=1)) as renderer, tempfile.TemporaryDirectory() as folder:
        for size, limit in ((SMALL, 30.0), (LARGE, 300.0)):
            material = Bench(World(Path(folder) / str(size)), renderer).material(*_outputs(size))
            for name, call in CALLS[size].items():
                first, *later = (seconds(partial(_call, material, *call)) * 1_000 for _ in range(1 + REPEATS))
                yield figure(f"first call on {size // 1_000_000} MB: {name}", first, "ms")
                yield figure(f"tool call on {size // 1_000_000} MB: {name}", later, "ms", limit=limit)


def _call(material: Material, tool: str, arguments: dict[str, Any]) -> None:
    answer = Examination(material, limits=ToolLimits()).call(tool, arguments)
    assert not answer.is_error, answer.content


def _outputs(size: int) -> tuple[Files, Files]:
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
