"""promptfoo's results in every form that it writes, and its assertions on words and JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparator.interop.imported import Findings
from comparator.interop.recognise import read
from tests.unit.interop.samples import lines, promptfoo_row, promptfoo_rows

DETERMINISTIC: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "equals", "value": "7"}, "The output equals “7”"),
    ({"type": "equals", "value": {"n": 7}}, 'The output equals “{"n": 7}”'),
    ({"type": "not-equals", "value": "8"}, "The output does not equal “8”"),
    ({"type": "contains", "value": "{{n}} boots"}, "The output contains “7 boots”"),
    ({"type": "not-contains", "value": "x"}, "The output does not contain “x”"),
    ({"type": "icontains", "value": "x"}, "The output contains “x”, ignoring case"),
    ({"type": "starts-with", "value": "Dear"}, "The output starts with “Dear”"),
    ({"type": "regex", "value": "^a+$"}, "The output matches the regular expression “^a+$”"),
    ({"type": "contains-all", "value": ["a", "b"]}, "The output contains all of “a”, “b”"),
    ({"type": "contains-any", "value": "a, b"}, "The output contains at least one of “a”, “b”"),
    ({"type": "not-contains-any", "value": ["a", 2]}, "The output contains none of “a”, “2”"),
    ({"type": "icontains-any", "value": ["a"]}, "The output contains at least one of “a”, ignoring case"),
    ({"type": "not-icontains-all", "value": ["a"]}, "The output does not contain all of “a”, ignoring case"),
    ({"type": "not-icontains-any", "value": ["a"]}, "The output contains none of “a”, ignoring case"),
    ({"type": "is-json"}, "The output is valid JSON"),
    (
        {"type": "is-json", "value": {"type": "object"}},
        'The output is valid JSON that follows the schema “{"type": "object"}”',
    ),
    ({"type": "contains-json"}, "The output contains valid JSON"),
    ({"type": "not-contains-json"}, "The output does not contain valid JSON"),
)


def written(tmp_path: Path, name: str, document: Any) -> Path:
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def with_assertions(tmp_path: Path, *given: dict[str, Any]) -> Findings:
    rows = [
        {**promptfoo_row(0, side, str(side)), "vars": {"n": 7}, "testCase": {"assert": list(given)}}
        for side in range(2)
    ]
    document = {"results": {"version": 3, "results": rows}}
    return read(written(tmp_path, "results.json", document), format=None)


@pytest.mark.parametrize(("assertion", "sentence"), DETERMINISTIC, ids=lambda value: str(value)[:40])
def test_each_deterministic_assertion_is_one_sentence(
    tmp_path: Path, assertion: dict[str, Any], sentence: str
) -> None:
    found = with_assertions(tmp_path, assertion)

    assert {run.expectations for run in found.runs} == {(sentence,)}
    assert not found.left_out


def test_a_broken_line_of_results_costs_that_line(tmp_path: Path) -> None:
    rows = promptfoo_rows()["results"]["results"]
    path = written(tmp_path, "out.jsonl", "{broken\n" + lines(rows))

    found = read(path, format=None)

    assert len(found.runs) == len(rows)
    assert found.left_out[0].file.endswith("row 1")
