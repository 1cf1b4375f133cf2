"""Repetitions pair one to one, two prompts are two candidates, and whoever chose the best output gave a label."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from comparator import api
from comparator.domain.errors import InputError
from comparator.domain.labels import Winner
from comparator.interop.imported import Findings, Format, FoundRun
from comparator.interop.recognise import read
from comparator.interop.skill_creator.places import level_and_treatment
from comparator.workflow.importing.pairs import RunPair, pairs_between, siblings
from comparator.workflow.importing.run import summary
from tests.unit.interop.samples import promptfoo_row
from tests.worlds.files.import_files import write

Row = dict[str, Any]


def cell(
    test: int, provider: str, *, prompt: int = 0, question: str = "Name a bird.", label: str = "", **more: Any
) -> Row:
    return {
        **promptfoo_row(test, prompt, f"{provider} {prompt} on {question} in {test}"),
        "provider": {"id": provider},
        "prompt": {"raw": question, **({"label": label} if label else {})},
        "vars": {"topic": "birds"},
        **more,
    }


def repeated(tests: int, repeats: int, providers: Sequence[str]) -> list[Row]:
    """What promptfoo writes with `--repeat`: each repetition is a test of its own."""
    return [
        cell(test + tests * k, name, prompt=n, question=f"Name bird {test}.")
        for k in range(repeats)
        for test in range(tests)
        for n, name in enumerate(providers)
    ]


def found_in(tmp_path: Path, rows: list[Row]) -> Findings:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": rows, "prompts": []}}))
    return read(path, format=None)


def pairs_of(findings: Findings) -> tuple[RunPair, ...]:
    return siblings(findings, findings.runs)


@pytest.mark.parametrize(
    ("tests", "repeats", "providers", "pairs"), [(1, 3, 2, 3), (5, 10, 3, 150), (2, 1, 2, 2), (4, 2, 2, 8)]
)
def test_the_kth_meets_the_kth(tmp_path: Path, tests: int, repeats: int, providers: int, pairs: int) -> None:
    findings = found_in(tmp_path, repeated(tests, repeats, [f"provider-{n}" for n in range(providers)]))

    run_pairs = pairs_of(findings)

    assert len(run_pairs) == pairs
    assert all(
        (one.text or "")[-1:] == (two.text or "")[-1:] for one, two in run_pairs if tests * repeats < 10
    )
    assert findings.left_out == ()


def test_a_repetition_alone_is_listed_and_moves_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = repeated(1, 3, ["one", "two"])
    del rows[3]  # the second repetition of the second provider

    findings = found_in(tmp_path, rows)

    assert [(one.repetition, two.repetition) for one, two in pairs_of(findings)] == [(1, 1), (3, 3)]
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    report = api.look_through(tmp_path / "results.json")
    alone = report.audit.one_sided
    assert alone.sides == {"one": 1}
    assert [
        line for line in summary(report, done=False) if "No counterpart" in line and "repetition 2" in line
    ]
    assert [place.rpartition(", ")[2] for place in alone.examples] == ["repetition 2"]


@pytest.mark.parametrize("labels", [("", ""), ("same", "same"), ("short", "long")])
def test_two_prompts_of_one_provider_are_two_candidates(tmp_path: Path, labels: tuple[str, str]) -> None:
    ways = list(enumerate(zip(("At length", "Briefly"), labels, strict=True)))
    rows = [
        cell(test, "gpt", prompt=n, question=f"{how}, name bird {test}.", label=label)
        for test in range(2)
        for n, (how, label) in ways
    ]

    findings = found_in(tmp_path, rows)

    assert len({run.configuration for run in findings.runs}) == 2
    assert len(pairs_of(findings)) == 2


def chosen(kind: str, passed: bool, *more: dict[str, Any]) -> dict[str, Any]:
    """What promptfoo writes at each output of a test of which one was chosen."""
    choice = {"pass": passed, "assertion": {"type": kind, "value": "the shortest"}}
    return {"gradingResult": {"pass": passed, "componentResults": [*more, choice]}}


FALLEN, TAKEN = Winner.B, Winner.A
HELD = {"pass": True, "assertion": {"type": "contains", "value": "bird"}}


@pytest.mark.parametrize("kind", ["select-best", "max-score"])
@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        pytest.param([(0, 0, False), (0, 1, True), (0, 2, False)],
                     [("p0", "p1", FALLEN), ("p1", "p2", TAKEN)], id="one of three"),
        pytest.param([(0, 0, True), (0, 1, False)], [("p0", "p1", TAKEN)], id="one of two"),
        pytest.param([(0, 0, True), (0, 1, False), (1, 0, False), (1, 1, True)],
                     [("p0", "p1", TAKEN), ("p0", "p1", FALLEN)], id="in each test"),
        pytest.param([(0, 0, False), (0, 1, False)], [], id="none"),
    ],
)  # fmt: skip
def test_whoever_chose_the_best_output_gave_a_label(
    tmp_path: Path, kind: str, rows: list[tuple[int, int, bool]], labels: list[tuple[str, str, Winner]]
) -> None:
    cells = [
        cell(test, f"p{n}", prompt=n, question=f"Name bird {test}.", **chosen(kind, passed, HELD))
        for test, n, passed in rows
    ]

    findings = found_in(tmp_path, cells)

    configuration = {run.address: run.configuration for run in findings.runs}
    assert [
        (configuration[choice.first], configuration[choice.second], choice.winner)
        for choice in findings.labels
    ] == labels
    assert {(label.kind.value, label.author) for label in findings.labels} <= {
        ("imported_grader", f"promptfoo {kind}")
    }
    assert findings.left_out == ()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([cell(0, "one"), cell(1, "one", question="Name a fish.")], ("2 outputs of one.", "--compare")),
        (
            [cell(0, "one"), cell(1, "two", question="Name a fish.")],
            ("no task has outputs of two", "one, two"),
        ),
    ],
)
def test_runs_without_pairs_say_why_and_what_would_make_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[Row], words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    found_in(tmp_path, rows)

    report = api.look_through(tmp_path / "results.json")

    said = "\n".join(summary(report, done=False))
    assert all(word in said for word in words), said


MARKS: tuple[tuple[dict[str, Any], list[bool | None]], ...] = (
    ({"expectations": [{"text": "A", "passed": "true"}, {"text": "B", "passed": "False"}]}, [True, False]),
    ({"assertions": [{"name": "A", "met": True}, {"name": "B", "met": "no"}]}, [True, False]),
    ({"expectations": [{"text": "A", "status": "failed"}, {"text": "B", "passed": True}]}, [False, True]),
    ({"expectations": [{"text": "A", "verdict": "PASS"}, {"text": "B", "verdict": "FAIL"}]}, [True, False]),
    ({"assertions": {"A": True, "B": {"passed": False, "evidence": "none"}}}, [True, False]),
    ({"expectations": [{"text": "A", "result": "PASS"}, {"text": "B", "result": "fail"}]}, [True, False]),
    ({"expectations": [{"text": "A", "passed": 1}, {"text": "B", "passed": "perhaps"}]}, [True, None]),
    ({"verdict": "good"}, []),
    ({"marks": [{"id": 1, "ok": "yes"}]}, []),
    ({"score": "4 of 5"}, []),
)


@pytest.mark.parametrize(("grading", "marks"), MARKS)
def test_gradings_in_other_words_are_read_where_they_are_plain_and_else_listed(
    tmp_path: Path, grading: dict[str, Any], marks: list[bool | None]
) -> None:
    home = tmp_path / "birds-workspace/iteration-1/eval-1"
    write(home / "with_skill/outputs/bird.md", "A wren.")
    write(home / "with_skill/grading.json", grading)
    write(home / "eval_metadata.json", {"eval_id": 1, "prompt": "Name a bird."})

    imported = read(tmp_path / "birds-workspace", format=None)

    assert [(claim.text, claim.passed) for claim in imported.runs[0].claims] == list(
        zip("AB", marks, strict=False)
    )
    reasons = [left.reason for left in imported.left_out]
    if not marks:
        assert reasons[0].startswith("no grade in it is understood")
    elif None in marks:
        assert "1 of its 2 expectations say neither passed nor failed, such as 'perhaps'" in reasons[0]
    assert len(reasons) == (not all(mark is not None for mark in marks) or not marks)


SENTENCES: tuple[tuple[dict[str, Any], str], ...] = (
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
    ({"type": "is-json", "value": {"a": 1}}, 'The output is valid JSON that follows the schema “{"a": 1}”'),
    ({"type": "contains-json"}, "The output contains valid JSON"),
    ({"type": "not-contains-json"}, "The output does not contain valid JSON"),
)


def test_each_deterministic_assertion_of_promptfoo_is_one_sentence(tmp_path: Path) -> None:
    assertions = {"assert": [assertion for assertion, _ in SENTENCES]}

    findings = found_in(
        tmp_path, [cell(0, name, vars={"n": 7}, testCase=assertions) for name in ("one", "two")]
    )

    assert {run.expectations for run in findings.runs} == {tuple(sentence for _, sentence in SENTENCES)}
    assert not findings.left_out


def of_workspace(name: str, *, iteration: str = "1") -> FoundRun:
    return FoundRun(
        address=f"{iteration}/{name}",
        task_key="eval-1",
        prompt="Name a river.",
        configuration=name,
        iteration=iteration,
        factors=level_and_treatment(name),
        text=name,
    )


def named(pairs: Iterable[RunPair]) -> set[str]:
    return {
        " ".join(sorted((str(pair.first.configuration), str(pair.second.configuration)))) for pair in pairs
    }


def test_of_two_factors_the_treatment_alone_differs_where_it_can() -> None:
    names = ("gpt_with_skill", "gpt_without_skill", "opus_with_skill", "opus_without_skill")
    for some, pairs in (
        (names, {" ".join(names[:2]), " ".join(names[2:])}),
        (names[::3], {" ".join(names[::3])}),
    ):
        runs = tuple(map(of_workspace, some))
        assert named(siblings(Findings(format=Format.SKILL_CREATOR, runs=runs), runs)) == pairs


def test_two_candidates_are_named_within_each_iteration_or_across_them() -> None:
    names = ("v30", "v31", "v32")
    runs = tuple(of_workspace(name, iteration=number) for number in ("1", "2") for name in names)

    assert named(pairs_between(runs, "v30", "v31")) == {"v30 v31"}
    assert len(pairs_between(runs, "v30", "v31")) == 2
    assert len(pairs_between(runs, "1/v30", "v31")) == 2
    assert len(pairs_between(runs, "1/v30", "2/v31")) == 1
    with pytest.raises(InputError, match=r"There is no candidate v29\. There are: 1/v30, 1/v31"):
        pairs_between(runs, "v29", "v30")
    with pytest.raises(InputError, match="have no task in common"):
        pairs_between((runs[0], runs[1].copy_with(task_key="eval-2")), "v30", "v31")
