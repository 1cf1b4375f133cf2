"""Names in bytes that nothing else is understood of: found in any usual encoding, and written over in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from comparator.domain.blinding.name_search import NameSearch
from comparator.domain.blinding.nouns import usual_noun, written_like
from comparator.domain.blinding.phrases import BY_TEXT
from comparator.domain.blinding.redaction import PatternDecision, Redaction

_WIDE = re.compile(rb"(?:[^\0]\0){3,}[^\0]?")
"""Letters of two bytes each, whichever of the two comes first."""
# Beside a text may stand any byte: what is no letter of ASCII ends a word.
_NO_LETTERS = str.maketrans(dict.fromkeys(range(128, 256), "\x7f"))
# One of these makes Python keep a whole text in four bytes a character, so only what is near one is kept with it.
_ASTRAL = re.compile("[^\x00-\uffff]+")
_NEAR = 200
_PIECE, _OVERLAP = 4 * 1024 * 1024, 512
"""Bytes that are read at once, as looking for names takes many times their memory; and those that two pieces share."""
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
            text = piece.decode(encoding, "replace")
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
    ]
    search = NameSearch([redaction.pattern for redaction in wanted])
    for start, step, text in _texts(data):
        for hit in search.hits(text):
            if not hit.glued:
                redaction, length = wanted[hit.which], hit.end - hit.start
                noun = written_like(
                    redaction.replacement or usual_noun(redaction.pattern), text[hit.start : hit.end]
                )
                filled = noun.ljust(length)[:length].encode("ascii", "replace")
                out[start + step * hit.start : start + step * hit.end : step] = filled
    for redaction in wanted:
        for start, end in _foreign(data, redaction.pattern):
            out[start:end] = b" " * (end - start)
    return bytes(out)


def _texts(data: bytes) -> Iterator[tuple[int, int, str]]:
    """The bytes as text of one byte a letter and of two: the first byte, how many a letter takes, and the text."""
    yield 0, 1, data.decode("latin-1").translate(_NO_LETTERS)
    for run in _WIDE.finditer(data):
        yield run.start(), 2, run[0][::2].decode("latin-1").translate(_NO_LETTERS)


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
