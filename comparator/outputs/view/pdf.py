"""PDFs, and pages of Office files, as pictures with their words over them; words are replaced on the pictures."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw, ImageFont

from comparator.domain.pair.notes import Limitation
from comparator.outputs.extract.images import encoded, pieces
from comparator.outputs.isolated.messages import Copy, Extraction, PageImage, Pages, Unreadable
from comparator.outputs.limits import Limits
from comparator.outputs.pages import Letter, NoPages, PictureBook, Run, middle, opened, picture_of, runs_of
from comparator.outputs.view.built import places_between
from comparator.outputs.view.redacting import Redactor

_PIXELS_A_POINT, _PIXELS_A_POINT_OF_LONG_ONES = 2.0, 4 / 3
"""Pixels a point in documents of a few and of many pages."""
_FEW_PAGES = 60
_MOST_PIXELS = 25_000_000
Paint = Callable[[Image.Image, list[Run]], list[Run]]
"""Changes the words on the picture of a page; the words that stand there then. Raises Unreadable."""


def read(data: bytes, limits: Limits, *, paint: Paint | None = None) -> Extraction:
    """The pages as a PDF of pictures, and their text with a line for each page. Raises Unreadable."""
    try:
        with opened(data) as pdf:
            return _read(pdf, limits, paint)
    except (NoPages, pypdfium2.PdfiumError) as error:
        sentence = str(error) if isinstance(error, NoPages) else "The PDF is damaged and cannot be read."
        raise Unreadable(sentence) from error


def _read(pdf: pypdfium2.PdfDocument, limits: Limits, paint: Paint | None) -> Extraction:
    count = len(pdf)
    read_pages = min(count, limits.pages)
    form = pdf.get_formtype() != pdfium.FORMTYPE_NONE
    if form:
        pdf.init_forms()
    book, texts, wordless, pictured = PictureBook(), [], [], False
    for number in range(1, read_pages + 1):
        page = pdf[number - 1]
        # Values, notes and stamps become part of the page, as it is shown and printed.
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        page = pdf[number - 1]
        scale = _scale_of(page, _PIXELS_A_POINT if read_pages <= _FEW_PAGES else _PIXELS_A_POINT_OF_LONG_ONES)
        image, runs = picture_of(page, scale=scale), runs_of(page, scale=scale)
        if paint is not None:
            runs = paint(image, runs)
        in_order = "".join(f"{run.words}\n" if run.ends_line else f"{run.words} " for run in runs)
        words = _by_place(runs) if form else in_order.strip()
        pictured |= any(True for _ in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=5))
        page.close()
        book.add(image, runs, scale=scale)
        wordless += [] if words else [number]
        texts.append(f"[page {number}]\n{words}\n")
    notes: tuple[str, ...] = ()
    text = "\n".join(texts)
    if count > read_pages:
        text += f"\n[… {count - read_pages:,} pages left out here …]\n"
        notes += (Limitation.FIRST_PAGES_READ.text(total=count, read=read_pages),)
    if wordless:
        pages = ", ".join(map(str, wordless[:20])) + (" and more" if len(wordless) > 20 else "")
        notes += (f"No words can be read on page {pages}: a scan, a drawing or an empty page.",)
    return Extraction(
        text=text,
        pages=read_pages,
        copy=Copy("application/pdf", book.saved()),
        wordless=bool(wordless) or pictured,
        notes=notes,
    )


def _scale_of(page: pypdfium2.PdfPage, usual: float) -> float:
    width, height = page.get_size()
    if width < 1 or height < 1:
        raise Unreadable("A page of the PDF has no size.")
    return min(usual, math.sqrt(_MOST_PIXELS / (width * height)))


def _by_place(runs: list[Run]) -> str:
    """Line by line from the top: in a form, values were drawn after all labels, but belong beside them."""
    placed = sorted(
        (middle(run.letters)[1], run.letters[0].left, middle(run.letters)[3], run.words) for run in runs
    )
    lines: list[list[tuple[float, float, float, str]]] = []
    for piece in placed:
        if lines and abs(lines[-1][0][0] - piece[0]) < 0.5 * max(lines[-1][0][2], piece[2]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return "\n".join("  ".join(piece[3] for piece in sorted(line, key=lambda p: p[1])) for line in lines)


_SIDE = 1_568
"""Pixels of the longer side of a page's picture; a judge's own limit."""
_ON_SCREEN = 96 / 72
_TILES = 6
"""Pictures that one long page, which is a sheet, is cut into at most."""


def pages_of_pdf(data: bytes, limits: Limits, rules: Mapping[str, Any], names: list[str], most: int) -> Pages:
    """A finished PDF as pictures without the words that the rules replace. Raises Unreadable.

    `names` are those of its first pages; of at most `most` pages there are pictures by themselves.
    """
    pages = redact_pdf(data, rules, limits)
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
            picture = picture_of(pdf[number - 1], scale=max(scale, 0.05))
            tiles = [picture] if max(picture.size) <= _SIDE else pieces(picture)[:_TILES]
            name = names[number - 1] if number <= len(names) else f"page {number}"
            for part, tile in enumerate(tiles, 1):
                caption = f"{name}, part {part} of {len(tiles)} from the top" if len(tiles) > 1 else name
                images.append(PageImage(number, encoded(tile, caption=caption)))
    return Pages(document, pages.pages, tuple(images))


_MARGIN = 1
_FONT = 64
"""Pixels in which replacements are drawn before they are scaled to their place."""
_WIDEST = 1.3
"""How far a replacement is widened to fill its place."""
_LIKE_PAPER = 48
"""How far a colour may be from the paper's and still be taken for it."""


def redact_pdf(data: bytes, rules: Mapping[str, Any], limits: Limits) -> Extraction:
    """The pages of a PDF and their text without the words that a redactor's rules replace. Raises Unreadable."""
    redactor = Redactor.of(rules)
    return read(data, limits, paint=lambda image, runs: _paint_runs(image, runs, redactor))


def _paint_runs(image: Image.Image, runs: list[Run], redactor: Redactor) -> list[Run]:
    after = _replace_words(runs, redactor)
    joined = "\n".join(after)
    # A replacement that is itself looked for stays wherever it stands.
    if not redactor.changes(redactor.text(joined)) and redactor.changes_in_lines(joined):
        raise Unreadable("A word cannot be replaced in its pages.")
    return [
        run if run.words == words else _redraw(image, run, words)
        for run, words in zip(runs, after, strict=True)
    ]


def _replace_words(runs: Sequence[Run], redactor: Redactor) -> list[str]:
    """The words of each run, rewritten; names that the end of a line splits are found with and without a hyphen."""
    pieces = [piece for run in runs for piece in (run.words, "\n" if run.ends_line else " ")]
    words = redactor.pieces(pieces)[::2]
    for number, (one, two) in enumerate(pairwise(words)):
        apart = [redactor.text(one), redactor.text(two)]
        for first in dict.fromkeys((one.removesuffix("-"), one)):
            together = redactor.pieces([first, two])
            if together not in ([first, two], apart):
                words[number : number + 2] = together
                break
    return words


def _redraw(image: Image.Image, run: Run, words: str) -> Run:
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
        min(letter.left for letter in letters),
        min(letter.top for letter in letters),
        max(letter.right for letter in letters),
        max(letter.bottom for letter in letters),
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
