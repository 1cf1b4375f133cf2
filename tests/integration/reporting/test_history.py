"""The history: what its filters find, what it hides, and a task's time line."""

import pytest
import sqlalchemy as sa

from comparator.domain.labels import Winner
from comparator.domain.project import ProjectSettings, ReviewMode
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.reporting.history.choices import choices
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import history
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.results.breaks import Break
from comparator.store import tables
from comparator.store.core.sql import changed
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History
from tests.worlds.histories.pairs import JudgeId, World

OTHER = JudgeId(model="claude-opus-5-5", digest="e" * 64)


@pytest.fixture
def past(world: World) -> History:
    return History(world)


def found(past: History, **asked: object) -> list[str]:
    page = history(past.world.database, HistoryFilter.model_validate(asked))
    assert page.total == len(page.rows)
    return [row.line.id for row in page.rows]


def ids(*comparisons: Comparison) -> list[str]:
    """As the list has them: newest first."""
    return [each.id for each in reversed(comparisons)]


def blind_first(past: History) -> None:
    world = past.world
    with world.write() as unit:
        projects.save_settings(unit, past.project, ProjectSettings(mode=ReviewMode.BLIND_FIRST))


def test_a_comparison_is_found_by_who_judged_it_and_what_came_out(past: History) -> None:
    clear, baseline, close = past.pair(5, 3), past.pair(5, 3, judge=OFFLINE), past.pair(4, 4, judge=OTHER)
    past.review(clear, 5, 3)

    assert found(past, judge_model="claude-opus-5-5") == ids(close)
    assert found(past, judge_kind="offline") == ids(baseline)
    assert found(past, verdict_source=VerdictSource.REVIEW) == ids(clear)
    assert found(past, verdict_source=VerdictSource.OFFLINE) == ids(baseline)
    assert found(past, decided_by=DecidedBy.RUBRIC, winner=Winner.A) == ids(clear)
    assert found(past, reviewer_id=past.world.ben.id) == ids(clear)
    assert found(past, reviewer_id=past.world.ada.id) == []
    assert found(past, position_consistent=True) == ids(clear, close)


def test_candidates_are_neither_offered_nor_found_before_the_reveal(past: History) -> None:
    pair = past.pair(5, 3)
    with past.world.database.read() as connection:
        candidate = connection.execute(
            sa.select(tables.candidate.c.id).where(tables.candidate.c.name == NEW)
        ).scalar_one()
    assert choices(past.world.database, frozenset({past.project})).by["candidate_id"] == {}
    assert found(past, candidate_id=candidate) == []
    assert history(past.world.database, HistoryFilter()).rows[0].made_by is None

    past.review(pair, 5, 3)
    past.reveal()

    assert list(choices(past.world.database, frozenset({past.project})).by["candidate_id"].values()) == [
        NEW,
        OLD,
    ]
    assert found(past, candidate_id=candidate) == ids(pair)
    (row,) = history(past.world.database, HistoryFilter()).rows
    assert row.made_by is not None
    assert (row.made_by.A, row.made_by.B) == (NEW, OLD)


def test_only_projects_that_the_reader_may_see_are_listed(past: History) -> None:
    pair = past.pair(5, 3)

    assert found(past, among=frozenset({past.project})) == ids(pair)
    assert found(past, among=frozenset({"another"})) == []
    assert choices(past.world.database, frozenset({"another"})).by["task_id"] == {}


def test_runs_that_do_not_count_can_be_looked_for(past: History) -> None:
    sound, void = past.pair(5, 3), past.pair(5, 3)
    p, r = tables.run_pair.c, tables.run.c
    with past.world.database.write() as connection:
        low = connection.execute(sa.select(p.run_low).where(p.comparison_id == void.id)).scalar_one()
        connection.execute(tables.run.update().where(r.id == low).values(state=RunState.VOID.value))

    assert found(past, run_state=RunState.VALID) == ids(sound)
    assert found(past, run_state=RunState.VOID) == ids(void)
    assert found(past, run_state=RunState.CUT_OFF) == []


def test_who_scores_blind_first_learns_nothing_from_the_history(past: History) -> None:
    pair = past.pair(5, 3)
    blind_first(past)
    ben = past.world.ben.id

    (row,) = history(past.world.database, HistoryFilter(reader=ben)).rows
    assert row.covered
    assert found(past, reader=ben, winner=Winner.A) == []
    assert found(past, reader=ben, position_consistent=True) == []
    assert found(past, reader=ben, order=ListOrder.CLEAREST) == []

    past.review(pair, 5, 3, mode=ReviewMode.BLIND_FIRST)

    (row,) = history(past.world.database, HistoryFilter(reader=ben)).rows
    assert not row.covered


def test_the_figure_of_a_task_has_a_break_where_judge_guidance_or_rubric_changed(past: History) -> None:
    world = past.world
    judges = (
        JudgeId(),
        JudgeId(guidance=1, digest="e" * 64),
        JudgeId(guidance=1, digest="e" * 64),
        JudgeId(guidance=1, model="claude-opus-5-5", digest="f" * 64),
    )
    for iteration, judge in enumerate(judges, start=1):
        names = (f"new {iteration}", f"old {iteration}")
        past.pair(5, 3, names=names, judge=judge)
        for name, to in zip(names, ("new", "old"), strict=True):
            past.rename(name, to=to, iteration=str(iteration))
    past.reveal()
    first = "claude-sonnet-5-5"

    def parted() -> tuple[Break, ...]:
        of_task = HistoryFilter(project_id=past.project, task_id=world.task.id)
        return picture(world.database, of_task, Metric.SCORE, axis=Axis.ITERATIONS).breaks

    guided, judged = parted()

    assert guided == Break(at=1, guidance=("none", "version 1"))
    assert judged == Break(at=3, judge=(first, "claude-opus-5-5"))

    with world.database.write() as connection:
        of_last = tables.fact.c.comparison_id == past.made[-1].id
        connection.execute(tables.fact.update().where(of_last).values(rubric_id="another"))
        changed(connection, projects=[past.project])
    assert parted()[1].rubrics == 1
