"""What an address in a page leads to, and the same address as one that leads nowhere."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

NOWHERE = "about:invalid#"
"""Before what no browser may be given, such as `javascript:…`."""
_NO_PORT = ":inert"
"""After a host it makes an address that no browser can read: nothing is looked up, and nothing opens."""
_BLANK = "".join(map(chr, range(33)))
_WITH_HOST = re.compile(r"(?:(?:https?|ftp|wss?):)?[/\\\\]{2,}[^/\\\\?#]*", re.IGNORECASE)
_WRITES = ("mailto:", "tel:", "sms:")
"""Other programs, which a frame in a sandbox cannot start."""


def is_elsewhere(address: str) -> bool:
    """Whether an address leads out of the output: it has a scheme or a host. A data address does, too.

    >>> [is_elsewhere(text) for text in ("img/a.png", "//host/a", "https://host", "#top", "data:,x")]
    [False, True, True, False, True]
    """
    # Browsers take a backslash for a slash.
    text = _as_read(address).replace("\\", "/")
    head, colon, _ = text.partition(":")
    scheme = bool(colon) and head[:1].isascii() and head[:1].isalpha() and _is_scheme(head)
    return scheme or text.startswith("//")


def is_inline(address: str) -> bool:
    """Whether the address holds its content itself."""
    return _as_read(address)[:5].lower() == "data:"


def is_fragment(address: str) -> bool:
    """Whether the address leads to a place in the same page."""
    return _as_read(address).startswith("#")


def as_inert(address: str) -> str:
    """The address of a link as one that leads nowhere and that style rules on addresses still match.

    Beginning and end stay. Places in the page, files beside it and addresses to write to stay whole.

    >>> as_inert("https://example.com/a.pdf"), as_inert("/about"), as_inert("about.html")
    ('https://example.com:inert/a.pdf', '//:inert/about', 'about.html')
    >>> as_inert("javascript:run()"), as_inert("../../app")
    ('about:invalid#javascript:run()', 'about:invalid#../../app')
    """
    text = _as_read(address)
    if text.startswith(("#", NOWHERE)) or text.lower().startswith(_WRITES):
        return text
    if host := _WITH_HOST.match(text):
        inert = host[0].endswith(_NO_PORT)
        return text if inert else f"{host[0]}{_NO_PORT}{text[host.end() :]}"
    if text.startswith(("/", "\\")):
        return f"//{_NO_PORT}{text}"
    return f"{NOWHERE}{text}" if is_elsewhere(text) or _leaves(text) else text


def as_written(address: str) -> str:
    """The address that `as_inert` was given.

    >>> as_written(as_inert("https://example.com/a.pdf")), as_written(as_inert("/about"))
    ('https://example.com/a.pdf', '/about')
    """
    return address.removeprefix(NOWHERE).removeprefix(f"//{_NO_PORT}").replace(_NO_PORT, "", 1)


def host_of(address: str) -> str:
    """The host of an address in lower case; empty where it has none or cannot be read."""
    try:
        return (urlsplit(address.strip(_BLANK)).hostname or "").lower()
    except ValueError:
        return ""


def _as_read(address: str) -> str:
    """Without what browsers strip from an address and drop inside it."""
    return address.strip(_BLANK).translate({9: None, 10: None, 13: None})


def _leaves(address: str) -> bool:
    """Whether a relative address may lead above its own folder."""
    path = address.partition("#")[0].partition("?")[0].lower().replace("%2e", ".").replace("\\", "/")
    return ".." in path.split("/")


def _is_scheme(text: str) -> bool:
    return all(letter.isascii() and (letter.isalnum() or letter in "+-.") for letter in text)
