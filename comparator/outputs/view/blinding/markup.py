"""The tokens of rebuilt HTML and SVG, and its words as they read and as they are scanned."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]*)")
ATTRIBUTE = re.compile(r"=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>=][^\s>]*))")
"""The value of an attribute in a tag, in any of its three quotings."""
_ANY_TAG = re.compile(r"</?[a-zA-Z](?:=\s*+\"[^\"]*\"|=\s*+'[^']*'|[^>])*+>|<[!?/][^>]*+>")
_COMMENT = "<!--"
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:-]*)[^<>]*+>")
_BLOCK_NAMES = """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer foreignobject form g h1 h2 h3 h4 h5 h6 head header hgroup hr html li main menu
    nav noframes ol p pre search section summary symbol table tbody td text textarea tfoot th thead title tr ul
"""
BLOCKS = frozenset(_BLOCK_NAMES.split())
"""Elements between which a word ends; all others, unknown ones too, may stand within a word."""
RAW = frozenset({"script", "style"})
LINKED_DATA = "application/ld+json"


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
        elif (tag := _ANY_TAG.match(source, start)) is not None:
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


def words_of_markup(source: str) -> str:
    """Markup as it reads: without tags that can split words and with entities resolved; the values of tags follow."""
    tags: list[str] = []

    def without(match: re.Match[str]) -> str:
        tags.append(match[0])
        return match[0] if match[1].lower() in BLOCKS else ""

    text = _TAG.sub(without, source)
    values = (value_of(match) for match in ATTRIBUTE.finditer("\n".join(tags)))
    return html.unescape("\n".join((text, *values)))


def prose_of_markup(source: str) -> str:
    """The sentences of markup: text, comments, meta values and linked data, without scripts, style sheets and code."""
    parts: list[str] = []
    skipped = ""
    for token in tokens(source, raw_elements=RAW):
        if is_comment(token):
            parts.append(f"\n{token[4:-3]}\n")
            continue
        name = TAG_NAME.match(token)
        if name is None or (skipped in RAW and not token.startswith("</")):
            parts += [token] if not skipped else []
            continue
        tag = name[1].lower()
        if tag == "meta":
            parts += [f"\n{value_of(match)}\n" for match in ATTRIBUTE.finditer(token)]
        if skipped:
            skipped = "" if tag == skipped and token.startswith("</") else skipped
        elif (tag in RAW and LINKED_DATA not in token.lower()) or tag in ("pre", "textarea"):
            skipped = "" if token.startswith("</") or token.endswith("/>") else tag
        if tag in ("code", "kbd", "samp"):
            parts.append("`")
        elif tag in BLOCKS:
            parts.append("\n")
    return html.unescape("".join(parts))
