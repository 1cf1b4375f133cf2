"""PPTX: each slide's title, words, tables, chart values, pictures and notes, and its boxes where they stand."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.office import opendocument
from comparator.outputs.extract.office.ooxml import check, html_document, html_text
from comparator.outputs.extract.web.html_text import markdown_from
from comparator.outputs.isolated.results import Copy, Extraction, Picture, ReadLimits, Unreadable

_POINT = 12_700
_DEEPEST_GROUP = 20
_MOST_SHAPES = 2_000
_ALIGNED = {1: "left", 2: "center", 3: "right", 4: "justify"}
_ANCHORS = {1: "flex-start", 3: "center", 4: "flex-end"}
_SIZES = {
    PP_PLACEHOLDER.TITLE: 40.0,
    PP_PLACEHOLDER.CENTER_TITLE: 44.0,
    PP_PLACEHOLDER.SUBTITLE: 28.0,
    PP_PLACEHOLDER.BODY: 26.0,
    PP_PLACEHOLDER.OBJECT: 26.0,
}
_CENTRED = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.SUBTITLE})
_USUAL_SIZE = 18.0
_SMALLEST_SIZE = 6.0


class SlideFrame(NamedTuple):
    """Where the coordinates of shapes lie on the slide: an offset and a factor each way, and the slide's size."""

    left: float
    top: float
    across: float
    down: float
    width: float
    height: float


def laid_out(slide: Any, *, width: int, height: int, inner: Callable[[Any], str | None]) -> str:
    """The slide as HTML; `inner` gives what a shape other than words holds, or None for words."""
    frame = SlideFrame(0, 0, 1, 1, float(width or 1), float(height or 1))
    left = [_MOST_SHAPES]
    boxes = "".join(_shapes(slide.shapes, frame, inner, 0, left))
    ground = _colour(lambda: slide.background.fill.fore_color.rgb)
    style = f"aspect-ratio:{frame.width / frame.height:.4f}" + (f";background:#{ground}" if ground else "")
    return f'<div class="slide" style="{style}">{boxes}</div>'


def _shapes(
    shapes: Any, frame: SlideFrame, inner: Callable[[Any], str | None], depth: int, left: list[int]
) -> Iterator[str]:
    for shape in shapes:
        left[0] -= 1
        if left[0] < 0:
            return
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP and depth < _DEEPEST_GROUP:
            yield from _shapes(shape.shapes, _within(shape, frame), inner, depth + 1, left)
            continue
        content = inner(shape)
        if content is None:
            content = _words(shape, frame) if shape.has_text_frame else ""
        style = _place(shape, frame) + _look(shape) + _anchor(shape)
        if content or "background" in style:
            yield f'<div class="box" style="{style}">{content}</div>'


def _within(group: Any, frame: SlideFrame) -> SlideFrame:
    """The frame of a group's own shapes, which have coordinates of their own."""
    xfrm = group.element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
    try:
        start, size = xfrm.chOff, xfrm.chExt
        across = frame.across * group.width / max(size.cx, 1)
        down = frame.down * group.height / max(size.cy, 1)
        return frame._replace(
            left=frame.left + group.left * frame.across - start.x * across,
            top=frame.top + group.top * frame.down - start.y * down,
            across=across,
            down=down,
        )
    except (AttributeError, TypeError):
        return frame


def _place(shape: Any, frame: SlideFrame) -> str:
    if shape.left is None or shape.width is None:
        return "left:5%;top:5%;width:90%;height:auto"
    parts = {
        "left": (frame.left + shape.left * frame.across) / frame.width,
        "top": (frame.top + (shape.top or 0) * frame.down) / frame.height,
        "width": shape.width * frame.across / frame.width,
        "height": (shape.height or 0) * frame.down / frame.height,
    }
    style = ";".join(f"{name}:{min(max(part, -3.0), 4.0) * 100:.2f}%" for name, part in parts.items())
    turn = getattr(shape, "rotation", 0) or 0
    return style + (f";transform:rotate({float(turn):.1f}deg)" if turn else "")


