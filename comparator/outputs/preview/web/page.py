"""An HTML output as the page it is: its own document, inert, without its scripts and without what lies elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence

from turbohtml import Element, Text

from comparator.outputs.child.extraction import PageData
from comparator.outputs.extract.web.page_data import page_data
from comparator.outputs.preview.document import Preview
from comparator.outputs.preview.text import as_utf8
from comparator.outputs.preview.web.addresses import is_elsewhere
from comparator.outputs.preview.web.inert import TakenAway, inert
from comparator.outputs.preview.web.sanitise import Removed, Resolve, clean
from comparator.outputs.preview.web.shadow import is_shadow, parsed

_MOST_BYTES = 5_000_000
_UNSEEN = frozenset({"head", "script", "style", "template", "noscript", "title"})
_SEEN = frozenset(
    {"img", "svg", "hr", "input", "button", "textarea", "select", "meter", "progress", "iframe", "math"}
)


def render_page(data: bytes, *, resolve: Resolve, pictured: bool, sheets: Sequence[str] = ()) -> Preview:
    """The page's own document, inert; `resolve` knows the files that it gets, of which `sheets` are style sheets.

    `pictured` where there is a picture of it with its scripts. Raises NotShown.
    """
    text = as_utf8(data[:_MOST_BYTES]).decode("utf-8", "replace")
    taken = TakenAway()
    if len(data) > _MOST_BYTES:
        taken.messages.append("Only the first 5 MB are shown.")

    def has(address: str) -> bool:
        return not is_elsewhere(address) and resolve(address) is not None

    document = inert(text, has=has, taken=taken, sheets=sheets)
    if not _shows_anything(document):
        taken.messages.append("There is no text and no picture on this page as it is shown here.")
    return Preview(document, taken.notes(pictured=pictured), plain=False, data=_readable(page_data(text)))


def _readable(data: PageData) -> PageData:
    """The entries with linked data in lines."""
    return tuple((kind, name, _tidy(value) if kind == "JSON-LD" else value) for kind, name, value in data)


def _tidy(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text


def _shows_anything(document: str) -> bool:
    # Without recursion: a page may be nested as deep as it likes.
    waiting = list(parsed(document).children)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Text) and node.data.strip():
            return True
        if isinstance(node, Element) and is_shadow(node):
            return True
        if isinstance(node, Element) and node.tag not in _UNSEEN:
            if node.tag in _SEEN:
                return True
            waiting += node.children
    return False


def render_extracted(data: bytes, *, resolve: Resolve, css: str) -> Preview:
    """A document or slides that came as HTML from our own extraction, in our own typography for `css`."""
    removed = Removed()
    text = as_utf8(data).decode("utf-8", "replace")
    # Slides carry the places of their boxes, which our own extraction wrote.
    body = clean(text, resolve=resolve, removed=removed, styled=css == "pptx")
    body = body.replace("<table", '<div class="scroll"><table').replace("</table>", "</table></div>")
    return Preview(f'<div class="{css}">{body}</div>', removed.notes())
