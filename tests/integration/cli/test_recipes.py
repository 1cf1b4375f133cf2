"""The recipes in the docs do what they say: each of their commands is run."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.loopback.server import LoopbackServer
from tests.worlds.files import import_files
from tests.worlds.process import run

RECIPES = Path(__file__).parents[3] / "docs" / "recipes"
FAKES = {
    "comparator": f'exec {sys.executable} -m comparator "$@"',
    "pip": 'echo "pip $*"',
    "gh": 'echo "gh $*"; cat comparison-report/summary.md',
}
"""Commands as the workflows call them: ours from this tree, those that reach elsewhere only saying that they were."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer) -> Path:
    """A checkout with the recipes and a workspace, and the commands on the path."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, script in FAKES.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("COMPARATOR_MODEL", "claude-sonnet-5-5")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/recipes").symlink_to(RECIPES)
    import_files.workspace(tmp_path)
    (tmp_path / "hill-walker-workspace").rename(tmp_path / "my-skill-workspace")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(step: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return run("bash", "-eo", "pipefail", "-c", step, cwd=Path.cwd(), env=os.environ | variables)


def nightly(**variables: str) -> subprocess.CompletedProcess[str]:
    given = {"CANDIDATE": "with_skill (2)", "BASELINE": "without_skill (2)"} | variables
    return shell("bash docs/recipes/nightly.sh my-skill-workspace", **given)


@pytest.mark.slow
def test_the_nightly_run_goes_from_a_workspace_to_a_decision(place: Path) -> None:
    done = nightly()

    assert done.returncode == 11, done.stdout + done.stderr
    assert "### Cannot tell yet: with_skill (2) against without_skill (2)" in done.stdout
    report = place / "comparison-report"
    assert json.loads((report / "decision.json").read_text())["pairs"] == 2
    assert "<html" in (report / "report.html").read_text()
    assert (report / "results.zip").stat().st_size > 0
    assert "Traceback" not in done.stderr


@pytest.mark.soak
def test_the_nightly_run_pays_for_nothing_twice(place: Path, model: LoopbackServer) -> None:
    first = nightly()
    paid = len(model.requests)
    again = nightly()

    assert first.returncode == again.returncode == 11, again.stderr
    assert len(model.requests) == paid > 0


@pytest.mark.slow
def test_the_nightly_run_stops_before_it_pays_for_void_runs(place: Path, model: LoopbackServer) -> None:
    for file in (place / "my-skill-workspace/iteration-1/packing/with_skill/outputs").iterdir():
        file.write_text("")

    stopped = nightly()

    assert stopped.returncode == 4, stopped.stdout + stopped.stderr
    assert "Audit: void" in stopped.stderr
    assert not model.requests


@pytest.mark.soak
def test_the_nightly_run_refuses_to_go_beyond_its_budget(place: Path) -> None:
    stopped = nightly(BUDGET="0.0001")
    assert stopped.returncode == 3, stopped.stdout + stopped.stderr


@pytest.mark.soak
@pytest.mark.parametrize("name", ["nightly.yml", "pull-request.yml"])
def test_every_step_of_a_workflow_runs(place: Path, name: str) -> None:
    workflow: dict[str, Any] = yaml.safe_load((RECIPES / name).read_text())
    (job,) = workflow["jobs"].values()
    variables = {key: str(value) for key, value in job["env"].items() if "${{" not in str(value)}
    # What GitHub would set; iteration 2 is the only one with both sides of these names.
    variables |= {
        "GITHUB_STEP_SUMMARY": str(place / "step-summary.md"),
        "PULL_REQUEST": "https://example.org/1",
    }
    variables |= {"CANDIDATE": "with_skill (2)", "BASELINE": "without_skill (2)"}
    steps = [step for step in job["steps"] if "run" in step]

    codes = {step["name"]: shell(step["run"], **variables) for step in steps}

    assert len(steps) >= 3
    for done, process in codes.items():
        allowed = (0, 11) if (name, done) == ("nightly.yml", "Compare") else (0,)
        assert process.returncode in allowed, (done, process.stdout, process.stderr)
    if name == "nightly.yml":
        assert "Cannot tell yet" in (place / "step-summary.md").read_text()
    else:
        assert "gh pr comment https://example.org/1" in codes["Comment"].stdout
        assert "Cannot tell yet" in codes["Comment"].stdout
