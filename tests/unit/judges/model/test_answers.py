"""Whatever a model writes becomes a valid answer or a list of problems, never a crash and never other arithmetic."""

import copy
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.labels import Dimension, Order, Winner
from comparator.domain.scoring.judgment import Answer, Pass, merge
from comparator.domain.scoring.rubric import totals
from comparator.judges.model.answers import (
    LONGEST_ANSWER,
    Unusable,
    answer_form,
    in_words,
    read_answer,
    read_rubric,
)
from tests.loopback.pairs import pair, rubric

RUBRIC = rubric()
PAIR = pair(
    {"a.md": "The Elbe rises in the Giant Mountains."},
    {"b.md": "Rivers are wet."},
    expectations=("It names the river", "It says where it rises"),
)


def valid() -> dict[str, Any]:
    def mark(score: int) -> dict[str, Any]:
        quotes = [{"file": "a.md", "text": "The Elbe rises"}]
        return {"rationale": "It says so.", "quotes": quotes, "score": score}

    check = {"evidence": "the first line", "passed": True}
    return {
        "notes": {
            "A": {"strengths": ["It names the Elbe."], "weaknesses": []},
            "B": {"strengths": [], "weaknesses": ["It names no river."]},
        },
        "criteria": {d.value: {c.key: {"A": mark(4), "B": mark(2)} for c in RUBRIC.of(d)} for d in Dimension},
        "expectations": [{"number": n, "A": dict(check), "B": check | {"passed": False}} for n in (1, 2)],
        "addressed_judge": [],
        "reasoning": "A names the river and where it rises.",
        "better": "A",
        "stated_confidence": 80,
    }


def read(value: object) -> Answer:
    return read_answer(value if isinstance(value, str) else json.dumps(value), RUBRIC, PAIR)


def test_a_valid_answer_is_read_with_its_quotes_looked_up() -> None:
    answer = read(valid())
    mark = answer.criteria["content.correctness"]
    assert (mark.A.score, mark.B.score) == (4, 2)
    assert mark.A.quotes[0].found
    assert not mark.B.quotes[0].found, "the quote of B stands only in A"
    assert [e.B.passed for e in answer.expectations] == [False, False]
    assert answer.better is Winner.A


GONE = object()
CORRECTNESS = ("criteria", "content", "correctness")
MARK = (*CORRECTNESS, "A")
SCORE = (*MARK, "score")
UNUSABLE: tuple[tuple[tuple[Any, ...], Any, str], ...] = (
    (("criteria", "structure", "usability"), GONE, "criteria.structure has no usability"),
    *((SCORE, score, "criteria.content.correctness.A.score: ") for score in (6, 0, "4", True, 3.5, 3.0, None)),
    (("better",), "output_a", "better: "),
    ((*CORRECTNESS, "B"), GONE, "criteria.content.correctness has nothing for B"),
    (("expectations", 1), GONE, "expectations: "),
    (("expectations",), lambda answer: [*answer["expectations"], answer["expectations"][0] | {"number": 3}],
     "expectations: "),
    (("expectations", 1, "number"), 1, "expectations: "),
    (("expectations", 0, "A", "passed"), "yes",
     "expectations, row 1, A.passed: Input should be a valid boolean (it was 'yes')"),
    *((("reasoning",), text, "reasoning: ") for text in (" \n", "x" * 50_000, "\ud800")),
    ((*MARK, "rationale"), "", "criteria.content.correctness.A.rationale: "),
    (("stated_confidence",), 75, "stated_confidence: "),
    ((*CORRECTNESS, "B", "score"), GONE, "criteria.content.correctness has no score for B"),
    (("expectations", 1, "B"), {"evidence": ""}, "expectations, row 2 has no passed for B"),
    (("reasoning",), GONE, "the answer has no reasoning"),
    (("criteria", "content", "accurracy"), lambda content: content.pop("accuracy"),
     "criteria.content.accurracy is not part of the form"),
    ((*MARK, "quotes"), lambda mark: mark["quotes"] * 500, "criteria.content.correctness.A.quotes: "),
)  # fmt: skip
"""Where something else stands in a valid answer; what: a value, what is made of its surroundings, or nothing; and what
is said of it, rows counted from one.
"""


