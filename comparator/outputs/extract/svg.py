"""The source of SVG, rebuilt from what draws; and whether a drawing repeats its parts more often than can be drawn."""

import re
from typing import NamedTuple

from lxml import etree

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


_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_DRAWN = {_SVG, "http://www.w3.org/1999/xhtml", None}
"""Namespaces of elements that a browser draws."""
_ATTRIBUTES = {_XLINK, "http://www.w3.org/XML/1998/namespace", None}
_PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
)


class MalformedDrawing(Unreadable):
    """A drawing that is no well-formed XML."""


class Drawing(NamedTuple):
    """A rebuilt SVG, and whether anything was left away."""

    text: str
    is_changed: bool


def rebuild(data: bytes) -> Drawing:
    """The source of a drawing, rebuilt. Raises Unreadable, MalformedDrawing for what is no XML."""
    root = _parsed(data)
    elements = {
        element.tag
        for element in root.iter()
        if etree.QName(element).namespace not in _DRAWN or _tag(element) == "metadata"
    }
    etree.strip_elements(root, *elements, with_tail=False)
    attributes = {
        key
        for element in root.iter()
        for key in element.attrib
        if etree.QName(key).namespace not in _ATTRIBUTES or key.startswith("data-")
    }
    etree.strip_attributes(root, *attributes)
    for use in root.iter(f"{{{_SVG}}}use"):
        for key, value in use.attrib.items():
            # A part of another file is refused by browsers across origins, and some ask for it first.
            if key.endswith("href") and not value.lstrip().startswith("#"):
                del use.attrib[key]
    for element in root.iter():
        if etree.QName(element).namespace is None:
            element.tag = f"{{{_SVG}}}{element.tag}"
    # Below a new root each namespace has the prefix that everybody knows.
    drawing = etree.Element(root.tag, dict(root.attrib), nsmap={None: _SVG, "xlink": _XLINK})
    drawing.text = root.text
    drawing.extend(list(root))
    etree.cleanup_namespaces(drawing, keep_ns_prefixes=["xlink"])
    return Drawing(f"{etree.tostring(drawing, encoding='unicode')}\n", bool(elements or attributes))


def is_bounded(data: bytes) -> bool:
    """Whether a drawing may stand in a document of ours: it repeats its parts no more often than can be drawn.

    A reference counts as often as its target has parts, for each part of the element that refers.
    """
    try:
        root = _parsed(data)
    except Unreadable:
        return False
    ids = {element.get("id"): element for element in reversed([*root.iter()])}
    costs: dict[etree._Element, int] = {}

    def cost(element: etree._Element, depth: int) -> int:
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


def _tag(element: etree._Element) -> str:
    return str(etree.QName(element).localname).lower()


def _parsed(data: bytes) -> etree._Element:
    # UTF-16 hides a declaration from a search for its bytes.
    if b"<!ENTITY" in data.replace(b"\0", b"").upper():
        raise Unreadable("It declares entities, which can grow without bound; it is not read.")
    try:
        root = etree.fromstring(data, _PARSER)
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise MalformedDrawing(
            "It is not well-formed XML and cannot be drawn; its source is shown."
        ) from error
    if root.tag not in ("svg", f"{{{_SVG}}}svg"):
        raise Unreadable("It holds no drawing: the outermost element is not svg.")
    return root
