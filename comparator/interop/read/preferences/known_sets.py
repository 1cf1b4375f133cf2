"""Published preference sets as rows of one table: which columns they have, and what their labels say."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from comparator.interop.imported import Format
from comparator.interop.read.unpacking import UnreadableImport

Row = dict[str, Any]
A, B, TIE = "A", "B", "tie"

_FIRST = (
    "a output_a response_a model_a answer_a first left a>b chosen model_1 response_1 output_1 "
    "response1 response-1 answer1"
)
_SECOND = (
    "b output_b response_b model_b answer_b second right b>a rejected model_2 response_2 output_2 "
    "response2 response-2 answer2"
)
_TIE = "tie ties equal both a=b same draw neither both_good bothgood both_bad bothbad tie(bothbad)"
WORDS: Mapping[str, str] = {
    **dict.fromkeys(_FIRST.split(), A),
    **dict.fromkeys(_SECOND.split(), B),
    **dict.fromkeys((*_TIE.split(), "tie (bothbad)", "tie (both bad)"), TIE),
}
"""What labels in words say, in any case."""
HAS_WORDS = "words such as A, B, tie, left, right, model_a, both_bad"
NONE = frozenset({"", "none", "null", "nan", "error", "?", "skip"})
"""Labels that say that there is none."""

FILE = "file"
"""The place of what the file tells by its name."""
MT_BENCH = {"prompt": "prompt", "output_a": "output_a", "output_b": "output_b", "task_id": "task_id",
            "candidate_a": "candidate_a", "candidate_b": "candidate_b", "model_a": "candidate_a",
            "model_b": "candidate_b"}  # fmt: skip
"""MT-Bench's texts may lie beside it, and are read from there first."""

Meaning = Mapping[str, str] | Callable[[Row], str | None]
"""What a label says: A, B, tie, or nothing; None where it is not understood."""


class KnownSet(NamedTuple):
    """A set that is known by its columns: where prompt, outputs and its label stand; a dot leads inside a value."""

    name: str
    columns: frozenset[str]
    places: Mapping[str, str]
    label: str = ""
    """Where the label stands; empty for a set in which one of the outputs is always the better one."""
    means: Meaning = WORDS
    author: str = ""
    """Whose label it is: the set's, or, with a dot before it, who stands in this column."""
    kind: str = "gold"
    format: Format = Format.JSONL
    without: frozenset[str] = frozenset()
    """Columns that another set of this kind has."""
    rows: Callable[[Row], Iterable[Row]] = lambda row: (row,)
    """The pairs of a row, where it holds several."""


def sign_of_second(place: str) -> Meaning:
    """A number above zero prefers the second output, one below the first."""

    def side(row: Row) -> str | None:
        number = _number(at(row, place))
        return None if number is None else TIE if number == 0 else B if number > 0 else A

    return side


def _leaning(row: Row) -> str | None:
    """AlpacaEval: 1 is the first, 2 the second, 0 and 1.5 a tie; a number between leans to the nearer one."""
    number = _number(row.get("preference"))
    if number is None or not (number == 0 or 1 <= number <= 2):
        return None
    return TIE if number in (0, 1.5) else A if number < 1.5 else B


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if number != number else number


def _one_hot(row: Row) -> str | None:
    named = (("winner_model_a", A), ("winner_model_b", B), ("winner_tie", TIE))
    return next((side for name, side in named if str(row.get(name)) in ("1", "1.0", "True", "true")), None)


def _both_orders(row: Row) -> str | None:
    """MT-Bench: a judge that changes its mind with the order has not decided."""
    given = {_word(row.get(name)) for name in ("g1_winner", "g2_winner")}
    if given & NONE:
        return ""
    sides = {WORDS.get(word) for word in given}
    return None if None in sides else sides.pop() if len(sides) == 1 else TIE


def _right_and_wrong(row: Row) -> Iterator[Row]:
    """RewardBench 2: the right answer against each wrong one, or, in Ties, one of several right ones."""
    right, wrong = _answers(row, "chosen"), _answers(row, "rejected")
    for number, answer in enumerate(wrong, start=1):
        yield row | {"chosen": right[0], "rejected": answer, "repetition": number}


def _answers(row: Row, name: str) -> list[str]:
    """The answers of a row under this name, of which there is at least one. Raises Unreadable."""
    found = row.get(name)
    given = [found] if isinstance(found, str) else found
    if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
        raise UnreadableImport(f"its {name} is {json.dumps(found)[:40]}, not a list of answers")
    return list(dict.fromkeys(given))


def _rated(row: Row) -> Iterator[Row]:
    """UltraFeedback: every two of the rated answers; the higher overall score won. Raises Unreadable."""
    given = row.get("completions")
    answers = given if isinstance(given, list) else []
    if len(answers) < 2 or not all(isinstance(each, dict) for each in answers):
        raise UnreadableImport("its completions are not two or more rated answers")
    for first, second in combinations(answers, 2):
        scores = [_number(each.get("overall_score")) for each in (first, second)]
        lead = None if None in scores else float(scores[1] or 0) - float(scores[0] or 0)
        yield row | {"first": first, "second": second, "lead": lead}


