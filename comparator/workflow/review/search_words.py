"""The words of a text or of markup, as a search compares them; read in pieces, each position once, within a time."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from comparator.outputs.preview.document import reveal

PIECE = 65_536
"""Characters that are read at once, so that other threads come to their turn in between."""
_PARTS_A_LOOK = 2_000
_LEFT_OUT = (b"script", b"style")
_NAME_ENDS = frozenset(b" \t\r\n\f/>")
_BLANK = re.compile(r"\s")


class SearchText(NamedTuple):
    """Lower case, any white space as one blank; not `whole` where the time was over before the end."""

    text: str
    whole: bool


def plain_words(data: bytes, *, marked: bool, late: Callable[[], bool]) -> SearchText:
    """The words of a text in UTF-8; of markup, if it is `marked`, without tags, scripts and styles.

    `late` is asked again and again; once it is true, what was read so far is returned.
    """
    whole = True
    if marked:
        parts: list[bytes] = []
        for number, part in enumerate(without_markup(data), start=1):
            if part:
                parts.append(part)
            if number % _PARTS_A_LOOK == 0 and late():
                whole = False
                break
        data = b" ".join(parts)
    kept: list[str] = []
    for piece in _pieces(data.decode("utf-8", "replace")):
        if kept and late():
            whole = False
            break
        words = _spaced(reveal(html.unescape(piece) if marked else piece))
        if kept and kept[-1].endswith(" "):
            words = words.removeprefix(" ")
        if words:
            kept.append(words)
    return SearchText("".join(kept).strip(), whole)


def folded(text: str) -> str:
    """The text as it is compared: lower case, any white space as one blank."""
    return " ".join(text.lower().split())


def without_markup(data: bytes) -> Iterator[bytes]:
    """What stands between the tags of markup, scripts and styles left out.

    Each byte is looked at a bounded number of times, whatever stands there: no end that was not found is looked for
    again.
    """
    low = data.lower()
    at, names = 0, list(_LEFT_OUT)
    while (begin := data.find(b"<", at)) >= 0:
        end = data.find(b">", begin)
        if end < 0:
            # From here on nothing is a tag.
            break
        yield data[at:begin]
        at = end + 1
        name = next((name for name in names if low.startswith(name, begin + 1)), None)
        if name is None or low[begin + 1 + len(name)] not in _NAME_ENDS:
            continue
        closing = _closing(low, name, at)
        if closing < 0:
            # None follows any later one either, so that it is a tag like others.
            names.remove(name)
        else:
            at = closing
    yield data[at:]


def _closing(low: bytes, name: bytes, at: int) -> int:
    """The position behind the end tag of `name` that comes next; -1 without one."""
    mark = b"</" + name
    while (at := low.find(mark, at)) >= 0:
        at += len(mark)
        if at < len(low) and low[at] in _NAME_ENDS:
            # Behind the last `>` no further one needs to be looked for.
            return low.find(b">", at) + 1 or -1
    return -1


def _pieces(text: str) -> Iterator[str]:
    """The text cut before white space, or after twice as much where there is none."""
    at = 0
    while at < len(text):
        blank = _BLANK.search(text, at + PIECE, at + 2 * PIECE)
        end = blank.start() if blank is not None else at + 2 * PIECE
        yield text[at:end]
        at = end


def _spaced(text: str) -> str:
    """Folded, with a blank where white space stood at either end."""
    words = folded(text)
    before = " " if text[:1].isspace() else ""
    after = " " if words and text[-1:].isspace() else ""
    return f"{before}{words}{after}"