def _anchor(shape: Any) -> str:
    """Where words stand in their box: as it says, or in the middle for titles and at the top for all else."""
    if not shape.has_text_frame:
        return ""
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    usual = 3 if kind in _CENTRED and kind is not PP_PLACEHOLDER.SUBTITLE else 1
    placed = _ANCHORS.get(int(shape.text_frame.vertical_anchor or usual), "flex-start")
    return f";justify-content:{placed}"


def _look(shape: Any) -> str:
    ground = _colour(lambda: shape.fill.fore_color.rgb)
    edge = _colour(lambda: shape.line.color.rgb)
    return (f";background:#{ground}" if ground else "") + (f";border:1px solid #{edge}" if edge else "")


def _words(shape: Any, frame: SlideFrame) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    usual = _USUAL_SIZE if kind is None else _SIZES.get(kind, _USUAL_SIZE)
    bulleted = kind in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
    out = []
    for paragraph in shape.text_frame.paragraphs:
        runs = "".join(_run(run) for run in paragraph.runs)
        if not runs.strip():
            continue
        sizes = [run.font.size.pt for run in paragraph.runs if run.font.size is not None]
        size = max(max(sizes) if sizes else usual - 3.0 * paragraph.level, _SMALLEST_SIZE)
        aligned = _ALIGNED.get(int(paragraph.alignment or 0), "center" if kind in _CENTRED else "left")
        share = size * _POINT / frame.width * 100
        level = min(int(paragraph.level), 9)
        style = (
            f"font-size:{share:.2f}cqw;text-align:{aligned};padding-left:{level * 1.4 + bulleted * 1.0:.1f}em"
        )
        sign = "<span>\N{BULLET} </span>" if bulleted else ""
        out.append(f'<p style="{style}">{sign}{runs}</p>')
    return "".join(out)


def _run(run: Any) -> str:
    text = html_text(run.text).replace("\x0b", "<br>")
    colour = _colour(lambda: run.font.color.rgb)
    if run.font.bold:
        text = f"<b>{text}</b>"
    if run.font.italic:
        text = f"<i>{text}</i>"
    return f'<span style="color:#{colour}">{text}</span>' if colour else text


def _colour(ask: Callable[[], Any]) -> str | None:
    """A colour of six digits, where there is a plain one."""
    try:
        found = str(ask())
    except (AttributeError, TypeError, ValueError):
        # No fill, a colour of the theme, a gradient: drawn plainly.
        return None
    return found if len(found) == 6 and found.isalnum() else None


