"""Published preference sets come in with the labels that they mean; what nobody explained comes in without one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Winner
from comparator.interop.imported import Findings
from tests.unit.interop.samples import (
    BOTH,
    FIRST,
    ONE,
    SECOND,
    SETS,
    TIE,
    TWO,
    Q,
    as_csv,
    as_parquet,
    found_in,
    lines,
)

FLAT = ("HelpSteer2", "PKU-SafeRLHF", "SHP", "LLMBar", "AlpacaEval", "JudgeBench")
FORMS: dict[str, Callable[[list[Any]], str | bytes]] = {
    "jsonl": lines,
    "json": json.dumps,
    "parquet": as_parquet,
    "csv": as_csv,
}


def winners(findings: Findings) -> list[Winner | None]:
    """For each pair in order who won, seen from the first output."""
    text = {run.address: run.text for run in findings.runs}
    sides = []
    for pair in findings.stated:
        labels = [
            label for label in findings.labels if {label.first, label.second} == {pair.first, pair.second}
        ]
        assert [text[pair.first], text[pair.second]] == [ONE, TWO]
        sides.append(labels[0].winner if labels else None)
    return sides


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SETS)
def test_a_row_comes_in_with_what_its_label_means(tmp_path: Path, name: str, form: str) -> None:
    for row, side in SETS[name] if form != "csv" or name in FLAT else ():
        findings = found_in(tmp_path, FORMS[form]([row]))

        assert winners(findings) == [side], (row, findings.left_out)
        assert findings.runs[0].prompt == Q


@pytest.mark.parametrize(
    ("judge", "author", "kind"),
    [
        ("expert_17", "expert_17", "human"),
        (["gpt-4", "pair-v2"], "gpt-4, pair-v2", "judge"),
        ("gpt4_pair", "gpt4_pair", "judge"),
    ],
)
def test_a_vote_is_a_persons_unless_gpt_gave_it(tmp_path: Path, judge: Any, author: str, kind: str) -> None:
    (label,) = found_in(tmp_path, lines([{**SETS["MT-Bench"][0][0], "judge": judge}])).labels

    assert (label.author, label.kind.value) == (author, kind)


@pytest.mark.parametrize(
    ("name", "column", "words"),
    [
        ("HelpSteer3", "overall_preference", ("perhaps", True)),
        ("HelpSteer2", "preference_strength", ("much",)),
        ("PKU-SafeRLHF", "better_response_id", (2,)),
        ("SHP", "labels", (3,)),
        ("LLMBar", "label", (3, 0, "A")),
        ("JudgeBench", "label", ("A>C",)),
        ("AlpacaEval", "preference", (3, -1, True, "first")),
        ("LMArena 33k", "winner", ("model_c",)),
        ("LMArena 55k", "winner_model_a", (0,)),
        ("LMArena 140k", "winner", ("neither one",)),
        ("Label Studio in short", "comparison", ("both are fine by me", "Answer C")),
        ("words", "label", ("perhaps", "C")),
    ],
)
def test_an_unknown_label_is_listed(tmp_path: Path, name: str, column: str, words: tuple[Any, ...]) -> None:
    for word in words:
        findings = found_in(tmp_path, lines([{**SETS[name][0][0], column: word}]))

        assert winners(findings) == [None]
        (left,) = findings.left_out
        assert left.file.endswith("row 1")
        assert left.reason.endswith("the pair is imported without this label")


@pytest.mark.parametrize(
    ("whole", "lacking"),
    [
        (
            {
                "prompt": json.dumps([Q]),
                "response_a": json.dumps({"a": 1}),
                "response_b": "b",
                "winner_model_a": 1,
            },
            "prompt",
        ),
        ({"instruction": Q, "input": "", "chosen": ONE, "rejected": TWO}, "instruction"),
        ({"instruction": Q, "input": "x", "chosen": ONE, "rejected": TWO}, "instruction"),
    ],
)
def test_a_row_without_a_column_is_left_out_alone(
    tmp_path: Path, whole: dict[str, Any], lacking: str
) -> None:
    whole |= {"winner_model_b": 0, "winner_tie": 0} if lacking == "prompt" else {}
    broken = {name: value for name, value in whole.items() if name != lacking}

    findings = found_in(tmp_path, lines([whole, broken]))

    assert (len(findings.stated), [left.file.rpartition(" ")[2] for left in findings.left_out]) == (1, ["2"])
    # What is no list of turns stays as it is.
    assert lacking != "prompt" or '{"a": 1}' in {run.text for run in findings.runs}


def test_a_rated_set_gives_each_two_of_its_answers(tmp_path: Path) -> None:
    rated = [{"model": f"m{n}", "response": f"{n}", "overall_score": n} for n in range(4)]

    findings = found_in(tmp_path, lines([{"instruction": Q, "completions": rated}]))
    assert (len(findings.stated), len(findings.runs)) == (6, 4)
    assert {label.winner for label in findings.labels} == {SECOND}


def test_bare_numbers_are_named_once_and_mean_what_is_said_of_them(tmp_path: Path) -> None:
    rows = lines([{**BOTH, "prompt": f"{Q} {n}", "label": n} for n in (1, 0, -1)])

    silent = found_in(tmp_path, rows)
    findings = found_in(tmp_path, rows, label_values={"1": "B", "0": "tie", "-1": "A"})

    (note,) = silent.left_out
    assert '--label-values "1=B,0=tie,-1=A"' in note.reason
    assert winners(silent) == [None] * 3
    assert winners(findings) == [SECOND, TIE, FIRST]
    assert findings.left_out == ()


OTHER = {"question": Q, "one": ONE, "two": TWO, "score": 1}
OTHERS_COLUMNS = {"prompt": "question", "output_a": "one", "output_b": "two", "label": "score"}


@pytest.mark.parametrize(
    ("row", "side", "options"),
    [
        (OTHER, None, {"columns": OTHERS_COLUMNS}),
        (OTHER, SECOND, {"columns": OTHERS_COLUMNS, "label_values": {"1": "B"}}),
        (SETS["HelpSteer3"][0][0], SECOND, {"columns": {"label": "overall_preference"}}),
        ({**SETS["LLMBar"][0][0], "label": 7}, SECOND, {"label_values": {"7": "B"}}),
        ({**BOTH, "output_a": [{"type": "text", "text": ONE}], "label": "A"}, FIRST, {}),
        ({**BOTH, "output_a": {"role": "assistant", "content": ONE}, "label": "A"}, FIRST, {}),
        ({"Prompt": Q, "Output A": ONE, "Output B": TWO, "Label": "B"}, SECOND, {}),
        ({"prompt": Q, "output-a": ONE, "OUTPUT-B": TWO, "label": "B"}, SECOND, {}),
        *(
            ({"prompt": Q, a: ONE, b: TWO, "preferred": name}, side,
             {"columns": {"output_a": a, "output_b": b, "label": "preferred"}})
            for a, b in (("response_1", "response_2"), ("response_0", "response_1"), ("b", "a"))
            for name, side in ((a, FIRST), (b, SECOND))
        ),
    ],
)  # fmt: skip
def test_columns_and_labels_mean_what_they_are_said_to_mean(
    tmp_path: Path, row: dict[str, Any], side: Winner | None, options: dict[str, Any]
) -> None:
    assert winners(found_in(tmp_path, lines([row]), **options)) == [side]


WORDS_OF_PEOPLE = {
    **dict.fromkeys(
        ("A wins", "Model A", "option a", "[[A>>B]]", "a > b", "B<<A", "output-a", "A is better"), FIRST
    ),
    **dict.fromkeys(
        ("B is slightly better", "Assistant B", "b>>>a", "The second", "Response B wins"), SECOND
    ),
    **dict.fromkeys(("Both good", "A=B", "[[B=A]]", "=", "both-bad"), TIE),
    **dict.fromkeys(("A>A", "better", "Response 3", "not A", "A or B", "model c wins"), None),
}


@pytest.mark.parametrize(("word", "side"), WORDS_OF_PEOPLE.items())
def test_labels_in_the_words_of_people(tmp_path: Path, word: str, side: Winner | None) -> None:
    findings = found_in(tmp_path, lines([{**BOTH, "label": word}]))

    assert winners(findings) == [side]
    assert len(findings.left_out) == (side is None)
    assert all(f'--label-values "{word.lower()}=A"' in left.reason for left in findings.left_out)


ANSWERS = {"prompt": Q, "response1": ONE, "response2": TWO}
DISCARDED = {"value": "response2", "user_id": "u0", "status": "discarded"}
SUBMITTED = [{"value": f"response{n}", "user_id": f"u{n}", "status": "submitted"} for n in (1, 2)]
PEOPLE: dict[str, dict[str, Any]] = {
    "Argilla 1": {"fields": ANSWERS, "responses": {"preference": [DISCARDED, *SUBMITTED]}},
    "Argilla 2": {
        "fields": ANSWERS,
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"preference": {"value": "response1"}}},
            {"user_id": "u2", "status": "submitted", "values": {"preference": {"value": "response2"}}},
            {"user_id": "u3", "status": "discarded", "values": {"preference": {"value": "response2"}}},
        ],
    },
    "Argilla's columns 2": {
        **ANSWERS,
        "_server_id": "x",
        "better.responses": ["response1", "response2", "response2"],
        "better.responses.users": ["u1", "u2", "u3"],
        "better.responses.status": ["submitted", "submitted", "discarded"],
        "better.suggestion": "response2",
    },
    "Argilla's columns 1": {
        **ANSWERS,
        "external_id": "1",
        "metadata": "{}",
        "better": [DISCARDED, *SUBMITTED],
        "better-suggestion": "response2",
        "better-suggestion-metadata": {"agent": None},
    },
    "Label Studio": {
        "data": {"prompt": Q, "answer1": ONE, "answer2": TWO},
        "annotations": [
            {"was_cancelled": True, "result": [{"type": "pairwise", "value": {"selected": "right"}}]},
            {"completed_by": "u1", "result": [{"type": "pairwise", "value": {"selected": "left"}}]},
            {"completed_by": {"id": "u2"}, "result": [{"type": "choices", "value": {"choices": ["Answer B"]}}]},
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", PEOPLE)
def test_everybodys_label_of_a_record_comes_in_but_what_was_discarded(tmp_path: Path, name: str) -> None:
    findings = found_in(tmp_path, json.dumps(PEOPLE[name]))

    said = {label.author.rpartition(", ")[2]: label.winner for label in findings.labels}
    assert said == {"u1": FIRST, "u2": SECOND}
    assert {label.kind.value for label in findings.labels} == {"human"}
    assert findings.left_out == ()


@pytest.mark.parametrize(
    ("candidates", "label", "side"),
    [
        (("gpt-4o", "claude"), "GPT-4o", FIRST),
        (("gpt 4o", "claude"), "claude", SECOND),
        (("1", "2"), 2, SECOND),
        (("B", "C"), "B", None),
        (("A", "B"), "B", SECOND),
        (("twin", "twin"), "twin", None),
    ],
)
def test_a_label_may_be_what_a_candidate_is_called_unless_it_also_names_the_other_side(
    tmp_path: Path, candidates: tuple[str, str], label: Any, side: Winner | None
) -> None:
    row = {**BOTH, "candidate_a": candidates[0], "candidate_b": candidates[1], "label": label}

    findings = found_in(tmp_path, lines([row]))

    assert winners(findings) == [side]
    assert len(findings.left_out) == (side is None)
