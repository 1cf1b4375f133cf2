"""What an address in a page leads to, and the same address as one that leads nowhere."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

NOWHERE = "about:invalid#"
"""Before what no browser may be given, such as `javascript:…`."""
_NO_PORT = ":inert"
"""After a host it makes an address that no browser can read: nothing is looked up, and nothing opens."""
_END = "~"
"""Before the end of a host that stands once more at the end of its address, for style rules that look there."""
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
    >>> as_inert("https://example.org")
    'https://example.org:inert~example.org'
    """
    text = _as_read(address)
    if text.startswith(("#", NOWHERE)) or text.lower().startswith(_WRITES):
        return text
    if host := _WITH_HOST.match(text):
        if host[0].endswith(_NO_PORT) or host[0] != _without_end(host[0]):
            return text
        rest = text[host.end() :]
        return f"{host[0]}{_NO_PORT}{rest or _end_of(host[0])}"
    if text.startswith(("/", "\\")):
        return f"//{_NO_PORT}{text}"
    return f"{NOWHERE}{text}" if is_elsewhere(text) or _leaves(text) else text


def as_written(address: str) -> str:
    """The address that `as_inert` was given.

    >>> as_written(as_inert("https://example.com/a.pdf")), as_written(as_inert("/about"))
    ('https://example.com/a.pdf', '/about')
    """
    whole = _without_end(address)
    if whole != address:
        return whole.removesuffix(_NO_PORT)
    return address.removeprefix(NOWHERE).removeprefix(f"//{_NO_PORT}").replace(_NO_PORT, "", 1)


def _end_of(host: str) -> str:
    """What is put behind a host without a path, so that the address ends as it did; nothing where it has no name."""
    name = host.replace("\\", "/").rpartition("/")[2].rpartition("@")[2]
    return f"{_END}{name}" if name else ""


def _without_end(address: str) -> str:
    """The inert address of a host without its end, if it is one of ours."""
    whole, mark, _ = address.rpartition(f"{_NO_PORT}{_END}")
    return f"{whole}{_NO_PORT}" if mark and f"{whole}{_NO_PORT}{_end_of(whole)}" == address else address


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
