"""`benchmark` and `probe`: a set is read and scored here, and other judges' answers are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.cli.test_commands import run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)
    rows = [
        {"input": f"Say {n}.", "output_1": f"{n}", "output_2": "no", "label": 1 + n % 2} for n in range(4)
    ]
    (tmp_path / "natural.json").write_text(json.dumps(rows))


@pytest.mark.slow
def test_a_set_is_read_and_its_figures_stand_beside_those_of_others() -> None:
    done = run("benchmark", "natural.json", "--sample", "2")

    assert done.exit_code == 0, done.output
    assert "LLMBar natural: offline check" in done.stdout
    assert "same winner in both orders" in done.stdout
    assert "Published: GPT-4, vanilla prompt on LLMBar Natural" in done.stderr


@pytest.mark.slow
def test_the_figures_come_as_json_too() -> None:
    done = run("benchmark", "natural.json", "--json")

    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)
    assert (found["figures"]["counts"]["covered"], found["judge_kind"]) == (4, "offline")
    assert found["accuracy"]["mean"] == {"n": 4, "needed": 20}


def test_a_benchmark_can_be_left_to_a_worker() -> None:
    done = run("benchmark", "natural.json", "--no-wait", "--json")

    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)
    assert (found["finished_at"], found["figures"]["counts"]["pairs"]) == (None, 4)
    assert found["figures"]["counts"]["covered"] == 0


def test_another_judges_answers_are_scored_without_a_request() -> None:
    lines = [
        json.dumps({"pair": n, "order": order, "winner": "A"}) for n in (1, 2, 3, 4) for order in ("AB", "BA")
    ]
    Path("theirs.jsonl").write_text("\n".join(lines))

    done = run("benchmark", "natural.json", "--answers", "theirs.jsonl", "--answered-by", "theirs", "--json")

    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)
    assert (found["judge_model"], found["figures"]["counts"]["both"]) == ("theirs", 2)


def test_what_is_neither_a_file_nor_a_project_is_told() -> None:
    done = run("benchmark", "nowhere")

    assert done.exit_code == 2
    assert "'nowhere' is neither a file or folder nor a project" in done.stderr


def test_a_budget_that_is_no_sum_is_told() -> None:
    done = run("benchmark", "natural.json", "--budget", "much")

    assert done.exit_code == 2
    assert "--budget is 'much'" in done.stderr
