"""Runs that do not count: unusable outputs wait for nobody, replaced ones leave the results and stay in the history."""

import codecs
import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import Result

from comparator.bootstrap import load_settings, open_services
from comparator.domain.labels import Winner
from comparator.jobs import estimate_batches, start_batches
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import counts, found_ids, history
from comparator.reporting.queue import progress
from comparator.store import tables
from comparator.store.bulk import batches
from comparator.store.bulk.batches import BatchCounts, BatchRequest, BatchState
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs import comparison_list, comparisons, keys, reveals, runs
from comparator.store.pairs.comparison_list import ComparisonRow, ListFilter
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.store.reviewing import queue
from comparator.store.reviewing.queue import WhyNext
from comparator.ui.frame.lists.list_rows import flags_of
from comparator.workflow.importing.run import to_judge
from comparator.workflow.people.people import local_person
from comparator.workflow.review.panel import take_next
from comparator.workflow.review.sheet import read_sheet
from comparator.workflow.services import Services
from tests.worlds.files.import_files import WITH, folder_eval, workspace, write
from tests.worlds.process import invoke
from tests.worlds.workbench import review_winner, say

GOOD, POOR = "# Packing\n\n- boots\n- jacket\n- map\n", "Take boots and a jacket with you.\n"


@pytest.fixture
def services(here: Path) -> Iterator[Services]:
    with closing(open_services(load_settings())) as opened:
        yield opened


def experiment(root: Path) -> Path:
    """Three evals: one whose run without the skill only tells of an error, one cut off, one with two good outputs."""
    home = root / "hill-walker-workspace/iteration-1"
    without = {"broken": "Error: could not read the skill file.", "short": POOR, "plain": POOR}
    for number, (name, poor) in enumerate(without.items(), start=1):
        sides = {"with_skill": {"list.md": f"{GOOD}{name}"}, "without_skill": {"list.md": poor}}
        folder_eval(home, name, id=number, outputs=sides)
        write(home / name / "with_skill/timing.json", {"output_tokens": 700})
        tokens = 4096 if name == "short" else 300
        write(home / name / "without_skill/timing.json", {"output_tokens": tokens})
    return root / "hill-walker-workspace"


def run_cli(*words: str) -> Result:
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    return done


def project_of(services: Services) -> str:
    with services.database.read() as connection:
        return projects.all_projects(connection)[0].id


def lines(services: Services) -> dict[str, ComparisonRow]:
    """The pairs of the project by the name of their eval."""
    with services.database.read() as connection:
        page = comparison_list.page(connection, ListFilter(project_of(services)))
        return {
            name: line
            for line in page.lines
            for name in ("broken", "short", "plain")
            if name in str(runs.get(connection, keys.read(connection, line.id).run_a).origin)
        }


def finalise(services: Services, comparison_id: str) -> None:
    review_winner(services, comparison_id, Winner.A, why="I read both, and the first lacks nothing.")


def test_a_void_pair_is_not_judged_and_the_estimate_says_so(services: Services, tmp_path: Path) -> None:
    run_cli("import", str(experiment(tmp_path)), "--project", "Hills")

    with services.database.read() as connection:
        waiting = start_batches.waiting(connection, project_of(services))
    offered = start_batches.waiting_pairs(services, [project_of(services), "another project"])
    request = BatchRequest(project_id=project_of(services))
    about = estimate_batches.estimate_of(services, request)

    pairs = lines(services)
    assert set(waiting.usual) == {pairs["short"].id, pairs["plain"].id}
    assert set(waiting.all_runs) == {line.id for line in pairs.values()}
    assert offered == {project_of(services): waiting}
    assert (about.pairs, about.void) == (2, 1)
    with_void = estimate_batches.estimate_of(services, request.model_copy(update={"all_runs": True}))
    assert (with_void.pairs, with_void.void) == (3, 0)
    assert pairs["broken"].status is Status.VOID


def test_a_judged_void_pair_is_put_to_nobody_and_counts_apart(services: Services, tmp_path: Path) -> None:
    run_cli("import", str(experiment(tmp_path)), "--project", "Hills", "--judge", "now", "--all-runs")
    pairs = lines(services)
    me = local_person(services).id

    run_cli("export", "csv", "--out", str(tmp_path / "scores.csv"))
    data = (tmp_path / "scores.csv").read_bytes()
    before = progress(services.database, person_id=me, at=services.now())
    offered: set[str] = set()
    while (following := take_next(services.by(me))) and following not in offered:
        offered.add(following)
        finalise(services, following)
    finalise(services, pairs["broken"].id)
    apart = progress(services.database, person_id=me, at=services.now())

    assert (before.left, before.done, apart.done) == (2, 0, 2)
    assert offered == {pairs["short"].id, pairs["plain"].id}
    assert lines(services)["broken"].status is Status.FINALISED
    # Exports carry the states before the reveal, and a table opens in a spreadsheet.
    assert data.startswith(codecs.BOM_UTF8)
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    for row in rows:
        line = next(pair for pair in pairs.values() if pair.id == row["comparison"])
        assert (row["state_a"], row["state_b"]) == (line.state_a or "valid", line.state_b or "valid")
        assert (row["contaminated_a"], row["verdict_blind"]) == ("", "False")
    assert "void" in {row["state_a"] for row in rows} | {row["state_b"] for row in rows}


