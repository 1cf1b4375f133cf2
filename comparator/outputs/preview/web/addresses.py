"""What an address in a page leads to: out of the output, to a file of it, into the page, or inline."""

from __future__ import annotations

from urllib.parse import urlsplit

_BLANK = "\t\n\r\f \x00\x0b"


def is_elsewhere(address: str) -> bool:
    """Whether an address leads out of the output: it has a scheme or a host. A data address does, too.

    >>> [is_elsewhere(text) for text in ("img/a.png", "//host/a", "https://host", "#top", "data:,x")]
    [False, True, True, False, True]
    """
    # Browsers drop tabs and line ends inside an address and take a backslash for a slash.
    text = address.strip(_BLANK).translate({9: None, 10: None, 13: None}).replace("\\", "/")
    head, colon, _ = text.partition(":")
    scheme = bool(colon) and head[:1].isascii() and head[:1].isalpha() and _is_scheme(head)
    return scheme or text.startswith("//")


def is_inline(address: str) -> bool:
    """Whether the address holds its content itself."""
    return address.strip(_BLANK)[:5].lower() == "data:"


def is_fragment(address: str) -> bool:
    """Whether the address leads to a place in the same page."""
    return address.strip(_BLANK).startswith("#")


def host_of(address: str) -> str:
    """The host of an address in lower case; empty where it has none or cannot be read."""
    try:
        return (urlsplit(address.strip(_BLANK)).hostname or "").lower()
    except ValueError:
        return ""


def _is_scheme(text: str) -> bool:
    return all(letter.isascii() and (letter.isalnum() or letter in "+-.") for letter in text)
