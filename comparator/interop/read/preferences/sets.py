"""Preference sets: AlpacaEval annotations, MT-Bench judgments and votes, LLMBar, JudgeBench, RewardBench 2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from comparator.interop.imported import Findings, Format, FoundLabel, LabelSource, LeftOut, Side
from comparator.interop.read.parquet_rows import parquet_rows
from comparator.interop.read.preferences.chat import messages_in
from comparator.interop.read.rows import UNNAMED, PairsOfRows, RowTask
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    output_in,
    read_text,
    rows_of,
    text_in,
)
from comparator.interop.read.unpacking import is_parquet


def read_alpaca_eval(path: Path) -> Findings:
    """AlpacaEval annotations; the annotator's preference becomes a judge's label, its order unknown to us."""
    pairs = PairsOfRows(path, format=Format.ALPACA_EVAL)

    def take(row: dict[str, Any]) -> None:
        task = RowTask(text_in(row, "instruction"))
        both = [output_in(row, "output_1"), output_in(row, "output_2")]
        names = [text_in(row, "generator_1", required=False), text_in(row, "generator_2", required=False)]
        winner = _preference(row.get("preference"))
        tags = (tag,) if (tag := text_in(row, "dataset", required=False)) else ()
        first, second = (
            pairs.run(task, candidate=name or UNNAMED[i], output=both[i], tags=tags)
            for i, name in enumerate(names)
        )
        pairs.pair(first, second)
        if winner is not None:
            author = text_in(row, "annotator", required=False) or "annotator"
            pairs.label(
                FoundLabel(
                    first=first,
                    second=second,
                    winner=winner,
                    kind=LabelSource.HUMAN if "human" in author.lower() else LabelSource.JUDGE,
                    author=author,
                    value={"preference": row.get("preference")},
                )
            )

    pairs.read(_rows_at(path, pairs), take)
    return pairs.found()


def read_llmbar(path: Path) -> Findings:
    """LLMBar: two unnamed outputs and a gold label; the tag is the set, by the name of the file or its folder."""
    pairs = PairsOfRows(path, format=Format.LLMBAR)
    tags = (_llmbar_set(path),)

    def take(row: dict[str, Any]) -> None:
        task = RowTask(text_in(row, "input"))
        both = [output_in(row, "output_1"), output_in(row, "output_2")]
        if row.get("label") not in (1, 2) or isinstance(row.get("label"), bool):
            raise UnreadableImport(f"its label is {json.dumps(row.get('label'))[:40]}, not 1 or 2")
        first, second = (
            pairs.run(task, candidate=name, output=output, tags=tags)
            for name, output in zip(UNNAMED, both, strict=True)
        )
        pairs.pair(first, second)
        winner = Side.FIRST if row["label"] == 1 else Side.SECOND
        pairs.label(_gold(first, second, winner, author="LLMBar"))

    pairs.read(_rows_at(path, pairs), take)
    return pairs.found()


def read_judgebench(path: Path) -> Findings:
    """JudgeBench: two responses of one model and a gold label; the pair's id is the task's key."""
    pairs = PairsOfRows(path, format=Format.JUDGEBENCH)

    def take(row: dict[str, Any]) -> None:
        task = RowTask(text_in(row, "question"), key=str(row.get("pair_id") or ""))
        both = [output_in(row, "response_A"), output_in(row, "response_B")]
        winner = {"A>B": Side.FIRST, "B>A": Side.SECOND, "A=B": Side.TIE}.get(str(row.get("label")))
        if winner is None:
            raise UnreadableImport(f"its label is {json.dumps(row.get('label'))[:40]}, not A>B or B>A")
        model = text_in(row, "response_model", required=False)
        tags = (tag,) if (tag := text_in(row, "source", required=False)) else ()
        first, second = (
            pairs.run(
                task,
                # Two answers of one model are two runs of one candidate.
                candidate=model or name,
                output=output,
                tags=tags,
                model=model or None,
            )
            for name, output in zip(UNNAMED, both, strict=True)
        )
        pairs.pair(first, second)
        pairs.label(_gold(first, second, winner, author="JudgeBench"))

    pairs.read(_rows_at(path, pairs), take)
    return pairs.found()


def read_rewardbench(path: Path) -> Findings:
    """RewardBench 2: one right answer against each wrong one, or, in Ties, one of several; the tag is the subset."""
    pairs = PairsOfRows(path, format=Format.REWARDBENCH)

    def take(row: dict[str, Any]) -> None:
        task = RowTask(text_in(row, "prompt"), key=str(row.get("id") or ""))
        right, wrong = _answers(row, "chosen"), _answers(row, "rejected")
        tags = (tag,) if (tag := text_in(row, "subset", required=False)) else ()
        first, *others = (
            pairs.run(task, candidate=name, output=output, tags=tags, repetition=number)
            for name, outputs in zip(UNNAMED, (right[:1], wrong), strict=True)
            for number, output in enumerate(outputs, start=1)
        )
        for other in others:
            pairs.pair(first, other)
            pairs.label(_gold(first, other, Side.FIRST, author="RewardBench 2"))

    pairs.read(_rows_at(path, pairs), take)
    return pairs.found()


def _gold(first: str, second: str, winner: Side, *, author: str) -> FoundLabel:
    return FoundLabel(first=first, second=second, winner=winner, kind=LabelSource.GOLD, author=author)


def _answers(row: dict[str, Any], name: str) -> list[str]:
    """The answers of a row under this name, of which there is at least one. Raises Unreadable."""
    found = row.get(name)
    given = [found] if isinstance(found, str) else found
    if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
        raise UnreadableImport(f"its {name} is {json.dumps(found)[:40]}, no list of answers")
    return list(dict.fromkeys(given))


def _rows_at(path: Path, pairs: PairsOfRows) -> Iterator[ReadRow]:
    """The rows of a file, whether it is JSON, JSON lines or Parquet."""
    if is_parquet(path):
        return parquet_rows(path)
    return rows_of(read_text(path), note=pairs.note_of_file)


def _llmbar_set(path: Path) -> str:
    # The repository calls each set's file dataset.json, in a folder of the set's name.
    return path.absolute().parent.name if path.stem == "dataset" else path.stem


def read_mt_bench(path: Path) -> Findings:
    """MT-Bench judgments or human votes, where the conversations stand in the rows or in files beside them.

    Judgments alone name questions and models; questions are looked for in `question.jsonl`, answers in
    `model_answer/<model>.jsonl`, in the same folder or one of the two above it.
    """
    library = _MtBench(path)
    pairs = PairsOfRows(path, format=Format.MT_BENCH)

    def take(row: dict[str, Any]) -> None:
        names = [text_in(row, "model_1", "model_a"), text_in(row, "model_2", "model_b")]
        turn = count_in(row, "turn") if row.get("turn") is not None else 1
        if not turn:
            raise UnreadableImport("its turn is not 1 or more")
        question = _question_id(row)
        texts = [
            library.conversation(row, name, side, question=question, turn=turn)
            for name, side in zip(names, "ab", strict=True)
        ]
        task = RowTask(texts[0][0], key=f"question-{question}-turn-{turn}")
        first, second = (
            pairs.run(task, candidate=name, output=text[1], model=name)
            for name, text in zip(names, texts, strict=True)
        )
        pairs.pair(first, second)
        judge = row.get("judge")
        author = judge if isinstance(judge, str) else json.dumps(judge) if judge is not None else "judge"
        human = "winner" in row
        winner, value = _vote(row)
        pairs.label(
            FoundLabel(
                first=first,
                second=second,
                winner=winner,
                kind=LabelSource.HUMAN if human else LabelSource.JUDGE,
                author=author,
                value=value,
            )
        )

    pairs.read(_rows_at(path, pairs), take)
    found = pairs.found()
    return found.model_copy(update={"left_out": (*library.left_out, *found.left_out)})


def _said(content: Any) -> str:
    (message,) = messages_in([{"role": "user", "content": content}])
    return message.content


class _MtBench:
    """Questions and answers that lie beside a file of judgments."""

    def __init__(self, path: Path) -> None:
        self.left_out: list[LeftOut] = []
        self._homes = (path.absolute().parent, *path.absolute().parents[1:3])
        self._questions = self._read("question.jsonl")
        self._answers: dict[str, dict[str, list[str]]] = {}

    def conversation(
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
                f"the text of question {question} is not at hand (question.jsonl beside the file)"
            )
        if len(answered) < turn:
            raise UnreadableImport(
                f"the answer of {model} is not at hand (model_answer/{model}.jsonl beside the file)"
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


def _preference(value: Any) -> Side | None:
    """1 is the first, 2 the second, 0 and 1.5 a tie; a number between leans to the nearer one."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (value == 0 or 1 <= value <= 2):
        raise UnreadableImport(f"its preference is {json.dumps(value)[:40]}, not a number from 1 to 2, or 0")
    if value in (0, 1.5):
        return Side.TIE
    return Side.FIRST if value < 1.5 else Side.SECOND


def _vote(row: dict[str, Any]) -> tuple[Side | None, dict[str, Any]]:
    names = {"model_1": Side.FIRST, "model_a": Side.FIRST, "model_2": Side.SECOND, "model_b": Side.SECOND}

    def side(value: Any) -> Side | None:
        text = str(value)
        if text in names:
            return names[text]
        if text.startswith("tie"):
            return Side.TIE
        if text == "error":
            return None
        raise UnreadableImport(f"its winner is {json.dumps(value)[:40]}, not model_1, model_2, tie or error")

    if "winner" in row:
        return side(row["winner"]), {"winner": row["winner"]}
    if "g1_winner" not in row or "g2_winner" not in row:
        raise UnreadableImport("it has neither winner nor g1_winner and g2_winner")
    first, second = side(row["g1_winner"]), side(row["g2_winner"])
    value = {"g1_winner": row["g1_winner"], "g2_winner": row["g2_winner"]}
    if first is None or second is None:
        return None, value
    # A judge that changes its mind with the order has not decided.
    return (first if first is second else Side.TIE), value
