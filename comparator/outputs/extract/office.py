"""DOCX and PPTX as words, tables and pictures without layout; comments and changes in place, without authors."""

import base64
import copy
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from typing import Any

from lxml import etree

from comparator.domain.counted import counted
from comparator.domain.pair.notes import Limitation
from comparator.domain.pair.view import ImageBlock
from comparator.outputs.extract.archive import check_package
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.isolated.messages import Copy, Extraction, Unreadable
from comparator.outputs.limits import Limits


def part(data: bytes, name: str) -> bytes:
    """The bytes of one part of a checked file; empty if there is none."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        try:
            return package.read(name)
        except KeyError:
            return b""


class Content:
    """The content of a document as HTML: its pictures made anew, and the extraction that comes of it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pictures: list[ImageBlock] = []
        self._unread = 0

    def source_of(self, data: bytes | None, where: str = "") -> str:
        """The data address of a picture; an empty one for a picture that cannot be read."""
        caption = f"picture {where or len(self._pictures) + 1}"
        try:
            picture = rebuild(data or b"", self._limits, caption=caption)
        except (Unreadable, OSError):
            self._unread += 1
            return "data:,"
        self._pictures.append(picture)
        return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"

    def extraction(self, body: str, *notes: str) -> Extraction:
        """HTML for the reviewer, and Markdown for the judge."""
        if self._unread:
            notes += (Limitation.PICTURES_UNREAD.text(unread=self._unread),)
        page = f'<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'
        return Extraction(
            text=markdown_from(body),
            pictures=tuple(self._pictures[: self._limits.pictures_per_document]),
            copy=Copy("text/html", page.encode("utf-8", "replace")),
            wordless=bool(self._pictures),
            notes=notes,
        )


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAIN, _COMMENTS = "word/document.xml", "word/comments.xml"
_CHANGES = {"ins": "inserted", "del": "deleted", "moveFrom": "moved away", "moveTo": "moved here"}
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)


