"""`probe` writes a labelled set that `import` takes, and `judges` shows the record on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from comparator.judges.probes.cases import probes
from tests.integration.cli.test_commands import run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)


def test_the_probes_are_written_with_a_label_each() -> None:
    done = run("probe", "out.jsonl")

    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == len(probes())
    assert {line["other_labels"][0]["kind"] for line in lines} == {"gold"}


def test_a_place_that_cannot_be_written_is_told() -> None:
    done = run("probe", "nowhere/out.jsonl")

    assert done.exit_code == 2
    assert "nowhere/out.jsonl cannot be written" in done.stderr


def test_a_labelled_set_is_imported_read_and_its_figures_stand_beside_those_of_others() -> None:
    rows = [
        {"input": f"Say {n}.", "output_1": f"{n}", "output_2": "no", "label": 1 + n % 2} for n in range(4)
    ]
    Path("natural.json").write_text(json.dumps(rows))

    for command in (
        ("import", "natural.json"),
        ("batch", "start", "LLMBar natural", "--labelled", "--sample", "2"),
        ("worker", "--until-idle", "0"),
    ):
        assert run(*command).exit_code == 0
    done = run("judges", "LLMBar natural")
    (found,) = json.loads(run("judges", "LLMBar natural", "--json").stdout)

    assert done.exit_code == 0, done.output
    assert "LLMBar natural: offline check" in done.stdout
    assert "same winner in both orders" in done.stdout
    assert "Published: GPT-4, vanilla prompt on LLMBar Natural" in done.stderr
    assert (found["counts"]["covered"], found["counts"]["pairs"]) == (2, 4)
