"""Several workspaces under one folder: their tasks and candidates keep apart, and one alone keeps its short names."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.domain.errors import InputError
from comparator.interop.skill_creator.workspace import read_workspace
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import history
from comparator.store import tables
from comparator.store.pairs import comparisons, reveals
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.importing.store import Imported
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.worlds.files.import_files import SKILLS, folder_eval, monorepo, skill


def done(services: Services, path: Path, **more: object) -> Imported:
    request = ImportRequest.model_validate({"path": path, "project": "Mono", **more})
    return import_path(services, request, on_step=lambda _: None)


def stored(services: Services) -> tuple[set[str], set[tuple[str, str | None]], int]:
    """The tasks' keys, the candidates by name and workspace, and the number of comparisons."""
    t, c = tables.task.c, tables.candidate.c
    with services.database.read() as connection:
        keys = set(connection.execute(sa.select(t.key)).scalars())
        named = {(row.name, row.workspace) for row in connection.execute(sa.select(c.name, c.workspace))}
        number = connection.execute(sa.select(sa.func.count()).select_from(tables.comparison)).scalar_one()
    return keys, named, number


def test_a_repository_with_two_skills_gives_each_its_own_pairs(services: Services, tmp_path: Path) -> None:
    imported = done(services, monorepo(tmp_path / "repo"))

    keys, named, number = stored(services)
    assert (imported.report.found, imported.report.new, number) == (6, 6, 6)
    assert keys == {f"skills/{name}-workspace/eval-{n}" for name in SKILLS for n in range(3)}
    assert named == {
        (side, f"skills/{name}-workspace") for name in SKILLS for side in ("with_skill", "without_skill")
    }


def test_no_task_gets_another_skills_prompt_or_expectations(tmp_path: Path) -> None:
    for run in read_workspace(monorepo(tmp_path / "repo")).runs:
        name = run.workspace.removeprefix("skills/").removesuffix("-workspace")

        assert run.prompt.startswith(SKILLS[name])
        assert run.expectations == (f"It is one of the {name}",)
        assert (run.text or (run.path / "answer.md").read_text() if run.path else "").startswith(name)


def test_a_workspace_that_is_not_there_is_refused_with_those_that_are(
    services: Services, tmp_path: Path
) -> None:
    with pytest.raises(
        InputError, match=r"no workspace songs. There are: skills/invoices-workspace, skills/poems-"
    ):
        done(services, monorepo(tmp_path / "repo"), workspace="songs")


def test_what_was_imported_alone_is_known_again_beside_another_workspace(
    services: Services, tmp_path: Path
) -> None:
    skill(tmp_path / "repo", "poems")
    done(services, tmp_path / "repo")
    skill(tmp_path / "repo", "invoices")

    again = done(services, tmp_path / "repo")

    keys, _, number = stored(services)
    assert (again.report.already, again.report.new, number) == (3, 3, 6)
    assert keys == {f"eval-{n}" for n in range(3)} | {f"skills/invoices-workspace/eval-{n}" for n in range(3)}


def test_a_task_has_one_title_in_all_iterations_before_and_after_the_reveal(
    services: Services, tmp_path: Path
) -> None:
    sides = {"with_skill": {"list.md": "# Boots"}, "without_skill": {"list.md": "# Shoes"}}
    for number, called in ((1, "packing"), (2, "eval-1")):
        home = tmp_path / f"hill-walker-workspace/iteration-{number}"
        again = {side: {"list.md": f"{text['list.md']} {number}"} for side, text in sides.items()}
        folder_eval(home, called, id=1, outputs=again)

    pairs = done(services, tmp_path / "hill-walker-workspace").comparisons

    rows = history(services.database, HistoryFilter()).rows
    assert [row.line.title for row in rows] == ["Packing", "Packing"]
    me = local_person(services).id
    with services.write() as unit:
        project_id = comparisons.get(unit.connection, pairs[0]).project_id
        reveals.add(unit.by(me), pairs, project_id=project_id)
    assert {read_sheet(services.by(me), each).title for each in pairs} == {"Packing"}
