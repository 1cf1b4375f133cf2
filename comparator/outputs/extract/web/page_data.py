"""What a page says beside what is seen of it: title, meta, Open Graph, JSON-LD, microdata, links and comments."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import turbohtml
from turbohtml import Comment, Element

from comparator.outputs.extract.web.markup import neutral_value
from comparator.outputs.isolated.results import PageData

MOST_ENTRIES = 200
MOST_CHARACTERS = 8_000
"""Of one entry; twice what a judge is given, so that a name which the end cuts in two is never shown."""

_LINKS = frozenset(
    {"canonical", "alternate", "author", "license", "manifest", "icon", "next", "prev", "search", "help"}
)
_LINKED_DATA = frozenset({"application/ld+json", "text/turtle", "application/rdf+xml"})
_SOCIAL = ("og:", "twitter:", "article:", "fb:", "book:", "profile:", "product:", "music:", "video:")
_VALUES = ("content", "href", "src", "datetime", "value")


_Entry = tuple[str, str, str]


def page_data(source: str) -> PageData:
    """The page data of an HTML source in document order, without the rest of very long entries."""
    return tuple(
        (kind, name, value if len(value) <= MOST_CHARACTERS else f"{value[: MOST_CHARACTERS - 1]}…")
        for kind, name, value in itertools.islice(_entries(source), MOST_ENTRIES)
    )


def _entries(source: str) -> Iterator[_Entry]:
    for node in turbohtml.parse(source).descendants:
        if isinstance(node, Comment):
            if words := node.data.strip():
                yield "Comment", "", words
        elif isinstance(node, Element):
            yield from _of(node)


def _of(node: Element) -> Iterator[_Entry]:
    match node.tag:
        case "html" if language := node.attr("lang"):
            yield "Language", "", language
        case "title" if node.parent is not None and getattr(node.parent, "tag", "") == "head":
            yield "Title", "", node.text.strip()
        case "meta":
            yield from _meta(node)
        case "link":
            for relation in (node.attr("rel") or "").lower().split():
                if relation in _LINKS and (address := node.attr("href")):
                    yield "Link", relation, address
        case "script" if (node.attr("type") or "").split(";")[0].strip().lower() in _LINKED_DATA:
            kind = "JSON-LD" if "json" in (node.attr("type") or "").lower() else "Linked data"
            yield kind, "", node.text.strip()
    if node.tag != "meta" and (name := node.attr("itemprop") or node.attr("property")):
        yield "Microdata" if node.attr("itemprop") else "RDFa", name, neutral_value(name) or _value(node)
    if node.attr("itemscope") is not None and (item := node.attr("itemtype")):
        yield "Microdata", "itemtype", item


def _meta(node: Element) -> Iterator[_Entry]:
    if node.attr("charset") is not None:
        return
    name = (
        node.attr("property") or node.attr("name") or node.attr("http-equiv") or node.attr("itemprop") or ""
    )
    content = node.attr("content")
    if name and content is not None:
        yield "Open Graph" if name.lower().startswith(_SOCIAL) else "Meta", name, content


def _value(node: Element) -> str:
    if node.attr("itemscope") is not None:
        return "(an item)"
    found = next((value for name in _VALUES if (value := node.attr(name)) is not None), None)
    return " ".join((node.text if found is None else found).split())
