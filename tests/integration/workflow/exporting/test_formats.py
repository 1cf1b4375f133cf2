"""Comparisons go out: from import over judging to files, from the command line, and back into the workspace."""

import json
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from comparator.bootstrap import load_settings, open_services
from comparator.domain.errors import InputError
from comparator.domain.project import ProjectSettings, ReviewMode
from comparator.domain.scoring.result import ComparisonResult
from comparator.interop.exported import ExportFormat, Written
from comparator.interop.imported import Format
from comparator.interop.tables import read_table
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.pairs import reveals
from comparator.store.people import projects
from comparator.workflow.exporting import comparison_json
from comparator.workflow.exporting.comparison_json import provenance_json, result_json
from comparator.workflow.exporting.formats import (
    HIDDEN,
    NO_VERDICT,
    NOT_REVIEWED,
    ExportRequest,
    write_export,
)
from comparator.workflow.services import Services
from tests.worlds.files.import_files import workspace
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import JudgeId, World
from tests.worlds.process import invoke


def request_of(services: Services, format: ExportFormat, **more: object) -> ExportRequest:  # noqa: A002  # the field's name
    ids = found_ids(services.database, HistoryFilter())
    return ExportRequest.model_validate({"format": format, "comparisons": ids, **more})


def test_exports_say_whose_verdict_it_is(world: World, services: Services, tmp_path: Path) -> None:
    past = History(world)
    reviewed, judged = past.pair(5, 3), past.pair(4, 2)
    past.review(reviewed, 5, 2)
    past.world.compare()
    telling = past.pair(5, 3)
    past.review(telling, 5, 3)
    with world.write() as unit:
        unit.update(tables.comparison, tables.comparison.c.id == telling.id, may_reveal=True)

    every = write_export(services, request_of(services, ExportFormat.JSONL), tmp_path / "all.jsonl")
    only = write_export(
        services, request_of(services, ExportFormat.JSONL, reviewed_only=True), tmp_path / "reviewed.jsonl"
    )

    rows = {
        row["comparison"]: row for row in map(json.loads, (tmp_path / "all.jsonl").read_text().splitlines())
    }
    assert every.left_out == {NO_VERDICT: 1}
    assert only.left_out == {NO_VERDICT: 1, NOT_REVIEWED: 1}
    assert (rows[reviewed.id]["verdict_source"], rows[judged.id]["verdict_source"]) == ("review", "judge")
    assert (rows[reviewed.id]["label_author"], rows[reviewed.id]["label_kind"]) == ("Ben", "human")
    # A pair in which a passage may tell whose it is was not reviewed blind.
    assert (rows[reviewed.id]["label_blind"], rows[telling.id]["label_blind"]) == (True, False)
    assert rows[reviewed.id]["result"]["rubric"]["B"]["overall_score"] == 4.0
    assert rows[reviewed.id]["judge"]["rubric"]["B"]["overall_score"] == 6.0


def test_what_somebody_has_yet_to_score_without_the_judge_goes_out_to_others_only(
    world: World, services: Services, tmp_path: Path
) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    with world.write() as unit:
        projects.save_settings(unit, past.project, ProjectSettings(mode=ReviewMode.BLIND_FIRST))

    def written(person_id: str, name: str) -> Written:
        one = services.by(person_id)
        return write_export(one, request_of(one, ExportFormat.CSV), tmp_path / name)

    past.review(pair, 5, 3, mode=ReviewMode.BLIND_FIRST, person_id=world.ben.id)

    assert written(world.ben.id, "ben.csv").written == 1
    assert written(world.ada.id, "ada.csv").left_out == {HIDDEN: 1}
    assert result_json(services.by(world.ben.id), pair.id)
    with pytest.raises(InputError, match="Answer first"):
        result_json(services.by(world.ada.id), pair.id)


def test_exports_name_candidates_after_the_reveal(world: World, services: Services, tmp_path: Path) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    past.review(pair, 5, 3)
    with world.database.write() as connection:
        connection.execute(tables.project.update().values(name=f"{NEW} against {OLD}"))
        connection.execute(tables.task.update().values(key=f"{NEW}-1", tags=["smoke", f"{NEW}-suite"]))
    provenance = provenance_json(services, pair.id)
    assert NEW not in provenance
    assert OLD not in provenance
    for name in ("blind", "known"):
        for kind in (ExportFormat.JSONL, ExportFormat.CSV, ExportFormat.HTML, ExportFormat.LLM_COMPARATOR):
            write_export(services, request_of(services, kind), tmp_path / f"{name}-{kind.value}")
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
    again = read_table(tmp_path / "known-jsonl", Format.JSONL, {}, {})
    assert [run.configuration for run in again.runs] == [NEW, OLD]


