"""Published preference sets come in with the labels that they mean; what nobody explained comes in without one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from comparator.domain.labels import Winner
from comparator.interop.imported import Findings
from tests.unit.interop.samples import as_csv, as_parquet, found_in, lines

Q, ONE, TWO = "Name a bird.", "A wren.", "A whale."
BOTH = {"prompt": Q, "output_a": ONE, "output_b": TWO}
ASKED = [{"role": "user", "content": Q}]


def said(text: str, *, parts: bool = False) -> list[dict[str, Any]]:
    """A chat in which this was answered."""
    content: Any = [{"type": "text", "text": text}] if parts else text
    asked: Any = [{"type": "text", "text": Q}] if parts else Q
    return [{"role": "user", "content": asked}, {"role": "assistant", "content": content}]


FIRST, SECOND, TIE = Winner.A, Winner.B, Winner.TIE
SETS: dict[str, list[tuple[dict[str, Any], Winner | None]]] = {
    "HelpSteer3": [
        ({"context": ASKED, "response1": ONE, "response2": TWO, "overall_preference": n, "domain": "general"}, side)
        for n, side in ((1, SECOND), (3, SECOND), (-2, FIRST), (0, TIE), (None, None))
    ],
    "HelpSteer3 with a text": [
        ({"context": Q, "response1": ONE, "response2": TWO, "overall_preference": 1}, SECOND),
    ],
    "HelpSteer2": [
        ({"prompt": Q, "response_1": ONE, "response_2": TWO, "preference_strength": n}, side)
        for n, side in ((2, SECOND), (-1, FIRST), (0, TIE))
    ],
    "PKU-SafeRLHF": [
        ({"prompt": Q, "response_0": ONE, "response_1": TWO, "better_response_id": n, "safer_response_id": 0}, side)
        for n, side in ((0, FIRST), (1, SECOND))
    ],
    "SHP": [
        ({"history": Q, "human_ref_A": ONE, "human_ref_B": TWO, "labels": n, "domain": "askbirds"}, side)
        for n, side in ((1, FIRST), (0, SECOND))
    ],
    "UltraFeedback": [
        ({"source": "s", "instruction": Q, "models": ["m1", "m2"],
          "completions": [{"model": "m1", "response": ONE, "overall_score": a},
                          {"model": "m2", "response": TWO, "overall_score": b}]}, side)
        for a, b, side in ((8.5, 7.0, FIRST), (3, 4, SECOND), (5, 5, TIE))
    ],
    "UltraFeedback binarized": [
        ({"prompt": Q, "chosen": said(ONE), "rejected": said(TWO), "score_chosen": 8.0}, FIRST)
    ],
    "HH-RLHF": [
        ({"chosen": f"\n\nHuman: {Q}\n\nAssistant: {ONE}", "rejected": f"\n\nHuman: {Q}\n\nAssistant: {TWO}"}, FIRST)
    ],
    "LMArena 33k": [
        ({"question_id": "q1", "model_a": "m1", "model_b": "m2", "winner": word, "judge": "arena_user_1", "turn": 1,
          "conversation_a": said(ONE), "conversation_b": said(TWO), "language": "English"}, side)
        for word, side in (("model_a", FIRST), ("model_b", SECOND), ("tie", TIE), ("tie (bothbad)", TIE))
    ],
    "MT-Bench": [
        ({"question_id": 81, "model_a": "m1", "model_b": "m2", "winner": word, "judge": "expert_17", "turn": 1,
          "conversation_a": said(ONE) + said("More."), "conversation_b": said(TWO) + said("Less.")}, side)
        for word, side in (("model_a", FIRST), ("model_b", SECOND), ("tie", TIE))
    ],
    "MT-Bench by GPT": [
        ({"question_id": 81, "model_a": "m1", "model_b": "m2", "winner": word, "judge": ["gpt-4", "pair-v2"],
          "turn": 1, "conversation_a": said(ONE), "conversation_b": said(TWO)}, side)
        for word, side in (("model_b", SECOND), ("tie (inconsistent)", TIE))
    ],
    "LMArena 55k": [
        ({"id": 1, "model_a": "m1", "model_b": "m2", "prompt": json.dumps([Q]), "response_a": json.dumps([ONE]),
          "response_b": json.dumps([TWO]), "winner_model_a": a, "winner_model_b": b, "winner_tie": tie}, side)
        for a, b, tie, side in ((1, 0, 0, FIRST), (0, 1, 0, SECOND), (0, 0, 1, TIE))
    ],
    "LMArena 55k with an empty turn": [
        ({"model_a": "m1", "model_b": "m2", "prompt": json.dumps([Q]), "response_a": json.dumps([None, ONE]),
          "response_b": json.dumps([None, TWO]), "winner_model_a": 1, "winner_model_b": 0, "winner_tie": 0}, FIRST)
    ],
    "LMArena 100k": [
        ({"question_id": "q1", "model_a": "m1", "model_b": "m2", "winner": word, "language": "en",
          "conversation_a": said(ONE), "conversation_b": said(TWO)}, side)
        for word, side in (("model_a", FIRST), ("tie (bothbad)", TIE))
    ],
    "LMArena 140k": [
        ({"id": "i1", "model_a": "m1", "model_b": "m2", "winner": word, "evaluation_order": 1, "language": "en",
          "conversation_a": said(ONE, parts=True), "conversation_b": said(TWO, parts=True)}, side)
        for word, side in (("model_b", SECOND), ("both_bad", TIE), ("tie", TIE))
    ],
    "OpenAI": [
        ({"input": {"messages": ASKED, "tools": []}, "preferred_output": [{"role": "assistant", "content": ONE}],
          "non_preferred_output": [{"role": "assistant", "content": TWO}]}, FIRST)
    ],
    "LLaMA-Factory sharegpt": [
        ({"conversations": [{"from": "human", "value": Q}], "chosen": {"from": "gpt", "value": ONE},
          "rejected": {"from": "gpt", "value": TWO}}, FIRST)
    ],
    "LLaMA-Factory alpaca": [({"instruction": Q, "input": "", "chosen": ONE, "rejected": TWO}, FIRST)],
    "Argilla ranking": [
        ({"fields": {"prompt": Q, "response-1": ONE, "response-2": TWO},
          "responses": [{"user_id": "u", "values": {"preference": {"value": [
              {"value": "response-1", "rank": first}, {"value": "response-2", "rank": second}]}}}]}, side)
        for first, second, side in ((1, 2, FIRST), (2, 1, SECOND), (1, 1, TIE))
    ],
    "Argilla choice": [
        ({"fields": {"prompt": Q, "response1": ONE, "response2": TWO},
          "responses": {"better": [{"user_id": "u", "value": "response2"}]}}, SECOND)
    ],
    "Label Studio": [
        ({"id": 1, "data": {"prompt": Q, "answer1": ONE, "answer2": TWO},
          "annotations": [{"result": [{"type": "pairwise", "value": {"selected": side}}]}]}, winner)
        for side, winner in (("left", FIRST), ("right", SECOND))
    ],
    "Label Studio in short": [
        ({"id": 1, "prompt": Q, "answer1": ONE, "answer2": TWO, "annotator": 7, "annotation_id": 3, "lead_time": 2.5,
          "created_at": "2026-01-01", "updated_at": "2026-01-01", "comparison": side}, winner)
        for side, winner in (("left", FIRST), ("right", SECOND), ("Answer B", SECOND), ("tie", TIE))
    ],
    "LLMBar": [({"input": Q, "output_1": ONE, "output_2": TWO, "label": n}, s) for n, s in ((1, FIRST), (2, SECOND))],
    "AlpacaEval": [
        ({"instruction": Q, "output_1": ONE, "generator_1": "m1", "output_2": TWO, "generator_2": "m2",
          "annotator": "gpt", "preference": n}, side)
        for n, side in ((1, FIRST), (2, SECOND), (1.5, TIE), (1.2, FIRST))
    ],
    "JudgeBench": [
        ({"pair_id": "p", "question": Q, "response_A": ONE, "response_B": TWO, "label": label}, side)
        for label, side in (("A>B", FIRST), ("B>A", SECOND))
    ],
    "RewardBench 2": [
        ({"id": "1", "prompt": Q, "chosen": [ONE], "rejected": [TWO], "subset": "Factuality", "num_correct": 1}, FIRST)
    ],
    "words": [
        ({**BOTH, "label": word}, side)
        for word, side in (("A", FIRST), ("b", SECOND), ("Left", FIRST), ("RIGHT", SECOND), ("Model_A", FIRST),
                           ("Both_Bad", TIE), ("tie (bothbad)", TIE), ("Tie", TIE), ("", None))
    ],
    "bare numbers": [({**BOTH, "label": n}, None) for n in (1, 0, 2, "1", -1, 0.5)],
}  # fmt: skip
FLAT = ("HelpSteer2", "PKU-SafeRLHF", "SHP", "LLMBar", "AlpacaEval", "JudgeBench")
FORMS: dict[str, Callable[[list[Any]], str | bytes]] = {
    "jsonl": lines,
    "json": json.dumps,
    "parquet": as_parquet,
    "csv": as_csv,
}


def winners(found: Findings) -> list[Winner | None]:
    """For each pair in order who won, seen from the first output."""
    text = {run.address: run.text for run in found.runs}
    sides = []
    for pair in found.stated:
        labels = [label for label in found.labels if {label.first, label.second} == {pair.first, pair.second}]
        assert [text[pair.first], text[pair.second]] == [ONE, TWO]
        sides.append(labels[0].winner if labels else None)
    return sides


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SETS)
def test_a_row_comes_in_with_what_its_label_means(tmp_path: Path, name: str, form: str) -> None:
    for row, side in SETS[name] if form != "csv" or name in FLAT else ():
        found = found_in(tmp_path, FORMS[form]([row]))

        assert winners(found) == [side], (row, found.left_out)
        assert found.runs[0].prompt == Q


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
        found = found_in(tmp_path, lines([{**SETS[name][0][0], column: word}]))

        assert winners(found) == [None]
        (left,) = found.left_out
        assert left.file.endswith("row 1")
        assert left.reason.endswith("the pair is imported without this label")


def test_a_rated_set_gives_each_two_of_its_answers(tmp_path: Path) -> None:
    rated = [{"model": f"m{n}", "response": f"{n}", "overall_score": n} for n in range(4)]

    found = found_in(tmp_path, lines([{"instruction": Q, "completions": rated}]))

    assert (len(found.stated), len(found.runs)) == (6, 4)
    assert {label.winner for label in found.labels} == {SECOND}


def test_bare_numbers_are_named_once_and_mean_what_is_said_of_them(tmp_path: Path) -> None:
    rows = lines([{**BOTH, "prompt": f"{Q} {n}", "label": n} for n in (1, 0, -1)])

    silent = found_in(tmp_path, rows)
    told = found_in(tmp_path, rows, label_values={"1": "B", "0": "tie", "-1": "A"})

    (note,) = silent.left_out
    assert '--label-values "1=B,0=tie,-1=A"' in note.reason
    assert winners(silent) == [None] * 3
    assert winners(told) == [SECOND, TIE, FIRST]
    assert told.left_out == ()


OTHER = {"question": Q, "one": ONE, "two": TWO, "score": 1}
OTHERS_COLUMNS = {"prompt": "question", "output_a": "one", "output_b": "two", "label": "score"}


@pytest.mark.parametrize(
    ("row", "side", "told"),
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
    tmp_path: Path, row: dict[str, Any], side: Winner | None, told: dict[str, Any]
) -> None:
    assert winners(found_in(tmp_path, lines([row]), **told)) == [side]


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
    found = found_in(tmp_path, lines([{**BOTH, "label": word}]))

    assert winners(found) == [side]
    assert len(found.left_out) == (side is None)
    assert all(f'--label-values "{word.lower()}=A"' in left.reason for left in found.left_out)


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
    found = found_in(tmp_path, json.dumps(PEOPLE[name]))

    said = {label.author.rpartition(", ")[2]: label.winner for label in found.labels}
    assert said == {"u1": FIRST, "u2": SECOND}
    assert {label.kind.value for label in found.labels} == {"human"}
    assert found.left_out == ()


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

    found = found_in(tmp_path, lines([row]))

    assert winners(found) == [side]
    assert len(found.left_out) == (side is None)
