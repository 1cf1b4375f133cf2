"""promptfoo's results in every form that it writes, and its assertions of every deterministic kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format
from comparator.interop.read.gradings import grade_of
from comparator.interop.read.recognise import read, recognise
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
    (
        {"type": "icontains-any", "value": ["a"]},
        "The output contains at least one of “a”, ignoring case",
    ),
    ({"type": "not-icontains-all", "value": ["a"]}, "The output does not contain all of “a”, ignoring case"),
    ({"type": "not-icontains-any", "value": ["a"]}, "The output contains none of “a”, ignoring case"),
    ({"type": "is-json"}, "The output is valid JSON"),
    (
        {"type": "is-json", "value": {"type": "object"}},
        'The output is valid JSON that follows the schema “{"type": "object"}”',
    ),
    ({"type": "contains-json"}, "The output contains valid JSON"),
    ({"type": "is-xml"}, "The output is valid XML"),
    ({"type": "is-sql"}, "The output is valid SQL"),
    ({"type": "not-is-refusal"}, "The output is not a refusal"),
    (
        {"type": "levenshtein", "value": "abc", "threshold": 2},
        "The output is at most 2 edits away from “abc”",
    ),
    ({"type": "rouge-n", "value": "abc"}, "The output has a ROUGE-N score of at least 0.75 against “abc”"),
    ({"type": "word-count", "value": {"min": 5, "max": 9}}, "The output has at least 5 and at most 9 words"),
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


def test_assertions_of_a_set_are_taken_and_a_mark_of_a_person_is_none(tmp_path: Path) -> None:
    inside = {"type": "assert-set", "assert": [{"type": "contains", "value": "a"}, {"type": "is-html"}]}

    found = with_assertions(
        tmp_path, inside, {"type": "human"}, {"type": "llm-rubric", "value": "It is kind"}
    )

    assert found.runs[0].expectations == (
        "The output contains “a”",
        "The output is valid HTML",
        "It is kind",
    )
    assert not found.left_out


def test_what_the_text_does_not_tell_is_listed_once_for_both_sides(tmp_path: Path) -> None:
    found = with_assertions(
        tmp_path,
        {"type": "javascript", "value": "output.length > 3"},
        {"type": "javascript", "value": "output.length < 9"},
        {"type": "latency", "threshold": 100},
        {"type": "contains", "value": {"odd": 1}},
        "contains:boots",  # type: ignore[arg-type]
    )

    assert [left.reason for left in found.left_out] == [
        "2 assertions of type javascript left out: the text does not show whether it holds",
        "1 assertion of type latency left out: the text does not show whether it holds",
        "1 assertion of type unknown left out: the text does not show whether it holds",
    ]
    assert found.runs[0].expectations == ('The output contains “{"odd": 1}”',)


def test_lines_and_yaml_hold_what_the_json_does(tmp_path: Path) -> None:
    document = promptfoo_rows()
    as_json = read(written(tmp_path, "out.json", document), format=None)
    by_lines = written(tmp_path, "out.jsonl", lines(document["results"]["results"]))
    one_line = written(tmp_path, "one.jsonl", lines(document["results"]["results"][:1]))
    by_yaml = written(tmp_path, "out.yaml", yaml.safe_dump(document))

    def told(found: Findings) -> list[tuple[Any, ...]]:
        return [(run.configuration, run.prompt, run.text, run.expectations, run.void) for run in found.runs]

    assert recognise(by_lines) is recognise(by_yaml) is recognise(one_line) is Format.PROMPTFOO
    assert told(read(by_lines, format=None)) == told(as_json)
    assert told(read(by_yaml, format=None)) == told(as_json)
    assert len(read(by_yaml, format=None).labels) == len(as_json.labels) == 1


def test_a_broken_line_of_results_costs_that_line(tmp_path: Path) -> None:
    rows = promptfoo_rows()["results"]["results"]
    path = written(tmp_path, "out.jsonl", "{broken\n" + lines(rows))

    found = read(path, format=None)

    assert len(found.runs) == len(rows)
    assert found.left_out[0].file.endswith("row 1")


def test_yaml_that_swells_by_aliases_or_holds_itself_is_refused(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )

    with pytest.raises(InputError, match="aliases expand to more than"):
        read(written(tmp_path, "bomb.yaml", bomb), format=None)
    with pytest.raises(InputError, match="holds itself"):
        read(written(tmp_path, "loop.yaml", "a: &a [*a]\n"), format=None)
    with pytest.raises(InputError, match="not YAML"):
        read(written(tmp_path, "no.yaml", "a: [\n"), format=None)
    with pytest.raises(InputError, match="not YAML"):
        read(written(tmp_path, "code.yaml", "a: !!python/object/apply:os.getcwd []\n"), format=None)


@pytest.mark.parametrize(
    ("grading", "told"),
    [
        (
            {"summary": {"passed": 3, "failed": 1, "total": 4, "pass_rate": 0.75}},
            ("grading.json", 0.75, 3, 4),
        ),
        (
            {"expectations": [{"text": "a", "passed": True}, {"text": "b", "passed": False}]},
            ("grading.json", 0.5, 1, 2),
        ),
        ({"configuration": "x", "result": {"pass_rate": 0.8}}, ("benchmark.json", 0.8, None, None)),
        (
            {"componentResults": [{"pass": True, "assertion": {"type": "contains", "value": "a"}}]},
            ("promptfoo", 1.0, 1, 1),
        ),
    ],
)
def test_a_graders_result_is_read_from_each_form(grading: dict[str, Any], told: tuple[Any, ...]) -> None:
    grade = grade_of(grading)

    assert grade is not None
    assert (grade.author, float(grade.rate), grade.passed, grade.total) == told


@pytest.mark.parametrize(
    "grading", [None, {}, [], {"summary": {"pass_rate": 7}}, {"summary": {"passed": 5, "total": 4}}]
)
def test_what_tells_no_result_is_no_grade(grading: Any) -> None:
    assert grade_of(grading) is None


DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize("write", [json.dumps, lambda answer: answer])
@pytest.mark.parametrize(
    ("answer", "names", "void"),
    [
        ({"created": 1, "data": [{"b64_json": DOT}]}, ["image-1.png"], ""),
        (
            {"data": [{"b64_json": "/9j/4AAQ", "revised_prompt": "x"}, {"b64_json": DOT}]},
            ["image-1.jpg", "image-2.png"],
            "",
        ),
        (
            {"created": 1, "data": [{"url": "https://pictures.example/a.png"}]},
            [],
            "https://pictures.example/a.png",
        ),
        ({"data": [{"url": "https://a.example", "title": "A"}]}, None, ""),
        ({"data": [{"url": "https://a.example"}]}, None, ""),
        ({"data": ["b64_json"]}, None, ""),
        ({"data": []}, None, ""),
    ],
)
def test_pictures_that_a_model_answers_with_are_files_and_not_letters(
    tmp_path: Path, write: Any, answer: dict[str, Any], names: list[str] | None, void: str
) -> None:
    row = promptfoo_row(0, 0, write(answer))
    (tmp_path / "r.json").write_text(json.dumps([row]))

    (run,) = read(tmp_path / "r.json", format=None).runs

    files = run.files.files if run.files else ()
    assert [file.name for file in files] == (names or [])
    assert bool(run.text) == (names is None)
    assert void in run.void
    assert bool(run.void) == bool(void)
