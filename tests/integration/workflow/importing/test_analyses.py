"""Analyses that lie in an imported workspace are kept; an output of that name, or anything else, is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from comparator.domain.errors import InputError
from comparator.interop.read.skill_creator.analyses import ForeignAnalysis, ForeignSummary
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.unit import Unit
from comparator.store.pairs import reveals
from comparator.workflow.importing.analyses import Foreign, foreign, import_analysis, keep_found
from comparator.workflow.importing.request import ImportRequest
from comparator.workflow.importing.run import import_path
from tests.worlds.files.import_files import workspace
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import Workbench

ANALYSIS = {
    "comparison_summary": {"winner": "A", "comparator_reasoning": "It names the cause."},
    "winner_strengths": ["names the cause"],
    "loser_weaknesses": [],
    "instruction_following": {
        "winner": {"score": 9, "issues": []},
        "loser": {"score": 6, "issues": ["late"]},
    },
    "improvement_suggestions": [
        {
            "priority": "high",
            "category": "tools",
            "suggestion": "Add a check.",
            "expected_impact": "Fewer gaps.",
        }
    ],
    "transcript_insights": {"winner_execution_pattern": "Read, then wrote."},
    "of_its_own": 1,
}


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ({}, "The file does not say who won."),
        ({"winner": "TIE", "winner_skill": "new", "loser_skill": "old"}, "Nobody won: new against old."),
        ({"winner": "new", "winner_skill": "new", "loser_skill": "old"}, "new won against old."),
        ({"winner": "B", "winner_skill": "new", "loser_skill": "old"}, "B won: new against old."),
        ({"winner_skill": "new"}, "new won."),
    ],
)
def test_who_won_is_told_as_far_as_the_file_says_so(summary: dict[str, str], told: str) -> None:
    said = ForeignAnalysis(comparison_summary=ForeignSummary.model_validate(summary))

    assert Foreign(name="analysis.json", comparison_id=None, analysis=said).verdict == told


def test_what_is_no_analysis_is_refused_in_a_sentence(database: Database, tmp_path: Path) -> None:
    workbench = Workbench(database, BlobStore.at(str(tmp_path / "blobs")), tmp_path)
    project = World(database, workbench.services.blobs).project.id

    with pytest.raises(InputError, match="is not an analysis"):
        import_analysis(workbench.services, project, "{}", name="analysis.json", person_id=None)


def test_an_analysis_in_the_folder_of_one_pair_is_of_that_pair_and_told_after_its_reveal(
    database: Database, tmp_path: Path
) -> None:
    services = Workbench(database, BlobStore.at(str(tmp_path / "blobs")), tmp_path).services
    root = workspace(tmp_path)
    # Names in the file that no candidate has do not matter.
    (root / "iteration-1/rivers/analysis.json").write_text(json.dumps(ANALYSIS), encoding="utf-8")
    (root / "iteration-1/analysis.json").write_text(json.dumps(ANALYSIS), encoding="utf-8")

    done = import_path(services, ImportRequest(path=root), on_step=lambda _: None)

    told = {each.name: each.title for each in foreign(services, done.project_id)}
    assert told == {"iteration-1/analysis.json": ""}

    with database.write() as connection:
        unit = Unit(connection, at=services.now(), new_id=services.new_id)
        reveals.add(unit, done.comparisons, project_id=done.project_id, person_id=None)

    told = {each.name: each.title for each in foreign(services, done.project_id)}
    assert told == {"iteration-1/analysis.json": "", "iteration-1/rivers/analysis.json": "Rivers"}
    (of_pair,) = (each.place for each in foreign(services, done.project_id) if each.title)
    assert of_pair == "Of the pair “Rivers”, from iteration-1/rivers/analysis.json."


def test_analyses_of_a_workspace_are_kept_once(database: Database, tmp_path: Path) -> None:
    workbench = Workbench(database, BlobStore.at(str(tmp_path / "blobs")), tmp_path)
    world = World(database, workbench.services.blobs)
    folder = tmp_path / "workspace"
    places = ("iteration-1/eval-1/analysis.json", "iteration-1/eval-1/with_skill/outputs/analysis.json")
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(json.dumps(ANALYSIS), encoding="utf-8")
    (folder / "analysis-of-costs.json").write_text("[1, 2]", encoding="utf-8")
    (folder / "linked-analysis.json").symlink_to(folder / places[0])

    first = keep_found(workbench.services, world.project.name, folder, person_id=None)
    again = keep_found(workbench.services, world.project.name, folder, person_id=None)

    assert (first, again) == (1, 0)
    (kept,) = foreign(workbench.services, world.project.id)
    assert kept.name == places[0]
    assert kept.verdict == "A won."
    assert kept.place == f"Kept for the project, from {places[0]}."
    assert kept.analysis.instruction_following["loser"].issues == ("late",)
    assert kept.analysis.improvement_suggestions[0].suggestion == "Add a check."