def write_out_changes(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The document with every comment and change as words in brackets, and a sentence on each kind that it has."""
    try:
        root = etree.fromstring(part(data, _MAIN), _PARSER)
        comments = _comments(part(data, _COMMENTS))
    except etree.XMLSyntaxError:
        # Whether it can be read at all is not decided here.
        return data, ()
    changed = _changes(root)
    commented = _write_comments(root, comments)
    formatted = sum(1 for _ in root.iter(f"{_W}rPrChange", f"{_W}pPrChange"))
    notes = []
    if changed:
        notes.append(f"It has {counted(changed, 'tracked change')}, shown in brackets.")
    if formatted:
        notes.append(f"It has {counted(formatted, 'tracked formatting change')}, shown as accepted.")
    if commented:
        notes.append(f"It has {counted(commented, 'comment')}, shown in brackets without authors.")
    if not (changed or commented):
        return data, tuple(notes)
    return _with_main(data, etree.tostring(root, encoding="UTF-8", xml_declaration=True)), tuple(notes)


def _comments(xml: bytes) -> dict[str, str]:
    """The words of each comment, by its id."""
    if not xml:
        return {}
    comments = {}
    for comment in etree.fromstring(xml, _PARSER).iter(f"{_W}comment"):
        paragraphs = ("".join(t.text or "" for t in p.iter(f"{_W}t")) for p in comment.iter(f"{_W}p"))
        comments[comment.get(f"{_W}id", "")] = " / ".join(words for words in paragraphs if words.strip())
    return comments


def _changes(root: etree._Element) -> int:
    count = 0
    for change in [*root.iter(*(f"{_W}{name}" for name in _CHANGES))]:
        parent, kind = change.getparent(), _CHANGES[etree.QName(change).localname]
        texts = [*change.iter(f"{_W}t", f"{_W}delText")]
        if parent is None or not any(text.text for text in texts):
            # The mark of a paragraph or of a table's row, which has no words.
            continue
        count += 1
        for text in texts:
            text.tag = f"{_W}t"
        at = parent.index(change)
        # Taken out of their wrapper, deleted words are words again.
        pieces = [_run(f"[{kind}: "), *change, _run("]")]
        parent.remove(change)
        for offset, piece in enumerate(pieces):
            parent.insert(at + offset, piece)
    return count


def _write_comments(root: etree._Element, comments: dict[str, str]) -> int:
    count = 0
    for reference in [*root.iter(f"{_W}commentReference")]:
        run, words = reference.getparent(), comments.get(reference.get(f"{_W}id", ""))
        if words is None or run is None or run.getparent() is None:
            continue
        count += 1
        run.addnext(_run(f" [comment: {words}]"))
    return count


def _run(words: str) -> etree._Element:
    run = etree.Element(f"{_W}r")
    text = etree.SubElement(run, f"{_W}t")
    text.text = words
    text.set(_SPACE, "preserve")
    return run


def _with_main(data: bytes, main: bytes) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for info in source.infolist():
            # Names can occur twice in a damaged package; the reader takes the last one.
            content = main if info.filename == _MAIN else source.read(info)
            target.writestr(copy.copy(info), content)
    return out.getvalue()


_EDGES = re.compile(r"^word/(header|footer)\d*\.xml$")
_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => h2:fresh"
"""Beyond headings, which are known by themselves."""


def read_docx(data: bytes, limits: Limits) -> Extraction:
    """The document's content, without its layout."""
    names = check_package(data, limits)
    if _MAIN not in names:
        raise Unreadable("It is damaged: it has no document part.")
    # A reader takes up to 0.1 s to import, and a process that reads the other format needs none of it.
    import mammoth

    content = Content(limits)

    def source_of(image: Any) -> dict[str, str]:
        try:
            with image.open() as stream:
                return {"src": content.source_of(stream.read())}
        except (OSError, KeyError):
            return {"src": content.source_of(None)}

    data, notes = write_out_changes(data)
    converted = mammoth.convert_to_html(
        io.BytesIO(data),
        style_map=_STYLES,
        convert_image=mammoth.images.img_element(source_of),
        ignore_empty_paragraphs=True,
    )
    body = str(converted.value)
    edges = dict.fromkeys(part(data, name) for name in sorted(names) if _EDGES.match(name))
    for edge in edges:
        with suppress(etree.XMLSyntaxError, ValueError):
            words = "".join(node.text or "" for node in etree.fromstring(edge, _PARSER).iter(f"{_W}t"))
            line = f"\n<p>[header or footer] {escape(' '.join(words.split()))}</p>"
            body += line if words.strip() and line not in body else ""
    return content.extraction(body, *notes)


_DEEPEST_GROUP = 20
_MOST_CELLS = 20_000


def read_slides(data: bytes, limits: Limits) -> Extraction:
    """The presentation slide by slide, without its layout."""
    check_package(data, limits)
    from pptx import Presentation

    slides, content = list(Presentation(io.BytesIO(data)).slides), Content(limits)
    parts: list[str] = []
    for number, slide in enumerate(slides[: limits.pages], start=1):
        title = slide.shapes.title
        named = title is not None and title.has_text_frame
        words = " ".join(title.text_frame.text.split()) if named else ""
        hidden = " (hidden)" if slide.element.get("show") == "0" else ""
        heading = f"Slide {number}{hidden}{': ' + escape(words) if words else ''}"
        parts += ["<section>", f"<h2>{heading}</h2>"]
        for shape in slide.shapes:
            if title is None or shape.shape_id != title.shape_id:
                parts += _shape(shape, content, f"on slide {number}", 0)
        spoken = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if spoken is not None and spoken.text.strip():
            lines = "<br>".join(map(escape, spoken.text.strip().splitlines()))
            parts.append(f"<blockquote>Speaker notes: {lines}</blockquote>")
        parts.append("</section>")
    notes = []
    if len(slides) > limits.pages:
        notes.append(Limitation.FIRST_SLIDES_READ.text(total=len(slides), read=limits.pages))
    return content.extraction("\n".join(parts), *notes)


def _shape(shape: Any, content: Content, where: str, depth: int) -> Iterator[str]:
    from pptx.enum.shapes import MSO_SHAPE_TYPE

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


def _paragraphs(frame: Any) -> str:
    items = [(paragraph.level, "".join(run.text for run in paragraph.runs)) for paragraph in frame.paragraphs]
    items = [(level, words) for level, words in items if words.strip()]
    if len(items) == 1:
        return f"<p>{escape(items[0][1])}</p>"
    parts, depth = [], -1
    for level, words in items:
        while depth < level:
            parts.append("<ul>")
            depth += 1
        while depth > level:
            parts.append("</ul>")
            depth -= 1
        parts.append(f"<li>{escape(words)}</li>")
    return "".join(parts) + "</ul>" * (depth + 1)


def _table(rows: list[list[str]]) -> str:
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows[:_MOST_CELLS]]
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
    return f"<p>[chart] {escape(title)}</p>{_table(rows)}"
