"""Foreign HTML made harmless: an allow-list of elements, links that lead nowhere, no address that loads."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import nh3

from comparator.outputs.extract.web.expansion import refusal_of_markup
from comparator.outputs.preview.document import NotShown, reveal, shown
from comparator.outputs.preview.web.stylesheet import clean_declarations

Resolve = Callable[[str], str | None]
"""Gives our own address for a path inside the same output, or None where there is no such file."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXT = _words(
    "a abbr address article aside b bdi blockquote br caption center cite code col colgroup dd del details dfn div dl "
    "dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main mark "
    "menu meter nav ol output p picture pre progress q rp rt ruby s samp section small span strike strong sub summary "
    "sup table tbody td tfoot th thead time tr tt u ul var wbr big fieldset form input button select option optgroup "
    "textarea"
)
_DRAWING = _words(
    "svg g path circle rect line polyline polygon ellipse text tspan textPath defs linearGradient radialGradient stop "
    "title desc use clipPath mask pattern marker symbol"
)
_TAGS = _TEXT | _DRAWING
_DROPPED_WITH_CONTENT = _words(
    "script style iframe object embed applet noscript template noembed noframes frameset xmp plaintext math "
    "foreignObject audio video canvas head"
)

_EVERYWHERE = _words(
    "class id style title lang dir role align valign width height bgcolor color hidden aria-label aria-hidden"
)
_SHAPE = _words(
    "x y x1 y1 x2 y2 cx cy r rx ry d points dx dy rotate transform viewBox preserveAspectRatio fill stroke opacity "
    "fill-opacity fill-rule stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset "
    "stroke-opacity stroke-miterlimit text-anchor dominant-baseline alignment-baseline font-size font-family "
    "font-weight font-style letter-spacing textLength lengthAdjust offset stop-color stop-opacity gradientUnits "
    "gradientTransform patternUnits patternTransform clip-path clip-rule clipPathUnits mask maskUnits marker-start "
    "marker-mid marker-end markerWidth markerHeight refX refY orient markerUnits vector-effect xmlns"
)
_OWN: dict[str, frozenset[str]] = {
    "a": frozenset({"href"}),
    "img": frozenset({"src", "alt"}),
    "td": frozenset({"colspan", "rowspan", "headers"}),
    "th": frozenset({"colspan", "rowspan", "headers", "scope"}),
    "col": frozenset({"span"}),
    "colgroup": frozenset({"span"}),
    "ol": frozenset({"start", "type", "reversed"}),
    "ul": frozenset({"type"}),
    "li": frozenset({"value"}),
    "font": frozenset({"size", "face"}),
    "table": frozenset({"border", "cellpadding", "cellspacing"}),
    "details": frozenset({"open"}),
    "time": frozenset({"datetime"}),
    "meter": frozenset({"value", "min", "max", "low", "high", "optimum"}),
    "progress": frozenset({"value", "max"}),
    "input": frozenset({"type", "value", "placeholder", "checked", "disabled", "min", "max", "size"}),
    "button": frozenset({"disabled"}),
    "textarea": frozenset({"placeholder", "rows", "cols", "disabled"}),
    "select": frozenset({"disabled", "multiple", "size"}),
    "option": frozenset({"selected", "disabled", "label"}),
    "optgroup": frozenset({"label"}),
    "use": frozenset({"href"}),
}
_ATTRIBUTES = {
    tag: set(_EVERYWHERE | _OWN.get(tag, frozenset()) | (_SHAPE if tag in _DRAWING else frozenset()))
    for tag in _TAGS
}
_PICTURE = re.compile(r"data:image/(png|jpe?g|gif|webp|bmp|svg\+xml|x-icon)[;,]", re.IGNORECASE)
_LINK_OR_IMAGE = re.compile(r"<(a|img)((?:\s[^\s=>\"]+=\"[^\"]*\")*)\s*>")
_ATTRIBUTE = re.compile(r"\s([^\s=>\"]+)=\"([^\"]*)\"")


@dataclass(slots=True)
class Removed:
    """What was taken out or made inert, for the notes above the content."""

    pictures: list[str] = field(default_factory=list)
    styles: int = 0

    def notes(self) -> tuple[str, ...]:
        """Plain sentences on what is not loaded."""
        if not self.pictures:
            return ()
        count = len(self.pictures)
        return (f"{count} picture{'s' if count > 1 else ''} from elsewhere not loaded.",)