def broken(place: tuple[Any, ...], instead: Any) -> Any:
    value = valid()
    *above, last = place
    home: Any = value
    for key in above:
        home = home[key]
    if instead is GONE:
        del home[last]
    else:
        home[last] = instead(home) if callable(instead) else instead
    return value


@pytest.mark.parametrize(("place", "instead", "says"), UNUSABLE)
def test_a_value_that_does_not_fit_is_unusable(place: tuple[Any, ...], instead: Any, says: str) -> None:
    with pytest.raises(Unusable) as unusable:
        read(broken(place, instead))

    assert any(line.removeprefix("- ").startswith(says) for line in str(unusable.value).splitlines())


@pytest.mark.parametrize(
    ("place", "surplus", "named"),
    [
        (("criteria", "content", "charm"), lambda content: content["accuracy"], "criteria.content.charm"),
        (("criteria", "structure", "charm"), 5, "criteria.structure.charm"),
        (("overall_score",), {"A": 10, "B": 2}, "overall_score"),
        (("expectations", 1, "A", "note"), "x", "expectations, row 2, A.note"),
        ((*MARK, "quotes", 0, "page"), 1, "criteria.content.correctness.A.quotes, row 1, page"),
        ((*CORRECTNESS, "1"), lambda marks: marks["A"], "criteria.content.correctness.1"),
    ],
)
def test_a_surplus_key_is_dropped_and_named(place: tuple[Any, ...], surplus: Any, named: str) -> None:
    answer = read(broken(place, surplus))

    assert answer.surplus == (named,)
    assert answer.criteria == read(valid()).criteria


def test_text_without_a_sound_json_object_is_unusable_and_says_why() -> None:
    for text, says in (
        *(("", "empty"), ("I prefer A.", "no JSON object"), ("[1, 2]", "no JSON object")),
        *((json.dumps(valid())[:400], "cut off"), (json.dumps(valid())[:-1], "cut off")),
        *(('{"notes": "it goes \\" on, and', "cut off"), ('{"notes": "one" "two"}', "broken")),
        (json.dumps(valid()).replace('"score": 4', '"score": NaN', 1), "NaN"),
        (json.dumps(valid()).replace('"score": 4', '"score": 4, "score": 5', 1), "twice"),
        (json.dumps(valid()).replace('"score": 4', '"score" 4', 1), "broken"),
        *(('{"notes": ' + "[" * 100_000, "deeply"), ("{" * 2000, "broken"), ('{"notes": {}}', "criteria")),
        *(("{}" + "x" * LONGEST_ANSWER, "characters"), ('{"notes": 1' + "0" * 5000 + "}", "cannot be read")),
    ):
        with pytest.raises(Unusable, match=says):
            read(text)


def test_the_schema_demands_every_criterion_and_allows_nothing_else_in_words_too() -> None:
    answer_type = answer_form(RUBRIC, expectations=3)
    schema, form = answer_type.model_json_schema(), in_words(answer_type)
    content = schema["$defs"]["ContentMarks"]
    assert content["required"] == ["correctness", "completeness", "accuracy"]
    assert content["additionalProperties"] is False
    # Each output by itself, then scores, then the verdict.
    assert list(schema["properties"]) == [
        *("notes", "criteria", "expectations", "addressed_judge", "reasoning", "better", "stated_confidence")
    ]
    assert schema["$defs"]["WireMark"]["properties"]["score"]["enum"] == [1, 2, 3, 4, 5]
    assert all(f'"{criterion.key}"' in form for _, criterion in RUBRIC.lines())
    assert '"score": {"enum": [1, 2, 3, 4, 5], "type": "integer"}' in form
    assert '"maxItems": 3, "minItems": 3' in form