def brought_in(root: Path, *more: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(
        run_cli("import", str(root), "--project", "Seasons", "--json", *more).stdout
    )
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
    for row in history(services.database, HistoryFilter()).rows:
        if not row.line.final_reviews:
            review_winner(services, row.line.id, Winner.A)


def decided(*more: str) -> dict[str, Any]:
    arguments = ["decide", "--candidate", "with_skill (1)", "--baseline", "without_skill (1)", "--json"]
    done = invoke(*arguments, *more)
    assert done.exit_code in (0, 10, 11), done.output
    decision: dict[str, Any] = json.loads(done.stdout)
    return decision


def test_pairs_of_old_runs_leave_the_results_until_asked_for(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    assert brought_in(root, "--judge", "now")["new"] == 4
    review_all(services)
    reveal(services)
    assert (decided()["pairs"], decided("--all-runs")["pairs"]) == (2, 2)
    history = HistoryFilter()
    before = set(found_ids(services.database, history))

    write(root / "iteration-1/packing/with_skill/outputs/list.md", f"{WITH}- a rope\n")
    again = brought_in(root, "--judge", "now")
    review_all(services)
    reveal(services)

    assert (again["new"], again["already"]) == (1, 3)
    assert (decided()["pairs"], decided("--all-runs")["pairs"]) == (2, 3)
    (excluded,) = [group for group in decided()["excluded"] if "superseded" in group["reason"]]
    assert excluded["pairs"] == 1
    old = found_ids(services.database, HistoryFilter(run_state=RunState.SUPERSEDED))
    assert len(old) == 1
    assert before < set(found_ids(services.database, history))
    assert set(old) <= before
    assert not set(old) & set(found_ids(services.database, HistoryFilter(run_state=RunState.VALID)))


def test_its_pairs_leave_the_queue_unless_a_review_was_begun(services: Services, tmp_path: Path) -> None:
    root, at = workspace(tmp_path), services.now()
    assert brought_in(root, "--judge", "now")["new"] == 4
    me = local_person(services).id
    old, begun = (of_run(services, f"iteration-1/{task}/with_skill") for task in ("packing", "rivers"))
    with services.write(at=at) as unit:
        project = comparisons.get(unit.connection, old).project_id
        queue.assign(unit, old, person_id=me, by=None)
    say(services, begun, me, ("winner", "A"))
    lists = [root / f"iteration-1/{task}/with_skill/outputs/list.md" for task in ("packing", "rivers")]
    was = lists[0].read_text("utf-8")

    for path in lists:
        write(path, f"{WITH}- a rope\n")
    assert brought_in(root, "--judge", "now")["new"] == 2

    tally = counts(services.database)
    assert (tally.to_review, tally.drafts, tally.superseded) == (2 + 2, 1, 1)
    with services.database.read() as connection:
        draft = queue.next_to_review(Unit(connection, at=at), person_id=me)
        assert draft == (begun, WhyNext.DRAFT)
        other = queue.next_to_review(Unit(connection, at=at), person_id=me, after=begun)
        assert other is not None
        assert other.comparison_id != old
        assert queue.waiting_for(Unit(connection, at=at), person_id=me) == 5
        offered = queue.assignable(Unit(connection, at=at), project, person_id=me, limit=99)
        assert len(offered) == 4
        assert old not in offered
        assert [review.comparison_id for review in queue.in_force(Unit(connection, at=at), project)] == [
            begun
        ]
        for row in history(services.database, HistoryFilter()).rows:
            assert fact.derive(connection, row.line.id)["status"] == row.line.status
            flags = [flag.text for flag in flags_of(row)]
            assert ("superseded" in flags) == (row.line.id == begun)
        waiting = start_batches.waiting(connection, project).usual
    assert read_sheet(services.by(me), begun).superseded
    # Nor is such a pair judged by the way.
    superseded = found_ids(services.database, HistoryFilter(run_state=RunState.SUPERSEDED))
    assert set(superseded) == {old, begun}
    assert not set(waiting) & set(superseded)
    assert to_judge(services, (old,), all_runs=True) == ()

    write(lists[0], was)
    brought_in(root)

    tally = counts(services.database)
    assert (tally.to_review, tally.drafts, tally.superseded) == (2 + 2, 1, 1)
    with services.database.read() as connection:
        assert comparison_list.line(connection, old).status is Status.TO_REVIEW


def test_open_batches_let_go_of_the_pairs_of_a_superseded_run(services: Services, tmp_path: Path) -> None:
    root = workspace(tmp_path)
    assert brought_in(root, "--judge", "now")["new"] == 4
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
    assert brought_in(root)["new"] == 2

    with services.database.read() as connection:
        states = batches.states(connection, [alone.id, both.id, again.id])
        counts = batches.counts(connection, [alone.id, both.id, again.id])
    assert states == {alone.id: BatchState.DONE, both.id: BatchState.RUNNING, again.id: BatchState.RUNNING}
    assert counts[alone.id] == BatchCounts(cancelled=1)
    assert counts[both.id] == counts[again.id] == BatchCounts(cancelled=1, waiting=1)
