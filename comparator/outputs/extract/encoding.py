"""Bytes as text, in any usual encoding."""

import codecs
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
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
_RUN = re.compile(rb"[\x80-\xff].*[\x80-\xff]")
_ENOUGH = 2000
"""Bytes of different words that tell an encoding; each word counts once, frequent ones come first."""
_RARITY = {
    "cp1252": 0.0,
    "cp1250": 4.5,
    "cp1251": 8.0,
    "cp932": 6.0,
    "gb18030": 7.0,
    "cp949": 8.0,
    "big5": 8.0,
    "cp1253": 8.0,
    "cp1254": 6.0,
    "cp1255": 8.0,
    "cp1256": 8.0,
    "cp1257": 7.0,
    "cp1258": 7.0,
    "cp874": 8.0,
    "euc_jp": 9.0,
    "koi8-r": 9.0,
    "koi8-u": 9.0,
    "cp850": 6.5,
    "mac_roman": 6.5,
    "iso8859-2": 6.0,
    "cp852": 8.5,
    "iso8859-15": 8.5,
    "iso8859-5": 16.0,
    "iso8859-6": 12.0,
    "iso8859-7": 12.0,
    "iso8859-8": 12.0,
    "cp866": 16.0,
    "mac_cyrillic": 16.0,
}
"""How rare each encoding is. All costs are natural logarithms, negative ones, of a likelihood."""
_RARE, _FOREIGN, _IMPOSSIBLE = 10.0, 14.0, 19.0
"""Costs of letters that hardly ever meet, of a letter that the language lacks, and of what nobody writes."""
_CAPITAL_WITHIN, _ENGLISH = 8.0, 3.0
"""Costs of a capital behind a small letter, and of an English letter in a language of other letters."""
_MIXED = {1: 6.0, 2: 10.0}
"""Costs of one beside such a letter: within words of Chinese, Japanese and Korean it is usual."""
_MARKS_OF_WRITING = [
    (re.compile(pattern), cost)
    for pattern, cost in (
        (r"(?<=\w)’(?=\w)|(?<=l)·(?=l)", 3.0),
        (r"(?<=[^\W\d])–(?=[a-z])", 11.0),
        (r"(?<=[^\W\d])[—…](?=[^\W\d])|(?<=[^\W\d])–(?=[A-ZÀ-Þ])", 8.0),
        (r"(?<![^\s(\[\"'“«¡¿—–-])[¿¡](?=[“«¡¿A-ZÀ-Þ])", 3.0),
        (r"(?<![^\s(\[\"'“«¡¿—–-])[¿¡](?=[\wà-ÿ])", 9.0),
        (r"(?<!\w)[“„«‘](?!\s)|(?<!\S)«(?!\S)", 3.0),
        (r"(?<!\s)[”»’](?!\w)|(?<!\S)»(?!\S)", 3.0),
        (r"(?<!\w)[“„«‘»](?=\w)|[“”](?!\w)", 5.0),
        (r"(?<![^\W\d_])[’–—…\xa0]|[’–—…\xa0](?![^\W\d_])", 4.0),
        (r"(?<![^\W\d_])[£¥€](?![^\W\d_])|(?<=\d)[°ºª²³]|(?<!\w)°(?=[CF]?\b)", 5.0),
        (r"(?:(?<=m)|(?<=\b\w))[²³](?!\w)", 4.0),
        (r"(?<!\w)[½¼¾±§µ×•©®™‹›](?!\w)|(?<!\w)µ(?=m)|[©®™](?!\w)|(?<=\d)[½¼¾×±]|[±§](?=\d)", 6.0),
        (r"(?<!\S)[^\w\s](?!\S)", 6.0),
    )
]
"""Patterns and costs of other characters where people write them; the first that fits counts."""


class _Language(NamedTuple):
    """How likely letters are after one another in a language, counted in translations of free software."""

    encodings: frozenset[str]
    costs: dict[str, float]
    """Of a letter after another, `_` being the border of a word; of a sign of Chinese, Japanese or Korean alone."""
    letters: frozenset[str]
    together: int
    """How many letters have a cost together, 1 or 2."""


@cache
def _languages() -> tuple[_Language, ...]:
    languages = []
    for line in files(__package__).joinpath("letters.tsv").read_text("utf-8").splitlines():
        _, encodings, *levels = line.split("\t")
        together = 2 if any("_" in level for level in levels) else 1
        costs = {
            level[place : place + together]: cost / 2
            for cost, level in enumerate(levels)
            for place in range(0, len(level), together)
        }
        languages.append(_Language(frozenset(encodings.split()), costs, frozenset("".join(costs)), together))
    return tuple(languages)


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
    return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)


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


def guess(samples: Sequence[bytes]) -> str:
    """The one encoding in which all these files, of which none says its own, are most likely written.

    It is the one in which some language makes the words with letters beyond ASCII likeliest; Windows-1252 has a start
    that little evidence does not overcome.
    """
    counts = Counter(word for sample in samples for word in sample[:_SAMPLE].split() if not word.isascii())
    words = [word for word, _ in counts.most_common(_ENOUGH)]
    data = b"\n".join(words)[:_ENOUGH]
    # One letter is no evidence of another script.
    several = any(_RUN.search(word) for word in words)
    languages = [language for language in _languages() if several or "a" in language.letters]
    costs: dict[str, float] = {}
    for encoding, rarity in _RARITY.items():
        text = data.decode(encoding, "replace")
        marks = {
            match.start(): cost
            for pattern, cost in reversed(_MARKS_OF_WRITING)
            for match in pattern.finditer(text)
        }
        readings = [_cost(text, own, marks) for own in languages if encoding in own.encodings]
        costs[encoding] = rarity + min(readings, default=math.inf)
    return min(costs, key=lambda encoding: costs[encoding])


def _cost(text: str, language: _Language, marks: Mapping[int, float]) -> float:
    """The cost of the words of a text; `marks` are the costs of what is no letter where it stands."""
    total = 0.0
    before = "_"
    for place, written in enumerate(f"{text} "):
        letter = written.lower() if len(written.lower()) == 1 else written
        if letter in language.letters and letter != "_":
            if before != "_" and written.isupper() and text[place - 1].islower():
                total += _CAPITAL_WITHIN
            total += language.costs.get((before + letter)[-language.together :], _RARE)
            before = letter
            continue
        if before != "_" and language.together == 2:
            total += language.costs.get(before + "_", _RARE)
        before = "_"
        if written > "\x7f":
            foreign = letter.isalpha() and letter not in "ªºµ"
            total += _FOREIGN if foreign else marks.get(place, _IMPOSSIBLE)
        elif letter.isalpha():
            beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
            total += _ENGLISH if beside.isascii() else _MIXED[language.together]
    return total
