"""The source of SVG, rebuilt from what draws; and whether a drawing repeats its parts more often than can be drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from comparator.outputs.isolated.messages import Unreadable

MOST = 200_000
"""A drawing of more parts is not drawn: so many plain shapes take Chromium some 5 seconds."""
_DEEPEST_REFERENCE = 300
_NAMED = re.compile(r"url\(\s*[\"']?#([^\"')\s]+)")
_REFERRED = re.compile(r"#([^\s\"'();,#]+)")
_LINKS = frozenset({"a", "lineargradient", "radialgradient"})
_MOVING = frozenset({"animate", "animatemotion", "animatetransform", "set"})
_COSTS = {"feturbulence": MOST + 1, **dict.fromkeys(_MOVING, 20)}
"""What counts for more than a shape: noise, and what moves, which is drawn anew all the time."""
_FILTER = 400
"""What a step of a filter counts for: it goes over every pixel."""


if TYPE_CHECKING:
    from xml.etree.ElementTree import Element  # noqa: TID251 - a name for the type; parsing is defusedxml's

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_XHTML = "http://www.w3.org/1999/xhtml"
_LEFT_AWAY = frozenset({"metadata"})
_ATTRIBUTES = {
    f"{{{_XLINK}}}href": "xlink:href",
    f"{{{_XML}}}space": "xml:space",
    f"{{{_XML}}}lang": "xml:lang",
}
_DEEPEST = 200
_NAME = re.compile(r"^[A-Za-z_][\w.-]*$")


class MalformedDrawing(Unreadable):
    """A drawing that is no well-formed XML."""


class Drawing(NamedTuple):
    """A rebuilt SVG, and how many parts were left away."""

    text: str
    left_away: int


def rebuild(data: bytes) -> Drawing:
    """The source of a drawing, rebuilt. Raises Unreadable, MalformedDrawing for what is no XML."""
    root = _parsed(data)
    parts: list[str] = []
    left_away = _write(root, parts, depth=0)
    return Drawing("".join(parts) + "\n", left_away)


def is_bounded(data: bytes) -> bool:
    """Whether a drawing may stand in a document of ours: it repeats its parts no more often than can be drawn.

    A reference counts as often as its target has parts, for each part of the element that refers.
    """
    try:
        root = _parsed(data)
    except Unreadable:
        return False
    ids = {element.get("id"): element for element in reversed([*root.iter()])}
    costs: dict[Element, int] = {}

    def cost(element: Element, depth: int) -> int:
        if depth > _DEEPEST_REFERENCE:
            return MOST + 1
        if element not in costs:
            # What is used within itself is drawn by no browser, and cannot be counted.
            costs[element] = MOST + 1
            tag = _tag(element)
            own = _COSTS.get(tag, _FILTER if tag.startswith("fe") else 1)
            own += sum(cost(child, depth + 1) for child in element)
            targets = [
                ids[name]
                for key, value in (element.attrib.items() if tag not in _LINKS else ())
                for name in (_REFERRED if key.endswith("href") != (tag in _MOVING) else _NAMED).findall(value)
                if name in ids and _tag(ids[name]) not in _LINKS
            ]
            costs[element] = min(own * (1 + sum(cost(target, depth + 1) for target in targets)), MOST + 1)
        return costs[element]

    # What a style sheet repeats is not counted: such a drawing is looked at by itself.
    styles = (element.text or "" for element in root.iter() if _tag(element) == "style")
    return not any("\\" in text or _NAMED.search(text) for text in styles) and cost(root, 0) <= MOST


def _tag(element: Element) -> str:
    return _split(element.tag)[1].lower()


def _parsed(data: bytes) -> Element:
    try:
        root: Element = ElementTree.fromstring(
            data, forbid_dtd=False, forbid_entities=True, forbid_external=True
        )
    except DefusedXmlException as error:
        raise Unreadable("It declares entities, which can grow without bound; it is not read.") from error
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise MalformedDrawing(
            "It is not well-formed XML and cannot be drawn; its source is shown."
        ) from error
    if _split(root.tag) not in ((_SVG, "svg"), ("", "svg")):
        raise Unreadable("It holds no drawing: the outermost element is not svg.")
    return root


def _write(element: Element, parts: list[str], *, depth: int) -> int:
    namespace, tag = _split(element.tag)
    if depth > _DEEPEST:
        raise Unreadable("It is nested too deeply to be read.")
    if namespace not in (_SVG, _XHTML, "") or tag in _LEFT_AWAY or not _NAME.match(tag):
        return 1
    left_away = 0
    parts.append(f"<{tag}")
    if depth == 0:
        parts.append(f' xmlns="{_SVG}" xmlns:xlink="{_XLINK}"')
    elif namespace == _XHTML:
        parts.append(f' xmlns="{_XHTML}"')
    for key, value in element.attrib.items():
        written = _attribute(key)
        # A part of another file is refused by browsers across origins, and some ask for it first.
        elsewhere = tag == "use" and _split(key)[1] == "href" and not value.lstrip().startswith("#")
        if written is None or elsewhere:
            left_away += 1
        else:
            parts.append(f' {written}="{_escaped(value)}"')
    children = list(element)
    if not children and not element.text:
        parts.append("/>")
        return left_away
    parts.append(">" + _escaped(element.text or ""))
    for child in children:
        if isinstance(child.tag, str):
            left_away += _write(child, parts, depth=depth + 1)
        parts.append(_escaped(child.tail or ""))
    parts.append(f"</{tag}>")
    return left_away


def _attribute(key: str) -> str | None:
    if key in _ATTRIBUTES:
        return _ATTRIBUTES[key]
    namespace, name = _split(key)
    if namespace or name.startswith("data-") or not _NAME.match(name):
        return None
    return name


def _split(tag: str) -> tuple[str, str]:
    if tag.startswith("{"):
        namespace, _, name = tag[1:].partition("}")
        return namespace, name
    return "", tag


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
