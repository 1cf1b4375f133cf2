"""Markup cut into comments, tags, the content of scripts and style sheets, and text; joined again it is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]*)")
ATTRIBUTE = re.compile(r"=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>=][^\s>]*))")
"""The value of an attribute in a tag, in any of its three quotings."""
_TAG = re.compile(r"</?[a-zA-Z](?:=\s*+\"[^\"]*\"|=\s*+'[^']*'|[^>])*+>|<[!?/][^>]*+>")
_COMMENT = "<!--"


def tokens(source: str, *, raw_elements: frozenset[str]) -> Iterator[str]:
    """The tokens in order; what stands in one of `raw_elements` is one token, and a tag without an end is the last."""
    position = 0
    while position < len(source):
        start = source.find("<", position)
        if start != position:
            yield source[position : start if start >= 0 else len(source)]
            if start < 0:
                return
        if source.startswith(_COMMENT, start):
            end = source.find("-->", start + len(_COMMENT) - 2)
            end = len(source) if end < 0 else end + 3
        elif (tag := _TAG.match(source, start)) is not None:
            end = tag.end()
        elif source[start + 1 : start + 2].isalpha() or source[start + 1 : start + 2] in ("!", "?", "/"):
            end = len(source)
        else:
            end = start + 1
        yield source[start:end]
        position = end
        name = TAG_NAME.match(source, start, end)
        if name and name[1].lower() in raw_elements and source[start + 1] != "/" and source[end - 2] != "/":
            close = re.compile(rf"</{re.escape(name[1])}(?=[\s/>])", re.IGNORECASE).search(source, end)
            position = close.start() if close else len(source)
            if position > end:
                yield source[end:position]


def is_comment(token: str) -> bool:
    """Whether a token is a comment."""
    return token.startswith(_COMMENT)


def value_of(attribute: re.Match[str]) -> str:
    """The value of an attribute as it is written, without its quotes."""
    return next((group for group in attribute.groups() if group is not None), "")
