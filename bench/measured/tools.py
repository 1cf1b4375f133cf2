"""What a judge's tool call takes on files up to 1 MB and on a 200 MB table, beside reading the same bytes bare."""

from __future__ import annotations

import io
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from bench.figures import Figure
from comparator.domain.pair.examination import ToolLimits
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.material import Material
from comparator.outputs.examine.opened import CopyBytes
from comparator.outputs.preview.child_process import Renderer
from tests.worlds.files.examined import Bench
from tests.worlds.files.needles import long_pdf
from tests.worlds.files.outputs import World
from tests.worlds.files.outputs_office import xlsx

SMALL, LARGE = 1_000_000, 200_000_000
SMALL_LIMIT, LARGE_LIMIT = 30.0, 300.0
REPEATS = 15
_KEPT = ("compare", "look")
"""Tools whose answers are kept, so that only the first call does the work."""
_A, _B = {"side": "A", "file": "plan.md"}, {"side": "A", "file": "rows.csv"}
_PDF, _SHEET = {"side": "A", "file": "book.pdf"}, {"side": "A", "file": "rows.xlsx"}
_GROUPED = {"group_by": ["field"], "figures": [{"figure": "sum", "column": "kg"}]}
ON_SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "list": ("list", {}),
    "read": ("read", _A | {"first": 9_000, "last": 9_100}),
    "search": ("search", {"text": "part 88 of"}),
    "table, filtered": ("table", _B | {"where": [{"column": "kg", "test": "greater", "value": "990"}]}),
    "table, grouped": ("table", _B | _GROUPED),
    "read pages of a PDF": ("read", _PDF | {"unit": "pages", "first": 120, "last": 122}),
    "read rows of a sheet": ("read", _SHEET | {"unit": "rows", "first": 9_000, "last": 9_050}),
    "table of a sheet, sorted": ("table", _SHEET | {"sort": [{"column": "kg", "descending": True}]}),
    "look at a page of a PDF": ("look", _PDF | {"page": 120}),
    "look at a PNG": ("look", {"side": "A", "file": "map.png"}),
    "look at a JPEG": ("look", {"side": "A", "file": "photo.jpg"}),
    "compare": ("compare", {"file": "plan.md"}),
    "compare, changes throughout": ("compare", {"file": "spread.md"}),
}
ON_LARGE: dict[str, tuple[str, dict[str, Any]]] = {
    "table, filtered": ON_SMALL["table, filtered"],
    "table, sorted": ("table", _B | {"sort": [{"column": "kg", "descending": True}]}),
    "table, grouped": ON_SMALL["table, grouped"],
    "read rows": ("read", _B | {"unit": "rows", "first": 800_000, "last": 800_050}),
    "search": ("search", _B | {"text": "field 39,364,"}),
}


def measure() -> Sequence[Figure]:
    """Median milliseconds of a call after the file's first opening, by tool; of the large table the opening too."""
    figures: list[Figure] = []
    renderer = Renderer(children=1)
    try:
        for size, calls, limit in ((SMALL, ON_SMALL, SMALL_LIMIT), (LARGE, ON_LARGE, LARGE_LIMIT)):
            with tempfile.TemporaryDirectory() as folder:
                world = World(Path(folder) / "blobs")
                material = Bench(world, renderer).material(*_outputs(size))
                figures.extend(_figures(material, world.blobs, calls, size=size, limit=limit))
    finally:
        renderer.close()
    return figures


