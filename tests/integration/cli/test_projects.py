"""Projects, their settings, the history, the reveal, roles, and reviews that come from a file, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from comparator import api
from comparator.api.opened import opened
from comparator.bootstrap import load_settings, open_services
from comparator.domain.rights import Role
from comparator.store.people import people, projects
from comparator.store.people.projects import project_named
from comparator.workflow.people.people import local_person, permissions_of
from comparator.workflow.projects.settings import project_settings
from tests.integration.cli.test_commands import PROMPT
from tests.worlds.process import invoke
from tests.worlds.workbench import reports_in


@pytest.fixture
def judged(here: Path) -> tuple[str, ...]:
    """Two judged comparisons of the same two candidates in one project; their ids, the newest first."""
    reports_in(here)
    for title in ("first", "second"):
        api.compare(
            "v31", "v32", f"{PROMPT} {title}", candidates=("quillwort", "saxifrage"), project="Harvest"
        )
    return tuple(row["id"] for row in said("list", "--json")["comparisons"])


def said(*command: str) -> Any:
    done = invoke(*command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_pairs_are_listed_and_shown_and_settings_changed(judged: tuple[str, ...]) -> None:
    every = said("list", "--project", "Harvest", "--json")
    matches = said("list", "--search", "second", "--json")["comparisons"]
    none = said("list", "--status", "failed", "--json")
    table = invoke("list", "--project", "Harvest").stdout
    pair = said("show", judged[0], "--json")
    words = invoke("show", judged[0]).stdout

    done = invoke("projects", "set", "Harvest", "mode=blind_first", "reviews_needed=2", "brief=Look twice.")
    wrong = [invoke("projects", "set", "Harvest", setting) for setting in ("colour=red", "reviews_needed=0")]
    blind = said("list", "--json")["comparisons"]

    assert (every["total"], len(every["comparisons"])) == (2, 2)
    first = every["comparisons"][0]
    assert (first["winner"], first["form"], first["a"]) == (None, "no difference", None)
    assert "form: no difference" in " ".join(table.split())
    assert [row["id"] for row in matches] == [judged[0]]
    assert none["total"] == 0
    assert pair["result"]["winner"] == "TIE"
    assert pair["provenance"]["comparison_id"] == judged[0]
    assert "Output A" in words
    assert invoke("show", "nothing").exit_code == 2
    assert done.exit_code == 0, done.output
    with opened(None) as services:
        settings = project_settings(services, project_named(services.database, "Harvest"))
    assert (settings.mode, settings.reviews_needed, settings.brief) == ("blind_first", 2, "Look twice.")
    assert all(result.exit_code == 2 and "reviews_needed" in result.output for result in wrong)
    # What is to be scored blind is hidden.
    assert {row["form"] for row in blind} == {None}
    assert {row["winner"] for row in blind} == {"hidden until you have scored it"}
    assert {row["a"] for row in blind} == {None}


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
    named = {row["candidates"]["A"] for row in said("list", "--json")["comparisons"]}
    assert named <= {"quillwort", "saxifrage"}
    assert again.exit_code == 2


@pytest.fixture
def ada(here: Path) -> str:
    """The id of somebody who signed in before, beside another one of the same name."""
    services = open_services(load_settings())
    with services.write() as unit:
        projects.ensure_project(unit, "Harvest")
        ada = people.ensure_person(unit, "oidc:idp|1", name="Ada", email="ada@example.org")
        people.ensure_person(unit, "oidc:idp|2", name="Ben", email="ben@example.org")
        people.ensure_person(unit, "oidc:idp|3", name="Ben", email="ben@example.com")
    services.close()
    return ada.id


def held(person: str) -> tuple[set[Role], set[Role]]:
    """The person's roles everywhere, and in the project too."""
    services = open_services(load_settings())
    with services.database.read() as connection:
        (project,) = projects.all_projects(connection)
    roles = permissions_of(services.by(person)).roles
    held_roles = [roles.everywhere, roles.own.get(project.id, frozenset()) | roles.everywhere]
    services.close()
    return set(held_roles[0]), set(held_roles[1])


