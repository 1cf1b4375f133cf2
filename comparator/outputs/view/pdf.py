"""Words replaced on the pictures of a PDF's pages, and pages of Office files as pictures without them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from comparator.outputs.extract.pdf import read
from comparator.outputs.isolated.messages import Extraction, PageImage, Pages, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.pages import Letter, Run, encoded, middle, opened, picture_of
from comparator.outputs.view.built import places_between
from comparator.outputs.view.redacting import Redactor

_SIDE = 1_568
"""Pixels of the longer side of a page's picture; a judge's own limit."""
_ON_SCREEN = 96 / 72
_TILE = 1_500
_TILES = 6
"""Pictures that one long page, which is a sheet, is cut into at most."""


def finished(data: bytes, limits: Limits, rules: Mapping[str, Any], names: list[str], most: int) -> Pages:
    """A finished PDF as pictures without the words that the rules replace. Raises Unreadable.

    `names` are those of its first pages; of at most `most` pages there are pictures by themselves.
    """
    pages = painted(data, rules, limits)
    document = pages.document or b""
    images: list[PageImage] = []
    with opened(document) as pdf:
        for number in range(1, len(pdf) + 1):
            if len(images) >= most:
                break
            width, height = (max(side, 1.0) for side in pdf[number - 1].get_size())
            scale = _SIDE / max(width, height)
            if scale < _ON_SCREEN:
                # A long sheet: as large as on a screen, in pieces.
                scale = min(_ON_SCREEN, _SIDE / width)
            tiles = _tiles(picture_of(pdf[number - 1], scale=max(scale, 0.05)))
            name = names[number - 1] if number <= len(names) else f"page {number}"
            for part, tile in enumerate(tiles, 1):
                caption = f"{name}, part {part} of {len(tiles)} from the top" if len(tiles) > 1 else name
                images.append(PageImage(number, encoded(tile, caption=caption)))
    return Pages(document, pages.pages, tuple(images))


def _tiles(page: Image.Image) -> list[Image.Image]:
    if max(page.size) <= _SIDE:
        return [page]
    tops = range(0, page.height, _TILE)[:_TILES]
    return [page.crop((0, top, page.width, min(top + _TILE, page.height))) for top in tops]


_MARGIN = 1
_FONT = 64
"""Pixels in which replacements are drawn before they are scaled to their place."""
_WIDEST = 1.3
"""How far a replacement is widened to fill its place."""
_LIKE_PAPER = 48
"""How far a colour may be from the paper's and still be taken for it."""


def painted(data: bytes, rules: Mapping[str, Any], limits: Limits) -> Extraction:
    """The pages of a PDF and their text without the words that a redactor's rules replace. Raises Unreadable."""
    redactor = Redactor.of(rules)
    return read(data, limits, paint=lambda image, runs: _painted(image, runs, redactor))


def _painted(image: Image.Image, runs: list[Run], redactor: Redactor) -> list[Run]:
    after = _replaced(runs, redactor)
    joined = "\n".join(after)
    # A replacement that is itself looked for stays wherever it stands.
    if not redactor.changes(redactor.text(joined)) and redactor.changes_in_lines(joined):
        raise Unreadable("A word cannot be replaced in its pages.")
    return [
        run if run.words == words else _redrawn(image, run, words)
        for run, words in zip(runs, after, strict=True)
    ]


def _replaced(runs: Sequence[Run], redactor: Redactor) -> list[str]:
    """The words of each run, rewritten; names that the end of a line splits are found with and without a hyphen."""
    pieces = [each for run in runs for each in (run.words, "\n" if run.ends_line else " ")]
    words = redactor.pieces(pieces)[::2]
    for number, (one, two) in enumerate(pairwise(words)):
        apart = [redactor.text(one), redactor.text(two)]
        for first in dict.fromkeys((one.removesuffix("-"), one)):
            together = redactor.pieces([first, two])
            if together not in ([first, two], apart):
                words[number : number + 2] = together
                break
    return words


def _redrawn(image: Image.Image, run: Run, words: str) -> Run:
    """Paint over what changes in a run; the run with the words that stand there then."""
    draw = ImageDraw.Draw(image)
    letters, done, at = [], 0, 0
    for start, end, old in places_between(run.words, words):
        kept = start - at
        letters += run.letters[done : done + kept]
        gone = run.letters[done + kept : done + kept + len(old)]
        done, at = done + kept + len(old), end
        new = words[start:end]
        if not gone:
            # Nothing made room for it: it shares the place of its neighbour.
            near = run.letters[min(done, len(run.letters) - 1)]
            letters += [near] * len(new)
            continue
        paper, ink = _colours(image, gone)
        for letter in gone:
            box = (
                letter.left - _MARGIN,
                letter.top - _MARGIN,
                letter.right + _MARGIN,
                letter.bottom + _MARGIN,
            )
            draw.rectangle(box, fill=paper)
        if new.strip():
            _draw(image, new, gone, run.angle, ink)
        letters += [gone[min(n * len(gone) // max(len(new), 1), len(gone) - 1)] for n in range(len(new))]
    return replace(run, words=words, letters=[*letters, *run.letters[done:]] or run.letters)


def _colours(image: Image.Image, letters: Sequence[Letter]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The colours of the paper and of the letters on it."""
    left, top, right, bottom = (
        min(each.left for each in letters),
        min(each.top for each in letters),
        max(each.right for each in letters),
        max(each.bottom for each in letters),
    )
    part = image.crop((int(left) - 2, int(top) - 2, math.ceil(right) + 2, math.ceil(bottom) + 2))
    seen = Counter(colour for colour in part.get_flattened_data() if isinstance(colour, tuple))
    paper = seen.most_common(1)[0][0]
    ink = max(seen, key=lambda colour: math.dist(colour, paper) * (1 + math.log(seen[colour])))
    return paper, ink if math.dist(ink, paper) > _LIKE_PAPER else paper


def _draw(
    image: Image.Image, words: str, letters: Sequence[Letter], angle: float, ink: tuple[int, ...]
) -> None:
    """Words in the place of letters, in their size and direction, no wider than they were."""
    font = ImageFont.load_default(_FONT)
    ascent, descent = font.getmetrics()  # type: ignore[union-attr] # the one with FreeType, which wheels of Pillow have
    width = math.ceil(font.getlength(words))
    mask = Image.new("L", (max(width, 1), ascent + descent))
    ImageDraw.Draw(mask).text((0, 0), words, fill=255, font=font)
    x, y, length, height = middle(letters)
    natural = mask.width * height / mask.height
    size = (max(1, round(min(natural * _WIDEST, length))), max(1, round(height)))
    mask = mask.resize(size, Image.Resampling.LANCZOS).rotate(-math.degrees(angle), expand=True)
    if abs(angle) < 0.01:
        x = letters[0].left + mask.width / 2
    image.paste(ink, (round(x - mask.width / 2), round(y - mask.height / 2)), mask)
