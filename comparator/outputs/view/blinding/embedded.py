"""Texts inside data addresses, such as a badge in base64: decoded once, to look for names and to redact them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

from comparator.outputs.extract.data_uris import BEGIN, PACKED, kind_of, unpacked

_ADDRESS = re.compile(
    rf"(?:(?<=(?P<quote>[\"'])))?{BEGIN}"
    rf"(?:{PACKED}|\s*,(?P<plain>(?(quote)(?:(?!(?P=quote))[^\n<])++|[^\"'\s)<>]+)))",
    re.IGNORECASE,
)
_OF_TEXT = re.compile(r"(?:text/.*|.*[/+](?:xml|json|javascript|yaml))?", re.IGNORECASE)
_SAFE = "=:/;,-_.!*@$&+?"
DEEPEST = 3
"""Drawings within drawings that are opened."""


class EmbeddedText(NamedTuple):
    """A text of this media type, which stands from start to end."""

    start: int
    end: int
    kind: str
    text: str | None
    """None for what is no text: a picture or a font."""
    packed: bool


def embedded_in(text: str) -> Iterator[EmbeddedText]:
    """What the data addresses of a text hold."""
    if re.search("data(?:[:&%]|\\\\u)", text, re.IGNORECASE) is None:
        return
    for match in _ADDRESS.finditer(text):
        kind = kind_of(match)
        decoded = None
        if _OF_TEXT.fullmatch(kind):
            decoded = unquote(match["plain"]) if match["packed"] is None else _text_of(match["packed"])
        yield EmbeddedText(*match.span(), kind, decoded, match["packed"] is not None)


def texts_within(text: str, *, depth: int = DEEPEST) -> Iterator[EmbeddedText]:
    """The texts that a text holds in data addresses, and those that they hold."""
    for embedded in embedded_in(text):
        if embedded.text is not None and depth:
            yield embedded
            yield from texts_within(embedded.text, depth=depth - 1)


def rewritten(text: str, outside: Callable[[str], str], inside: Callable[[str, str], str]) -> str:
    """A text with `outside` applied around its data addresses, and `inside` (text, media type) to what they hold.

    Each goes back into the form that it had; pictures and fonts stay as they are.
    """
    pieces: list[str] = []
    done = 0
    for embedded in embedded_in(text):
        pieces.append(outside(text[done : embedded.start]))
        address = text[embedded.start : embedded.end]
        if embedded.text is not None and (new := inside(embedded.text, embedded.kind)) != embedded.text:
            head, _, _ = address.partition(",")
            content = base64.b64encode(new.encode()).decode() if embedded.packed else quote(new, safe=_SAFE)
            address = f"{head},{content}"
        pieces.append(address)
        done = embedded.end
    return "".join((*pieces, outside(text[done:]))) if pieces else outside(text)


def _text_of(packed: str) -> str | None:
    try:
        return unpacked(packed).decode("utf-8", "replace")
    except binascii.Error:
        return None