def test_a_role_is_given_in_a_project_or_everywhere_and_taken_again(ada: str) -> None:
    for words in (("Ada", "reviewer", "--project", "Harvest"), ("ada@example.org", "viewer")):
        assert invoke("people", "add", *words).exit_code == 0
    given = held(ada)
    left = invoke("people", "remove", "Ada", "--project", "Harvest")
    after = held(ada)
    gone = invoke("people", "remove", ada)
    again = invoke("people", "remove", ada)

    assert given == ({Role.VIEWER}, {Role.VIEWER, Role.REVIEWER})
    assert "1 role of Ada" in left.stderr
    assert after == ({Role.VIEWER}, {Role.VIEWER})
    assert (gone.exit_code, held(ada)) == (0, (set(), set()))
    assert (again.exit_code, "has no role" in again.stderr) == (2, True)


def test_whoever_cannot_be_told_apart_or_works_at_this_machine_is_refused_in_a_sentence(ada: str) -> None:
    services = open_services(load_settings())
    me = local_person(services).name
    services.close()

    unknown, several, local = (
        invoke("people", *words) for words in (("add", "Cleo", "lead"), ("remove", "Ben"), ("remove", me))
    )

    assert (unknown.exit_code, several.exit_code, local.exit_code) == (2, 2, 2)
    assert "comparator people invite" in " ".join(unknown.stderr.split())
    assert "ben@example.com" in several.stderr
    assert "stays an admin" in local.stderr


@pytest.fixture
def corrected(judged: tuple[str, ...], tmp_path: Path) -> Path:
    """The judge's result as a person corrected it: A is better in each criterion."""
    result: dict[str, Any] = said("show", judged[0], "--json")["result"]
    for label, score in (("A", 5), ("B", 2)):
        # What a reviewer scores where no model has written a rubric.
        half = result["rubric"][label]
        half["content"] = dict.fromkeys(("correctness", "completeness", "accuracy"), score)
        half["structure"] = dict.fromkeys(("organization", "formatting", "usability"), score)
    result["winner"] = "A"
    result["reasoning"] = "A states the total weight, and B does not."
    file = tmp_path / "corrected.json"
    file.write_text(json.dumps(result))
    return file


def test_a_corrected_result_becomes_a_final_review(judged: tuple[str, ...], corrected: Path) -> None:
    imported = "review", "import", judged[0], str(corrected), "--reason", "read on paper", "--json"
    first, again, done = said(*imported), said(*imported), said(*imported, "--finalise")

    assert first["values"] > 4
    assert again["values"] == 0
    assert done["finalised"] is True
    pair = said("show", judged[0], "--json")
    assert pair["result"]["winner"] == "A"
    assert pair["result"]["reasoning"] == "A states the total weight, and B does not."
    assert pair["provenance"]["verdict_source"] == "review"
    (review,) = pair["provenance"]["reviews"]
    assert {change["reason"] for change in review["changes"] if change["kind"] == "set"} == {"read on paper"}


def test_a_file_that_no_sheet_could_show_is_refused_in_a_sentence(
    judged: tuple[str, ...], corrected: Path
) -> None:
    result = json.loads(corrected.read_text())
    for strengths, score, message in (
        (["fine"] * 201, "5", "201 lines"),
        (["x" * 50_001], "5", "50,001 characters"),
        (["fine"], "3." + "0" * 60 + "1", "3.000"),
    ):
        result["output_quality"]["A"]["strengths"] = strengths
        for label in "AB":
            scores = result["rubric"][label]["content"]
            scores[next(iter(scores))] = score
        corrected.write_text(json.dumps(result))

        done = invoke("review", "import", judged[0], str(corrected))

        assert done.exit_code == 2, done.output
        assert message in done.stderr
    assert said("show", judged[0], "--json")["provenance"]["reviews"] == []
