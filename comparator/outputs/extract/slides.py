"""PPTX: each slide's title, words, tables, chart values, pictures and notes; the printed pages show the layout."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.ooxml import Content, check, html_text
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.limits import Limits

_DEEPEST_GROUP = 20
_MOST_CELLS = 20_000


def read(data: bytes, limits: Limits) -> Extraction:
    """The presentation slide by slide, without its layout."""
    check(data, limits)
    slides, content = list(Presentation(io.BytesIO(data)).slides), Content(limits)
    parts: list[str] = []
    for number, slide in enumerate(slides[: limits.pages], start=1):
        title = slide.shapes.title
        parts += ["<section>", _heading(number, slide)]
        for shape in slide.shapes:
            if title is None or shape.shape_id != title.shape_id:
                parts += _shape(shape, content, f"on slide {number}", 0)
        parts += [*_speaker_notes(slide), "</section>"]
    notes = []
    if len(slides) > limits.pages:
        notes.append(NoteKind.FIRST_SLIDES_READ.text(total=len(slides), read=limits.pages))
    return content.extraction("\n".join(parts), *notes)


def _shape(shape: Any, content: Content, where: str, depth: int) -> Iterator[str]:
    if shape.shape_type == MSO_SHAPE_TYPE.GROUP and depth < _DEEPEST_GROUP:
        for inner in shape.shapes:
            yield from _shape(inner, content, where, depth + 1)
    elif getattr(shape, "has_table", False) and shape.has_table:
        yield _table([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif getattr(shape, "has_chart", False) and shape.has_chart:
        yield _chart(shape.chart)
    elif shape.shape_type == MSO_SHAPE_TYPE.PICTURE:
        try:
            data = shape.image.blob
        except (KeyError, ValueError, AttributeError):
            data = None
        yield f'<p><img src="{content.source_of(data, where)}" alt="picture"></p>'
    elif shape.has_text_frame and shape.text_frame.text.strip():
        yield _paragraphs(shape.text_frame)


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
