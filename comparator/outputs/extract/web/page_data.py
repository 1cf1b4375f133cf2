"""What a page says beside what is seen of it: title, meta, Open Graph, JSON-LD, microdata, links and comments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

import turbohtml
from turbohtml import Comment, Element

MOST_ENTRIES = 200
MOST_CHARACTERS = 4_000
"""Of one entry."""

_LINKS = frozenset(
    {"canonical", "alternate", "author", "license", "manifest", "icon", "next", "prev", "search", "help"}
)
_LINKED_DATA = frozenset({"application/ld+json", "text/turtle", "application/rdf+xml"})
_SOCIAL = ("og:", "twitter:", "article:", "fb:", "book:", "profile:", "product:", "music:", "video:")
_VALUES = ("content", "href", "src", "datetime", "value")


class PageDatum(NamedTuple):
    """One entry: its kind as people call it, its name where it has one, and its value."""

    kind: str
    name: str
    value: str


def page_data(source: str) -> tuple[PageDatum, ...]:
    """The page data of an HTML source in document order, each entry cut to a readable length."""
    entries: list[PageDatum] = []
    for entry in _entries(source):
        if len(entries) == MOST_ENTRIES:
            break
        value = (
            entry.value if len(entry.value) <= MOST_CHARACTERS else f"{entry.value[: MOST_CHARACTERS - 1]}…"
        )
        entries.append(entry._replace(value=value))
    return tuple(entries)


def _entries(source: str) -> Iterator[PageDatum]:
    for node in turbohtml.parse(source).descendants:
        if isinstance(node, Comment):
            if words := node.data.strip():
                yield PageDatum("Comment", "", words)
        elif isinstance(node, Element):
            yield from _of(node)


def _of(node: Element) -> Iterator[PageDatum]:
    match node.tag:
        case "html" if language := node.attr("lang"):
            yield PageDatum("Language", "", language)
        case "title" if node.parent is not None and getattr(node.parent, "tag", "") == "head":
            yield PageDatum("Title", "", node.text.strip())
        case "meta":
            yield from _meta(node)
        case "link":
            for relation in (node.attr("rel") or "").lower().split():
                if relation in _LINKS and (address := node.attr("href")):
                    yield PageDatum("Link", relation, address)
        case "script" if (node.attr("type") or "").split(";")[0].strip().lower() in _LINKED_DATA:
            yield PageDatum(
                "JSON-LD" if "json" in (node.attr("type") or "").lower() else "Linked data",
                "",
                _tidy(node.text),
            )
    if node.tag != "meta" and (name := node.attr("itemprop") or node.attr("property")):
        yield PageDatum("Microdata" if node.attr("itemprop") else "RDFa", name, _value(node))
    if node.attr("itemscope") is not None and (item := node.attr("itemtype")):
        yield PageDatum("Microdata", "itemtype", item)


def _meta(node: Element) -> Iterator[PageDatum]:
    if node.attr("charset") is not None:
        return
    name = (
        node.attr("property") or node.attr("name") or node.attr("http-equiv") or node.attr("itemprop") or ""
    )
    content = node.attr("content")
    if name and content is not None:
        yield PageDatum("Open Graph" if name.lower().startswith(_SOCIAL) else "Meta", name, content)


def _value(node: Element) -> str:
    if node.attr("itemscope") is not None:
        return "(an item)"
    found = next((value for name in _VALUES if (value := node.attr(name)) is not None), None)
    return " ".join((node.text if found is None else found).split())


def _tidy(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text.strip()
