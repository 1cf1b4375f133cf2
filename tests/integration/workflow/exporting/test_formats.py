"""Comparisons go out: from import over judging to files, from the command line, and back into the workspace."""

from __future__ import annotations

import json
import os
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner, Result

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.domain.errors import InputError
from comparator.domain.rights import Role
from comparator.domain.scoring.result import ComparisonResult
from comparator.interop.exported import ExportFormat
from comparator.interop.imported import Format
from comparator.interop.read.tables import Naming, read_table
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids
from comparator.settings import Settings
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit, new_id
from comparator.store.pairs import reveals
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import people
from comparator.workflow.exporting import comparison_json, settled
from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.exporting.formats import (
    NO_VERDICT,
    NOT_REVIEWED,
    ExportRequest,
    write_export,
)
from comparator.workflow.people.people import give_role
from comparator.workflow.services import Services
from tests.worlds.files.import_files import workspace, write
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


@pytest.fixture
def services(world: World, blobs: BlobStore, tmp_path: Path) -> Services:
    return Services(
        environment=os.environ,
        settings=Settings(home=tmp_path / "home"),
        database=world.database,
        blobs=blobs,
    )


def asked(services: Services, format: ExportFormat, **more: object) -> ExportRequest:  # noqa: A002  # the field's name
    ids = found_ids(services.database, HistoryFilter())
    return ExportRequest.model_validate({"format": format, "comparisons": ids, **more})


def test_what_is_exported_says_whose_verdict_it_is_and_can_be_limited_to_reviews(
    world: World, services: Services, tmp_path: Path
) -> None:
    past = History(world)
    reviewed, judged = past.pair(5, 3), past.pair(4, 2)
    past.review(reviewed, 5, 2)
    past.world.compare()

    every = write_export(services, asked(services, ExportFormat.JSONL), tmp_path / "all.jsonl")
    only = write_export(
        services,
        asked(services, ExportFormat.JSONL, reviewed_only=True),
        tmp_path / "reviewed.jsonl",
    )

    rows = {
        row["comparison"]: row for row in map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    }
    assert every.left_out == {NO_VERDICT: 1}
    assert only.left_out == {NO_VERDICT: 1, NOT_REVIEWED: 1}
    assert (rows[reviewed.id]["verdict_source"], rows[judged.id]["verdict_source"]) == ("review", "judge")
    assert (rows[reviewed.id]["label_author"], rows[reviewed.id]["label_kind"]) == ("Ben", "human")
    assert rows[reviewed.id]["label_blind"]
    assert rows[reviewed.id]["result"]["rubric"]["B"]["overall_score"] == 4.0
    assert rows[reviewed.id]["judge"]["rubric"]["B"]["overall_score"] == 6.0


def test_candidates_stand_in_an_export_only_after_the_reveal(
    world: World, services: Services, tmp_path: Path
) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    past.review(pair, 5, 3)
    with world.database.write() as connection:
        connection.execute(tables.project.update().values(name=f"{NEW} against {OLD}"))
        connection.execute(tables.task.update().values(tags=["smoke", f"{NEW}-suite"]))
    told = provenance_json(services, pair.id)
    assert NEW not in told
    assert OLD not in told
    for name in ("blind", "known"):
        for kind in (ExportFormat.JSONL, ExportFormat.CSV, ExportFormat.HTML, ExportFormat.LLM_COMPARATOR):
            write_export(services, asked(services, kind), tmp_path / f"{name}-{kind.value}")
        if name == "blind":
            past.reveal()

    for path in tmp_path.glob("blind-*"):
        assert NEW not in path.read_text()
        assert OLD not in path.read_text()
    assert "smoke" in (tmp_path / "blind-jsonl").read_text()
    for path in tmp_path.glob("known-*"):
        assert NEW in path.read_text(), path.name
    (row,) = [json.loads(line) for line in (tmp_path / "known-jsonl").read_text().splitlines()]
    assert (row["candidate_a"], row["candidate_b"]) == (NEW, OLD)
    assert row["tags"] == ["smoke", f"{NEW}-suite"]
    assert [
        run.configuration for run in read_table(tmp_path / "known-jsonl", Format.JSONL, Naming()).runs
    ] == [NEW, OLD]


