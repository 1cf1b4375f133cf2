"""Mermaid diagrams as pictures: drawn in the locked-down browser, all of a document at once, and cut apart."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from PIL import Image, ImageChops

from comparator.domain.pair.view import PageEvidence
from comparator.outputs.pictures.camera import PageFile

Photograph = Callable[[str, Sequence[PageFile]], PageEvidence | None]
"""Gives what a user sees of a page with these files beside it; None where there is no browser."""

NOT_DRAWN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="420" height="44"><rect width="420" height="44" fill="#f4f1e6"/>'
    b'<text x="12" y="27" font-family="sans-serif" font-size="14" fill="#4a4a4a">'
    b"This diagram cannot be drawn: see its source below.</text></svg>"
)
"""What stands in the place of a diagram that Mermaid refuses."""
_BAR = (254, 1, 171)
"""The colour of the lines between diagrams."""
_FAILED = (1, 254, 171)
_BAR_HEIGHT = 4
_LARGEST_SCRIPT = 3_000_000
_NOT_ITS_OWN = re.compile(
    r"plotly|vega|deck|map|index\.|[Gg]lide|katex|BidiComponent|DataFrame", re.IGNORECASE
)
_NAME = "diagrams.html"
_PAGE = """<!doctype html><meta charset="utf-8"><title>Diagrams</title>
<style>body{margin:0;background:#fff;width:1000px;font:16px sans-serif}
hr{height:4px;border:0;margin:0;background:rgb(254,1,171);width:1280px}hr.failed{background:rgb(1,254,171)}
.one{padding:8px;display:block;overflow:hidden}.one svg{display:block}</style>
<script type="application/json" id="sources">SOURCES</script>
<script type="module">
import mermaid from "./CORE";
import { draw } from "./diagrams.js";
await draw(mermaid);
</script>"""
_DRAW = files("comparator.outputs.pictures").joinpath("diagrams.js").read_bytes()


def drawn(sources: Sequence[str], *, scripts: Path, photograph: Photograph) -> tuple[bytes | None, ...]:
    """A PNG of each diagram; None for one that cannot be drawn. `scripts` is a folder that holds Mermaid."""
    mermaid = _scripts(scripts)
    core = next((file.name for file in mermaid if file.name.startswith("mermaid.core.")), None)
    if core is None:
        return (None,) * len(sources)
    listed = json.dumps(list(sources)).replace("<", "\\u003c")
    page = _PAGE.replace("CORE", core).replace("SOURCES", listed)
    own = [PageFile(_NAME, "text/html", page.encode()), PageFile("diagrams.js", "text/javascript", _DRAW)]
    found = photograph(_NAME, [*own, *mermaid])
    if found is None or not found.pictures:
        return (None,) * len(sources)
    tiles = [Image.open(io.BytesIO(tile.data)).convert("RGB") for tile in found.pictures[0].tiles]
    whole = Image.new("RGB", (max(tile.width for tile in tiles), sum(tile.height for tile in tiles)))
    top = 0
    for tile in tiles:
        whole.paste(tile, (0, top))
        top += tile.height
    return cut_apart(whole, len(sources))


def cut_apart(picture: Image.Image, count: int) -> tuple[bytes | None, ...]:
    """The diagrams between the bars of a picture; None where a bar says that one failed, or is missing."""
    edge = picture.crop((picture.width - 1, 0, picture.width, picture.height)).tobytes()
    rows = [tuple(edge[at : at + 3]) for at in range(0, len(edge), 3)]
    bars: list[tuple[int, bool]] = []
    for number, colour in enumerate(rows):
        if colour in (_BAR, _FAILED) and (not bars or number >= bars[-1][0] + _BAR_HEIGHT):
            bars.append((number, colour == _FAILED))
    out: list[bytes | None] = []
    for number in range(count):
        if number + 1 >= len(bars) or bars[number][1]:
            out.append(None)
            continue
        box = (0, bars[number][0] + _BAR_HEIGHT, picture.width, bars[number + 1][0])
        out.append(_trimmed(picture.crop(box)) if box[3] > box[1] else None)
    return tuple(out)


def _trimmed(picture: Image.Image) -> bytes | None:
    blank = Image.new("RGB", picture.size, (255, 255, 255))
    box = ImageChops.difference(picture, blank).getbbox()
    if box is None:
        return None
    out = io.BytesIO()
    picture.crop((max(box[0] - 6, 0), max(box[1] - 6, 0), box[2] + 6, box[3] + 6)).save(out, "PNG")
    return out.getvalue()


@cache
def _scripts(folder: Path) -> tuple[PageFile, ...]:
    return tuple(
        PageFile(path.name, "text/javascript", path.read_bytes())
        for path in sorted(folder.glob("*.js"))
        if path.stat().st_size <= _LARGEST_SCRIPT and not _NOT_ITS_OWN.search(path.name)
    )


def packed(pictures: Sequence[bytes | None]) -> bytes:
    """Pictures as bytes to be kept."""
    return json.dumps([picture and base64.b64encode(picture).decode() for picture in pictures]).encode()


def unpacked(data: bytes) -> tuple[bytes | None, ...]:
    """Pictures from bytes that were kept."""
    return tuple(picture and base64.b64decode(picture) for picture in json.loads(data))
