"""Published preference sets as rows of one table: the columns that tell each, and where its values stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any, NamedTuple

from comparator.interop.imported import Format
from comparator.interop.set_values import (
    NONE,
    TIE,
    A,
    B,
    Beside,
    Meaning,
    Row,
    both_orders,
    leaning,
    number_of,
    one_hot,
    question_id,
    side_of,
    sign_of_second,
    word_of,
)
from comparator.interop.text import UnreadableImport, at, count_in, part, text_in

OTHERS = "labels of others"
"""Where a row of a known set keeps its further labels."""


class KnownSet(NamedTuple):
    """A set that is known by its columns: where prompt, outputs and its label stand; a dot leads inside a value."""

    name: str
    columns: str
    """Those that it is known by, with blanks between; `*` is any beginning, and what `!` precedes is not there."""
    places: Mapping[str, str]
    label: str = ""
    """Where the label stands; empty for a set in which the first output is always the better one."""
    means: Meaning = None
    author: str = ""
    """Whose label it is: the set's, or, with a dot before it, who stands in this column."""
    kind: str = "gold"
    format: Format = Format.JSONL
    rows: Callable[[Row, Beside], Iterable[Row]] = lambda row, _: (row,)
    """The pairs of a row, with what a place cannot lead to put under a name."""

    def is_of(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns is of this set."""
        return all(
            any(fnmatchcase(column, name.lstrip("!")) for column in columns) != (name[0] == "!")
            for name in self.columns.split()
        )


# ---- the pairs of a row


def _conversations(row: Row, beside: Beside) -> Iterator[Row]:
    """MT-Bench: both conversations up to the turn, whose texts may lie in files beside it. Raises UnreadableImport."""
    turn = count_in(row, "turn") if row.get("turn") is not None else 1
    if not turn:
        raise UnreadableImport("its turn is not 1 or more")
    question = question_id(row)
    fields: Row = {"task_id": f"question-{question}-turn-{turn}"}
    for number, side in enumerate("ab", start=1):
        model = text_in(row, f"model_{number}", f"model_{side}")
        spoken = row.get(f"conversation_{side}")
        if not isinstance(spoken, list):
            asked, answered = (
                beside.texts("question.jsonl").get(question, []),
                beside.answers(model).get(question, []),
            )
            if len(asked) < turn:
                raise UnreadableImport(
                    f"the text of question {question} is missing; put question.jsonl beside the file"
                )
            if len(answered) < turn:
                raise UnreadableImport(
                    f"the answer of {model} is missing; put model_answer/{model}.jsonl beside the file"
                )
            both = zip(asked, answered, strict=False)
            spoken = [
                {"role": role, "content": text}
                for pair in both
                for role, text in zip(("user", "assistant"), pair, strict=True)
            ]
        fields |= {f"conversation_{side}": spoken[: 2 * turn], f"model_{side}": model}
    yield row | fields


def _right_and_wrong(row: Row, _: Beside) -> Iterator[Row]:
    """RewardBench 2: the right answer against each wrong one, or, in Ties, one of several right ones."""
    right, wrong = (_answers(row, name) for name in ("chosen", "rejected"))
    for number, answer in enumerate(wrong, start=1):
        yield row | {"chosen": right[0], "rejected": answer, "repetition": number}


def _answers(row: Row, name: str) -> list[str]:
    """The answers of a row under this name, of which there is at least one. Raises UnreadableImport."""
    value = row.get(name)
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
        raise UnreadableImport(f"its {name} is {json.dumps(value)[:40]}, not a list of answers")
    return list(dict.fromkeys(given))


def _rated(row: Row, _: Beside) -> Iterator[Row]:
    """UltraFeedback: every two of the rated answers; the higher overall score won. Raises UnreadableImport."""
    answers = part(row, "completions", list)
    if len(answers) < 2 or not all(isinstance(each, dict) for each in answers):
        raise UnreadableImport("its completions are not two or more rated answers")
    for first, second in combinations(answers, 2):
        scores = [number_of(each.get("overall_score")) for each in (first, second)]
        lead = None if scores[0] is None or scores[1] is None else scores[1] - scores[0]
        yield row | {"first": first, "second": second, "lead": lead}


def _turns_as_text(row: Row, _: Beside) -> Iterator[Row]:
    """LMArena 55k: a list of texts that is written as JSON, as its texts, one below the other."""

    def whole(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("["):
            try:
                parts = json.loads(value)
            except ValueError:
                return value
            if all(isinstance(part, str | None) for part in parts):
                return "\n\n".join(part for part in parts if part)
        return value

    yield row | {name: whole(row[name]) for name in ("prompt", "response_a", "response_b")}


def _argilla(row: Row, _: Beside) -> Iterator[Row]:
    fields = part(row, "fields", dict)
    names = _outputs_of(fields)
    said = [
        (person, side)
        for person, answer in _argilla_answers(row.get("responses"))
        if (side := _argilla_choice(answer, names))
    ]
    yield {**_sides(fields), **_by_person("Argilla", said)}


def _argilla_in_columns(row: Row, beside: Beside) -> Iterator[Row]:
    """Argilla's records as a data set of Hugging Face: a column for each field, and some for the answers."""
    answers = {
        name: [
            {"value": value, "user_id": person, "status": status}
            for value, person, status in zip(
                values, row.get(f"{name}.users") or values, row.get(f"{name}.status") or values, strict=False
            )
        ]
        if name.endswith(".responses")
        else values
        for name, values in row.items()
        if isinstance(values, list) and (name.endswith(".responses") or at(values, "0.user_id"))
    }
    fields = {
        name: value
        for name, value in row.items()
        if not re.search(r"[.]|^_|^id$|^status$|^external_id$|^metadata|-suggestion", name)
        and name not in answers
    }
    yield from _argilla({"fields": fields, "responses": answers}, beside)


_OF_THE_TOOL = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")
"""What Label Studio's short form says of a record beside what was asked and answered."""


def _label_studio_in_short(row: Row, _: Beside) -> Iterator[Row]:
    """Label Studio's JSON_MIN: what was asked and what was answered are values of the same object."""
    fields = {name: value for name, value in row.items() if name not in _OF_THE_TOOL}
    sides = _sides(fields)
    others = [value for value in fields.values() if isinstance(value, str) and value not in sides.values()]
    choices = [value for value in others if side_of(value)] or others
    yield {**sides, **_by_person("Label Studio", [(row["annotator"], " / ".join(choices))])}


def _label_studio(row: Row, _: Beside) -> Iterator[Row]:
    said = [
        (at(annotation, "completed_by.id") or at(annotation, "completed_by"), choice)
        for annotation in part(row, "annotations", list)
        if not at(annotation, "was_cancelled")
        for each in at(annotation, "result") or ()
        if (choice := _chosen_in(each))
    ]
    yield {**_sides(part(row, "data", dict)), **_by_person("Label Studio", said)}


def _chosen_in(result: Any) -> str:
    """What a result of a pairwise question, or of a choice, names."""
    chosen = (
        at(result, "value.selected") if at(result, "type") == "pairwise" else at(result, "value.choices.0")
    )
    return str(chosen or "")


def _by_person(tool: str, said: list[tuple[Any, str]]) -> Row:
    """The first label of a record, and those that others gave it."""
    authors = [f"{tool}, {person}" if len(said) > 1 else tool for person, _ in said]
    others = [
        {"author": author, "winner": choice, "kind": "human"}
        for author, (_, choice) in zip(authors[1:], said[1:], strict=True)
    ]
    return {"choice": said[0][1] if said else "", "by": authors[0] if authors else tool, OTHERS: others}


_OUTPUTS = ("response", "answer", "output", "completion", "text")


def _outputs_of(fields: Row) -> list[str]:
    """The names of the two fields that hold outputs."""
    return [name for name in fields if any(word in name.lower() for word in _OUTPUTS)][:2]


def _sides(fields: Row) -> Row:
    """Prompt and both outputs of a record, by the names of its fields."""
    outputs = _outputs_of(fields)
    asked = [name for name, value in fields.items() if isinstance(value, (str, list)) and name not in outputs]
    names = (
        fields.get("prompt", fields.get(asked[0]) if asked else None),
        *(fields[name] for name in outputs),
    )
    return dict(zip(("prompt", "a", "b"), names, strict=False))


def _argilla_choice(answer: Any, names: list[str]) -> str:
    """An answer to a ranking of two fields, or to a choice between them: A, B, tie, or empty."""
    if str(answer) in names:
        return (A, B)[names.index(str(answer))]
    if isinstance(answer, str) and (side := side_of(answer)):
        return side
    ranks = _ranks(answer)
    first, second = (ranks.get(name) for name in names) if len(names) == 2 else (None, None)
    if first is None or second is None:
        return ""
    return TIE if first == second else A if first < second else B


def _ranks(answer: Any) -> dict[str, int]:
    if isinstance(answer, dict) and isinstance(answer.get("text"), list):
        pairs = zip(answer["text"], answer.get("rank") or (), strict=False)
    elif isinstance(answer, list):
        pairs = zip(
            (at(each, "value") for each in answer), (at(each, "rank") for each in answer), strict=False
        )
    else:
        return {}
    return {str(name): rank for name, rank in pairs if isinstance(rank, int)}


def _argilla_answers(responses: Any) -> Iterable[tuple[Any, Any]]:
    """Who answered and what, without discarded answers."""
    for response in responses if isinstance(responses, list) else [responses]:
        values = response.get("values", response) if isinstance(response, dict) else {}
        for value in values.values() if isinstance(values, dict) else ():
            by_people = isinstance(value, list) and bool(value) and at(value, "0.user_id") is not None
            for answer in value if by_people else [value]:
                if "discarded" not in (at(answer, "status"), at(response, "status")):
                    person = at(answer, "user_id") or at(response, "user_id")
                    yield (
                        person,
                        answer.get("value") if isinstance(answer, dict) and "value" in answer else answer,
                    )


# ---- the table


def _both(a: str, b: str, **more: str) -> dict[str, str]:
    return {"output_a": a, "output_b": b, **more}


_MODELS = {"candidate_a": "model_a", "candidate_b": "model_b"}
_CONVERSATIONS = {**_both("conversation_a", "conversation_b", task_id="task_id", model_a="model_a", model_b="model_b"),
                  **_MODELS}  # fmt: skip
_RECORD = {"prompt": "prompt", "output_a": "a", "output_b": "b"}


KNOWN = (
    # Two answers of one model are two runs of one candidate.
    KnownSet("JudgeBench", "question response_A response_B label",
             _both("response_A", "response_B", prompt="question", task_id="pair_id", tags="source",
                   **dict.fromkeys(("candidate_a", "candidate_b", "model_a", "model_b"), "response_model")),
             "label", format=Format.JUDGEBENCH),
    KnownSet("RewardBench 2", "prompt chosen rejected subset num_correct",
             _both("chosen", "rejected", task_id="id", tags="subset", repetition_b="repetition"),
             format=Format.REWARDBENCH, rows=_right_and_wrong),
    KnownSet("AlpacaEval", "instruction output_1 output_2",
             _both("output_1", "output_2", prompt="instruction", candidate_a="generator_1", candidate_b="generator_2",
                   tags="dataset"),
             "preference", leaning, ".annotator", "judge", Format.ALPACA_EVAL),
    KnownSet("LLMBar", "input output_1 output_2 label", _both("output_1", "output_2", prompt="input", tags="file"),
             "label", {"1": A, "2": B}, format=Format.LLMBAR,
             rows=lambda row, beside: (row | {"file": beside.set_name},)),
    KnownSet("MT-Bench", "question_id model_1 model_2", _CONVERSATIONS, "g1_winner", both_orders, ".judge", "judge",
             Format.MT_BENCH, _conversations),
    KnownSet("UltraFeedback", "instruction completions",
             _both("first.response", "second.response", prompt="instruction", candidate_a="first.model",
                   candidate_b="second.model", tags="source"),
             "lead", sign_of_second("lead"), kind="judge", rows=_rated),
    KnownSet("HelpSteer3", "context response1 response2 overall_preference",
             _both("response1", "response2", prompt="context", tags="domain"),
             "overall_preference", sign_of_second("overall_preference"), kind="human"),
    KnownSet("HelpSteer2", "prompt response_1 response_2 preference_strength", _both("response_1", "response_2"),
             "preference_strength", sign_of_second("preference_strength"), kind="human"),
    KnownSet("PKU-SafeRLHF", "prompt response_0 response_1 better_response_id", _both("response_0", "response_1"),
             "better_response_id", {"0": A, "1": B}),
    KnownSet("SHP", "history human_ref_A human_ref_B labels",
             _both("human_ref_A", "human_ref_B", prompt="history", tags="domain"),
             "labels", {"1": A, "0": B}, kind="human"),
    KnownSet("LMArena 55k", "prompt response_a response_b winner_model_a winner_model_b",
             _both("response_a", "response_b", candidate_a="model_a", candidate_b="model_b"),
             "winner_model_a", one_hot, "LMArena", "human", rows=_turns_as_text),
    KnownSet("LMArena", "model_a model_b winner conversation_a conversation_b !judge",
             {**_CONVERSATIONS, "tags": "language"}, "winner", None, kind="human"),
    KnownSet("MT-Bench", "question_id model_a model_b winner", _CONVERSATIONS, "winner", None, ".judge", "human",
             Format.MT_BENCH, _conversations),
    KnownSet("OpenAI preference fine-tuning", "input preferred_output non_preferred_output",
             _both("preferred_output", "non_preferred_output", prompt="input.messages")),
    KnownSet("LLaMA-Factory", "conversations chosen rejected", _both("chosen", "rejected", prompt="conversations")),
    KnownSet("LLaMA-Factory", "instruction chosen rejected", _both("chosen", "rejected", prompt="whole"),
             rows=lambda row, _: (row | {"whole": "\n\n".join(
                 part for part in (row["instruction"], row.get("input")) if isinstance(part, str) and part)},)),
    KnownSet("Argilla", "fields responses", _RECORD, "choice", author=".by", kind="human", rows=_argilla),
    *(KnownSet("Argilla", columns, _RECORD, "choice", author=".by", kind="human", rows=_argilla_in_columns)
      for columns in ("_server_id *.responses *.responses.users", "external_id metadata *-suggestion")),
    KnownSet("Label Studio", "annotation_id annotator lead_time", _RECORD, "choice", author=".by", kind="human",
             rows=_label_studio_in_short),
    KnownSet("Label Studio", "data annotations", _RECORD, "choice", author=".by", kind="human", rows=_label_studio),
)  # fmt: skip


def known_set(columns: Collection[str]) -> KnownSet | None:
    """The set that has these columns, if it is one that is known."""
    return next((each for each in KNOWN if each.is_of(columns)), None)


def as_plain(row: Row, known: KnownSet, said: Mapping[str, str]) -> Row:
    """A row of a known set in our own columns; what has no column of ours is left out.

    `said` is what somebody said that the values of its label mean. A label that is not understood becomes a problem
    under `label_problem`.
    """
    # A chat may hold its prompt itself.
    plain: Row = {ours: row[ours] for ours in ("prompt", "task_id", "title") if ours in row}
    plain |= {ours: at(row, place) for ours, place in known.places.items()}
    author = known.author or known.name
    if author.startswith("."):
        named = row.get(author[1:])
        parts = [str(part) for part in (named if isinstance(named, list) else [named]) if part is not None]
        author = ", ".join(parts) or known.name
    kind = known.kind
    if kind == "judge" and "human" in author.lower():
        kind = "human"
    elif known.format is Format.MT_BENCH and "gpt" in author.lower():
        kind = "judge"
    plain |= {"label": A, "label_author": author, "label_kind": kind, "other_labels": row.get(OTHERS)}
    if not known.label:
        return plain
    given = word_of(at(row, known.label))
    side = said.get(given)
    if side is None:
        means = known.means
        side = means(row) if callable(means) else side_of(given) if means is None else means.get(given)
    if side is None and given not in NONE:
        plain["label_problem"] = f"its {known.label} {given[:40]!r} is not a label of {known.name}"
    return plain | {"label": side or None}