def test_both_files_tell_of_one_moment_although_a_review_is_finalised_meanwhile(
    world: World, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    composed = settled.settled_on

    def meanwhile(connection: Connection, comparison: Comparison) -> settled.SettledResult:
        said = composed(connection, comparison)
        past.review(pair, 2, 4)
        return said

    monkeypatch.setattr(comparison_json, "settled_on", meanwhile)

    path, beside = comparison_json.write_files(services, pair.id, target=tmp_path)

    told = json.loads(beside.read_text())
    assert json.loads(path.read_text())["winner"] == "A"
    assert (told["verdict_source"], told["reviews"]) == ("judge", [])


def test_an_archive_holds_each_result_as_the_domain_writes_it(
    world: World, services: Services, tmp_path: Path
) -> None:
    past = History(world)
    past.pair(5, 3)
    past.pair(3, 5)
    write_export(services, asked(services, ExportFormat.RESULTS), tmp_path / "out.zip")

    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        names = archive.namelist()
        texts = [archive.read(f"comparison-{number}.json").decode() for number in (1, 2)]

    assert sorted(names) == [
        *("comparison-1.json", "comparison-1.provenance.json"),
        *("comparison-2.json", "comparison-2.provenance.json"),
    ]
    assert [ComparisonResult.from_json(text).to_json() for text in texts] == texts


def test_a_file_that_cannot_be_written_leaves_nothing(
    world: World, services: Services, tmp_path: Path
) -> None:
    past = History(world)
    past.review(past.pair(5, 3), 5, 3)
    past.reveal()
    with pytest.raises(InputError, match="There are: new-prompt; old-prompt"):
        write_export(
            services,
            asked(services, ExportFormat.FIX_LIST, candidate="nobody"),
            tmp_path / "fix.md",
        )
    with pytest.raises(InputError, match="does not exist"):
        write_export(services, asked(services, ExportFormat.CSV), tmp_path / "missing" / "x.csv")

    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".", "fix"))]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def imported(home: None, tmp_path: Path) -> Path:
    root = workspace(tmp_path)
    # By form alone nothing else tells the two sides apart.
    for path in [*root.rglob("*_skill/**/outputs/*.md")]:
        path.with_name("list.json").write_text("[" if "without_skill" in path.parts else "[]", "utf-8")
    assert run("import", str(root), "--project", "Seasons", "--judge", "now").exit_code == 0
    return root


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_an_export_of_an_unknown_comparison_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    refused = run("export", "csv", "--comparison", "zzz", "--out", "x.csv")

    assert refused.exit_code == 2
    assert "There is no comparison 'zzz'." in refused.stderr
    assert not (tmp_path / "x.csv").exists()


def reveal_all(project: str = "Seasons") -> None:
    services = open_services(load_settings())
    c = tables.comparison.c
    named = tables.project.c.name == project
    with services.database.write() as connection:
        rows = connection.execute(
            sa.select(c.id, c.project_id).join_from(tables.comparison, tables.project).where(named)
        ).all()
        reveals.add(
            Unit(connection, at=services.now(), new_id=new_id),
            tuple(row.id for row in rows),
            project_id=rows[0].project_id,
        )
    services.close()


def test_a_link_in_the_workspace_under_a_name_that_is_written_is_not_followed(
    imported: Path, tmp_path: Path
) -> None:
    reveal_all()
    foreign = tmp_path / "foreign.json"
    foreign.write_text("mine")
    folders = {path.parent for path in imported.rglob("with_skill")}
    for folder in folders:
        (folder / "comparison-1.analyzer.json").symlink_to(foreign)
        (folder / "comparison-2.provenance.json").symlink_to(tmp_path / "nowhere.json")

    assert run("export", "workspace", "--project", "Seasons").exit_code == 0
    (written := next(iter(imported.rglob("comparison-3.analyzer.json")))).unlink()
    written.symlink_to(foreign)
    assert run("export", "workspace", "--project", "Seasons").exit_code == 0

    assert foreign.read_text() == "mine"
    assert not (tmp_path / "nowhere.json").exists()
    assert {path.parent for path in imported.rglob("comparison-*.json") if "-3." in path.name} == folders
    assert json.loads(written.read_text())["winner"]


