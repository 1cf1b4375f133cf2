"""MT-Bench's judgments and votes: a row names a question and two models, whose texts may lie in files beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from comparator.interop.imported import LeftOut
from comparator.interop.read.preferences.chat import messages_in
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    read_text,
    text_in,
)


def _said(content: Any) -> str:
    (message,) = messages_in([{"role": "user", "content": content}])
    return message.content


class MtBench:
    """Questions and answers that lie in a file of judgments or votes, or beside it.

    Questions are looked for in `question.jsonl`, answers in `model_answer/<model>.jsonl`, in the same folder or one of
    the two above it. `left_out` tells what of them could not be read.
    """

    def __init__(self, path: Path) -> None:
        self.left_out: list[LeftOut] = []
        self._homes = (path.absolute().parent, *path.absolute().parents[1:3])
        self._questions = self._read("question.jsonl")
        self._answers: dict[str, dict[str, list[str]]] = {}

    def rows(self, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The row with its texts. Raises Unreadable where they are not at hand."""
        names = [text_in(row, "model_1", "model_a"), text_in(row, "model_2", "model_b")]
        turn = count_in(row, "turn") if row.get("turn") is not None else 1
        if not turn:
            raise UnreadableImport("its turn is not 1 or more")
        question = _question_id(row)
        (prompt, first), (_, second) = (
            self._conversation(row, name, side, question=question, turn=turn)
            for name, side in zip(names, "ab", strict=True)
        )
        yield row | {
            "prompt": prompt,
            "output_a": first,
            "output_b": second,
            "task_id": f"question-{question}-turn-{turn}",
            "candidate_a": names[0],
            "candidate_b": names[1],
        }

    def _conversation(
        self, row: dict[str, Any], model: str, side: str, *, question: str, turn: int
    ) -> tuple[str, str]:
        """Prompt and answer of one model up to this turn. Raises Unreadable where they are not at hand."""
        spoken = row.get(f"conversation_{side}")
        if isinstance(spoken, list):
            asked, answered = (
                [_said(m.get("content")) for m in spoken if isinstance(m, dict) and m.get("role") == role]
                for role in ("user", "assistant")
            )
        else:
            asked = self._questions.get(question, [])
            answered = self._answers_of(model).get(question, [])
        if len(asked) < turn:
            raise UnreadableImport(
                f"the text of question {question} is missing; put question.jsonl beside the file"
            )
        if len(answered) < turn:
            raise UnreadableImport(
                f"the answer of {model} is missing; put model_answer/{model}.jsonl beside the file"
            )
        if turn == 1:
            return asked[0], answered[0]
        # What a turn answers includes the question before it; each side's own first answer stays with its output.
        prompt = "\n\n".join(f"Turn {i}: {text}" for i, text in enumerate(asked[:turn], start=1))
        output = "\n\n".join(f"Answer {i}:\n{text}" for i, text in enumerate(answered[:turn], start=1))
        return prompt, output

    def _answers_of(self, model: str) -> dict[str, list[str]]:
        if model not in self._answers:
            safe = "/" not in model and "\\" not in model and model not in ("", ".", "..")
            self._answers[model] = self._read(f"model_answer/{model}.jsonl") if safe else {}
        return self._answers[model]

    def _read(self, name: str) -> dict[str, list[str]]:
        home = next((home for home in self._homes if (home / name).is_file()), None)
        if home is None:
            return {}
        path = home / name
        found: dict[str, list[str]] = {}
        try:
            # What came with a file of judgments may be a link to anything on this machine.
            if not path.resolve().is_relative_to(home.resolve()):
                raise UnreadableImport("it is a link that leads elsewhere")
            for row in json_rows(read_text(path)):
                try:
                    id, turns = _turns(row)
                    if found.setdefault(id, turns) != turns:
                        raise UnreadableImport(f"another row has the question_id {id}; the first one counts")
                except UnreadableImport as error:
                    self.left_out.append(LeftOut(file=f"{path}, row {row.number}", reason=str(error)))
        except UnreadableImport as error:
            self.left_out.append(LeftOut(file=str(path), reason=str(error)))
        return found


def _turns(row: ReadRow) -> tuple[str, list[str]]:
    """The id of a question and what was asked or answered turn by turn. Raises Unreadable."""
    if row.value is None:
        raise UnreadableImport(row.problem)
    turns: Any = row.value.get("turns")
    choices = row.value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        turns = choices[0].get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise UnreadableImport("it has no turns")
    return _question_id(row.value), turns


def _question_id(row: dict[str, Any]) -> str:
    """The id of a row's question as text. Raises Unreadable where there is none."""
    id = row.get("question_id")
    if isinstance(id, bool) or not isinstance(id, (str, int)) or not str(id).strip():
        raise UnreadableImport("it has no question_id that is a text or a whole number")
    return str(id).strip()
