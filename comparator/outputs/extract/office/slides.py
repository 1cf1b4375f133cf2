"""PPTX: each slide's title, words, tables, chart values, pictures and notes."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from functools import partial
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.exc import PackageNotFoundError

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.office import opendocument
from comparator.outputs.extract.office.ooxml import check, html_document, html_text
from comparator.outputs.extract.office.slide_layout import laid_out
from comparator.outputs.extract.web.html_text import markdown_from
from comparator.outputs.isolated.results import Copy, Extraction, Picture, ReadLimits, Unreadable

_DEEPEST_GROUP = 20
_MOST_CELLS = 20_000


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The presentation slide by slide, without its layout."""
    if "content.xml" in check(data, limits):
        return opendocument.read(data, limits)
    try:
        deck = Presentation(io.BytesIO(data))
    except (PackageNotFoundError, KeyError, ValueError) as error:
        raise Unreadable("It is damaged and cannot be read.") from error
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
