"""Looks up a judge's quotes in what the judge was shown."""

import re

from comparator.domain.blinding.folding import Folded
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
        self._plain: dict[str, Folded] = {}

    def find(self, file: str, text: str) -> Quote:
        """The quote with the place where it stands, in `file` if possible, else in another file of the output.

        Positions are relative to `ViewedFile.text`. A quote that is found nowhere keeps the file that was named.
        """
        if substance(text) < SUBSTANCE:
            return Quote(file=file, text=text)
        named = [viewed for viewed in self._files if same_file(viewed.name, file)]
        others = [viewed for viewed in self._files if viewed not in named]
        for viewed in (*named, *others):
            if place := self._locate(viewed, text):
                return Quote(file=viewed.name, text=text, found=True, start=place[0], end=place[1])
        return Quote(file=named[0].name if named else file, text=text)

    def _locate(self, file: ViewedFile, quote: str) -> tuple[int, int] | None:
        bare = quote.strip(_OUTER)
        for words in dict.fromkeys((quote, bare)):
            if substance(words) >= SUBSTANCE and (place := _exact(file.text, words)):
                return place
        if file.id not in self._plain:
            self._plain[file.id] = _plain(file.text)
        pieces = [piece for piece in _ELLIPSIS.split(bare) if piece.strip(_OUTER)]
        for parts in ([quote], [bare], pieces):
            if place := _in_order(self._plain[file.id], parts):
                return place
        return None


def _plain(text: str) -> Folded:
    """A text without Markdown marks and with simple quotes, dashes and spaces, and the way back to its positions."""
    pieces: list[str] = []
    atoms: list[tuple[int, int, int, int]] = []
    length = done = 0
    for match in _UNIMPORTANT.finditer(text):
        start, end = match.span()
        if (value := _simple(match[0])) == match[0]:
            continue
        pieces += (text[done:start], value)
        length += start - done
        atoms.append((length, length + len(value), start, end))
        length += len(value)
        done = end
    return Folded("".join((*pieces, text[done:])), atoms)


def _in_order(plain: Folded, pieces: list[str]) -> tuple[int, int] | None:
    """Where the pieces of a quote stand, from the first to the last, or None unless all do, in order and close."""
    first = after = 0
    for number, piece in enumerate(pieces):
        words = _UNIMPORTANT.sub(lambda match: _simple(match[0]), piece).strip()
        place = _exact(plain.text, words, after=after) if substance(words) >= SUBSTANCE else None
        if place is None:
            return None
        first, after = first if number else place[0], place[1]
    if not pieces or (len(pieces) > 1 and after - first > LONGEST_GAP):
        return None
    return plain.source(first, after)


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


def substance(text: str) -> int:
    """How many characters of it are not white space."""
    return len("".join(text.split()))


def same_file(name: str, named: str) -> bool:
    """Whether a judge that writes `named` may mean the file of this name, in whatever folder."""
    own, words = (path.strip(_OUTER).rstrip("/").rpartition("/")[2].casefold() for path in (name, named))
    return own == words
