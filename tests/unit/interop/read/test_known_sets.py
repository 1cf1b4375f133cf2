"""Published preference sets come in with the labels that they mean; what nobody explained comes in without one."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from comparator.domain.labels import Winner
from comparator.interop.imported import Findings
from comparator.interop.recognise import read

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


def winners(found: Findings) -> list[Winner | None]:
    """For each pair in order who won, seen from the first output."""
    text = {run.address: run.text for run in found.runs}
    sides = []
    for pair in found.stated:
        labels = [label for label in found.labels if {label.first, label.second} == {pair.first, pair.second}]
        assert [text[pair.first], text[pair.second]] == [ONE, TWO]
        sides.append(labels[0].winner if labels else None)
    return sides


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet"])
@pytest.mark.parametrize("name", SETS)
def test_a_row_comes_in_with_what_its_label_means(tmp_path: Path, name: str, form: str) -> None:
    for row, side in SETS[name]:
        path = tmp_path / f"rows.{form}"
        if form == "parquet":
            out = io.BytesIO()
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), out)
            path.write_bytes(out.getvalue())
        else:
            path.write_text(json.dumps(row if form == "jsonl" else [row]))

        found = read(path, format=None)

        assert winners(found) == [side], (row, found.left_out)
        assert found.runs[0].prompt == Q


@pytest.mark.parametrize(
    ("judge", "author", "kind"),
    [
        ("expert_17", "expert_17", "human"),
        ("author_2", "author_2", "human"),
        (["gpt-4", "pair-v2"], "gpt-4, pair-v2", "judge"),
        ("gpt4_pair", "gpt4_pair", "judge"),
    ],
)
def test_a_vote_of_mt_bench_is_a_persons_unless_gpt_gave_it(
    tmp_path: Path, judge: Any, author: str, kind: str
) -> None:
    path = tmp_path / "votes.json"
    path.write_text(json.dumps([{**SETS["MT-Bench"][0][0], "judge": judge}]))

    (label,) = read(path, format=None).labels

    assert (label.author, label.kind.value) == (author, kind)


UNKNOWN: dict[str, list[tuple[str, Any]]] = {
    "HelpSteer3": [("overall_preference", "perhaps"), ("overall_preference", True)],
    "HelpSteer2": [("preference_strength", "much")],
    "PKU-SafeRLHF": [("better_response_id", 2)],
    "SHP": [("labels", 3)],
    "LLMBar": [("label", 3), ("label", 0), ("label", "A")],
    "JudgeBench": [("label", "A>C")],
    "AlpacaEval": [("preference", 3), ("preference", -1), ("preference", True), ("preference", "first")],
    "LMArena 33k": [("winner", "model_c")],
    "LMArena 55k": [("winner_model_a", 0)],
    "LMArena 140k": [("winner", "neither one")],
    "Label Studio in short": [("comparison", "both are fine by me"), ("comparison", "Answer C")],
    "words": [("label", "perhaps"), ("label", "C")],
}


@pytest.mark.parametrize(
    ("name", "column", "word"), [(n, *each) for n, odd in UNKNOWN.items() for each in odd]
)
def test_an_unknown_label_costs_the_label_and_is_listed(
    tmp_path: Path, name: str, column: str, word: Any
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**SETS[name][0][0], column: word}))

    found = read(path, format=None)

    assert winners(found) == [None]
    (left,) = found.left_out
    assert left.file.endswith("row 1")
    assert left.reason.endswith("the pair is imported without this label")


def test_a_rated_set_gives_each_two_of_its_answers(tmp_path: Path) -> None:
    rated = [{"model": f"m{n}", "response": f"{n}", "overall_score": n} for n in range(4)]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"instruction": Q, "completions": rated}))

    found = read(path, format=None)

    assert (len(found.stated), len(found.runs)) == (6, 4)
    assert {label.winner for label in found.labels} == {SECOND}


def test_bare_numbers_are_named_once_and_mean_what_is_said_of_them(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{**BOTH, "prompt": f"{Q} {n}", "label": n} for n in (1, 0, -1)]
    path.write_text("\n".join(json.dumps(row) for row in rows))

    silent = read(path, format=None)
    told = read(path, format=None, label_values={"1": "B", "0": "tie", "-1": "A"})

    (note,) = silent.left_out
    assert '--label-values "1=B,0=tie,-1=A"' in note.reason
    assert winners(silent) == [None] * 3
    assert winners(told) == [SECOND, TIE, FIRST]
    assert told.left_out == ()


def test_a_mapped_number_is_not_a_label_until_it_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"question": Q, "one": ONE, "two": TWO, "score": 1}))
    columns = {"prompt": "question", "output_a": "one", "output_b": "two", "label": "score"}

    assert winners(read(path, format=None, columns=columns)) == [None]
    assert winners(read(path, format=None, columns=columns, label_values={"1": "B"})) == [SECOND]


def test_naming_the_column_of_its_label_leaves_a_set_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(SETS["HelpSteer3"][0][0]))

    assert winners(read(path, format=None, columns={"label": "overall_preference"})) == [SECOND]


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
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**BOTH, "label": word}))

    found = read(path, format=None)

    assert winners(found) == [side]
    assert [f'--label-values "{word.lower()}=A"' in each.reason for each in found.left_out] == [True] * (
        side is None
    )


@pytest.mark.parametrize("names", [("response_1", "response_2"), ("response_0", "response_1"), ("b", "a")])
def test_a_label_that_names_a_column_of_outputs_means_that_output(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"prompt": f"{Q} {name}", names[0]: ONE, names[1]: TWO, "preferred": name} for name in names]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    columns = {"output_a": names[0], "output_b": names[1], "label": "preferred"}

    assert winners(read(path, format=None, columns=columns)) == [FIRST, SECOND]


PEOPLE = {
    "Argilla 1": {
        "fields": {"prompt": Q, "response1": ONE, "response2": TWO},
        "responses": {
            "preference": [
                {"value": "response2", "user_id": "u0", "status": "discarded"},
                {"value": "response1", "user_id": "u1", "status": "submitted"},
                {"value": "response2", "user_id": "u2", "status": "submitted"},
            ]
        },
    },
    "Argilla 2": {
        "fields": {"prompt": Q, "response1": ONE, "response2": TWO},
        "responses": [
            {"user_id": "u1", "status": "submitted", "values": {"preference": {"value": "response1"}}},
            {"user_id": "u2", "status": "submitted", "values": {"preference": {"value": "response2"}}},
            {"user_id": "u3", "status": "discarded", "values": {"preference": {"value": "response2"}}},
        ],
    },
    "Argilla's columns 2": {
        "id": "1",
        "status": "completed",
        "_server_id": "x",
        "prompt": Q,
        "response1": ONE,
        "response2": TWO,
        "better.responses": ["response1", "response2", "response2"],
        "better.responses.users": ["u1", "u2", "u3"],
        "better.responses.status": ["submitted", "submitted", "discarded"],
        "better.suggestion": "response2",
    },
    "Argilla's columns 1": {
        "prompt": Q,
        "response1": ONE,
        "response2": TWO,
        "external_id": "1",
        "metadata": "{}",
        "better": [
            {"user_id": "u0", "value": "response2", "status": "discarded"},
            {"user_id": "u1", "value": "response1", "status": "submitted"},
            {"user_id": "u2", "value": "response2", "status": "submitted"},
        ],
        "better-suggestion": "response2",
        "better-suggestion-metadata": {"agent": None},
    },
    "Label Studio": {
        "data": {"prompt": Q, "answer1": ONE, "answer2": TWO},
        "annotations": [
            {"was_cancelled": True, "result": [{"type": "pairwise", "value": {"selected": "right"}}]},
            {"completed_by": "u1", "result": [{"type": "pairwise", "value": {"selected": "left"}}]},
            {
                "completed_by": {"id": "u2"},
                "result": [{"type": "choices", "value": {"choices": ["Answer B"]}}],
            },
        ],
    },
}


@pytest.mark.parametrize("name", PEOPLE)
def test_everybodys_label_of_a_record_comes_in_but_what_was_discarded(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(PEOPLE[name]))

    found = read(path, format=None)

    said = {label.author.rpartition(", ")[2]: label.winner for label in found.labels}
    assert said == {"u1": FIRST, "u2": SECOND}
    assert {label.kind.value for label in found.labels} == {"human"}
    assert found.left_out == ()


@pytest.mark.parametrize("name", ["HelpSteer2", "PKU-SafeRLHF", "SHP", "LLMBar", "AlpacaEval", "JudgeBench"])
def test_a_set_saved_as_a_table_has_the_same_labels(tmp_path: Path, name: str) -> None:
    for row, side in SETS[name]:
        path = tmp_path / "rows.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
            writer.writerow(row)

        assert winners(read(path, format=None)) == [side]


@pytest.mark.parametrize("output", [[{"type": "text", "text": ONE}], {"role": "assistant", "content": ONE}])
def test_an_output_may_be_a_message_or_its_parts(tmp_path: Path, output: Any) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**BOTH, "output_a": output, "label": "A"}))

    assert winners(read(path, format=None)) == [FIRST]


def test_what_is_said_of_labels_holds_for_a_known_set_too(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{**SETS["LLMBar"][0][0], "label": 7}]))

    assert winners(read(path, format=None, label_values={"7": "B"})) == [SECOND]


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
    path = tmp_path / "rows.jsonl"
    row = {**BOTH, **dict(zip(("candidate_a", "candidate_b"), candidates, strict=True)), "label": label}
    path.write_text(json.dumps(row))

    found = read(path, format=None)

    assert winners(found) == [side]
    assert len(found.left_out) == (side is None)


@pytest.mark.parametrize("head", ["Prompt,Output A,Output B,Label", "prompt,output-a,OUTPUT-B,label"])
def test_columns_are_known_with_blanks_and_hyphens(tmp_path: Path, head: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"{head}\n{Q},{ONE},{TWO},B\n")

    assert winners(read(path, format=None)) == [SECOND]


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ({"role": "model", "parts": [{"text": ONE}]}, ONE),
        ({"role": "assistant", "content": {"content_type": "text", "parts": [ONE]}}, ONE),
        ({"role": "assistant", "content": "", "refusal": ONE}, ONE),
        ({"role": "assistant", "content": None, "refusal": ONE}, ONE),
        (
            {"role": "assistant", "reasoning_content": "Small\nbirds", "content": ONE},
            f"> Thinking:\n> Small\n> birds\n\n{ONE}",
        ),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]},
                    {"type": "text", "text": ONE},
                ],
            },
            f"> Thinking:\n> Hm\n\n{ONE}",
        ),
        (
            {
                "role": "model",
                "parts": [{"functionCall": {"name": "look", "args": {"at": 1}}}, {"text": ONE}],
            },
            f'Call of look:\n\n```json\n{{\n  "at": 1\n}}\n```\n\n{ONE}',
        ),
        (
            {"role": "model", "parts": [{"inlineData": {"mimeType": "image/gif", "data": "R0lG"}}]},
            "![picture](data:image/gif;base64,R0lG)",
        ),
    ],
)
def test_messages_of_other_vendors_are_shown_whole(
    tmp_path: Path, message: dict[str, Any], shown: str
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({**BOTH, "output_a": [message]}))

    found = read(path, format=None)

    assert [run.text for run in found.runs] == [shown, TWO]
    assert found.left_out == ()
