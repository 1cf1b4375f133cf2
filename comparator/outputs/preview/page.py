"""HTML outputs: a page as its author wrote it, its pictures, and what our own extraction wrote as HTML."""

import base64
import re
from collections.abc import Sequence
from typing import NamedTuple

from turbohtml import rewrite as streaming

from comparator.domain.pair.view import PageEvidence, PagePicture
from comparator.outputs.extract.svg import is_bounded
from comparator.outputs.preview.document import NotShown, Preview, as_html, message
from comparator.outputs.preview.sanitise import Removed, Resolve, clean

SVG = "image/svg+xml"
_MOST_BYTES = 32_000_000
_BEFORE_ROOT = re.compile(r"\s*(?:<!--.*?-->\s*)*(?:<!doctype[^>]*>)?", re.IGNORECASE | re.DOTALL)
_HANDLER = re.compile(r"\son[a-z]{3,}\s*=", re.IGNORECASE)
_NOT_PROGRAMS = frozenset({"application/ld+json", "application/json", "text/plain", "text/html"})
_AHEAD = frozenset({"preconnect", "dns-prefetch", "prefetch", "prerender", "modulepreload", "preload"})
"""Relations by which a browser connects to what nobody asked for; not every browser lets a policy forbid it."""
_FRAMES_DEEP = 3
_AROUND_DRAWING = (
    b'<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body style="margin: 0; background: #fff">'
)


class ForeignPage(NamedTuple):
    """An output's own page, ready to be served."""

    markup: bytes
    """UTF-8."""
    start: int
    """The byte at which a script comes before everything of the page, and leaves its document type in force."""
    has_scripts: bool
    is_bounded: bool = False
    """Whether a drawing may stand in documents of ours, too."""


def own_page(data: bytes, media_type: str) -> ForeignPage:
    """An output's own page or drawing. Raises NotShown."""
    return foreign_drawing(data) if media_type == SVG else foreign_page(data)


def foreign_page(data: bytes) -> ForeignPage:
    """The page without redirects, connections made ahead and a policy of its own; nothing else is changed.

    Raises NotShown.
    """
    if len(data) > _MOST_BYTES:
        raise NotShown("This page is too large to be opened.")
    text = data.decode("utf-8", "replace")
    has_scripts = _HANDLER.search(text) is not None

    def script(element: streaming.Element) -> None:
        nonlocal has_scripts
        has_scripts |= (element.get("type") or "").split(";")[0].strip().lower() not in _NOT_PROGRAMS

    def link(element: streaming.Element) -> None:
        if _AHEAD & set((element.get("rel") or "").lower().split()):
            element.remove()

    def meta(element: streaming.Element) -> None:
        if (element.get("http-equiv") or "").strip().lower() in ("refresh", "content-security-policy"):
            element.remove()

    def rewritten(markup: str, depth: int) -> str:
        def frame(element: streaming.Element) -> None:
            inner = element.get("srcdoc") or ""
            within = rewritten(inner, depth + 1) if depth < _FRAMES_DEEP else ""
            if within != inner:
                element.set_attribute("srcdoc", within)

        handlers = [("script", script), ("link", link), ("meta", meta), ("iframe", frame)]
        return streaming.rewrite(markup, elements=handlers)

    markup = rewritten(text, 0)
    before = _BEFORE_ROOT.match(markup)
    start = len(markup[: before.end() if before else 0].encode())
    return ForeignPage(markup.encode(), start, has_scripts)


def foreign_drawing(data: bytes) -> ForeignPage:
    """The same of an SVG drawing, which was rebuilt when it was read: in an XHTML page, so that it scrolls and grows.

    Raises NotShown for what is none.
    """
    root = re.search(rb"<svg\b[^>]*>", data)
    if root is None:
        raise NotShown("This drawing is empty.")
    has_scripts = b"<script" in data or _HANDLER.search(data.decode("utf-8", "replace")) is not None
    markup = _AROUND_DRAWING + data[root.start() :].strip() + b"</body></html>"
    return ForeignPage(markup, _AROUND_DRAWING.index(b"</head>"), has_scripts, is_bounded(data))


def render_extracted(data: bytes, *, resolve: Resolve, css: str) -> Preview:
    """A document or slides that came as HTML from our own extraction, in our own typography for `css`."""
    removed = Removed()
    text = data.decode("utf-8", "replace")
    body = clean(text, resolve=resolve, removed=removed)
    return Preview(f'<div class="{css}">{body}</div>', removed.notes())


_STYLE = """<style>
body { padding: 0; }
.said { padding: 8px 14px; border-bottom: 1px solid var(--line); font-size: 13px; }
.said h2 { font-size: 13px; margin: 0 0 2px; } .said ul { margin: 0 0 8px; } .said p { margin: 0 0 6px; }
.said li { overflow-wrap: anywhere; }
.shot { padding: 14px; background: var(--raised); }
.shot img { display: block; margin: 0 auto; max-width: 100%; border: solid var(--line); border-width: 0 1px; }
.shot img:first-of-type { border-top-width: 1px; } .shot img:last-of-type { border-bottom-width: 1px; }
.shot p { text-align: center; color: var(--soft); font-size: 13px; margin: 8px 0; }
</style>"""


def picture_page(evidence: PageEvidence, *, notes: Sequence[str]) -> Preview:
    """Pictures at all widths, below what was not loaded and what went wrong."""
    shots = "".join(map(_shot, evidence.pictures)) or message("There is no picture of this page.")
    return Preview(_STYLE + _browser_messages(evidence) + shots, tuple(notes))


def _browser_messages(evidence: PageEvidence) -> str:
    parts = [f"<p>{as_html(evidence.problem)}</p>"] if evidence.problem else []
    for title, lines in (("Not loaded", evidence.not_loaded), ("Errors when it was opened", evidence.errors)):
        if lines:
            parts.append(f"<h2>{title}</h2><ul>{''.join(f'<li>{as_html(line)}</li>' for line in lines)}</ul>")
    return f'<div class="said">{"".join(parts)}</div>' if parts else ""


def _shot(picture: PagePicture) -> str:
    count = len(picture.tiles)
    images = "".join(
        f'<img src="data:{tile.media_type};base64,{base64.b64encode(tile.data).decode("ascii")}" '
        f'alt="The page {picture.width} pixels wide, part {number} of {count}">'
        for number, tile in enumerate(picture.tiles, 1)
    )
    below = (
        f"<p>The first {picture.shown:,} of {picture.height:,} pixels are shown.</p>"
        if picture.is_cut
        else ""
    )
    beyond = (
        f"<p>The page is {picture.across:,} pixels wide: it is scrolled sideways to see the rest.</p>"
        if picture.across > picture.width
        else ""
    )
    width = f"<p data-skip>{picture.device.capitalize()} width ({picture.width} pixels)</p>"
    return f'<div class="shot">{width}{images}{below}{beyond}</div>'
