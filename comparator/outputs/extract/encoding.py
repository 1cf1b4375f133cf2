"""Bytes as text, in any usual encoding."""

import codecs
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from comparator.domain.pair.notes import Limitation
from comparator.outputs.isolated.messages import Extraction
from comparator.outputs.limits import Limits

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ADDRESS = re.compile(rb"data:[^,]{0,120}?base64", re.IGNORECASE)
_SAMPLE = 64 * 1024
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,80}encoding=["']([\w.-]{2,30})|<meta[^>]{0,200}charset=["']?([\w.-]{2,30})"""
    rb"""|coding[:=][ \t]*([\w.-]{2,30})""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 1024


class Decoded(NamedTuple):
    """Text, and the encoding it was read as."""

    text: str
    encoding: str
    guessed: bool
    invalid: int = 0
    """How many places of UTF-8 cannot be read; each is shown as �."""


def decode(data: bytes, *, undeclared: str | None = None) -> Decoded:
    """Bytes as text: by byte-order mark, as UTF-8, by what they declare, as UTF-16 without a mark, else by a guess.

    `undeclared` is what was guessed for this file and others together.
    """
    stated = _stated(data)
    if stated is not None:
        return stated
    encoding = undeclared or guess([data])
    return Decoded(data.decode(f"whatwg-{encoding}"), encoding, guessed=True)


def guess(samples: Iterable[bytes]) -> str:
    """The one encoding, as browsers call it, in which all these files, of which none says its own, are likely."""
    from turbohtml.detect import detect  # Few texts need it; it makes the codecs known as well.

    return (detect(b"\n".join(sample[:_SAMPLE] for sample in samples)).encoding or "windows-1252").lower()


def is_undeclared(data: bytes) -> bool:
    """Whether nothing says which encoding these bytes are in, so that it has to be guessed."""
    return not data.isascii() and _stated(data) is None


def _stated(data: bytes) -> Decoded | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace"), encoding, guessed=False)
    if b"\0" in data[:_SAMPLE] and (zeros := utf16_without_mark(data[:_SAMPLE])):
        return Decoded(data.decode(zeros, "replace"), zeros, guessed=True)
    if (text := _utf8(data)) is not None:
        return text
    declared = _declared(data)
    return Decoded(data.decode(declared, "replace"), declared, guessed=False) if declared else None


def _utf8(data: bytes) -> Decoded | None:
    """Bytes that are meant as UTF-8, some of which may not be; a last character that is cut off is left out.

    By chance, letters of another encoding are hardly ever whole characters of UTF-8.
    """
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(data)
    invalid = text.count("\N{REPLACEMENT CHARACTER}") - data.count("\N{REPLACEMENT CHARACTER}".encode())
    whole = len(text) - len(text.encode("ascii", "ignore")) - invalid
    if data.isascii() or whole > 4 * invalid:
        return Decoded(text, "utf-8", guessed=False, invalid=invalid)
    return None


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    name = next((group.decode() for group in match.groups() if group), None) if match else None
    with suppress(LookupError, UnicodeDecodeError):
        if name is not None and codecs.lookup(name).name not in ("utf-8", "utf-16", "utf-32"):
            data.decode(name)
            return codecs.lookup(name).name
    return None


def utf16_without_mark(sample: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` if every other byte is mostly zero, or is at the beginning, else None."""
    pairs = len(sample) // 2
    for encoding, zeros, others in (
        ("utf-16-le", sample[1:8:2], sample[:8:2]),
        ("utf-16-be", sample[:8:2], sample[1:8:2]),
    ):
        if zeros and not any(zeros) and all(32 <= byte < 127 or byte in b"\t\r\n" for byte in others):
            return encoding
    if pairs < 2:
        return None
    low, high = sample[0 : pairs * 2 : 2], sample[1 : pairs * 2 : 2]
    if high.count(0) > pairs * 0.7 > low.count(0):
        return "utf-16-le"
    if low.count(0) > pairs * 0.7 > high.count(0):
        return "utf-16-be"
    return None


def read_plain(data: bytes, limits: Limits) -> Extraction:
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
        notes.append(Limitation.FIRST_BYTES_READ.text(read=limits.text_bytes, omitted=omitted))
        text += f"\n[… about {omitted:,} characters left out here …]\n"
    return Extraction(text=text, omitted=omitted, notes=tuple(notes))


def has_embedded_pictures(data: bytes) -> bool:
    """Whether text holds data addresses, which can carry more than can be seen."""
    return _ADDRESS.search(data) is not None
