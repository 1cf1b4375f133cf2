"""Folders of files for the panes: real ones of each family, long ones, and the hostile corpus."""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

from PIL import Image

from comparator.outputs.extract import svg
from comparator.outputs.extract.notebook import read as read_notebook
from comparator.outputs.isolated.messages import Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.browser.hostile.hostile import Hostile, corpus
from tests.worlds.files.outputs import kept
from tests.worlds.files.outputs_office import paper

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PARAGRAPHS = [
    f"Paragraph {n} says that the {n}th thing happened on day {n} of the month." for n in range(1, 120)
]
QUOTE = "the 77th thing happened on day 77"
LONG = ("report.md", "plain.txt", "table.csv", "data.json", "paper.pdf")
"""Files of the set `long` in which the quote stands far down."""


class Shelf:
    """Writes files and the manifest that `panes_server.py` reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sets: dict[str, list[dict[str, Any]]] = {}
        self._count = 0

    def add(self, group: str, label: str | None, name: str, family: str, data: bytes, media_type: str = "text/plain",
            role: str = "output") -> str:  # fmt: skip
        """One file; its id."""
        self._count += 1
        file_id = f"f{self._count:04d}"
        (self.folder / file_id).write_bytes(data)
        row = {
            "id": file_id,
            "label": label,
            "role": role,
            "name": name,
            "family": family,
            "media_type": media_type,
            "digest": hashlib.sha256(data).hexdigest(),
        }
        self.sets.setdefault(group, []).append(row)
        return file_id

    def close(self) -> None:
        """Write the manifest."""
        (self.folder / "manifest.json").write_text(json.dumps(self.sets), "utf-8")


def fill(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """All sets of files of the tests, by name."""
    shelf = Shelf(folder)
    _families(shelf)
    _long(shelf)
    for file in corpus():
        shelf.add("hostile", "A", file.name, file.family, _as_stored(file), file.media_type)
    shelf.close()
    return shelf.sets


def _as_stored(file: Hostile) -> bytes:
    """What is kept of a file: drawings are rebuilt when they come in, where they can be read."""
    if file.media_type != "image/svg+xml":
        return file.data
    try:
        return svg.rebuild(file.data).text.encode()
    except Unreadable:
        return file.data


def _families(shelf: Shelf) -> None:
    example = EXAMPLES / "invoice-extraction"
    for label, folder in (("A", "a"), ("B", "b")):
        shelf.add("families", label, "invoice.json", "json", (example / folder / "invoice.json").read_bytes())
        shelf.add("families", label, "items.csv", "csv", (example / folder / "items.csv").read_bytes())
        shelf.add("families", label, "same.txt", "text", b"the same on both sides")
        code = f'"""Adds {label}."""\n\n\ndef add(a: int, b: int) -> int:\n    return a + b\n'
        shelf.add("families", label, "src/add.py", "code", code.encode())
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">{label}</text></svg>'
        shelf.add("families", label, "svg.svg", "svg", drawing.encode(), "image/svg+xml")
        picture = io.BytesIO()
        Image.new("RGB", (60, 30), (0, 90, 200) if label == "A" else (200, 90, 0)).save(picture, "PNG")
        shelf.add("families", label, "img/picture.png", "image", picture.getvalue(), "image/png")
        page = (
            '<link rel=stylesheet href="s.css"><h1>Page</h1><img src="img/picture.png"><p class=c>green</p>'
        )
        shelf.add("families", label, "page.html", "html", f"{page}{label}".encode(), "text/html")
        shelf.add("families", label, "s.css", "code", b".c { color: rgb(0, 128, 0) }")
        rows = [["Item", "Sum"], ["Paper", 12.5]]
        book = kept(
            {"name": f"Sheet of {label}", "rows": rows, "formulas": {"B2": "=2*6.25"}},
            {"name": "Totals", "rows": [["Sum", n] for n in range(60)]},
        )
        shelf.add("families", label, "budget.xlsx", "xlsx", book, MEDIA_TYPE)
        cell = {"cell_type": "code", "execution_count": 1, "source": f"print('{label}')", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": f"printed {label}\n"}]}  # fmt: skip
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
        copy = read_notebook(json.dumps(notebook).encode(), Limits()).copy
        assert copy is not None
        shelf.add("families", label, "work.ipynb", "notebook", copy.data, copy.media_type)
    shelf.add(
        "families",
        "A",
        "report-a.md",
        "markdown",
        b"# Report\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    )
    shelf.add("families", "B", "summary.md", "markdown", b"# Summary\n\nOther words.\n")
    shelf.add("families", "B", "only.txt", "text", b"only here", "text/plain")
    shelf.add("families", None, "request.txt", "text", b"Please extract the items.", role="input")
    shelf.add("families", None, "answer.json", "json", b'{"total": 1}', role="reference")


def _long(shelf: Shelf) -> None:
    for label in ("A", "B"):
        text = "\n\n".join(f"**{label}** {paragraph}" for paragraph in PARAGRAPHS)
        shelf.add("long", label, "report.md", "markdown", text.encode())
        shelf.add("long", label, "plain.txt", "text", text.encode())
        shelf.add(
            "long", label, "drawn.md", "markdown", f"```mermaid\ngraph TD; A[{label}]-->B\n```\n".encode()
        )
        rows = [(str(n), paragraph.split(" says ")[1], label) for n, paragraph in enumerate(PARAGRAPHS)]
        # The same columns, in another order in B.
        order = (0, 1, 2) if label == "A" else (1, 0, 2)
        lines = "".join(",".join(row[n] for n in order) + "\n" for row in [("n", "what", "side"), *rows])
        shelf.add("long", label, "table.csv", "csv", lines.encode())
        values = {"side": label, "paragraphs": [{"n": n, "text": text} for n, text in enumerate(PARAGRAPHS)]}
        shelf.add("long", label, "data.json", "json", json.dumps(values, indent=1).encode())
        shelf.add("long", label, "paper.pdf", "pdf", paper([*PARAGRAPHS, f"side {label}"]), "application/pdf")
        huge = b"".join(b"line %d of a long log of side %s\n" % (n, label.encode()) for n in range(20_000))
        shelf.add("long", label, "huge.log", "text", huge)
