"""Projects, their settings, the history and the reveal on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparator import api
from comparator.api.opened import opened, project_named
from comparator.workflow.projects.settings import project_settings
from tests.integration.cli.test_commands import PROMPT
from tests.worlds.process import invoke
from tests.worlds.workbench import reports_in

TITLES = ("first", "second")


@pytest.fixture
def judged(here: Path) -> tuple[str, ...]:
    """Two judged comparisons of the same two candidates in one project; their ids, the newest first."""
    reports_in(here)
    for title in TITLES:
        api.compare(
            "v31", "v32", f"{PROMPT} {title}", candidates=("quillwort", "saxifrage"), project="Harvest"
        )
    return tuple(row["id"] for row in said("list", "--json")["comparisons"])


def said(*command: str) -> Any:
    done = invoke(*command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_settings_are_changed_and_wrong_ones_named(judged: tuple[str, ...]) -> None:
    done = invoke("projects", "set", "Harvest", "mode=blind_first", "reviews_needed=2", "brief=Look twice.")
    unknown = invoke("projects", "set", "Harvest", "colour=red")
    wrong = invoke("projects", "set", "Harvest", "reviews_needed=0")

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
    table = invoke("list", "--project", "Harvest").stdout
    invoke("projects", "set", "Harvest", "mode=blind_first")
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
    missing = invoke("show", "nothing")

    assert shown["result"]["winner"] == "TIE"
    assert shown["provenance"]["comparison_id"] == judged[0]
    assert "Output A" in invoke("show", judged[0]).stdout
    assert missing.exit_code == 2


def test_a_reveal_names_the_candidates_everywhere(judged: tuple[str, ...]) -> None:
    before = json.dumps(said("list", "--json"))

    wrong = invoke("reveal", "Harvest", "--candidates", "this", "that")
    two = wrong.stderr.partition("Candidates compared in Harvest: ")[2].rstrip(".\n").split(" and ")
    done = said("reveal", "Harvest", "--candidates", *two, "--note", "all are read", "--json")
    again = invoke("reveal", "Harvest")

    assert "quillwort" not in before + wrong.output
    assert wrong.exit_code == 2
    assert done["revealed"] == 2
    assert {name for pair in done["candidates"] for name in pair} == {"quillwort", "saxifrage"}
    assert {row["candidates"]["A"] for row in said("list", "--json")["comparisons"]} <= {
        "quillwort",
        "saxifrage",
    }
    assert again.exit_code == 2
