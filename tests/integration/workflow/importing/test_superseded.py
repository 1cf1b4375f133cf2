"""New bytes at an old address: the old pair leaves the results, and stays in the history."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from comparator.bootstrap import load_settings, open_services
from comparator.cli import app
from comparator.domain.labels import Winner
from comparator.jobs import start_batches
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import counts, found_ids, history
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchCounts, BatchState
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, comparisons, reveals
from comparator.store.pairs.runs import RunState
from comparator.store.reviewing import queue
from comparator.ui.frame.lists.list_rows import why_it_stays
from comparator.workflow.importing.run import ImportJudging, judge_new
from comparator.workflow.people.people import local_person
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.worlds.files.import_files import WITH, workspace, write
from tests.worlds.histories.winner_reviews import review_winner, say

NONE_JUDGED = ImportJudging(complete=0, failed=0, problems=())


@pytest.fixture
def services(here: Path) -> Iterator[Services]:
    with closing(open_services(load_settings())) as opened:
        yield opened


def imported(root: Path, *more: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["import", str(root), "--project", "Seasons", "--json", *more])
    assert done.exit_code == 0, done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def of_run(services: Services, place: str) -> str:
    """The id of the comparison with the run that came from there."""
    p, r = tables.run_pair.c, tables.run.c
    query = sa.select(p.comparison_id).where(sa.or_(p.run_low == r.id, p.run_high == r.id))
    with services.database.read() as connection:
        return str(connection.execute(query.where(r.origin.contains(place))).scalar_one())


def reveal(services: Services) -> None:
    c = tables.comparison.c
    with services.write() as unit:
        rows = unit.connection.execute(sa.select(c.id, c.project_id).where(c.reveal_id.is_(None))).all()
        reveals.add(unit, tuple(row.id for row in rows), project_id=rows[0].project_id)


def review_all(services: Services) -> None:
    """Review each pair that nobody has reviewed."""
    for row in history(services.database, HistoryFilter()).rows:
        if not row.line.final_reviews:
            review_winner(services, row.line.id, Winner.A)


def decided(*more: str) -> dict[str, Any]:
    arguments = ["decide", "--candidate", "with_skill (1)", "--baseline", "without_skill (1)", "--json"]
    done = CliRunner().invoke(app, [*arguments, *more])
    assert done.exit_code in (0, 10, 11), done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_the_old_runs_pairs_leave_the_results_and_are_shown_when_asked_for(
    services: Services, tmp_path: Path
) -> None:
    root = workspace(tmp_path)
    assert imported(root, "--judge", "now")["new"] == 4
    review_all(services)
    reveal(services)
    assert (decided()["pairs"], decided("--all-runs")["pairs"]) == (2, 2)
    history = HistoryFilter()
    before = set(found_ids(services.database, history))

    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    again = imported(root, "--judge", "now")
    review_all(services)
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


def test_its_pairs_leave_the_queue_unless_a_review_was_begun(services: Services, tmp_path: Path) -> None:
    root, at = workspace(tmp_path), services.now()
    assert imported(root, "--judge", "now")["new"] == 4
    me = local_person(services).id
    old, begun = (of_run(services, f"iteration-1/{task}/with_skill") for task in ("packing", "rivers"))
    with services.write(at=at) as unit:
        project = comparisons.get(unit.connection, old).project_id
        queue.assign(unit, old, person_id=me, by=None)
    say(services, begun, me, ("winner", "A"))
    lists = [root / f"iteration-1/{task}/with_skill/outputs/list.md" for task in ("packing", "rivers")]
    was = lists[0].read_text("utf-8")

    for each in lists:
        write(each, f"{WITH}- a rope\n")
    assert imported(root, "--judge", "now")["new"] == 2

    found = counts(services.database)
    assert (found.to_review, found.drafts, found.superseded) == (2 + 2, 1, 1)
    with services.database.read() as connection:
        assert queue.next_to_review(Unit(connection, at=at), person_id=me) == begun
        assert queue.next_to_review(Unit(connection, at=at), person_id=me, after=begun) not in (None, old)
        assert queue.waiting_for(Unit(connection, at=at), person_id=me) == 5
        offered = queue.assignable(Unit(connection, at=at), project, person_id=me, limit=99)
        assert len(offered) == 4
        assert old not in offered
        assert [each.comparison_id for each in queue.in_force(Unit(connection, at=at), project)] == [begun]
        for row in history(services.database, HistoryFilter()).rows:
            assert fact.derive(connection, row.line.id)["status"] == row.line.status
            assert bool(why_it_stays(row)) == (row.line.id == begun)
    assert read_sheet(services.by(me), begun).superseded

    write(lists[0], was)
    imported(root)

    found = counts(services.database)
    assert (found.to_review, found.drafts, found.superseded) == (2 + 2, 1, 1)
    with services.database.read() as connection:
        assert comparison_list.status(connection, old) is Status.TO_REVIEW


def test_a_pair_of_a_superseded_run_is_not_judged_by_the_way(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    imported(root)
    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    assert imported(root)["new"] == 1

    with services.database.read() as connection:
        project = connection.execute(sa.select(tables.project.c.id)).scalar_one()
        waiting = start_batches.waiting(connection, project).usual

    assert len(waiting) == 4
    superseded = found_ids(services.database, HistoryFilter(run_state=RunState.SUPERSEDED))
    assert superseded
    assert not set(waiting) & set(superseded)
    assert asyncio.run(judge_new(services, superseded, on_step=print)) == NONE_JUDGED


def test_open_batches_let_go_of_the_pairs_of_a_superseded_run(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    assert imported(root, "--judge", "now")["new"] == 4
    old, begun = (of_run(services, f"iteration-1/{task}/with_skill") for task in ("packing", "rivers"))
    me = local_person(services).id
    say(services, begun, me, ("winner", "A"))
    alone, both, again = (
        start_batches.start_for(services, ids) for ids in ([old], [old, begun], [old, begun])
    )
    i = tables.batch_item.c
    failed = tables.batch_item.update().where(i.batch_id == again.id, i.comparison_id == old)
    with services.database.write() as connection:
        connection.execute(failed.values(state="failed", problem="no"))

    for task in ("packing", "rivers"):
        write(root / f"iteration-1/{task}/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    assert imported(root)["new"] == 2

    with services.database.read() as connection:
        states = batches.states(connection, [alone.id, both.id, again.id])
        counts = batches.counts(connection, [alone.id, both.id, again.id])
    assert states == {alone.id: BatchState.DONE, both.id: BatchState.RUNNING, again.id: BatchState.RUNNING}
    assert counts[alone.id] == BatchCounts(cancelled=1)
    assert counts[both.id] == counts[again.id] == BatchCounts(cancelled=1, waiting=1, again=1)
