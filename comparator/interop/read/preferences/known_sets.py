"""Published preference sets as rows of one table: which columns they have, and what their labels say."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from comparator.interop.read.preferences.annotation_tools import (
    argilla_choice,
    at,
    label_studio_choice,
    sides_of,
)

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

Meaning = Mapping[str, str] | Callable[[Row], str]


class KnownSet(NamedTuple):
    """A set that is known by its columns: where prompt, outputs and its label stand; a dot leads inside a value."""

    name: str
    columns: frozenset[str]
    places: Mapping[str, str]
    label: str = ""
    """Where the label stands; empty for a set in which one of the outputs is always the better one."""
    means: Meaning = WORDS
    author: str = ""
    kind: str = "gold"
    without: frozenset[str] = frozenset()
    """Columns that another set of this kind has."""


def sign_of_second(row: Row, place: str) -> str:
    """A number above zero prefers the second output, one below the first."""
    value = at(row, place)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value != value:
        return ""
    return TIE if value == 0 else B if value > 0 else A


def _one_hot(row: Row) -> str:
    named = (("winner_model_a", A), ("winner_model_b", B), ("winner_tie", TIE))
    return next((side for name, side in named if str(row.get(name)) in ("1", "1.0", "True", "true")), "")


KNOWN = (
    KnownSet("HelpSteer3", frozenset({"context", "response1", "response2", "overall_preference"}),
             {"prompt": "context", "output_a": "response1", "output_b": "response2", "tags": "domain"},
             "overall_preference", lambda row: sign_of_second(row, "overall_preference"), "HelpSteer3", "human"),
    KnownSet("HelpSteer2", frozenset({"prompt", "response_1", "response_2", "preference_strength"}),
             {"output_a": "response_1", "output_b": "response_2"},
             "preference_strength", lambda row: sign_of_second(row, "preference_strength"), "HelpSteer2", "human"),
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
             "winner", WORDS, "LMArena", "human", frozenset({"judge"})),
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


def as_plain(row: Row, known: KnownSet) -> Row:
    """A row of a known set in our own columns; what has no column of ours is left out."""
    # A chat may hold its prompt itself.
    plain: Row = {"prompt": row.get("prompt")} | {
        ours: row[ours] for ours in ("task_id", "title") if ours in row
    }
    plain |= {ours: _whole(at(row, place)) for ours, place in known.places.items()}
    if known.name in ("Argilla", "Label Studio"):
        plain |= sides_of(row["fields" if known.name == "Argilla" else "data"] or {})
    if "instruction" in known.columns and row.get("input"):
        plain["prompt"] = f"{row['instruction']}\n\n{row['input']}"
    if not known.label:
        return plain | {"label": A, "label_author": known.author or known.name, "label_kind": known.kind}
    given = at(row, known.label)
    side = known.means(row) if callable(known.means) else known.means.get(_word(given), "")
    if callable(known.means) and side not in (A, B, TIE):
        side = WORDS.get(_word(side), "")
    words = known.means if isinstance(known.means, Mapping) else {}
    unknown = side == "" and _word(given) not in NONE and bool(words)
    return plain | {
        "label": str(given) if unknown else side or None,
        "label_author": known.author,
        "label_kind": known.kind,
    }


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