def clean(markup: str, *, resolve: Resolve, removed: Removed, styled: bool = False) -> str:
    """Safe HTML of a foreign fragment or page. `styled` keeps its inline styles, cleaned. Raises NotShown."""
    if _is_too_deep(markup):
        raise NotShown(f"More than {_DEEPEST:,} elements inside each other, so it is shown as text.")

    def attribute(tag: str, name: str, value: str) -> str | None:
        if name == "style":
            return clean_declarations(value) if styled else None
        if name == "class" and not styled:
            # Inside our own typography nothing may look like one of our notes.
            return None
        if tag == "use" and not value.startswith("#"):
            return None if name == "href" else value
        if "url(" in value.lower() and tag in _DRAWING and not _LOCAL_REFERENCE.fullmatch(value.strip()):
            return None
        if tag == "input" and name == "type" and value.lower() in ("image", "file", "password"):
            return "text"
        return value

    safe = nh3.clean(
        reveal(markup),
        tags=set(_TAGS),
        clean_content_tags=set(_DROPPED_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto", "tel", "ftp", "data", "file"},
        link_rel=None,
        strip_comments=True,
    )

    if reason := refusal_of_markup(safe):
        raise NotShown(reason)

    # nh3 writes every attribute double-quoted and every "<" of a text as an entity, so that what looks like a tag here
    # is one.
    def inert(match: re.Match[str]) -> str:
        attributes = [(name, html.unescape(value)) for name, value in _ATTRIBUTE.findall(match.group(2))]
        if match.group(1) == "a":
            return _inert_link(attributes)
        return _own_picture(attributes, resolve, removed)

    return _LINK_OR_IMAGE.sub(inert, safe)


def _is_too_deep(markup: str) -> bool:
    """Whether so many elements stand inside each other that reading them takes seconds."""
    depth, raw = 0, ""
    for match in _TAG.finditer(markup) if markup.count("<") > _DEEPEST else ():
        name = match[2].lower()
        if raw or name in _RAW:
            # What stands in a script or a style sheet is no element.
            raw = name if not raw and not match[1] else "" if match[1] and name == raw else raw
        elif match[1]:
            depth = max(depth - (name not in _CLOSED_BY_OTHERS), 0)
        elif name not in _CLOSED_BY_OTHERS and not match[3].endswith("/"):
            depth += 1
            if depth > _DEEPEST:
                return True
    return False


_DEEPEST = 3_000
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)([^<>]*)")
_RAW = frozenset({"script", "style"})
_CLOSED_BY_OTHERS = _words(
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rp rt html head body "
    "area base br col embed hr img input link meta param source track wbr"
)
_LOCAL_REFERENCE = re.compile(r"url\(\s*['\"]?#[\w.:-]+['\"]?\s*\)")


def _inert_link(attributes: list[tuple[str, str]]) -> str:
    address = next((value for name, value in attributes if name == "href"), None)
    kept = [(name, value) for name, value in attributes if name not in ("href", "title")]
    title = next((value for name, value in attributes if name == "title"), "")
    if address is not None and address.startswith("#"):
        kept.append(("href", address))
    elif address is not None:
        kept.append(("title", f"{title} ({address})" if title else address))
        kept.append(("data-link", ""))
    return _tag("a", kept)


def _own_picture(attributes: list[tuple[str, str]], resolve: Resolve, removed: Removed) -> str:
    address = next((value for name, value in attributes if name == "src"), "").strip()
    others = [(name, value) for name, value in attributes if name != "src"]
    if _PICTURE.match(address):
        return _tag("img", [("src", address), *others])
    own = resolve(address) if address and not is_elsewhere(address) else None
    if own is not None:
        return _tag("img", [("src", own), *others])
    alt = next((value for name, value in attributes if name == "alt"), "")
    where = address if len(address) <= 120 else address[:117] + "…"
    removed.pictures.append(where)
    text = f"Picture not loaded: {where or 'no address'}" + (f" ({alt})" if alt else "")
    return f'<span class="blocked" role="img" title="{shown(address)}">{shown(text)}</span>'


def is_elsewhere(address: str) -> bool:
    """Whether an address leads out of the output: it has a scheme or a host."""
    return bool(re.match(r"\s*([a-z][a-z0-9+.-]*:|//|\\\\)", address, re.IGNORECASE))


def _tag(name: str, attributes: list[tuple[str, str]]) -> str:
    return f"<{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in attributes) + ">"
