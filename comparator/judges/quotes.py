"""Looks up a judge's quotes in what the judge was shown."""

from __future__ import annotations

import re
from bisect import bisect_right

from comparator.domain.pair.view import OutputView, ViewedFile
from comparator.domain.scoring.judgment import Quote

SUBSTANCE = 3
"""A quote needs this many characters that are not white space; less proves nothing."""
SHORT = 12
"""Quotes shorter than this must match whole words, or "art" would be found in "party"."""
MOST_TRIES = 2000
"""How many places within words are passed over for one short quote."""
LONGEST_GAP = 4000
"""How many characters may lie between the first and the last piece of a quote with an ellipsis."""

_UNIMPORTANT = re.compile(r"[\s*_`#>|~\\\u00ad\u200b-\u200d\u2060\ufeff]+|[“”„‟«»‘’‚‛′″‐‑‒–—−…]")
_PLAIN = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛′", "'") | dict.fromkeys("‐‑‒–—−", "-")
)
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\.\.\.|…)\s*")
_OUTER = "\"'`“”„‘’«» \t\r\n"


class QuoteIndex:
    """Finds quotes in one output's view; the plain form of a file is made once, and only if it is needed."""

    def __init__(self, view: OutputView) -> None:
        self._files = view.files
        self._plain: dict[str, _PlainText] = {}

    def find(self, file: str, text: str) -> Quote:
        """The quote with the place where it stands, in `file` if possible, else in another file of the output.

        Positions are relative to `ViewedFile.text`. A quote that is found nowhere keeps the file that was named.
        """
        if _substance(text) < SUBSTANCE:
            return Quote(file=file, text=text)
        named = [viewed for viewed in self._files if _same_file(viewed.name, file)]
        others = [viewed for viewed in self._files if viewed not in named]
        for viewed in (*named, *others):
            if place := self._locate(viewed, text):
                return Quote(file=viewed.name, text=text, found=True, start=place[0], end=place[1])
        return Quote(file=named[0].name if named else file, text=text)

    def _locate(self, file: ViewedFile, quote: str) -> tuple[int, int] | None:
        text = file.text
        for wanted in dict.fromkeys((quote, quote.strip(_OUTER))):
            if _substance(wanted) >= SUBSTANCE and (place := _exact(text, wanted)):
                return place
        plain = self._plain.get(file.id)
        if plain is None:
            plain = self._plain[file.id] = _PlainText(text)
        for wanted in dict.fromkeys((quote, quote.strip(_OUTER))):
            if place := plain.locate(wanted):
                return place
        return plain.locate_pieces(_ELLIPSIS.split(quote.strip(_OUTER)))


class _PlainText:
    """A text without Markdown marks and with simple quotes, dashes and spaces, and the way back to its positions."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._end = len(text)
        length = position = 0

        def add(piece: str, origin: int) -> None:
            nonlocal length
            if piece:
                pieces.append(piece)
                self._starts.append(length)
                self._origins.append(origin)
                length += len(piece)

        for match in _UNIMPORTANT.finditer(text):
            add(text[position : match.start()], position)
            add(_simple(match.group()), match.start())
            position = match.end()
        add(text[position:], position)
        self.text = "".join(pieces)

    def locate(self, quote: str, *, after: int = 0) -> tuple[int, int] | None:
        """Where the quote stands in the original text, or None."""
        place = self._find(quote, after)
        return place and (self._origin(place[0]), self._origin(place[1] - 1) + 1)

    def locate_pieces(self, pieces: list[str]) -> tuple[int, int] | None:
        """Where the pieces of a shortened quote stand, from the first to the last, or None unless all do, in order."""
        pieces = [piece for piece in pieces if piece.strip(_OUTER)]
        if len(pieces) < 2:
            return None
        first = after = None
        for piece in pieces:
            place = self._find(piece, after or 0)
            if place is None:
                return None
            first = place[0] if first is None else first
            after = place[1]
        if first is None or after is None or after - first > LONGEST_GAP:
            return None
        return self._origin(first), self._origin(after - 1) + 1

    def _find(self, quote: str, after: int) -> tuple[int, int] | None:
        wanted = _UNIMPORTANT.sub(lambda match: _simple(match.group()), quote).strip()
        return _exact(self.text, wanted, after=after) if _substance(wanted) >= SUBSTANCE else None

    def _origin(self, position: int) -> int:
        piece = bisect_right(self._starts, position) - 1
        return self._origins[piece] + position - self._starts[piece]


def _simple(marks: str) -> str:
    if marks == "…":
        return "."
    plain = marks.translate(_PLAIN)
    if plain != marks:
        return plain
    return " " if any(mark.isspace() for mark in marks) else ""


def _exact(text: str, quote: str, *, after: int = 0) -> tuple[int, int] | None:
    start = text.find(quote, after)
    for _ in range(MOST_TRIES):
        if start < 0:
            return None
        end = start + len(quote)
        if len(quote) >= SHORT or not (_inside_word(text, start) or _inside_word(text, end)):
            return start, end
        start = text.find(quote, start + 1)
    return None


def _inside_word(text: str, boundary: int) -> bool:
    return 0 < boundary < len(text) and text[boundary - 1].isalnum() and text[boundary].isalnum()


def _substance(text: str) -> int:
    return len("".join(text.split()))


def _same_file(name: str, named: str) -> bool:
    named = named.strip(_OUTER).removeprefix("./").casefold()
    name = name.casefold()
    return name == named or _last_part(name) == _last_part(named)


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
