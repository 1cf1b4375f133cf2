"""Counts of the sample workspaces and sets, as counted by hand in their folders and files."""

from __future__ import annotations

from pathlib import Path

import pytest

from comparator.settings import Settings
from comparator.store.blobs import BlobStore
from comparator.store.database import Database
from comparator.workflow.importing import ImportRequest
from comparator.workflow.importing_run import import_path
from comparator.workflow.services import Services

COUNTED = [
    # Iterations 1 and 3: 3 evals by 2 sides; iteration 10: 40 evals by 4 (2 models, with and without the skill).
    ("workspaces/gke-upgrades/workspace", "skill-creator", 172, 86, 40),
    ("workspaces/splashr/workspace", "skill-creator", 8, 4, 0),
    ("pairs/llmbar/natural.json", "llmbar", 200, 100, 0),
    ("pairs/llmbar/neighbor.json", "llmbar", 268, 134, 0),
    ("pairs/judgebench/gpt-4o.jsonl", "judgebench", 700, 350, 0),
    ("pairs/llm_comparator/example_tiny.json", "llm-comparator", 10, 5, 0),
]


@pytest.mark.parametrize(("path", "kind", "runs", "found", "sets"), COUNTED)
def test_the_samples_come_in_whole(
    shared_data: Path, tmp_path: Path, path: str, kind: str, runs: int, found: int, sets: int
) -> None:
    services = Services(
        settings=Settings(home=tmp_path),
        database=Database.open(f"sqlite:///{tmp_path / 'comparator.db'}"),
        blobs=BlobStore.at(str(tmp_path / "blobs")),
    )
    request = ImportRequest(path=shared_data / path)

    first = import_path(services, request, on_step=lambda _: None)
    again = import_path(services, request, on_step=lambda _: None)
    services.close()

    report = first.report
    assert (report.format.value, report.runs, report.found, report.sets) == (kind, runs, found, sets)
    assert (report.new, len(first.comparisons), report.left_out) == (found, found, ())
    assert (again.report.new, again.report.already) == (0, found)
