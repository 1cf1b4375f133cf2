"""A review made elsewhere comes in from a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.test_projects import judged, said
from tests.worlds.process import invoke

__all__ = ["judged"]


SHEET = {
    "content": ("correctness", "completeness", "accuracy"),
    "structure": ("organization", "formatting", "usability"),
}
"""What a reviewer scores where no model has written a rubric."""


@pytest.fixture
def corrected(judged: tuple[str, ...], tmp_path: Path) -> Path:
    """The judge's result as a person corrected it: A is better in each criterion."""
    result: dict[str, Any] = said("show", judged[0], "--json")["result"]
    for label, score in (("A", 5), ("B", 2)):
        for dimension, names in SHEET.items():
            result["rubric"][label][dimension] = dict.fromkeys(names, score)
    result["winner"] = "A"
    result["reasoning"] = "A states the total weight, and B does not."
    file = tmp_path / "corrected.json"
    file.write_text(json.dumps(result))
    return file


def test_a_corrected_result_becomes_a_review_that_can_be_finalised(
    judged: tuple[str, ...], corrected: Path
) -> None:
    done = invoke(
        "review", "import", judged[0], str(corrected), "--reason", "read on paper", "--finalise", "--json"
    )

    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["finalised"] is True
    shown = said("show", judged[0], "--json")
    assert shown["result"]["winner"] == "A"
    assert shown["result"]["reasoning"] == "A states the total weight, and B does not."
    assert shown["provenance"]["verdict_source"] == "review"
    (review,) = shown["provenance"]["reviews"]
    assert {change["reason"] for change in review["changes"] if change["kind"] == "set"} == {"read on paper"}


def test_the_same_file_again_changes_nothing(judged: tuple[str, ...], corrected: Path) -> None:
    first = json.loads(invoke("review", "import", judged[0], str(corrected), "--json").stdout)
    again = json.loads(invoke("review", "import", judged[0], str(corrected), "--json").stdout)

    assert first["values"] > 4
    assert again["values"] == 0


@pytest.mark.parametrize(
    ("strengths", "score", "told"),
    [
        (["fine"] * 201, "5", "201 lines"),
        (["x" * 50_001], "5", "50,001 characters"),
        (["fine"], "3." + "0" * 60 + "1", "3.000"),
    ],
    ids=["too many lines", "too long a line", "a score of 62 digits"],
)
def test_a_file_that_no_sheet_could_show_is_refused_in_a_sentence(
    judged: tuple[str, ...], corrected: Path, strengths: list[str], score: str, told: str
) -> None:
    result = json.loads(corrected.read_text())
    result["output_quality"]["A"]["strengths"] = strengths
    for label in "AB":
        scores = result["rubric"][label]["content"]
        scores[next(iter(scores))] = score
    corrected.write_text(json.dumps(result))

    done = invoke("review", "import", judged[0], str(corrected))

    assert done.exit_code == 2, done.output
    assert told in done.stderr
    assert said("show", judged[0], "--json")["provenance"]["reviews"] == []