_OUTPUTS = ("response", "answer", "output", "completion", "text")


def at(row: Any, place: str) -> Any:
    """The value at a place, whose parts are parted by dots; None where there is none."""
    for part in place.split("."):
        if isinstance(row, dict):
            row = row.get(part)
        elif isinstance(row, list) and part.isdecimal() and int(part) < len(row):
            row = row[int(part)]
        else:
            return None
    return row


def sides_of(fields: Row) -> Row:
    """Prompt and both outputs of a record, by the names of its fields."""
    names = [name for name, value in fields.items() if isinstance(value, (str, list))]
    outputs = outputs_of(fields)
    asked = next((name for name in names if name not in outputs), None)
    plain: Row = {"prompt": fields[asked]} if asked else {}
    return plain | {ours: fields[name] for ours, name in zip(("output_a", "output_b"), outputs, strict=False)}


def outputs_of(fields: Row) -> list[str]:
    """The names of the two fields that hold outputs."""
    return [name for name in fields if any(word in name.lower() for word in _OUTPUTS)][:2]


def argilla_choice(row: Row) -> str:
    """The first answer to a ranking of two fields, or to a choice between them: A, B, tie, or empty."""
    names = outputs_of(row["fields"]) if isinstance(row.get("fields"), dict) else []
    for answer in _argilla_answers(row.get("responses")):
        if str(answer) in names:
            return ("A", "B")[names.index(str(answer))]
        ranks = _ranks(answer)
        first, second = (ranks.get(name) for name in names) if len(names) == 2 else (None, None)
        if first is not None and second is not None:
            return "tie" if first == second else "A" if first < second else "B"
    return ""


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


def _argilla_answers(responses: Any) -> Iterable[Any]:
    for response in responses if isinstance(responses, list) else [responses]:
        values = response.get("values", response) if isinstance(response, dict) else {}
        for value in values.values() if isinstance(values, dict) else ():
            by_people = isinstance(value, list) and bool(value) and at(value, "0.user_id") is not None
            for answer in value if by_people else [value]:
                yield answer.get("value") if isinstance(answer, dict) and "value" in answer else answer


def label_studio_choice(row: Row) -> str:
    """Which of the two a task was annotated with: left, right, or empty."""
    annotations = row.get("annotations")
    results = [each for annotation in annotations or () for each in at(annotation, "result") or ()]
    return next(
        (str(at(each, "value.selected") or "") for each in results if at(each, "type") == "pairwise"), ""
    )


