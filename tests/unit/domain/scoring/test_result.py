"""comparison.json against the specification's own example."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from comparator.domain.errors import InvalidResult
from comparator.domain.labels import PerOutput, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.result import ComparisonResult, compose
from comparator.domain.scoring.verdict import Assessment, settle
from tests.loopback.pairs import rubric
from tests.unit.domain.make import assessment, present

PROSE = Prose(
    reasoning="A is complete.",
    strengths=PerOutput[tuple[str, ...]](A=(), B=()),
    weaknesses=PerOutput[tuple[str, ...]](A=(), B=()),
    argues_for=Winner.A,
)
EXPECTATIONS = (
    *("Output includes name", "Output includes date", "Format is PDF", "Contains signature", "Readable text"),
)
MET = {"A": (True, True, True, False, True), "B": (True, False, True, False, True)}


def _met(side: str, passed: int, rate: float) -> dict[str, Any]:
    details = [{"text": text, "passed": met} for text, met in zip(EXPECTATIONS, MET[side], strict=True)]
    return {"passed": passed, "total": 5, "pass_rate": rate, "details": details}


EXAMPLE: dict[str, Any] = {
    "winner": "A",
    "reasoning": "Output A provides a complete solution with proper formatting and all required fields. "
    "Output B is missing the date field and has formatting inconsistencies.",
    "rubric": {
        "A": {
            "content": {"correctness": 5, "completeness": 5, "accuracy": 4},
            "structure": {"organization": 4, "formatting": 5, "usability": 4},
            "content_score": 4.7,
            "structure_score": 4.3,
            "overall_score": 9.0,
        },
        "B": {
            "content": {"correctness": 3, "completeness": 2, "accuracy": 3},
            "structure": {"organization": 3, "formatting": 2, "usability": 3},
            "content_score": 2.7,
            "structure_score": 2.7,
            "overall_score": 5.4,
        },
    },
    "output_quality": {
        "A": {
            "score": 9,
            "strengths": ["Complete solution", "Well-formatted", "All fields present"],
            "weaknesses": ["Minor style inconsistency in header"],
        },
        "B": {
            "score": 5,
            "strengths": ["Readable output", "Correct basic structure"],
            "weaknesses": ["Missing date field", "Formatting inconsistencies", "Partial data extraction"],
        },
    },
    "expectation_results": {"A": _met("A", 4, 0.80), "B": _met("B", 3, 0.60)},
}


def example_result() -> ComparisonResult:
    """The example, computed from nothing but its scores, its met expectations and its words."""
    a, b = assessment((5, 5, 4, 4, 5, 4), MET["A"]), assessment((3, 2, 3, 3, 2, 3), MET["B"])
    quality = EXAMPLE["output_quality"]
    prose = Prose(
        reasoning=EXAMPLE["reasoning"],
        strengths=PerOutput[tuple[str, ...]](A=quality["A"]["strengths"], B=quality["B"]["strengths"]),
        weaknesses=PerOutput[tuple[str, ...]](A=quality["A"]["weaknesses"], B=quality["B"]["weaknesses"]),
        argues_for=Winner.A,
    )
    verdict = present(settle(rubric(), PerOutput[Assessment](A=a, B=b)))
    return compose(rubric(), verdict, prose, expectations=EXPECTATIONS)


def test_the_specifications_example_comes_back_equal_from_its_own_scores() -> None:
    result = example_result()
    assert json.loads(result.to_json()) == EXAMPLE
    assert ComparisonResult.from_json(result.to_json()) == result


def test_whole_scores_are_integers_and_half_scores_are_not() -> None:
    pair = PerOutput[Assessment](A=assessment((5, "4.5", 4, 4, 5, 4)), B=assessment((3, 2, 3, 3, 2, 3)))
    text = compose(rubric(), present(settle(rubric(), pair)), PROSE, expectations=()).to_json()
    assert '"correctness": 5,' in text
    assert '"completeness": 4.5,' in text
    assert '"overall_score": 8.8' in text


def test_pass_rates_have_two_decimals_even_beside_text_that_looks_like_one() -> None:
    result = example_result().model_copy(update={"reasoning": 'quoted:\n  "pass_rate": 0.8'})
    text = result.to_json()
    assert '"pass_rate": 0.80,' in text
    assert json.loads(text)["reasoning"] == 'quoted:\n  "pass_rate": 0.8'


def test_what_does_not_count_is_left_out_of_the_result() -> None:
    a, b = assessment((5, None, 4, 4, 5, None), (True, None)), assessment((3, 2, 3, 3, 2, 3), (False, True))
    verdict = present(settle(rubric(), PerOutput[Assessment](A=a, B=b)))
    composed = json.loads(compose(rubric(), verdict, PROSE, expectations=("one", "two")).to_json())
    assert composed["rubric"]["A"]["content"] == {"correctness": 5, "accuracy": 4}
    assert list(composed["rubric"]["B"]["content"]) == ["correctness", "accuracy"]
    assert list(composed["rubric"]["A"]["structure"]) == ["organization", "formatting"]
    details = [{"text": "one", "passed": True}]
    met = composed["expectation_results"]["A"]
    assert met == {"passed": 1, "total": 1, "pass_rate": 1.0, "details": details}
    a, b = assessment((5,) * 6, (True, None)), assessment((3,) * 6, (None, True))
    verdict = present(settle(rubric(), PerOutput[Assessment](A=a, B=b)))
    assert compose(rubric(), verdict, PROSE, expectations=("one", "two")).expectation_results is None


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e.update(winner="C"),
        lambda e: e.update(extra=1),
        lambda e: e["rubric"]["A"]["content"].update(accuracy=7),
        lambda e: e["rubric"]["A"]["content"].update(accuracy=3.7),
        lambda e: e["rubric"]["A"]["content"].update(accuracy=0.5),
        lambda e: e["rubric"]["A"].update(content={}),
        lambda e: e["rubric"]["A"].update(content={f"c{n}": 3 for n in range(6)}),
        lambda e: e["rubric"]["A"].update(content_score=5.5),
        lambda e: e["rubric"]["B"].update(overall_score=10.5),
        lambda e: e["rubric"]["B"].update(overall_score=1.5),
        lambda e: e["output_quality"]["A"].update(score=11),
        lambda e: e["expectation_results"]["A"].update(pass_rate=1.2),
    ],
)
def test_what_breaks_the_format_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    schema = ComparisonResult.json_schema()
    changed = copy.deepcopy(EXAMPLE)
    change(changed)
    import jsonschema  # reads grammars for seconds, which only this test waits for

    jsonschema.validate(EXAMPLE, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(changed, schema)
    with pytest.raises(InvalidResult, match=r"winner|extra|rubric|output_quality|pass_rate"):
        ComparisonResult.from_json(json.dumps(changed))
