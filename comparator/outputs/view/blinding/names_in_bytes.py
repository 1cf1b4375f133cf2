"""Names in bytes that nothing else is understood of: found in any usual encoding, and written over in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from comparator.domain.blinding.nouns import usual_noun, written_like
from comparator.domain.blinding.phrases import BY_TEXT
from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.domain.blinding.words import expression_for, first_word, is_common, plain

_WIDE = re.compile(rb"(?:[^\0]\0){3,}[^\0]?")
"""Letters of two bytes each, whichever of the two comes first."""
# Beside a text may stand any byte: what is no letter of ASCII ends a word.
_NO_LETTERS = str.maketrans(dict.fromkeys(range(128, 256), "\x7f"))
# One of these makes Python keep a whole text in four bytes a character, so only what is near one is kept with it.
_ASTRAL = re.compile("[^\x00-\uffff]+")
_NEAR = 200
_PIECE, _OVERLAP = 4 * 1024 * 1024, 512
"""Bytes that are read at once, as looking for names takes many times their memory; and those that two pieces share."""
_SHORTEST_GLUED = 5
_FOREIGN = ("utf-8", "utf-16-le", "utf-16-be", "cp1252")


def words_in_bytes(data: bytes, *, limit: int = 64 * 1024 * 1024) -> tuple[str, ...]:
    """What words bytes of any kind may hold: a text for each way of reading them, and for each few megabytes."""
    return tuple(
        text
        for at in range(0, min(len(data), limit), _PIECE)
        for text in _readings(data[at : at + _PIECE + _OVERLAP])
    )


def _readings(piece: bytes) -> Iterator[str]:
    latin = piece.decode("latin-1").translate(_NO_LETTERS)
    yield "\n".join((latin, piece.replace(b"\0", b"").decode("latin-1").translate(_NO_LETTERS)))
    if not piece.isascii():
        for encoding in _FOREIGN[:3]:
            text = plain(piece.decode(encoding, "replace"))
            yield _ASTRAL.sub(" ", text)
            found = (match.span() for match in _ASTRAL.finditer(text))
            yield "\n".join(text[max(start - _NEAR, 0) : end + _NEAR] for start, end in found)


def overwritten(data: bytes, redactions: Sequence[Redaction]) -> bytes:
    """Bytes of the same length, in which nouns stand in the place of names, cut or filled with blanks."""
    out = bytearray(data)
    wanted = [
        redaction
        for redaction in redactions
        if redaction.decision is PatternDecision.REDACT
        and not redaction.prose_only
        and redaction.pattern not in BY_TEXT
        and first_word(redaction.pattern)
    ]
    for redaction in sorted(wanted, key=lambda each: -len(each.pattern)):
        noun = redaction.replacement or usual_noun(redaction.pattern)
        for start, step, name in _places(data, redaction.pattern):
            filled = written_like(noun, name).ljust(len(name))[: len(name)].encode("ascii", "replace")
            out[start : start + step * len(name) : step] = filled
        for start, end in _foreign(data, redaction.pattern):
            out[start:end] = b" " * (end - start)
    return bytes(out)


def _places(data: bytes, name: str) -> Iterator[tuple[int, int, str]]:
    """Where a name stands: its first byte, how many bytes a letter takes, and how it is written."""
    if not name.isascii():
        return
    expression = _expression(name)
    for match in expression.finditer(data.decode("latin-1").translate(_NO_LETTERS)):
        yield match.start(), 1, match[0]
    for run in _WIDE.finditer(data):
        for match in expression.finditer(run[0][::2].decode("latin-1").translate(_NO_LETTERS)):
            yield run.start() + 2 * match.start(), 2, match[0]


def _expression(name: str) -> re.Pattern[str]:
    whole = expression_for(name)
    if len(name) >= _SHORTEST_GLUED and not is_common(name):
        # Lengths and tags of a format look like letters beside the name.
        whole = rf"(?:{whole}|{expression_for(name, glued=True)})"
    return re.compile(whole, re.IGNORECASE | re.ASCII)


def _foreign(data: bytes, name: str) -> Iterator[tuple[int, int]]:
    """Where a name with letters beyond ASCII stands, in the encodings that files are written in."""
    if name.isascii():
        return
    written = {form for each in (name, name.lower(), name.upper(), name.title()) for form in (each,)}
    for form in written:
        for encoding in _FOREIGN:
            try:
                sought = form.encode(encoding)
            except UnicodeEncodeError:
                continue
            at = data.find(sought)
            while at >= 0:
                yield at, at + len(sought)
                at = data.find(sought, at + len(sought))