KNOWN = (
    KnownSet("JudgeBench", frozenset({"question", "response_A", "response_B", "label"}),
             # Two answers of one model are two runs of one candidate.
             {"prompt": "question", "output_a": "response_A", "output_b": "response_B", "task_id": "pair_id",
              "candidate_a": "response_model", "candidate_b": "response_model", "model_a": "response_model",
              "model_b": "response_model", "tags": "source"},
             "label", author="JudgeBench", format=Format.JUDGEBENCH),
    KnownSet("RewardBench 2", frozenset({"prompt", "chosen", "rejected", "subset", "num_correct"}),
             {"output_a": "chosen", "output_b": "rejected", "task_id": "id", "tags": "subset",
              "repetition_b": "repetition"}, format=Format.REWARDBENCH, rows=_right_and_wrong),
    KnownSet("AlpacaEval", frozenset({"instruction", "output_1", "output_2"}),
             {"prompt": "instruction", "output_a": "output_1", "output_b": "output_2", "candidate_a": "generator_1",
              "candidate_b": "generator_2", "tags": "dataset"},
             "preference", _leaning, ".annotator", "judge", Format.ALPACA_EVAL),
    KnownSet("LLMBar", frozenset({"input", "output_1", "output_2", "label"}),
             {"prompt": "input", "output_a": "output_1", "output_b": "output_2", "tags": FILE},
             "label", {"1": A, "2": B}, "LLMBar", format=Format.LLMBAR),
    KnownSet("MT-Bench", frozenset({"question_id", "model_1", "model_2"}), MT_BENCH,
             "g1_winner", _both_orders, ".judge", "judge", Format.MT_BENCH),
    KnownSet("UltraFeedback", frozenset({"instruction", "completions"}),
             {"prompt": "instruction", "output_a": "first.response", "output_b": "second.response",
              "candidate_a": "first.model", "candidate_b": "second.model", "tags": "source"},
             "lead", sign_of_second("lead"), "UltraFeedback", "judge", rows=_rated),
    KnownSet("HelpSteer3", frozenset({"context", "response1", "response2", "overall_preference"}),
             {"prompt": "context", "output_a": "response1", "output_b": "response2", "tags": "domain"},
             "overall_preference", sign_of_second("overall_preference"), "HelpSteer3", "human"),
    KnownSet("HelpSteer2", frozenset({"prompt", "response_1", "response_2", "preference_strength"}),
             {"output_a": "response_1", "output_b": "response_2"},
             "preference_strength", sign_of_second("preference_strength"), "HelpSteer2", "human"),
    KnownSet("PKU-SafeRLHF", frozenset({"prompt", "response_0", "response_1", "better_response_id"}),
             {"output_a": "response_0", "output_b": "response_1"},
             "better_response_id", {"0": A, "1": B}, "PKU-SafeRLHF"),
    KnownSet("SHP", frozenset({"history", "human_ref_A", "human_ref_B", "labels"}),
             {"prompt": "history", "output_a": "human_ref_A", "output_b": "human_ref_B", "tags": "domain"},
             "labels", {"1": A, "0": B}, "SHP", "human"),
    KnownSet("LMArena 55k", frozenset({"prompt", "response_a", "response_b", "winner_model_a", "winner_model_b"}),
             {"prompt": "prompt", "output_a": "response_a", "output_b": "response_b", "candidate_a": "model_a",
              "candidate_b": "model_b"},
             "winner_model_a", _one_hot, "LMArena", "human"),
    KnownSet("LMArena", frozenset({"model_a", "model_b", "winner", "conversation_a", "conversation_b"}),
             {"output_a": "conversation_a", "output_b": "conversation_b", "candidate_a": "model_a",
              "candidate_b": "model_b", "tags": "language"},
             "winner", WORDS, "LMArena", "human", without=frozenset({"judge"})),
    KnownSet("MT-Bench", frozenset({"question_id", "model_a", "model_b", "winner"}), MT_BENCH,
             "winner", WORDS, ".judge", "human", Format.MT_BENCH),
    KnownSet("OpenAI preference fine-tuning", frozenset({"input", "preferred_output", "non_preferred_output"}),
             {"prompt": "input.messages", "output_a": "preferred_output", "output_b": "non_preferred_output"}),
    KnownSet("LLaMA-Factory", frozenset({"conversations", "chosen", "rejected"}),
             {"prompt": "conversations", "output_a": "chosen", "output_b": "rejected"}),
    KnownSet("LLaMA-Factory", frozenset({"instruction", "chosen", "rejected"}),
             {"prompt": "instruction", "output_a": "chosen", "output_b": "rejected"}),
    KnownSet("Argilla", frozenset({"fields", "responses"}), {"prompt": "fields.prompt"},
             "responses", argilla_choice, "Argilla", "human"),
    KnownSet("Label Studio", frozenset({"data", "annotations"}), {"prompt": "data.prompt"},
             "annotations", label_studio_choice, "Label Studio", "human"),
)  # fmt: skip


def known_set(columns: Collection[str]) -> KnownSet | None:
    """The set that has these columns, if it is one that is known."""
    there = set(columns)
    return next((each for each in KNOWN if each.columns <= there and not each.without & there), None)


def as_plain(row: Row, known: KnownSet, said: Mapping[str, str], path: Path) -> Row:
    """A row of a known set in our own columns; what has no column of ours is left out.

    `said` is what somebody said that the values of its label mean. A label that is not understood becomes a problem
    under `label_problem`.
    """
    # A chat may hold its prompt itself.
    plain: Row = {ours: row[ours] for ours in ("prompt", "task_id", "title") if ours in row}
    plain |= {
        ours: _set_of(path) if place == FILE else _whole(at(row, place))
        for ours, place in known.places.items()
    }
    if known.name in ("Argilla", "Label Studio"):
        plain |= sides_of(row["fields" if known.name == "Argilla" else "data"] or {})
    if known.name == "LLaMA-Factory" and row.get("input"):
        plain["prompt"] = f"{row['instruction']}\n\n{row['input']}"
    author = known.author or known.name
    if author.startswith("."):
        named = row.get(author[1:])
        author = named if isinstance(named, str) else json.dumps(named) if named is not None else known.name
    kind = "human" if known.kind == "judge" and "human" in author.lower() else known.kind
    plain |= {"label": A, "label_author": author, "label_kind": kind}
    if not known.label:
        return plain
    given = _word(at(row, known.label))
    side = said.get(given)
    if side is None:
        side = known.means(row) if callable(known.means) else known.means.get(given)
    if side is None and given not in NONE:
        plain["label_problem"] = f"its {known.label} {given[:40]!r} is not a label of {known.name}"
    return plain | {"label": side or None}


def _set_of(path: Path) -> str:
    # LLMBar's repository calls each set's file dataset.json, in a folder of the set's name.
    return path.absolute().parent.name if path.stem == "dataset" else path.stem


def _word(value: Any) -> str:
    text = str(value).strip().lower()
    return text.removesuffix(".0") if text[:1].isdigit() or text[:1] in "+-" else text


def _whole(value: Any) -> Any:
    """A message as a list of one; a list of texts that is written as JSON as its texts, one below the other."""
    if isinstance(value, dict) and ("content" in value or "value" in value):
        return [value]
    if isinstance(value, str) and value.startswith('["'):
        try:
            parts = json.loads(value)
        except ValueError:
            return value
        if all(isinstance(part, str) for part in parts):
            return "\n\n".join(parts)
    return value