def test_both_files_tell_of_one_moment_although_a_review_is_finalised_meanwhile(
    world: World, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = History(world)
    pair = past.pair(5, 3)
    composed = comparison_json.settled_result

    def meanwhile(
        connection: Connection, comparison_id: str, *, given: None
    ) -> comparison_json.SettledResult:
        said = composed(connection, comparison_id, given=given)
        past.review(pair, 2, 4)
        return said

    monkeypatch.setattr(comparison_json, "settled_result", meanwhile)

    path, beside = comparison_json.write_files(services, pair.id, target=tmp_path)

    provenance = json.loads(beside.read_text())
    assert json.loads(path.read_text())["winner"] == "A"
    assert (provenance["verdict_source"], provenance["reviews"]) == ("judge", [])


def test_an_export_that_fails_leaves_nothing(world: World, services: Services, tmp_path: Path) -> None:
    past = History(world)
    past.review(past.pair(5, 3), 5, 3)
    past.reveal()
    with pytest.raises(InputError, match="There are: new-prompt; old-prompt"):
        write_export(
            services, request_of(services, ExportFormat.FIX_LIST, candidate="nobody"), tmp_path / "fix.md"
        )
    with pytest.raises(InputError, match="does not exist"):
        write_export(services, request_of(services, ExportFormat.CSV), tmp_path / "missing" / "x.csv")

    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".", "fix"))]


@pytest.fixture
def imported(here: Path, tmp_path: Path) -> Path:
    root = workspace(tmp_path)
    # By form alone nothing else tells the two sides apart.
    for path in [*root.rglob("*_skill/**/outputs/*.md")]:
        path.with_name("list.json").write_text("[" if "without_skill" in path.parts else "[]", "utf-8")
    assert invoke("import", str(root), "--project", "Seasons", "--judge", "now").exit_code == 0
    return root


def reveal_all(project: str = "Seasons") -> None:
    c = tables.comparison.c
    of_project = sa.select(c.id, c.project_id).join(tables.project).where(tables.project.c.name == project)
    with closing(open_services(load_settings())) as services, services.write() as unit:
        rows = unit.connection.execute(of_project).all()
        reveals.add(unit, tuple(row.id for row in rows), project_id=rows[0].project_id)


def test_a_link_under_a_name_that_is_written_is_not_followed(imported: Path, tmp_path: Path) -> None:
    reveal_all()
    foreign = tmp_path / "foreign.json"
    foreign.write_text("mine")
    folders = {path.parent for path in imported.rglob("with_skill")}
    for folder in folders:
        (folder / "comparison-1.analyzer.json").symlink_to(foreign)
        (folder / "comparison-2.provenance.json").symlink_to(tmp_path / "nowhere.json")

    assert invoke("export", "workspace", "--project", "Seasons").exit_code == 0
    (written := next(iter(imported.rglob("comparison-3.analyzer.json")))).unlink()
    written.symlink_to(foreign)
    assert invoke("export", "workspace", "--project", "Seasons").exit_code == 0

    assert foreign.read_text() == "mine"
    assert not (tmp_path / "nowhere.json").exists()
    assert {path.parent for path in imported.rglob("comparison-*.json") if "-3." in path.name} == folders
    assert json.loads(written.read_text())["winner"]


def test_results_go_back_beside_each_eval_and_replace_only_themselves(imported: Path) -> None:
    first = invoke("export", "workspace", "--project", "Seasons", "--json")
    assert first.exit_code == 0, first.output
    written = set(imported.rglob("comparison-*.json"))
    results = [path for path in written if "provenance" not in path.name]
    assert len(results) == json.loads(first.stdout)["written"] > 0
    assert all((path.parent / "with_skill").is_dir() for path in results)
    assert not list(imported.rglob("*.analyzer.json"))
    foreign = results[0].with_name("comparison-2.json")
    foreign.write_text("{}")

    again = invoke("export", "workspace", "--project", "Seasons")

    assert again.exit_code == 0, again.output
    assert foreign.read_text() == "{}"
    assert set(imported.rglob("comparison-*.json")) == {*written, foreign}
    # After the reveal the analyzer's input stands beside each result.
    reveal_all()
    assert invoke("export", "workspace", "--project", "Seasons").exit_code == 0
    inputs = list(imported.rglob("*.analyzer.json"))
    assert inputs
    for path in inputs:
        given = json.loads(path.read_text())
        result = ComparisonResult.from_json(Path(given["comparison_result_path"]).read_text())
        assert given["winner"] == result.winner.value
        assert set(given) == {
            *("winner", "winner_skill_path", "winner_transcript_path"),
            *("loser_skill_path", "loser_transcript_path", "comparison_result_path"),
        }


def rows_by_candidate(path: Path, *, first: str = "new") -> list[dict[str, object]]:
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
            *("comparison", "project", "created_at", "label", "result", "judge", "decided_by"),
            # The offline check names the side that is broken.
            *("task_version", "other_labels", "reasoning"),
        )
        lines.append({name: value for name, value in row.items() if name not in anew})
    return sorted(lines, key=lambda row: (str(row["prompt"]), str(row["output_a"])))


def test_the_provenance_names_the_guidance_that_holds(world: World, services: Services) -> None:
    comparison = world.compare()
    world.judge(comparison, judge=JudgeId(digest="1" * 64, guidance=2))
    world.judge(comparison, judge=JudgeId(digest="2" * 64, guidance=3))

    provenance = json.loads(provenance_json(services, comparison.id))

    assert provenance["guidance"] == [3]
    assert [attempt.get("guidance") for attempt in provenance["attempts"]] == [2, 2, 3, 3]
