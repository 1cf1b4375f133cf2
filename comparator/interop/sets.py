"""Published preference sets as rows of one table: the columns that tell each, and what their labels mean."""

import fnmatch
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from comparator.interop.imported import Format, LeftOut, Notes
from comparator.interop.pair_rows import NONE, TIE, A, B, Meaning, leaning, side_of, sign_of_second, word_of
from comparator.interop.text import (
    ReadRow,
    UnreadableImport,
    at,
    count_in,
    json_rows,
    number_in,
    part,
    read_text,
    text_in,
)

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
    means: Meaning = side_of
    author: str = ""
    """Whose label it is: the set's, or, with a dot before it, who stands in this column."""
    kind: str = "gold"
    format: Format = Format.JSONL
    rows: Callable[[Row, Beside], Iterable[Row]] = lambda row, _: (row,)
    """The pairs of a row, with what a place cannot lead to put under a name."""

    def is_of(self, columns: Collection[str]) -> bool:
        """Whether a table with these columns is of this set."""
        return all(
            bool(fnmatch.filter(columns, name.lstrip("!"))) != (name[0] == "!")
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
            questions, answers = (
                beside.texts("question.jsonl").get(question, []),
                beside.answers(model).get(question, []),
            )
            if len(questions) < turn:
                raise UnreadableImport(
                    f"the text of question {question} is missing; put question.jsonl beside the file"
                )
            if len(answers) < turn:
                raise UnreadableImport(
                    f"the answer of {model} is missing; put model_answer/{model}.jsonl beside the file"
                )
            both = zip(questions, answers, strict=False)
            spoken = [
                {"role": role, "content": text}
                for pair in both
                for role, text in zip(("user", "assistant"), pair, strict=True)
            ]
        fields |= {f"conversation_{side}": spoken[: 2 * turn], f"model_{side}": model}
    yield row | fields


def _judged_conversations(row: Row, beside: Beside) -> Iterator[Row]:
    """MT-Bench by a judge: one that changes its mind with the order has not decided. Raises UnreadableImport."""
    words = [word_of(row.get(name)) for name in ("g1_winner", "g2_winner")]
    undecided = [word for word in words if word in NONE or side_of(word) is None]
    if side_of(words[0]) != side_of(words[1]):
        undecided.append("tie")
    return _conversations(row | {"g1_winner": (undecided or words)[0]}, beside)


def _right_and_wrong(row: Row, _: Beside) -> Iterator[Row]:
    """RewardBench 2: the right answer against each wrong one, or, in Ties, one of several right ones."""
    right, wrong = (_answers(row, name) for name in ("chosen", "rejected"))
    for number, answer in enumerate(wrong, start=1):
        yield row | {"chosen": right[0], "rejected": answer, "repetition": number}


def _answers(row: Row, name: str) -> list[str]:
    """The answers of a row under this name, of which there is at least one. Raises UnreadableImport."""
    value = row.get(name)
    answers = [value] if isinstance(value, str) else value
    if not isinstance(answers, list) or not answers or not all(isinstance(answer, str) for answer in answers):
        raise UnreadableImport(f"its {name} is {json.dumps(value)[:40]}, not a list of answers")
    return list(dict.fromkeys(answers))


def _rated_pairs(row: Row, _: Beside) -> Iterator[Row]:
    """UltraFeedback: every two of the rated answers; the higher overall score won. Raises UnreadableImport."""
    answers = part(row, "completions", list)
    if len(answers) < 2 or not all(isinstance(answer, dict) for answer in answers):
        raise UnreadableImport("its completions are not two or more rated answers")
    for first, second in combinations(answers, 2):
        one, two = (number_in(answer, "overall_score") for answer in (first, second))
        lead = None if one is None or two is None else two - one
        yield row | {"first": first, "second": second, "lead": lead}


def _turns_as_text(row: Row, _: Beside) -> Iterator[Row]:
    """LMArena 55k: lists of texts that are written as JSON, as their texts, and the one of three columns that is 1."""

    def whole(value: Any) -> Any:
        with suppress(ValueError, TypeError):
            if isinstance(texts := json.loads(value), list):
                return "\n\n".join(filter(None, texts))
        return value

    texts = {name: whole(row.get(name)) for name in ("prompt", "response_a", "response_b")}
    winners = (name for name in _ONE_HOT if word_of(row.get(name)) in ("1", "true"))
    yield row | texts | {"winner": next(winners, "none of them")}


_ONE_HOT = {"winner_model_a": A, "winner_model_b": B, "winner_tie": TIE}


def _record(tool: str, fields: Row, choices: list[tuple[Any, str]]) -> Row:
    """Prompt and outputs of a record by the names of its fields; the first label of it, and those that others gave."""
    outputs = _outputs_of(fields)
    prompt_fields = [
        name
        for name in ("prompt", *fields)
        if name not in outputs and isinstance(fields.get(name), (str, list))
    ]
    labels = [
        {"author": f"{tool}, {person}" if len(choices) > 1 else tool, "winner": choice, "kind": "human"}
        for person, choice in choices
    ] or [{"author": tool, "winner": ""}]
    return {
        "prompt": fields[prompt_fields[0]] if prompt_fields else None,
        **dict(zip("ab", (fields[name] for name in outputs), strict=False)),
        "choice": labels[0]["winner"],
        "by": labels[0]["author"],
        OTHERS: labels[1:],
    }


def _outputs_of(fields: Row) -> list[str]:
    """The names of the two fields that hold outputs."""
    words = ("response", "answer", "output", "completion", "text")
    return [name for name in fields if any(word in name.lower() for word in words)][:2]


def _argilla(row: Row, _: Beside) -> Iterator[Row]:
    fields, responses = part(row, "fields", dict), row.get("responses")
    answers = [
        {**response, **answer}
        for response in (responses if isinstance(responses, list) else [responses])
        if isinstance(response, dict)
        for values in (part(response, "values", dict) or response).values()
        for answer in (values if isinstance(values, list) else [values])
        if isinstance(answer, dict)
    ]
    replies = [
        (reply.get("user_id"), reply.get("value")) for reply in answers if reply.get("status") != "discarded"
    ]
    names = _outputs_of(fields)
    choices = ((person, _choice(value, names)) for person, value in replies)
    yield _record("Argilla", fields, [(person, choice) for person, choice in choices if choice])


def _choice(value: Any, names: list[str]) -> str:
    """An answer to a choice between two fields, or to a ranking of them: A, B, tie, or empty for another question."""
    if not isinstance(value, list):
        return "AB"[names.index(str(value))] if str(value) in names else side_of(str(value)) or ""
    ranks = {str(at(ranked, "value")): number_in(part([ranked], "0", dict), "rank") for ranked in value}
    first, second = (ranks.get(name) for name in names) if len(names) == 2 else (None, None)
    if first is None or second is None:
        return ""
    return TIE if first == second else A if first < second else B


def _argilla_in_columns(row: Row, beside: Beside) -> Iterator[Row]:
    """Argilla's records as a data set of Hugging Face: a column for each field, and some for the answers."""
    answers = {name: value for name, value in row.items() if at(value, "0.user_id")}
    for name in (name for name in row if name.endswith(".responses")):
        replies = zip(*(row.get(f"{name}{end}") or () for end in ("", ".users", ".status")), strict=False)
        answers[name] = [dict(zip(("value", "user_id", "status"), reply, strict=True)) for reply in replies]
    ours = re.compile(r"[.]|^_|^id$|^status$|^external_id$|^metadata|-suggestion")
    fields = {name: value for name, value in row.items() if not ours.search(name) and name not in answers}
    return _argilla({"fields": fields, "responses": answers}, beside)


def _label_studio(row: Row, _: Beside) -> Iterator[Row]:
    choices = [
        (at(annotation, "completed_by.id") or at(annotation, "completed_by"), str(choice))
        for annotation in part(row, "annotations", list)
        if not at(annotation, "was_cancelled")
        for result in part(annotation, "result", list)
        if (choice := at(result, "value.selected") or at(result, "value.choices.0"))
    ]
    yield _record("Label Studio", part(row, "data", dict), choices)


def _label_studio_in_short(row: Row, _: Beside) -> Iterator[Row]:
    """Label Studio's JSON_MIN: what was asked and what was answered are values of the same object."""
    of_the_tool = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")
    fields = {name: value for name, value in row.items() if name not in of_the_tool}
    record = _record("Label Studio", fields, [])
    others = [value for value in fields.values() if isinstance(value, str) and value not in record.values()]
    choices = [value for value in others if side_of(value)] or others
    yield record | {"choice": " / ".join(choices)}


# ---- the table


def _pair(a: str, b: str, **more: str) -> dict[str, str]:
    return {"output_a": a, "output_b": b, **more}


_MODELS = {"candidate_a": "model_a", "candidate_b": "model_b"}
_CONVERSATIONS = {**_pair("conversation_a", "conversation_b", task_id="task_id", model_a="model_a", model_b="model_b"),
                  **_MODELS}  # fmt: skip


KNOWN = (
    # Two answers of one model are two runs of one candidate.
    KnownSet("JudgeBench", "question response_A response_B label",
             _pair("response_A", "response_B", prompt="question", task_id="pair_id", tags="source",
                   **dict.fromkeys(("candidate_a", "candidate_b", "model_a", "model_b"), "response_model")),
             "label", format=Format.JUDGEBENCH),
    KnownSet("RewardBench 2", "prompt chosen rejected subset num_correct",
             _pair("chosen", "rejected", task_id="id", tags="subset", repetition_b="repetition"),
             format=Format.REWARDBENCH, rows=_right_and_wrong),
    KnownSet("AlpacaEval", "instruction output_1 output_2",
             _pair("output_1", "output_2", prompt="instruction", candidate_a="generator_1", candidate_b="generator_2",
                   tags="dataset"),
             "preference", leaning, ".annotator", "judge", Format.ALPACA_EVAL),
    KnownSet("LLMBar", "input output_1 output_2 label", _pair("output_1", "output_2", prompt="input", tags="file"),
             "label", {"1": A, "2": B}, format=Format.LLMBAR,
             rows=lambda row, beside: (row | {"file": beside.set_name},)),
    KnownSet("MT-Bench", "question_id model_1 model_2", _CONVERSATIONS, "g1_winner", side_of, ".judge", "judge",
             Format.MT_BENCH, _judged_conversations),
    KnownSet("UltraFeedback", "instruction completions",
             _pair("first.response", "second.response", prompt="instruction", candidate_a="first.model",
                   candidate_b="second.model", tags="source"),
             "lead", sign_of_second, kind="judge", rows=_rated_pairs),
    KnownSet("HelpSteer3", "context response1 response2 overall_preference",
             _pair("response1", "response2", prompt="context", tags="domain"),
             "overall_preference", sign_of_second, kind="human"),
    KnownSet("HelpSteer2", "prompt response_1 response_2 preference_strength", _pair("response_1", "response_2"),
             "preference_strength", sign_of_second, kind="human"),
    KnownSet("PKU-SafeRLHF", "prompt response_0 response_1 better_response_id", _pair("response_0", "response_1"),
             "better_response_id", {"0": A, "1": B}),
    KnownSet("SHP", "history human_ref_A human_ref_B labels",
             _pair("human_ref_A", "human_ref_B", prompt="history", tags="domain"),
             "labels", {"1": A, "0": B}, kind="human"),
    KnownSet("LMArena 55k", "prompt response_a response_b winner_model_a winner_model_b",
             _pair("response_a", "response_b", candidate_a="model_a", candidate_b="model_b"),
             "winner", _ONE_HOT, "LMArena", "human", rows=_turns_as_text),
    KnownSet("LMArena", "model_a model_b winner conversation_a conversation_b !judge",
             {**_CONVERSATIONS, "tags": "language"}, "winner", side_of, kind="human"),
    KnownSet("MT-Bench", "question_id model_a model_b winner", _CONVERSATIONS, "winner", side_of, ".judge", "human",
             Format.MT_BENCH, _conversations),
    KnownSet("OpenAI preference fine-tuning", "input preferred_output non_preferred_output",
             _pair("preferred_output", "non_preferred_output", prompt="input.messages")),
    KnownSet("LLaMA-Factory", "conversations chosen rejected", _pair("chosen", "rejected", prompt="conversations")),
    KnownSet("LLaMA-Factory", "instruction chosen rejected", _pair("chosen", "rejected", prompt="whole"),
             rows=lambda row, _: (row | {"whole": "\n\n".join(filter(None, (
                 text_in(row, "instruction"), text_in(row, "input", required=False))))},)),
    *(KnownSet("Argilla", columns, _pair("a", "b"), "choice", author=".by", kind="human", rows=rows)
      for columns, rows in (("fields responses", _argilla),
                            ("_server_id *.responses *.responses.users", _argilla_in_columns),
                            ("external_id metadata *-suggestion", _argilla_in_columns))),
    *(KnownSet("Label Studio", columns, _pair("a", "b"), "choice", author=".by", kind="human", rows=rows)
      for columns, rows in (("annotation_id annotator lead_time", _label_studio_in_short),
                            ("data annotations", _label_studio))),
)  # fmt: skip


def known_set(columns: Collection[str]) -> KnownSet | None:
    """The set that has these columns, if it is one that is known."""
    return next((known for known in KNOWN if known.is_of(columns)), None)


def as_plain(row: Row, known: KnownSet, meanings: Mapping[str, str]) -> Row:
    """A row of a known set in our own columns; what has no column of ours is left out.

    `meanings` is what somebody said that the values of its label mean. A label that is not understood becomes a problem
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
    label_word = word_of(at(row, known.label))
    side = meanings.get(label_word)
    if side is None and label_word not in NONE:
        side = known.means.get(label_word) if isinstance(known.means, Mapping) else known.means(label_word)
        if side is None:
            plain["label_problem"] = f"its {known.label} {label_word[:40]!r} is not a label of {known.name}"
    return plain | {"label": side or None}
