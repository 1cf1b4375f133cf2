"""DOCX: headings, lists, tables and pictures; comments and changes as words in their places, without their authors."""

from __future__ import annotations

import copy
import io
import re
import zipfile
from typing import Any

import mammoth
from lxml import etree

from comparator.domain.counted import counted
from comparator.outputs.extract.ooxml import Content, check, html_text, part
from comparator.outputs.isolated.results import Extraction, Unreadable
from comparator.outputs.limits import Limits

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAIN, _COMMENTS = "word/document.xml", "word/comments.xml"
_CHANGES = {"ins": "inserted", "del": "deleted", "moveFrom": "moved away", "moveTo": "moved here"}
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)


def written_out(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The document with every comment and change as words in brackets, and a sentence on each kind that it has."""
    try:
        root = etree.fromstring(part(data, _MAIN), _PARSER)
        comments = _comments(part(data, _COMMENTS))
    except etree.XMLSyntaxError:
        # Whether it can be read at all is not decided here.
        return data, ()
    changed = _changes(root)
    commented = _commented(root, comments)
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
    found = {}
    for comment in etree.fromstring(xml, _PARSER).iter(f"{_W}comment"):
        paragraphs = ("".join(t.text or "" for t in p.iter(f"{_W}t")) for p in comment.iter(f"{_W}p"))
        found[comment.get(f"{_W}id", "")] = " / ".join(words for words in paragraphs if words.strip())
    return found


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


def _commented(root: etree._Element, comments: dict[str, str]) -> int:
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


def read(data: bytes, limits: Limits) -> Extraction:
    """The document's content, without its layout."""
    names = check(data, limits)
    if _MAIN not in names:
        raise Unreadable("It is damaged: it has no document part.")
    content = Content(limits)

    def source_of(image: Any) -> dict[str, str]:
        try:
            with image.open() as stream:
                return {"src": content.source_of(stream.read())}
        except (OSError, KeyError):
            return {"src": content.source_of(None)}

    data, notes = written_out(data)
    converted = mammoth.convert_to_html(
        io.BytesIO(data),
        style_map=_STYLES,
        convert_image=mammoth.images.img_element(source_of),
        ignore_empty_paragraphs=True,
    )
    body = str(converted.value)
    edges = [text for name in sorted(names) if _EDGES.match(name) and (text := _words(part(data, name)))]
    for text in dict.fromkeys(edges):
        body += f"\n<p>[header or footer] {html_text(text)}</p>"
    return content.extraction(body, *notes)


def _words(xml: bytes) -> str:
    try:
        root = etree.fromstring(xml, _PARSER)
    except (etree.XMLSyntaxError, ValueError):
        return ""
    return " ".join("".join(node.text or "" for node in root.iter(f"{_W}t")).split())