_MOST_CELLS = 20_000


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The presentation slide by slide, without its layout."""
    if "content.xml" in check(data, limits):
        return opendocument.read(data, limits)
    deck = Presentation(io.BytesIO(data))
    reader = _Reader(limits)
    slides = list(deck.slides)
    body = "\n".join(
        reader.slide(number, slide) for number, slide in enumerate(slides[: limits.pages], start=1)
    )
    drawn = "\n".join(
        reader.drawn(number, slide, width=deck.slide_width or 1, height=deck.slide_height or 1)
        for number, slide in enumerate(slides[: limits.pages], start=1)
    )
    notes = []
    if len(slides) > limits.pages:
        notes.append(NoteKind.FIRST_SLIDES_READ.text(total=len(slides), read=limits.pages))
    if reader.unread:
        notes.append(NoteKind.PICTURES_UNREAD.text(unread=reader.unread))
    return Extraction(
        text=markdown_from(reader.without_pictures(body)),
        pictures=tuple(reader.pictures[: limits.pictures]),
        copy=Copy("text/html", html_document(drawn).encode("utf-8", "replace")),
        wordless=bool(reader.pictures),
        notes=tuple(notes),
    )


class _Reader:
    def __init__(self, limits: ReadLimits) -> None:
        self.pictures: list[Picture] = []
        self.unread = 0
        self._limits = limits
        self._sources: list[str] = []
        self._known: dict[tuple[int, int], str] = {}

    def without_pictures(self, html: str) -> str:
        for source in self._sources:
            html = html.replace(source, "")
        return html

    def slide(self, number: int, slide: Any) -> str:
        title = slide.shapes.title
        parts = [f"<section>\n{_heading(number, slide)}"]
        for shape in slide.shapes:
            if title is None or shape.shape_id != title.shape_id:
                parts.extend(self._shape(shape, number, 0))
        return "\n".join([*parts, *_speaker_notes(slide)]) + "\n</section>"

    def drawn(self, number: int, slide: Any, *, width: int, height: int) -> str:
        """The slide as it is laid out, for the reviewer; `slide` has to be called first."""
        layout = laid_out(slide, width=width, height=height, inner=partial(self._inner, number))
        return "\n".join(
            [f"<section>\n{_heading(number, slide)}", layout, *_speaker_notes(slide), "</section>"]
        )

    def _inner(self, number: int, shape: Any) -> str | None:
        if getattr(shape, "has_table", False) and shape.has_table:
            return _table([[cell.text for cell in row.cells] for row in shape.table.rows])
        if getattr(shape, "has_chart", False) and shape.has_chart:
            return _chart(shape.chart)
        if shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
            return self._known.get((number, shape.shape_id), "")
        return None

    def _shape(self, shape: Any, number: int, depth: int) -> Iterator[str]:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP and depth < _DEEPEST_GROUP:
            for inner in shape.shapes:
                yield from self._shape(inner, number, depth + 1)
        elif getattr(shape, "has_table", False) and shape.has_table:
            yield _table([[cell.text for cell in row.cells] for row in shape.table.rows])
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            yield _chart(shape.chart)
        elif shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
            yield self._picture(shape, number)
        elif shape.has_text_frame and shape.text_frame.text.strip():
            yield _paragraphs(shape.text_frame)

    def _picture(self, shape: Any, number: int) -> str:
        try:
            picture = rebuild(shape.image.blob, self._limits, side=self._limits.side_judged).picture
        except (Unreadable, KeyError, ValueError, AttributeError):
            self.unread += 1
            return "<p>[picture that cannot be read]</p>"
        self.pictures.append(Picture(picture.media_type, picture.data, f"picture on slide {number}"))
        source = f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"
        self._sources.append(source)
        self._known[number, shape.shape_id] = f'<img src="{source}" alt="picture">'
        return f'<p><img src="{source}" alt="picture"></p>'


def _heading(number: int, slide: Any) -> str:
    title = slide.shapes.title
    words = " ".join(title.text_frame.text.split()) if title is not None and title.has_text_frame else ""
    hidden = " (hidden)" if slide.element.get("show") == "0" else ""
    return f"<h2>Slide {number}{hidden}{': ' + html_text(words) if words else ''}</h2>"


def _speaker_notes(slide: Any) -> list[str]:
    if not slide.has_notes_slide or slide.notes_slide.notes_text_frame is None:
        return []
    notes = slide.notes_slide.notes_text_frame.text.strip()
    return [f"<blockquote>Speaker notes: {_lines(notes)}</blockquote>"] if notes else []


def _paragraphs(frame: Any) -> str:
    items = [(paragraph.level, "".join(run.text for run in paragraph.runs)) for paragraph in frame.paragraphs]
    items = [(level, words) for level, words in items if words.strip()]
    if len(items) == 1:
        return f"<p>{html_text(items[0][1])}</p>"
    parts, depth = [], -1
    for level, words in items:
        while depth < level:
            parts.append("<ul>")
            depth += 1
        while depth > level:
            parts.append("</ul>")
            depth -= 1
        parts.append(f"<li>{html_text(words)}</li>")
    return "".join(parts) + "</ul>" * (depth + 1)


def _table(rows: list[list[str]]) -> str:
    cells = ["".join(f"<td>{html_text(cell)}</td>" for cell in row) for row in rows[:_MOST_CELLS]]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _chart(chart: Any) -> str:
    title = chart.chart_title.text_frame.text if chart.has_title and chart.chart_title.has_text_frame else ""
    rows: list[list[str]] = []
    for plot in chart.plots:
        rows.append(["", *(str(category) for category in plot.categories)])
        rows.extend(
            [series.name, *("" if value is None else str(value) for value in series.values)]
            for series in plot.series
        )
    return f"<p>[chart] {html_text(title)}</p>{_table(rows)}"


def _lines(text: str) -> str:
    return "<br>".join(html_text(line) for line in text.splitlines())