def _figures(
    material: Material,
    blobs: CopyBytes,
    calls: dict[str, tuple[str, dict[str, Any]]],
    *,
    size: int,
    limit: float,
) -> list[Figure]:
    found: list[Figure] = []
    for name, (tool, arguments) in calls.items():
        held = material.file("A", arguments.get("file", "rows.csv")).copy
        assert held is not None
        digest = held.blob
        floor = _median(lambda digest=digest: blobs.get(digest))  # type: ignore[misc]
        if tool == "compare":
            for side in "AB":
                _call(material, "read", {"side": side, "file": arguments["file"]})
        opening = _timed(lambda tool=tool, arguments=arguments: _call(material, tool, arguments))  # type: ignore[misc]
        if tool == "look":
            opening = statistics.median(
                _timed(lambda n=n, arguments=arguments: _call(material, "look", _undrawn(arguments, n)))  # type: ignore[misc]
                for n in range(1, REPEATS + 1)
            )
        value = _median(lambda tool=tool, arguments=arguments: _call(material, tool, arguments))  # type: ignore[misc]
        of = f"{size // 1_000_000} MB"
        if not found or tool in _KEPT:
            # The first one says what it takes.
            compared = tool in _KEPT and limit == SMALL_LIMIT
            found.append(
                Figure(
                    name=f"first call on {of}: {name}",
                    value=opening,
                    unit="ms",
                    goal=f"at most {limit:g} ms; the file was opened before" if compared else "",
                    holds=opening <= limit if compared else None,
                    n=REPEATS if tool == "look" else 1,
                )
            )
        found.append(
            Figure(
                name=f"tool call on {of}: {name}",
                value=value,
                unit="ms",
                floor=floor,
                ratio=value / floor,
                goal=f"at most {limit:g} ms; floor: the same bytes bare",
                holds=value <= limit,
                n=REPEATS,
            )
        )
    return found


def _undrawn(arguments: dict[str, Any], n: int) -> dict[str, Any]:
    """The same question about another page, or for another width, which has not been drawn yet."""
    if "page" in arguments:
        return arguments | {"page": arguments["page"] - 7 * n}
    return arguments | {"width": 1_000 - n}


def _call(material: Material, tool: str, arguments: dict[str, Any]) -> None:
    answered = Examination(material, limits=ToolLimits()).call(tool, arguments)
    assert not answered.is_error, answered.content


def _timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1_000


def _median(act: Callable[[], object]) -> float:
    return statistics.median(_timed(act) for _ in range(REPEATS))


def _outputs(size: int) -> tuple[dict[str, bytes | str], dict[str, bytes | str]]:
    """A text of at most 1 MB and a table of about `size` bytes; B's differ in one line of the text."""
    chance = random.Random(7)
    line = "Step {}: check part {} of the cluster and note the result of it in the book.\n"
    text = [line.format(n, n % 89) for n in range(12_000)]
    rows = ["field,day,kg,note\n"]
    block = [
        f"field {n % 40},{n % 365},{chance.randrange(1_000)},a note of some length {n % 7}\n"
        for n in range(20_000)
    ]
    once = sum(map(len, block))
    rows.extend(block * max(1, size // once))
    table = "".join(rows)
    other = [*text[:9_050], "Step 9050: leave it.\n", *text[9_051:]]
    spread = [text[n] if n % 100 else f"Step {n}: leave it.\n" for n in range(len(text))]
    drawn: dict[str, bytes] = _papers(text) if size == SMALL else {}
    return (
        {"plan.md": "".join(text), "spread.md": "".join(text), "rows.csv": table, **drawn},
        {"plan.md": "".join(other), "spread.md": "".join(spread), "rows.csv": table[:1_000]},
    )


def _papers(text: list[str]) -> dict[str, bytes]:
    """A PDF, a workbook and two pictures of up to 1 MB each."""
    chance = random.Random(7)
    lines = [f"{line.strip()} {chance.getrandbits(256):x}" for line in text]
    pages = ["\n".join(lines[n : n + 50]) for n in range(0, len(lines), 50)]
    rows = [[f"field {n % 40}", n % 365, chance.randrange(1_000), f"a note {n}"] for n in range(26_000)]
    picture = io.BytesIO()
    # Part of it is noise, which cannot be compressed.
    noise = Image.frombytes("RGB", (640, 400), chance.randbytes(640 * 400 * 3))
    whole = Image.new("RGB", (1_280, 960), (230, 240, 230))
    whole.paste(noise, (0, 0))
    whole.save(picture, "PNG")
    photograph = io.BytesIO()
    noise.resize((2_000, 1_250), Image.Resampling.BICUBIC).save(photograph, "JPEG", quality=75)
    return {
        "book.pdf": long_pdf(pages),
        "rows.xlsx": xlsx([["field", "day", "kg", "note"], *rows]),
        "map.png": picture.getvalue(),
        "photo.jpg": photograph.getvalue(),
    }
