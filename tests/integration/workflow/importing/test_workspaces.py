"""Workspaces: several under one folder, what graders made of outputs, and transcripts that are left where they lie."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.bootstrap import load_settings, open_services
from comparator.domain.errors import InputError
from comparator.domain.labels import LabelKind
from comparator.interop.skill_creator.workspace import read_workspace
from comparator.store import tables
from comparator.store.pairs import keys, labels, runs
from comparator.store.people import people
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import import_path
from comparator.workflow.importing.store import Imported
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer
from tests.worlds.files import import_files
from tests.worlds.files.import_files import SKILLS, folder_eval, monorepo, skill, write
from tests.worlds.process import invoke


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


def test_two_skills_have_pairs_prompts_and_expectations_apart(services: Services, tmp_path: Path) -> None:
    root = monorepo(tmp_path / "repo")
    with pytest.raises(
        InputError, match=r"no workspace songs. There are: skills/invoices-workspace, skills/po"
    ):
        done(services, root, workspace="songs")
    imported = done(services, root)

    keys, named, number = stored(services)
    assert (imported.report.found, imported.report.new, number) == (6, 6, 6)
    assert keys == {f"skills/{name}-workspace/eval-{n}" for name in SKILLS for n in range(3)}
    assert named == {
        (side, f"skills/{name}-workspace") for name in SKILLS for side in ("with_skill", "without_skill")
    }
    for run in read_workspace(root).runs:
        name = run.workspace.removeprefix("skills/").removesuffix("-workspace")

        assert run.prompt.startswith(SKILLS[name])
        assert run.expectations == (f"It is one of the {name}",)
        assert (run.text or (run.path / "answer.md").read_text() if run.path else "").startswith(name)


def test_a_workspace_is_known_again_beside_another_one(services: Services, tmp_path: Path) -> None:
    skill(tmp_path / "repo", "poems")
    done(services, tmp_path / "repo")
    skill(tmp_path / "repo", "invoices")

    again = done(services, tmp_path / "repo")

    keys, _, number = stored(services)
    assert (again.report.already, again.report.new, number) == (3, 3, 6)
    assert keys == {f"eval-{n}" for n in range(3)} | {f"skills/invoices-workspace/eval-{n}" for n in range(3)}


@pytest.mark.parametrize("heads", [False, True])
def test_gradings_become_a_label_with_pass_rates(services: Services, tmp_path: Path, *, heads: bool) -> None:
    object.__setattr__(services, "coin", lambda: heads)
    home = tmp_path / "hill-walker-workspace/iteration-1"
    sides = {"with_skill": {"list.md": "# Boots"}, "without_skill": {"list.md": "Some boots, perhaps"}}
    folder_eval(home, "packing", id=1, outputs=sides)
    for side, passed in (("with_skill", 3), ("without_skill", 1)):
        marks = [{"text": f"Line {n}", "passed": n < passed} for n in range(4)]
        write(
            home / "packing" / side / "grading.json",
            {"expectations": marks, "summary": {"passed": passed, "failed": 4 - passed, "total": 4}},
        )

    (comparison_id,) = done(services, home.parent).comparisons
    with services.database.read() as connection:
        (label,) = labels.of_comparison(connection, comparison_id)
        origin = str(runs.get(connection, keys.read(connection, comparison_id).run_a).origin)
    made_with = "A" if "with_skill" in Path(origin).parts else "B"

    assert (label.kind, label.author, label.winner) == (LabelKind.GRADER, "grading.json", made_with)
    assert label.value[made_with] == {"pass_rate": 0.75, "passed": 3, "total": 4}
    assert {value["pass_rate"] for value in label.value.values()} == {0.75, 0.25}
    assert label.blind is None


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: LoopbackServer) -> Services:
    """Those of a new home."""
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    return open_services(load_settings())


def test_a_transcript_beside_an_output_reaches_neither_judge_nor_reviewer_nor_the_store(
    services: Services, model: LoopbackServer, tmp_path: Path
) -> None:
    root = import_files.workspace(tmp_path)
    words = "I listed boots first"
    homes = sorted(root.glob("iteration-*/*/*_skill"))
    assert len(homes) == 8
    for home in homes:
        import_files.write(home / "transcript.md", f"## Steps\n{words}.\n")
    assert invoke("import", str(root), "--judge", "now").exit_code == 0

    requests = "\n".join(json.dumps(request.body) for request in model.messages)
    assert "map of the hills" in requests
    assert words not in requests
    with services.write() as unit:
        reviewer = people.ensure_person(unit, "local:reviewer", name="Reviewer")
    with services.database.read() as connection:
        comparison_ids = connection.execute(sa.select(tables.comparison.c.id)).scalars().all()
        digests = connection.execute(sa.select(tables.blob.c.digest)).scalars().all()
    assert comparison_ids
    for comparison_id in comparison_ids:
        sheet = read_sheet(services.by(reviewer.id), comparison_id).model_dump_json()
        assert words not in sheet
        assert "transcript" not in sheet
    assert not any(words.encode() in services.blobs.get(digest) for digest in digests)
