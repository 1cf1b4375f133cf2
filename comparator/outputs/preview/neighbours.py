"""Finds which other files of its output a page or document refers to, before it is rendered."""

from __future__ import annotations

import re
from urllib.parse import unquote

from comparator.domain.pair.view import Family
from comparator.outputs.preview.web.addresses import is_elsewhere

MOST_ADDRESSES = 300
MOST_BYTES = 2_000_000
"""Only the beginning of a file is looked through for addresses."""

_IN_TAGS = re.compile(
    r"\b(?:src|href)\s*=\s*(?:\"([^\"<>]{1,500})\"|'([^'<>]{1,500})'|([^\s\"'<>]{1,500}))", re.IGNORECASE
)
_IN_MARKDOWN = re.compile(r"!\[[^\]\n]{0,500}\]\(\s*<?([^\s()<>]{1,500})")
_IN_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?([^\"'()\s<>]{1,500})", re.IGNORECASE)
_REFERENCES = {
    Family.HTML: (_IN_TAGS, _IN_STYLES),
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


def path_of(address: str) -> str:
    """The path that an address names, without query and fragment.

    >>> path_of("img/a%20b.png?v=2#top")
    'img/a b.png'
    """
    return unquote(address.split("#")[0].split("?")[0])
