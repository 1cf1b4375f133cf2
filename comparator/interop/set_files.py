"""What lies beside a file of a published set: its folder's name, and MT-Bench's questions and answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from comparator.interop.imported import LeftOut
from comparator.interop.text import ReadRow, UnreadableImport, json_rows, read_text

Row = dict[str, Any]


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
                    self.left_out.append(LeftOut(file=f"{path}, row {row.number}", reason=str(error)))
        except UnreadableImport as error:
            self.left_out.append(LeftOut(file=str(path), reason=str(error)))
        return turns_by_id


def _turns(row: ReadRow) -> tuple[str, list[str]]:
    """The id of a question and what was asked or answered turn by turn. Raises UnreadableImport."""
    if row.value is None:
        raise UnreadableImport(row.problem)
    choices = row.value.get("choices")
    holder = (
        choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else row.value
    )
    turns = holder.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise UnreadableImport("it has no turns")
    return question_id(row.value), turns


def question_id(row: Row) -> str:
    """The id of a row's question as text. Raises UnreadableImport where there is none."""
    id = row.get("question_id")
    if isinstance(id, bool) or not isinstance(id, (str, int)) or not str(id).strip():
        raise UnreadableImport("it has no question_id that is a text or a whole number")
    return str(id).strip()
