"""Foreign HTML made harmless: an allow-list of elements and styles, links that lead nowhere, no address that loads."""

import base64
import posixpath
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import unquote, unquote_to_bytes

import nh3
import turbohtml
from turbohtml import Element, Text

from comparator.domain.counted import counted
from comparator.outputs.extract.svg import is_bounded
from comparator.outputs.preview.document import NotShown, reveal

Resolve = Callable[[str], str | None]
"""Gives our own address for a path inside the same output, or None where there is no such file."""


def words(text: str) -> frozenset[str]:
    """The words of a list of names."""
    return frozenset(text.split())


_TEXT = frozenset(nh3.ALLOWED_TAGS) - words("area data map") | words("address big font main section tfoot")
_DRAWING = words(
    "svg g path circle rect line polyline polygon ellipse text tspan textPath defs linearGradient radialGradient stop "
    "title desc use clipPath mask pattern marker symbol"
)
_TAGS = _TEXT | _DRAWING
TEXT_ELEMENTS = _TEXT
"""Elements of HTML that are kept, in a document or in what is written in Markdown."""
DRAWING_ELEMENTS = frozenset(name.lower() for name in _DRAWING)
"""Elements of a drawing, which mean nothing outside of one."""
NEVER_CLOSED = words("br hr img wbr col p li td th tr dt dd tbody thead tfoot colgroup rp rt")
"""Elements that have no end, or need none."""
_DROPPED_WITH_CONTENT = words(
    "script style iframe object embed applet noscript template noembed noframes frameset xmp plaintext math "
    "foreignObject audio video canvas head"
)

# No style and no class: inside our own typography nothing may look like one of our notes.
_EVERYWHERE = words(
    "id title lang dir role align valign width height bgcolor color hidden aria-label aria-hidden"
)
_SHAPE = words(
    "x y x1 y1 x2 y2 cx cy r rx ry d points dx dy rotate transform viewBox preserveAspectRatio fill stroke opacity "
    "fill-opacity fill-rule stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-dashoffset "
    "stroke-opacity stroke-miterlimit text-anchor dominant-baseline alignment-baseline font-size font-family "
    "font-weight font-style letter-spacing textLength lengthAdjust offset stop-color stop-opacity gradientUnits "
    "gradientTransform patternUnits patternTransform clip-path clip-rule clipPathUnits mask maskUnits marker-start "
    "marker-mid marker-end markerWidth markerHeight refX refY orient markerUnits vector-effect xmlns"
)
_ATTRIBUTES = {
    **{tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()},
    **{tag: set(_SHAPE) for tag in _DRAWING},
    "use": {*_SHAPE, "href"},
    "*": set(_EVERYWHERE),
    "li": {"value"},
    "ol": {"start", "type", "reversed"},
    "details": {"open"},
    "font": {"size", "face"},
    "table": {"border", "cellpadding", "cellspacing"},
}
_PICTURE = re.compile(r"data:image/(png|jpe?g|gif|webp|bmp|svg\+xml|x-icon)[;,]", re.IGNORECASE)


@dataclass(slots=True)
class Removed:
    """What was taken out or made inert, for the notes above the content."""

    pictures: list[str] = field(default_factory=list)

    def notes(self) -> tuple[str, ...]:
        """Plain sentences on what is not loaded."""
        # What a notebook says it carries along does not lie elsewhere.
        elsewhere = sum(
            is_elsewhere(address) and not address.lower().startswith("attachment:")
            for address in self.pictures
        )
        counts = (
            (elsewhere, "from elsewhere not loaded."),
            (len(self.pictures) - elsewhere, "not in this output."),
        )
        return tuple(f"{counted(count, 'picture')} {what}" for count, what in counts if count)


