"""New bytes at an old address: the old pair leaves the results, and stays in the history."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from comparator.cli import app
from comparator.jobs import orders
from comparator.reporting.history import found_ids
from comparator.reporting.history_conditions import HistoryFilter
from comparator.settings import Settings
from comparator.store import reveals, tables
from comparator.store.ids import new_id
from comparator.store.runs import RunState
from comparator.workflow.services import Services, open_services
from tests.integration.import_files import WITH, workspace, write


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    monkeypatch.setenv("COMPARATOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPARATOR_JUDGE", "offline")
    opened = open_services(Settings.load())
    yield opened
    opened.close()


def imported(root: Path, *more: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["import", str(root), "--project", "Seasons", "--json", *more])
    assert done.exit_code == 0, done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def reveal(services: Services) -> None:
    r = tables.reveal_comparison.c.comparison_id
    c = tables.comparison.c
    with services.database.write() as connection:
        rows = connection.execute(sa.select(c.id, c.project_id).where(c.id.not_in(sa.select(r)))).all()
        reveals.add(
            connection,
            tuple(row.id for row in rows),
            project_id=rows[0].project_id,
            person_id=None,
            new_id=new_id,
            at=services.now(),
        )


def decided(*more: str) -> dict[str, Any]:
    arguments = [
        "decide",
        "--candidate",
        "with_skill (1)",
        "--baseline",
        "without_skill (1)",
        "--json",
    ]
    done = CliRunner().invoke(app, [*arguments, "--count-offline", *more])
    assert done.exit_code in (0, 10, 11), done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_the_old_runs_pairs_leave_the_results_and_are_shown_when_asked_for(
    services: Services, tmp_path: Path
) -> None:
    root = workspace(tmp_path)
    assert imported(root, "--judge", "now")["new"] == 4
    reveal(services)
    assert (decided()["pairs"], decided("--all-runs")["pairs"]) == (2, 2)
    history = HistoryFilter()
    before = set(found_ids(services.database, history))

    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    again = imported(root, "--judge", "now")
    reveal(services)

    assert (again["new"], again["already"]) == (1, 3)
    assert (decided()["pairs"], decided("--all-runs")["pairs"]) == (2, 3)
    (excluded,) = [each for each in decided()["excluded"] if "superseded" in each["reason"]]
    assert excluded["pairs"] == 1
    old = found_ids(services.database, HistoryFilter(run_state=RunState.SUPERSEDED))
    assert len(old) == 1
    assert before < set(found_ids(services.database, history))
    assert set(old) <= before
    assert not set(old) & set(found_ids(services.database, HistoryFilter(run_state=RunState.VALID)))


def test_a_pair_of_a_superseded_run_is_not_judged_by_the_way(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    imported(root)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    assert imported(root)["new"] == 1

    with services.database.read() as connection:
        project = connection.execute(sa.select(tables.project.c.id)).scalar_one()
        waiting = orders.waiting(connection, project)

    assert len(waiting) == 4
    assert not set(waiting) & set(found_ids(services.database, HistoryFilter(run_state=RunState.SUPERSEDED)))
