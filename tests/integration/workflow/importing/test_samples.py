"""Counts of the sample workspaces and sets, as counted by hand in their folders and files."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.importing.pairs import ImportRequest
from comparator.workflow.importing.run import dry_run, import_path
from comparator.workflow.services import Services

LONGEST = 100
"""Sets of more pairs are tried without storing them."""
COUNTED = [
    # Iterations 1 and 3: 3 evals by 2 sides; iteration 10: 40 evals by 4 (2 models, with and without the skill).
    ("workspaces/gke-upgrades/workspace", "skill-creator", 172, 86, 40),
    ("workspaces/splashr/workspace", "skill-creator", 8, 4, 0),
    ("pairs/llmbar/natural.json", "llmbar", 200, 100, 0),
    ("pairs/llmbar/neighbor.json", "llmbar", 268, 134, 0),
    ("pairs/judgebench/gpt-4o.jsonl", "judgebench", 700, 350, 0),
    ("pairs/llm_comparator/example_tiny.json", "llm-comparator", 10, 5, 0),
]


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with closing(open_services(Settings(home=tmp_path))) as opened:
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(("path", "kind", "runs", "pairs", "sets"), COUNTED)
def test_the_samples_come_in_whole(
    shared_data: Path, services: Services, path: str, kind: str, runs: int, pairs: int, sets: int
) -> None:
    request = ImportRequest(path=shared_data / path)

    report = dry_run(services, request, on_step=lambda _: None)

    assert (report.format.value, report.runs, report.found, report.sets) == (kind, runs, pairs, sets)
    assert (report.new, report.left_out) == (pairs, ())
    if pairs <= LONGEST:
        first = import_path(services, request, on_step=lambda _: None)
        again = import_path(services, request, on_step=lambda _: None)
        assert first.report == report
        assert len(first.comparisons) == pairs
        assert (again.report.new, again.report.already) == (0, pairs)


def test_the_audit_of_a_large_workspace_is_as_counted_by_hand(shared_data: Path, services: Services) -> None:
    request = ImportRequest(path=shared_data / "workspaces/gke-upgrades/workspace")
    audit = dry_run(services, request, on_step=lambda _: None).audit

    # Evals 1 to 3 of iterations 1 and 3 ask the same, those of iteration 10 name other versions; their gradings check
    # other texts in iteration 10, of eval 3 also in iteration 3. No run is void, no side is missing, and the skill's
    # name is an honest word of one prompt.
    assert (audit.drift.tasks, audit.drift.prompts, audit.drift.expectations) == (3, 3, 3)
    assert [audit.void.count, audit.cut_off.count, audit.one_sided.count, audit.contaminated.count] == [0] * 4
    assert {leak.decision.value for leak in audit.leaks if leak.pattern == "gke-upgrades"} == {"keep"}
