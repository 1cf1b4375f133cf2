"""Finds which other files of its output a document refers to, before it is rendered."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from comparator.domain.pair.view import Family

MOST_ADDRESSES = 300
MOST_BYTES = 2_000_000
"""Only the beginning of a file is looked through for addresses."""

_BLANK = "".join(map(chr, range(33)))
_IN_TAGS = re.compile(
    r"\b(?:src|href)\s*=\s*(?:\"([^\"<>]{1,500})\"|'([^'<>]{1,500})'|([^\s\"'<>]{1,500}))", re.IGNORECASE
)
_IN_MARKDOWN = re.compile(
    r"!\[[^\]\n]{0,500}\]\(\s*(?:<([^<>\n]{1,500})>|([^\s()<>]{1,500}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?))"
    r"|^ {0,3}\[[^\]\n]{1,500}\]:\s{0,20}(?:<([^<>\n]{1,500})>|([^\s<>]{1,500}))",
    re.MULTILINE,
)
"""With definitions of references, as `[chart]: img/chart.png`."""
_REFERENCES = {
    Family.MARKDOWN: (_IN_TAGS, _IN_MARKDOWN),
    Family.NOTEBOOK: (_IN_TAGS, _IN_MARKDOWN),
}


def refers(family: Family) -> bool:
    """Whether files of this family refer to others."""
    return family in _REFERENCES


def references(data: bytes, *, family: Family) -> tuple[str, ...]:
    """Addresses in a file that may name others of its output, as written; a few too many do no harm."""
    text = data[:MOST_BYTES].decode("utf-8", "replace")
    found: dict[str, None] = {}
    for pattern in _REFERENCES.get(family, ()):
        for match in pattern.finditer(text):
            address = next(group for group in match.groups() if group is not None)
            if not is_elsewhere(address) and not address.startswith("#"):
                found[address] = None
                if len(found) >= MOST_ADDRESSES:
                    return tuple(found)
    return tuple(found)


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


def composed(path: str) -> str:
    """The same path however its accents were typed: one system writes a letter and its accent apart, another as one."""
    return unicodedata.normalize("NFC", path)
