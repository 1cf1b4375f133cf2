"""Projects, their settings, the history and the reveal on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparator import api
from comparator.api.opened import opened, project_named
from comparator.workflow.projects.settings import project_settings
from tests.integration.cli.test_commands import PROMPT, run
from tests.worlds.workbench import GOOD, POOR

TITLES = ("first", "second")


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Two judged comparisons of the same two candidates in one project; their ids, the newest first."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)
    for name, text in (("v31", GOOD), ("v32", POOR)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.md").write_text(text)
    for title in TITLES:
        api.compare(
            "v31", "v32", f"{PROMPT} {title}", candidates=("quillwort", "saxifrage"), project="Harvest"
        )
    return tuple(row["id"] for row in said("list", "--json")["comparisons"])


def said(*command: str) -> Any:
    done = run(*command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_settings_are_changed_and_wrong_ones_named(judged: tuple[str, ...]) -> None:
    done = run("projects", "set", "Harvest", "mode=blind_first", "reviews_needed=2", "brief=Look twice.")
    unknown = run("projects", "set", "Harvest", "colour=red")
    wrong = run("projects", "set", "Harvest", "reviews_needed=0")

    assert done.exit_code == 0, done.output
    with opened(None) as services:
        settings = project_settings(services, project_named(services.database, "Harvest"))
    assert (settings.mode, settings.reviews_needed, settings.brief) == ("blind_first", 2, "Look twice.")
    assert (unknown.exit_code, wrong.exit_code) == (2, 2)
    assert "reviews_needed" in unknown.output
    assert "reviews_needed" in wrong.output


def test_the_history_is_listed_by_its_filters_and_hides_what_is_to_be_scored_blind(
    judged: tuple[str, ...],
) -> None:
    every = said("list", "--project", "Harvest", "--json")
    found = said("list", "--search", "second", "--json")["comparisons"]
    none = said("list", "--status", "failed", "--json")
    table = run("list", "--project", "Harvest").stdout
    run("projects", "set", "Harvest", "mode=blind_first")
    blind = said("list", "--json")["comparisons"]

    assert (every["total"], len(every["comparisons"])) == (2, 2)
    first = every["comparisons"][0]
    assert (first["winner"], first["form"], first["a"]) == (None, "no difference", None)
    assert "form: no difference" in " ".join(table.split())
    assert [row["id"] for row in found] == [judged[0]]
    assert none["total"] == 0
    assert {row["form"] for row in blind} == {None}
    assert {row["winner"] for row in blind} == {"hidden until you have scored it"}
    assert {row["a"] for row in blind} == {None}


def test_a_comparison_is_shown_with_its_provenance(judged: tuple[str, ...]) -> None:
    shown = said("show", judged[0], "--json")
    missing = run("show", "nothing")

    assert shown["result"]["winner"] == "TIE"
    assert shown["provenance"]["comparison_id"] == judged[0]
    assert "Output A" in run("show", judged[0]).stdout
    assert missing.exit_code == 2


def test_a_reveal_names_the_candidates_everywhere(judged: tuple[str, ...]) -> None:
    before = json.dumps(said("list", "--json"))

    wrong = run("reveal", "Harvest", "--candidates", "this", "that")
    two = wrong.stderr.partition("Candidates compared in Harvest: ")[2].rstrip(".\n").split(" and ")
    done = said("reveal", "Harvest", "--candidates", *two, "--note", "all are read", "--json")
    again = run("reveal", "Harvest")

    assert "quillwort" not in before + wrong.output
    assert wrong.exit_code == 2
    assert done["revealed"] == 2
    assert {name for pair in done["candidates"] for name in pair} == {"quillwort", "saxifrage"}
    assert {row["candidates"]["A"] for row in said("list", "--json")["comparisons"]} <= {
        "quillwort",
        "saxifrage",
    }
    assert again.exit_code == 2