def clean(markup: str, *, resolve: Resolve, removed: Removed) -> str:
    """Safe HTML of a foreign fragment or page."""

    def attribute(tag: str, name: str, value: str) -> str | None:
        if tag == "use" and not value.startswith("#"):
            return None if name == "href" else value
        if "url(" in value.lower() and tag in _DRAWING and not _LOCAL_REFERENCE.fullmatch(value.strip()):
            return None
        return value

    safe = nh3.clean(
        # Read once before: that flattens elements inside each other without end, as browsers do it.
        turbohtml.parse_fragment(reveal(markup)).inner_html,
        tags=set(_TAGS),
        clean_content_tags=set(_DROPPED_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes={"http", "https", "mailto", "tel", "ftp", "data", "file"},
        link_rel=None,
        strip_comments=True,
    )

    fragment = turbohtml.parse_fragment(safe)
    for node in list(fragment.descendants):
        match node:
            case Element(tag="a"):
                _make_inert(node)
            case Element(tag="img"):
                _own_picture(node, resolve, removed)
            case Element(tag="svg") if not is_bounded(
                _AS_XML % node.inner_html.replace("&nbsp;", " ").encode()
            ):
                raise NotShown(
                    "A drawing in it repeats its parts more often than can be drawn; shown as text."
                )
    return fragment.inner_html.replace("<table", '<div class="scroll"><table').replace(
        "</table>", "</table></div>"
    )


_AS_XML = b'<svg xmlns:xlink="http://www.w3.org/1999/xlink">%b</svg>'
_LOCAL_REFERENCE = re.compile(r"url\(\s*['\"]?#[\w.:-]+['\"]?\s*\)")
"""The whole value of one attribute of a drawing."""


def _make_inert(link: Element) -> None:
    address = link.attr("href")
    if address is None or address.startswith("#"):
        return
    title = link.attr("title")
    for name in ("href", "title"):
        link.attrs.pop(name, None)
    link.attrs["title"] = f"{title} ({address})" if title else address
    link.attrs["data-link"] = address


def _is_bounded(address: str) -> bool:
    head, _, data = address.partition(",")
    try:
        return is_bounded(base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data))
    except ValueError:
        return False


def _own_picture(picture: Element, resolve: Resolve, removed: Removed) -> None:
    address = (picture.attr("src") or "").strip()
    if _PICTURE.match(address) and ("svg" not in address[:20].lower() or _is_bounded(address)):
        return
    own = resolve(address) if address and not is_elsewhere(address) else None
    if own is not None:
        picture.attrs["src"] = own
        return
    alt = picture.attr("alt")
    removed.pictures.append(address)
    named = reveal(unquote(address))
    where = named if len(named) <= 120 else named[:117] + "…"
    text = f"Picture not loaded: {where or 'no address'}" + (f" ({alt})" if alt else "")
    label = Element("span", {"class": "blocked", "role": "img", "title": address})
    label.append(Text(text))
    picture.replace_with(label)


_BLANK = "".join(map(chr, range(33)))


def is_elsewhere(address: str) -> bool:
    """Whether an address leads out of the output: it has a scheme or a host. A data address does, too.

    >>> [is_elsewhere(text) for text in ("img/a.png", "//host/a", "https://host", "#top", "data:,x")]
    [False, True, True, False, True]
    """
    # Browsers strip blanks, drop tabs and line ends, and take a backslash for a slash.
    text = re.sub(r"[\t\n\r]", "", address.strip(_BLANK)).replace("\\", "/")
    return text.startswith("//") or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) is not None


def path_of(address: str) -> str:
    """The path that an address names, without query and fragment, its letters composed.

    >>> path_of("img/a%20b.png?v=2#top"), path_of("u%CC%88.png") == path_of("%C3%BC.png") == "ü.png"
    ('img/a b.png', True)
    """
    return composed(unquote(address.split("#")[0].split("?")[0]))


OUTPUTS = "/mnt/user-data/outputs/"
"""Where agents are told to save their outputs, and so what they write in links to them."""


def beside(name: str, path: str) -> str:
    """The path in the output that `path` leads to from the file `name`.

    >>> beside("docs/a.md", "../img/b.png"), beside("docs/a.md", "/mnt/user-data/outputs/c.png")
    ('img/b.png', 'c.png')
    """
    own = path.removeprefix(OUTPUTS)
    return composed(posixpath.normpath(own if own != path else posixpath.join(posixpath.dirname(name), path)))


def composed(path: str) -> str:
    """The same path however its accents were typed: one system writes a letter and its accent apart, another as one."""
    return unicodedata.normalize("NFC", path)
