"""What the words and numbers of a label say: the first output, the second, or a tie."""

import re
from collections.abc import Callable, Mapping
from typing import Any

A, B, TIE = "A", "B", "tie"

_TIES = (
    "= tie ties equal both same draw neither both_good bothgood both_bad bothbad tie(bothbad) tie_(bothbad) "
    "tie_(both_bad) tie_(inconsistent)"
)
_ONE = re.compile(
    r"(?:the )?(?:(?:model|output|response|answer|option|assistant|completion|candidate|system|side)[ _-]?)?"
    r"(?:(a|left|first|chosen|(?<=[a-z _-])1)|b|right|second|rejected|(?<=[a-z _-])2)"
    r"(?: (?:wins|won|is (?:much |slightly |significantly )?better|is preferred))?"
)
_ARENA = re.compile(r"([ab]) *(<+|>+|=+) *([ab])")
NONE = frozenset({"", "none", "null", "nan", "error", "?", "skip"})
"""Labels that say that there is none."""
Meaning = Mapping[str, str] | Callable[[str], str | None]
"""What the word of a label says: A, B or tie; None where it is not understood."""


def side_of(word: str) -> str | None:
    """What a label in words says: A, B or tie; None where that is not plain.

    >>> side_of("model b"), side_of("[[A>>B]]"), side_of("both good"), side_of("response 3")
    ('B', 'A', 'tie', None)
    """
    word = word.strip().strip("[]").lower()
    if re.sub(r"[ -]+", "_", word) in _TIES.split():
        return TIE
    if (arena := _ARENA.fullmatch(word)) and arena[1] != arena[3]:
        return TIE if arena[2][0] == "=" else arena[1 if arena[2][0] == ">" else 3].upper()
    side = _ONE.fullmatch(word)
    return None if side is None else A if side[1] else B


def sign_of_second(word: str) -> str | None:
    """A number above zero prefers the second output, one below the first."""
    number = _number(word)
    return None if number is None else TIE if number == 0 else B if number > 0 else A


def leaning(word: str) -> str | None:
    """AlpacaEval: 1 is the first, 2 the second, 0 and 1.5 a tie; a number between leans to the nearer one."""
    number = _number(word)
    if number is None or not (number == 0 or 1 <= number <= 2):
        return None
    return TIE if number in (0, 1.5) else A if number < 1.5 else B


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def word_of(value: Any) -> str:
    """A label in small letters; a whole number without its point."""
    text = str(value).strip().lower()
    return text.removesuffix(".0") if text[:1].isdigit() or text[:1] in ("+", "-") else text