def test_of_outputs_that_are_the_same_one_is_asked_for_and_both_get_its_marks() -> None:
    same = pair({"a.md": "The Elbe rises."}, {"a.md": "The Elbe rises."}).model_copy(update={"same": True})
    given = valid() | {"expectations": []}
    del given["better"], given["stated_confidence"], given["notes"]["B"]
    for both in (mark for marks in given["criteria"].values() for mark in marks.values()):
        del both["B"]

    answer = read_answer(json.dumps(given), RUBRIC, same)

    assert answer.better is Winner.TIE
    assert all(marks.A == marks.B for marks in answer.criteria.values())
    assert answer.criteria["content.correctness"].B.quotes[0].found
    assert answer.strengths.A == answer.strengths.B == ("It names the Elbe.",)
    with pytest.raises(Unusable, match="better"):
        read_answer(json.dumps(given), RUBRIC, same.model_copy(update={"same": False}))


def test_a_rubric_is_read_and_its_keys_made_snake_case() -> None:
    anchors = {"poor": "p", "acceptable": "a", "excellent": "e"}
    line = {"key": "Field Alignment", "name": "Field alignment", "description": "", **anchors}
    lines = [line, line | {"key": "text"}]
    given = {"content": lines, "structure": lines}
    assert read_rubric(json.dumps(given)).content[0].key == "field_alignment"
    assert read_rubric(json.dumps(given)).right_answer == ""
    assert read_rubric(json.dumps(given | {"right_answer": "It says 42."})).right_answer == "It says 42."
    for content, structure, says in (
        *(([], lines, "1 to 5"), (lines, [], "1 to 5"), ([line, line], lines, "twice")),
    ):
        with pytest.raises(Unusable, match=says):
            read_rubric(json.dumps({"content": content, "structure": structure}))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid answer after a few random edits, as text, sometimes cut or wrapped."""
    value: Any = copy.deepcopy(valid())
    for _ in range(draw(st.integers(0, 4))):
        node: Any = value
        for _ in range(draw(st.integers(0, 6))):
            children = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not children or not isinstance(node[(key := draw(st.sampled_from(children)))], dict | list):
                break
            node = node[key]
        if not node:
            continue
        key = draw(st.sampled_from(list(node) if isinstance(node, dict) else list(range(len(node)))))
        match draw(st.sampled_from(("junk", "drop", "score", "double"))):
            case "junk":
                node[key] = draw(JUNK)
            case "drop":
                del node[key]
            case "score":
                node[key] = draw(st.sampled_from([1, 2, 3, 4, 5, "A", "B", "TIE", True, False, 60]))
            case "double" if isinstance(node, list):
                node.append(node[key])
    text = json.dumps(value)
    if draw(st.booleans()):
        text = text[: draw(st.integers(0, len(text)))]
    return draw(st.sampled_from(["{}", "```json\n{}\n```", "Well, {}", "{}{}"])).replace("{}", text)


@given(mutated())
def test_a_fuzzed_answer_never_crashes_and_never_yields_other_arithmetic(text: str) -> None:
    try:
        answer = read(text)
    except Unusable:
        return
    merged = merge(RUBRIC, tuple(Pass(order=order, answer=answer) for order in Order))
    verdict = merged.verdict
    assert verdict is not None
    assert verdict.totals is not None
    for label, assessment in verdict.assessments.items():
        own = {path: Decimal(marks[label].score or 0) for path, marks in answer.criteria.items()}
        assert assessment.scores == own
        assert verdict.totals[label] == totals(RUBRIC, own)
    a, b = verdict.totals.A.overall_score, verdict.totals.B.overall_score
    if a != b:
        assert verdict.winner is (Winner.A if a > b else Winner.B)


@given(st.text(max_size=300) | JUNK.map(lambda junk: json.dumps(junk)))
def test_any_text_at_all_is_an_answer_or_unusable(text: str) -> None:
    with pytest.raises(Unusable):
        read(text)
