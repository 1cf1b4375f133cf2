"""Bytes as text, in any usual encoding."""

from __future__ import annotations

import codecs
from contextlib import suppress
from typing import NamedTuple

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.child.extraction import Extraction, ReadLimits

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 64 * 1024
_USUAL = "cp1252"
_AS_GOOD = 0.02
_SAME_AS_UTF8 = ("utf-8", "utf-8-sig", "ascii")


class Decoded(NamedTuple):
    """Text, and the encoding it was read as."""

    text: str
    encoding: str
    guessed: bool
    invalid: int = 0
    """How many places of UTF-8 cannot be read; each is shown as �."""


def decode(data: bytes) -> Decoded:
    """Bytes as text: by byte-order mark, as UTF-8, as UTF-16 without a mark, else by a guess."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace"), encoding, guessed=False)
    with suppress(UnicodeDecodeError):
        # A last character that is cut off is left out.
        return Decoded(codecs.getincrementaldecoder("utf-8")().decode(data), "utf-8", guessed=False)
    without_mark = utf16_without_mark(data[:_SAMPLE])
    if without_mark is None and (invalid := _faults(data)):
        return Decoded(data.decode("utf-8", "replace"), "utf-8", guessed=False, invalid=invalid)
    encoding = without_mark or _guess(data)
    return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)


def _faults(data: bytes) -> int:
    """How many places of bytes that are meant as UTF-8 are not; 0 where they are meant as something else.

    By chance, letters of another encoding are hardly ever whole characters of UTF-8.
    """
    read = data.decode("utf-8", "replace")
    invalid = read.count("\N{REPLACEMENT CHARACTER}") - data.count("\N{REPLACEMENT CHARACTER}".encode())
    whole = sum(letter > "\x7f" for letter in read) - invalid
    return invalid if whole > 4 * invalid else 0


def utf16_without_mark(sample: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` if every other byte is mostly zero, else None."""
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    low, high = sample[0 : pairs * 2 : 2], sample[1 : pairs * 2 : 2]
    if high.count(0) > pairs * 0.7 > low.count(0):
        return "utf-16-le"
    if low.count(0) > pairs * 0.7 > high.count(0):
        return "utf-16-be"
    return None


def read_plain(data: bytes, limits: ReadLimits) -> Extraction:
    """Text as it is, up to the limit; with a note on a guessed encoding."""
    decoded = decode(data[: limits.text_bytes])
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    notes: list[str] = []
    if decoded.guessed:
        notes.append(f"It is not UTF-8; it was read as {decoded.encoding}.")
    if decoded.invalid:
        many = decoded.invalid > 1
        places = f"{decoded.invalid:,} places" if many else "1 place"
        notes.append(f"{places} of it cannot be read as UTF-8 and {'are' if many else 'is'} shown as �.")
    if "\0" in text:
        text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        notes.append("It holds zero characters, which are shown as �.")
    omitted = max(0, len(data) - limits.text_bytes)
    if omitted:
        notes.append(NoteKind.FIRST_BYTES_READ.text(read=limits.text_bytes, omitted=omitted))
        text += f"\n[… about {omitted:,} characters left out here …]\n"
    return Extraction(text=text, omitted=omitted, notes=tuple(notes))


def has_embedded_pictures(data: bytes) -> bool:
    """Whether text holds data addresses, which can carry more than can be seen."""
    return b";base64," in data and b"data:" in data


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    matches = from_bytes(data[:_SAMPLE])
    best = matches.best()
    if best is None or best.encoding in _SAME_AS_UTF8:
        return _USUAL
    # Western text often fits a rarer code page just as well: then the usual one is meant.
    usual = next((match for match in matches if match.encoding == _USUAL), None)
    if (
        usual is not None
        and usual.chaos <= best.chaos + _AS_GOOD
        and usual.coherence >= best.coherence - _AS_GOOD
    ):
        return _USUAL
    return best.encoding
