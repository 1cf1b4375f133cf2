"""ODT and ODP: headings, lists, tables, comments and slides as HTML for the reviewer and as Markdown for the judge."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from comparator.outputs.extract.ooxml import Content, html_text, part
from comparator.outputs.isolated.results import Extraction, Unreadable
from comparator.outputs.limits import Limits

_NS = "urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TEXT, _TABLE, _DRAW = (f"{{{_NS}{name}:1.0}}" for name in ("office", "text", "table", "drawing"))
_PRESENTATION = f"{{{_NS}presentation:1.0}}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_DEEPEST = 60
_MOST_REPEATED = 50
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True)


def read(data: bytes, limits: Limits) -> Extraction:
    """The document's content, without its layout. Raises Unreadable."""
    root = etree.fromstring(part(data, "content.xml"), _PARSER)
    content = Content(limits)
    body = root.find(f"{_OFFICE}body")
    return content.extraction("\n".join(_Reader(data, content).blocks(body, 0)) if body is not None else "")


class _Reader:
    def __init__(self, data: bytes, content: Content) -> None:
        self._data, self._content = data, content
        self._slides = 0

    def blocks(self, parent: etree._Element, depth: int) -> Iterator[str]:
        """The blocks below an element, as HTML."""
        if depth > _DEEPEST:
            raise Unreadable("It is nested too deeply to be read.")
        for child in parent:
            match child.tag:
                case tag if tag == f"{_TEXT}h":
                    level = min(max(int(child.get(f"{_TEXT}outline-level") or 1), 1), 6)
                    yield f"<h{level}>{self._inline(child)}</h{level}>"
                case tag if tag == f"{_TEXT}p":
                    words = self._inline(child)
                    if words.strip():
                        yield f"<p>{words}</p>"
                    yield from self._framed(child, depth)
                case tag if tag == f"{_TEXT}list":
                    items = ("".join(self.blocks(item, depth + 1)) for item in child)
                    yield f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
                case tag if tag == f"{_TABLE}table":
                    yield self._table(child, depth)
                case tag if tag == f"{_DRAW}page":
                    self._slides += 1
                    yield f"<section><h2>Slide {self._slides}</h2>"
                    yield from self.blocks(child, depth + 1)
                    yield "</section>"
                case tag if tag == f"{_PRESENTATION}notes":
                    words = " ".join("".join(p.itertext()) for p in child.iter(f"{_TEXT}p")).strip()
                    if words:
                        yield f"<blockquote>Speaker notes: {html_text(words)}</blockquote>"
                case tag if tag == f"{_DRAW}image":
                    yield self._picture(child)
                case tag if tag in (f"{_TEXT}tracked-changes", f"{_OFFICE}forms", f"{_TEXT}sequence-decls"):
                    pass
                case _:
                    yield from self.blocks(child, depth + 1)

    def _framed(self, paragraph: etree._Element, depth: int) -> Iterator[str]:
        for frame in paragraph.iter(f"{_DRAW}frame", f"{_DRAW}custom-shape"):
            yield from self.blocks(frame, depth + 1)

    def _inline(self, element: etree._Element) -> str:
        out = [html_text(element.text or "")]
        for child in element:
            match etree.QName(child).localname if isinstance(child.tag, str) else "":
                case "s":
                    out.append(" " * min(int(child.get(f"{_TEXT}c") or 1), 100))
                case "tab":
                    out.append(" ")
                case "line-break":
                    out.append("<br>")
                case "annotation":
                    words = " / ".join("".join(p.itertext()) for p in child.iter(f"{_TEXT}p"))
                    out.append(html_text(f" [comment: {words}]"))
                case "note":
                    words = " ".join("".join(p.itertext()) for p in child.iter(f"{_TEXT}p"))
                    out.append(html_text(f" [note: {words}]"))
                case "frame" | "custom-shape" | "annotation-end":
                    pass
                case _:
                    out.append(self._inline(child))
            out.append(html_text(child.tail or ""))
        return "".join(out)

    def _table(self, table: etree._Element, depth: int) -> str:
        rows = []
        for row in table.iter(f"{_TABLE}table-row"):
            cells = []
            for cell in row:
                if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                    continue
                inner = "<br>".join(self.blocks(cell, depth + 1))
                repeated = int(cell.get(f"{_TABLE}number-columns-repeated") or 1)
                cells += [f"<td>{inner}</td>"] * min(repeated, _MOST_REPEATED)
            rows.append(f"<tr>{''.join(cells)}</tr>")
        return f"<table>{''.join(rows)}</table>"

    def _picture(self, image: etree._Element) -> str:
        data = part(self._data, (image.get(_HREF) or "").removeprefix("./"))
        return f'<p><img src="{self._content.source_of(data)}" alt="picture"></p>'
