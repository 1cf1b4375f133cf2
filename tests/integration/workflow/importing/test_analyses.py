"""Analyses that lie in an imported workspace are kept; an output of that name, or anything else, is not."""

from __future__ import annotations

import json
from pathlib import Path

from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.workflow.importing.analyses import foreign, keep_found
from tests.worlds.pairs import World
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
    assert kept.analysis.instruction_following["loser"].issues == ("late",)
    assert kept.analysis.improvement_suggestions[0].suggestion == "Add a check."