def test_results_go_back_beside_each_eval_and_replace_only_themselves(imported: Path) -> None:
    first = run("export", "workspace", "--project", "Seasons", "--json")
    assert first.exit_code == 0, first.output
    written = {path: path.read_text() for path in imported.rglob("comparison-*.json")}
    results = [path for path in written if "provenance" not in path.name]
    assert len(results) == json.loads(first.stdout)["written"] > 0
    assert all((path.parent / "with_skill").is_dir() for path in results)
    assert not list(imported.rglob("*.analyzer.json"))
    foreign = results[0].with_name("comparison-2.json")
    foreign.write_text("{}")

    again = run("export", "workspace", "--project", "Seasons")

    assert again.exit_code == 0, again.output
    assert foreign.read_text() == "{}"
    assert set(imported.rglob("comparison-*.json")) == {*written, foreign}


@pytest.mark.usefixtures("home")
def test_what_was_exported_is_known_again_when_it_is_imported(tmp_path: Path) -> None:
    rows = [
        {
            "prompt": f"Name {n} rivers.\u2028Thanks",
            "expectations": ["It names rivers"],
            "task_id": "rivers",
            "candidate_a": "old",
            "output_a": f"{n} old\n",
            "candidate_b": "new",
            "output_b": f"{n} new",
            "iteration_a": str(n),
            "iteration_b": str(n),
            "model_b": "m-1",
            "repetition_b": 2,
            "task_version": n,
            "tags": ["water"],
            "reference": "Rhine" if n == 3 else None,
            "title": "Rivers",
        }
        for n in (3, 4)
    ]
    source = write(tmp_path / "rivers.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    assert run("import", str(source), "--project", "Rivers", "--judge", "now").exit_code == 0
    reveal_all("Rivers")
    assert run("export", "jsonl", "--project", "Rivers", "--out", "out.jsonl").exit_code == 0

    again = run("import", "out.jsonl", "--project", "Rivers", "--json")
    other = run("import", "out.jsonl", "--project", "Copy", "--json", "--judge", "now")
    reveal_all("Copy")
    assert run("export", "jsonl", "--project", "Copy", "--out", "copy.jsonl").exit_code == 0

    assert [json.loads(again.stdout)[name] for name in ("runs", "new", "already", "left_out")] == [
        4,
        0,
        2,
        [],
    ]
    assert json.loads(other.stdout)["new"] == 2
    assert told(tmp_path / "copy.jsonl") == told(tmp_path / "out.jsonl")


@pytest.mark.slow
def test_folders_pictures_and_odd_texts_come_back_as_they_were(home: None, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    outputs = root / "iteration-1/packing/with_skill/outputs"
    write(outputs / "notes/deep/odd.txt", "Grüße")
    (outputs / "notes/odd.txt").write_bytes("Grüße".encode("utf-16"))
    (outputs / "pixels.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\xff")
    (outputs / "node_modules").mkdir()
    write(outputs / "node_modules/left.js", "out")
    assert run("import", str(root), "--project", "Seasons", "--judge", "now").exit_code == 0
    reveal_all()
    assert run("export", "jsonl", "--project", "Seasons", "--out", "out.jsonl").exit_code == 0

    again = run("import", "out.jsonl", "--project", "Seasons", "--json")
    other = run("import", "out.jsonl", "--project", "Copy", "--json", "--judge", "now")
    reveal_all("Copy")
    assert run("export", "jsonl", "--project", "Copy", "--out", "copy.jsonl").exit_code == 0

    assert [json.loads(again.stdout)[name] for name in ("new", "already", "left_out")] == [0, 4, []]
    assert json.loads(other.stdout)["new"] == 4
    lines = told(tmp_path / "out.jsonl", first="with_skill")
    for one, two in zip(told(tmp_path / "copy.jsonl", first="with_skill"), lines, strict=True):
        assert {k: (one.get(k), two.get(k)) for k in one | two if one.get(k) != two.get(k)} == {}
    named = {each["name"] for row in lines for each in row["files_a"]["files"]}  # type: ignore[index]
    assert named == {"list.md", "notes/deep/odd.txt", "notes/odd.txt", "pixels.png", "node_modules"}
    services = open_services(load_settings())
    with services.database.read() as connection:
        identities = connection.execute(sa.select(tables.snapshot.c.identity)).scalars().all()
        kinds = connection.execute(sa.select(tables.label.c.kind, tables.label.c.author)).all()
    services.close()
    # What is the same output lies once in a project, and nobody's own verdict came back to it as a label.
    assert len(identities) == 2 * len(set(identities))
    assert Counter(row.kind for row in kinds) == {"imported_grader": 8}


def test_labels_go_out_for_who_may_see_them_and_come_back(home: None, tmp_path: Path) -> None:
    row = {"prompt": "Name a river.", "output_a": "Rhine", "output_b": "Alps", "task_id": "river"}
    row |= {
        "candidate_a": "new",
        "candidate_b": "old",
        "label": "A",
        "label_author": "key",
        "label_kind": "gold",
    }
    source = write(tmp_path / "rivers.jsonl", f"{json.dumps(row)}\n")
    assert run("import", str(source), "--project", "Rivers", "--judge", "now").exit_code == 0
    services = open_services(load_settings())
    with services.database.write() as connection:
        project = connection.execute(sa.select(tables.project.c.id)).scalar_one()
        rex = people.ensure_person(
            Unit(connection, at=services.now(), new_id=new_id), "oidc:t|rex", name="Rex"
        ).id
    give_role(services, rex, Role.REVIEWER, project_id=project)

    asked_for = asked(services, ExportFormat.JSONL)
    write_export(services, asked_for, tmp_path / "blind.jsonl")
    reveal_all("Rivers")
    write_export(services, asked_for, tmp_path / "out.jsonl")
    write_export(services.by(rex), asked_for, tmp_path / "of-rex.jsonl")
    services.close()
    assert run("import", "out.jsonl", "--project", "Copy", "--judge", "now").exit_code == 0
    reveal_all("Copy")
    assert run("export", "jsonl", "--project", "Copy", "--out", "copy.jsonl").exit_code == 0

    blind, out, of_rex, copy = (
        json.loads((tmp_path / f"{name}.jsonl").read_text()) for name in ("blind", "out", "of-rex", "copy")
    )
    (gold,) = out["other_labels"]
    assert (gold["kind"], gold["author"], gold["blind"]) == ("gold", "key", None)
    right = "A" if out["candidate_a"] == "new" else "B"
    assert gold["winner"] == blind["other_labels"][0]["winner"] == right
    assert "other_labels" not in of_rex
    of_copy = {each["kind"]: each for each in copy["other_labels"]}
    # The offline check's finding is no label.
    assert (out["label"], set(of_copy)) == (None, {"gold"})
    assert of_copy["gold"]["winner"] == ("A" if copy["candidate_a"] == "new" else "B")


def told(path: Path, *, first: str = "new") -> list[dict[str, object]]:
    """What stands in the lines of an export, turned so that the candidate `first` is A."""
    lines = []
    for text in path.read_text().split("\n"):
        if not text:
            continue
        row = json.loads(text)
        turned = row["candidate_a"] != first
        for name in [name.removesuffix("_a") for name in row if name.endswith("_a")]:
            if turned:
                row[f"{name}_a"], row[f"{name}_b"] = row[f"{name}_b"], row[f"{name}_a"]
        # What belongs to the comparison that was made anew, and the number that its task's wording got.
        anew = (
            "comparison",
            "project",
            "created_at",
            "label",
            "result",
            "judge",
            "decided_by",
            "task_version",
            "other_labels",
            # The offline check names the side that is broken.
            "reasoning",
        )
        lines.append({name: value for name, value in row.items() if name not in anew})
    return sorted(lines, key=lambda row: (str(row["prompt"]), str(row["output_a"])))


def test_after_the_reveal_the_analyzers_input_stands_beside_the_result(imported: Path) -> None:
    reveal_all()

    assert run("export", "workspace", "--project", "Seasons").exit_code == 0

    found = list(imported.rglob("*.analyzer.json"))
    assert found
    for path in found:
        told = json.loads(path.read_text())
        result = ComparisonResult.from_json(Path(told["comparison_result_path"]).read_text())
        assert told["winner"] == result.winner.value
        assert set(told) == {
            *("winner", "winner_skill_path", "winner_transcript_path"),
            *("loser_skill_path", "loser_transcript_path", "comparison_result_path"),
        }
