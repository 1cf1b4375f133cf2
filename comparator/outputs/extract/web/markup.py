"""The source of HTML, rebuilt tag by tag: no comment, generator, author or other metadata survives."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_META = frozenset(
    {"viewport", "description", "keywords", "theme-color", "color-scheme", "robots", "referrer"}
)
_META_HTTP = frozenset(
    {"refresh", "content-security-policy", "default-style", "x-ua-compatible", "content-language"}
)
_META_PROPERTY = frozenset({"og:title", "og:description", "og:type", "og:image", "og:url", "og:locale"})
_LINKS_WORDS = """
    stylesheet icon shortcut apple-touch-icon mask-icon preload prefetch preconnect dns-prefetch
    modulepreload canonical alternate manifest next prev search help license
"""
_LINKS = frozenset(_LINKS_WORDS.split())
_LEFT_AWAY = frozenset({"metadata", "xml"})
_STRUCTURED_DATA = frozenset({"application/ld+json", "text/turtle", "application/rdf+xml"})
_RAW = frozenset({"script", "style"})
_TELLING_ATTRIBUTE = re.compile(
    r"(generator|author|creator|producer|docname|export|sodipodi|inkscape|sourcefile)"
)
_NAME = re.compile(r"^[a-z_@:*\[(#v][\w.:@*\[\]()#-]*$", re.IGNORECASE)
_TAG = re.compile(r"^[a-z][a-z0-9-]*$")


def rebuild(source: str) -> tuple[str, int]:
    """The source without what is not part of the page, and how many parts were left away."""
    rebuilder = _Rebuilder()
    rebuilder.feed(source)
    rebuilder.close()
    return "".join(rebuilder.parts), rebuilder.left_away


class _Rebuilder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.left_away = 0
        self._raw = False
        self._skipping: str | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, closed=False)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, attrs, closed=True)

    def handle_endtag(self, tag: str) -> None:
        if self._skipping is not None:
            if tag == self._skipping:
                self._depth -= 1
                if self._depth == 0:
                    self._skipping = None
            return
        if tag in _RAW:
            self._raw = False
        if _TAG.match(tag):
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._skipping is None:
            self.parts.append(data if self._raw else _text(data))

    def handle_comment(self, data: str) -> None:  # noqa: ARG002 - the name is HTMLParser's
        self.left_away += 1

    def handle_decl(self, decl: str) -> None:
        if decl.lower().startswith("doctype"):
            self.parts.append("<!doctype html>" if "html" in decl.lower() else "")

    def handle_pi(self, data: str) -> None:  # noqa: ARG002 - the name is HTMLParser's
        self.left_away += 1

    def unknown_decl(self, data: str) -> None:  # noqa: ARG002 - the name is HTMLParser's
        self.left_away += 1

    def _start(self, tag: str, attrs: list[tuple[str, str | None]], *, closed: bool) -> None:
        if self._skipping is not None:
            self._depth += tag == self._skipping and not closed
            return
        values = {name: value or "" for name, value in attrs}
        if _is_metadata(tag, values):
            self.left_away += 1
            container = tag not in ("meta", "link") and not closed
            if container:
                self._skipping, self._depth = tag, 1
            return
        if not _TAG.match(tag):
            self.left_away += 1
            return
        if tag == "meta" and "charset" in values:
            attrs = [("charset", "utf-8")]
        kept = [(name, value) for name, value in attrs if _NAME.match(name) and not _telling(name)]
        self.left_away += len(attrs) - len(kept)
        written = "".join(
            f" {name}" if value is None else f' {name}="{_value(value)}"' for name, value in kept
        )
        self.parts.append(f"<{tag}{written}{' /' if closed else ''}>")
        self._raw = tag in _RAW and not closed


def _is_metadata(tag: str, values: dict[str, str]) -> bool:
    if tag == "meta":
        return not (
            "charset" in values
            or values.get("name", "").lower() in _META
            or values.get("http-equiv", "").lower() in _META_HTTP
            or values.get("property", "").lower() in _META_PROPERTY
        )
    if tag == "link":
        return not set(values.get("rel", "").lower().split()) & _LINKS
    if tag == "script":
        return values.get("type", "").lower().strip() in _STRUCTURED_DATA
    return tag in _LEFT_AWAY or tag.startswith("rdf:")


def _telling(name: str) -> bool:
    return (":" in name and name.startswith(("inkscape", "sodipodi", "xmlns", "dc", "cc", "rdf"))) or (
        name.startswith("data-") and _TELLING_ATTRIBUTE.search(name) is not None
    )


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _value(text: str) -> str:
    return _text(text).replace('"', "&quot;")
