"""What published sets hold: labels in words and numbers, and texts in files beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from comparator.interop.imported import LeftOut, Notes
from comparator.interop.text import ReadRow, UnreadableImport, at, json_rows, part, read_text

Row = dict[str, Any]
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
Meaning = Mapping[str, str] | Callable[[Row], str | None] | None
"""What a label says: A, B, tie, or nothing; None where it is not understood. None itself stands for `side_of`."""


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
    one = _ONE.fullmatch(word)
    return None if one is None else A if one[1] else B


def sign_of_second(place: str) -> Meaning:
    """A number above zero prefers the second output, one below the first."""

    def side(row: Row) -> str | None:
        number = number_of(at(row, place))
        return None if number is None else TIE if number == 0 else B if number > 0 else A

    return side


def leaning(row: Row) -> str | None:
    """AlpacaEval: 1 is the first, 2 the second, 0 and 1.5 a tie; a number between leans to the nearer one."""
    number = number_of(row.get("preference"))
    if number is None or not (number == 0 or 1 <= number <= 2):
        return None
    return TIE if number in (0, 1.5) else A if number < 1.5 else B


def number_of(value: Any) -> float | None:
    """The value as a number, also where it is written as text; None where it is none."""
    try:
        number = float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number == number else None


def one_hot(row: Row) -> str | None:
    """LMArena 55k: the one of three columns that is 1."""
    named = (("winner_model_a", A), ("winner_model_b", B), ("winner_tie", TIE))
    return next((side for name, side in named if word_of(row.get(name)) in ("1", "true")), None)


def both_orders(row: Row) -> str | None:
    """MT-Bench: a judge that changes its mind with the order has not decided."""
    given = {word_of(row.get(name)) for name in ("g1_winner", "g2_winner")}
    if given & NONE:
        return ""
    sides = set(map(side_of, given))
    return None if None in sides else sides.pop() if len(sides) == 1 else TIE


def word_of(value: Any) -> str:
    """A label in small letters; a whole number without its point."""
    text = str(value).strip().lower()
    return text.removesuffix(".0") if text[:1].isdigit() or text[:1] in ("+", "-") else text


class Beside:
    """What lies beside a file of a set: its folder's name, and MT-Bench's questions and answers.

    Questions are looked for in `question.jsonl`, answers in `model_answer/<model>.jsonl`, in the same folder or one of
    the two above it. `left_out` tells what of them could not be read.
    """

    def __init__(self, path: Path) -> None:
        self.left_out: list[LeftOut] = []
        path = path.absolute()
        # LLMBar's repository calls each set's file dataset.json, in a folder of the set's name.
        self.set_name = path.parent.name if path.stem == "dataset" else path.stem
        self._homes = (path.parent, *path.parents[1:3])
        self.texts = cache(self._texts)

    def answers(self, model: str) -> dict[str, list[str]]:
        """A model's answers to each question, turn by turn."""
        safe = "/" not in model and "\\" not in model and model not in ("", ".", "..")
        return self.texts(f"model_answer/{model}.jsonl") if safe else {}

    def _texts(self, name: str) -> dict[str, list[str]]:
        home = next((home for home in self._homes if (home / name).is_file()), None)
        if home is None:
            return {}
        path = home / name
        notes = Notes(path)
        turns_by_id: dict[str, list[str]] = {}
        try:
            # What came with a file of judgments may be a link to anything on this machine.
            if not path.resolve().is_relative_to(home.resolve()):
                raise UnreadableImport("it is a link that leads elsewhere")
            for row in json_rows(read_text(path)):
                try:
                    id, turns = _turns(row)
                    if turns_by_id.setdefault(id, turns) != turns:
                        raise UnreadableImport(f"another row has the question_id {id}; the first one counts")
                except UnreadableImport as error:
                    notes.add(error, row=row.number)
        except UnreadableImport as error:
            notes.add(error)
        self.left_out += notes
        return turns_by_id


def _turns(row: ReadRow) -> tuple[str, list[str]]:
    """The id of a question and what was asked or answered turn by turn. Raises UnreadableImport."""
    if row.value is None:
        raise UnreadableImport(row.problem)
    turns = (part(row.value, "choices.0", dict) or row.value).get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise UnreadableImport("it has no turns")
    return question_id(row.value), turns


def question_id(row: Row) -> str:
    """The id of a row's question as text. Raises UnreadableImport where there is none."""
    id = row.get("question_id")
    if isinstance(id, bool) or not isinstance(id, (str, int)) or not str(id).strip():
        raise UnreadableImport("it has no question_id that is a text or a whole number")
    return str(id).strip()
