"""DOCX: headings, lists, tables and pictures as HTML for the reviewer and as Markdown for the judge."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

import mammoth
from defusedxml import ElementTree

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.office import opendocument
from comparator.outputs.extract.office.ooxml import check, html_document, html_text, part
from comparator.outputs.extract.office.revisions import written_out
from comparator.outputs.extract.web.html_text import markdown_from
from comparator.outputs.isolated.results import Copy, Extraction, Picture, ReadLimits, Unreadable

_WORDS = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_EDGES = re.compile(r"^word/(header|footer)\d*\.xml$")
_MAIN = "word/document.xml"
_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => h2:fresh"
"""Beyond headings, which are known by themselves."""


def read(data: bytes, limits: ReadLimits) -> Extraction:
    """The document's content, without its layout."""
    names = check(data, limits)
    if "content.xml" in names:
        return opendocument.read(data, limits)
    if _MAIN not in names:
        raise Unreadable("It is damaged: it has no document part.")
    pictures = _Pictures(limits)
    data, notes = written_out(data)
    converted = mammoth.convert_to_html(
        io.BytesIO(data),
        style_map=_STYLES,
        convert_image=mammoth.images.img_element(pictures.convert),
        ignore_empty_paragraphs=True,
    )
    body = str(converted.value)
    edges = [text for name in sorted(names) if _EDGES.match(name) and (text := _words(part(data, name)))]
    for text in dict.fromkeys(edges):
        body += f"\n<p>[header or footer] {html_text(text)}</p>"
    if pictures.unread:
        notes += (NoteKind.PICTURES_UNREAD.text(unread=pictures.unread),)
    text_source = re.sub(r'src="data:[^"]*"', "", body)
    return Extraction(
        text=markdown_from(text_source),
        pictures=tuple(pictures.found[: limits.pictures]),
        copy=Copy("text/html", html_document(body).encode("utf-8", "replace")),
        wordless=bool(pictures.found),
        notes=notes,
    )


class _Pictures:
    def __init__(self, limits: ReadLimits) -> None:
        self.found: list[Picture] = []
        self.unread = 0
        self._limits = limits

    def convert(self, image: Any) -> dict[str, str]:
        try:
            with image.open() as stream:
                picture = rebuild(stream.read(), self._limits, side=self._limits.side_judged).picture
        except (Unreadable, OSError, KeyError):
            self.unread += 1
            return {"src": "data:,"}
        number = len(self.found) + 1
        self.found.append(Picture(picture.media_type, picture.data, f"picture {number}"))
        encoded = base64.b64encode(picture.data).decode()
        return {"src": f"data:{picture.media_type};base64,{encoded}"}


def _words(xml: bytes) -> str:
    try:
        root = ElementTree.fromstring(xml)
    except (ElementTree.ParseError, ValueError):
        return ""
    return " ".join("".join(node.text or "" for node in root.iter(f"{_WORDS}t")).split())
