"""The history: what its filters find, what it hides, and a task's time line."""

from __future__ import annotations

from decimal import Decimal

import pytest
import sqlalchemy as sa

from comparator.domain.errors import BlindnessError, NotFound
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.project import ProjectSettings, ReviewMode
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.reporting.history.choices import choices
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.earlier_judgments import judgments_of
from comparator.reporting.history.listing import history, number_of_comparisons
from comparator.reporting.history.timeline import project_of, timeline
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.candidates import natural
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.unit import Unit, new_id
from comparator.store.pairs import tasks
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from tests.sqlrecord import recorded
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
    with world.database.write() as connection:
        projects.save_settings(
            Unit(connection, at=world.now(), new_id=new_id),
            past.project,
            ProjectSettings(mode=ReviewMode.BLIND_FIRST),
            person_id=None,
        )


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
    assert found(past, cost_from=Decimal("0.002"), cost_to=Decimal(1)) == ids(clear, baseline, close)
    assert found(past, cost_from=Decimal(1)) == []


def test_a_reviewer_whose_review_was_reopened_is_not_done_with_the_pair(past: History) -> None:
    kept, reopened = past.pair(5, 3), past.pair(5, 3)
    world = past.world
    for each in (kept, reopened):
        past.review(each, 5, 3)
    assert found(past, reviewer_id=world.ben.id) == ids(kept, reopened)

    with world.database.read() as connection:
        review = reviews.find(connection, reopened.id, person_id=world.ben.id)
    assert review is not None
    world.reopen(review)

    assert found(past, reviewer_id=world.ben.id) == ids(kept)


def test_a_comparison_is_found_by_task_and_tag(past: History) -> None:
    world = past.world
    first = past.pair(5, 3)
    with world.database.write() as connection:
        task = tasks.ensure_task(
            Unit(connection, at=world.now(), new_id=new_id),
            past.project,
            key="letters",
            title="Letters",
            tags=("50% off", "prose"),
        )
        world.version = tasks.ensure_version(
            Unit(connection, at=world.now(), new_id=new_id), task.id, TaskText(prompt="Write.")
        )
    second = past.pair(3, 5)

    assert found(past, task_id=task.id) == ids(second)
    assert found(past, tag="extraction") == ids(first)
    assert found(past, tag="50% off") == ids(second)
    assert found(past, tag="50") == []
    offered = choices(world.database, frozenset({past.project}), task_id=task.id)
    assert offered.tags == ("50% off", "extraction", "prose")
    assert [choice.name for choice in offered.rubrics] == ["rubric 1 by claude-sonnet-5-5, task version 1"]
    assert found(past, rubric_id=offered.rubrics[0].value) == ids(second)


def test_candidates_are_neither_offered_nor_found_before_the_reveal(past: History) -> None:
    pair = past.pair(5, 3)
    with past.world.database.read() as connection:
        candidate = connection.execute(
            sa.select(tables.candidate.c.id).where(tables.candidate.c.name == NEW)
        ).scalar_one()
    assert choices(past.world.database, frozenset({past.project})).candidates == ()
    assert found(past, candidate_id=candidate) == []
    assert history(past.world.database, HistoryFilter()).rows[0].made_by is None

    past.review(pair, 5, 3)
    past.reveal()

    assert [choice.name for choice in choices(past.world.database, frozenset({past.project})).candidates] == [
        NEW,
        OLD,
    ]
    assert found(past, candidate_id=candidate) == ids(pair)
    (row,) = history(past.world.database, HistoryFilter()).rows
    assert row.made_by is not None
    assert (row.made_by.A, row.made_by.B) == (NEW, OLD)


def test_candidates_of_one_name_are_told_apart_by_their_models(past: History) -> None:
    for new, model in (("one", "sonnet"), ("two", "opus")):
        past.pair(5, 3, names=(new, OLD))
        past.rename(new, to="with_skill", iteration="10", model=model)
    past.rename(OLD, to="without_skill", iteration="10")
    past.reveal()

    with recorded(past.world.database.engine) as few:
        history(past.world.database, HistoryFilter(), limit=1)
    with recorded(past.world.database.engine) as more:
        page = history(past.world.database, HistoryFilter(), limit=2)

    assert [(row.made_by.A, row.made_by.B) for row in page.rows if row.made_by] == [
        ("without_skill", "with_skill (10, opus)"),
        ("with_skill (10, sonnet)", "without_skill"),
    ]
    assert len(more.statements) == len(few.statements)


def test_only_projects_that_the_reader_may_see_are_listed(past: History) -> None:
    pair = past.pair(5, 3)

    assert found(past, among=frozenset({past.project})) == ids(pair)
    assert found(past, among=frozenset({"another"})) == []
    assert choices(past.world.database, frozenset({"another"})).tasks == ()


def test_runs_that_do_not_count_can_be_looked_for(past: History) -> None:
    sound, void = past.pair(5, 3), past.pair(5, 3)
    p, r = tables.run_pair.c, tables.run.c
    with past.world.database.write() as connection:
        low = connection.execute(sa.select(p.run_low).where(p.comparison_id == void.id)).scalar_one()
        connection.execute(tables.run.update().where(r.id == low).values(state=RunState.VOID.value))

    assert found(past, run_state=RunState.VALID) == ids(sound)
    assert found(past, run_state=RunState.VOID) == ids(void)
    assert found(past, run_state=RunState.CUT_OFF) == []


def test_the_database_sorts_by_margin_and_confidence_with_the_unknown_last(past: History) -> None:
    close, clear = past.pair(4, 4), past.pair(5, 1)
    unjudged = past.world.compare()

    assert found(past, order=ListOrder.CLEAREST) == [clear.id, close.id, unjudged.id]
    assert found(past, order=ListOrder.CLOSEST) == [close.id, clear.id, unjudged.id]
    assert found(past, order=ListOrder.LEAST_SURE)[-1] == unjudged.id


def test_who_scores_blind_first_learns_nothing_from_the_history(past: History) -> None:
    pair = past.pair(5, 3)
    blind_first(past)
    ben = past.world.ben.id

    (row,) = history(past.world.database, HistoryFilter(reader=ben)).rows
    assert row.covered
    assert found(past, reader=ben, winner=Winner.A) == []
    assert found(past, reader=ben, position_consistent=True) == []
    assert found(past, reader=ben, order=ListOrder.CLEAREST) == []
    with pytest.raises(BlindnessError, match="Score this pair first"):
        judgments_of(past.world.database, pair.id, reader=ben)

    past.review(pair, 5, 3, mode=ReviewMode.BLIND_FIRST)

    (row,) = history(past.world.database, HistoryFilter(reader=ben)).rows
    assert not row.covered
    assert len(judgments_of(past.world.database, pair.id, reader=ben)) == 1


def test_a_pair_judged_again_by_another_model_shows_both_judgments(past: History) -> None:
    pair = past.pair(5, 3)
    past.world.judge(pair, 2, 4, judge=OTHER)

    first, second = judgments_of(past.world.database, pair.id, reader=past.world.ada.id)

    assert (first.judge_model, first.winner, first.current) == ("claude-sonnet-5-5", Winner.A, False)
    assert (second.judge_model, second.winner, second.current) == ("claude-opus-5-5", Winner.B, True)
    assert second.overall == PerOutput[Decimal](A=Decimal("4.0"), B=Decimal("8.0"))
    assert {scores[Label.A] for scores in second.criteria.values()} == {Decimal(2)}
    assert second.cost == Decimal("0.00246")


def test_a_time_line_has_a_break_where_the_task_changed(past: History) -> None:
    world = past.world
    for iteration, prompt in (("9", "Write."), ("10", "Write."), ("11", "Write well.")):
        with world.database.write() as connection:
            world.version = tasks.ensure_version(
                Unit(connection, at=world.now(), new_id=new_id), world.task.id, TaskText(prompt=prompt)
            )
        pair = past.pair(5, 3, names=(f"new {iteration}", f"old {iteration}"))
        with world.database.write() as connection:
            for name in ("new", "old"):
                connection.execute(
                    tables.candidate.update()
                    .where(tables.candidate.c.name == f"{name} {iteration}")
                    .values(name=name, iteration=iteration)
                )
        past.review(pair, 5, 3)
    assert timeline(world.database, world.task.id).moments == ()
    assert timeline(world.database, world.task.id).blind == 3

    past.reveal()
    line = timeline(world.database, world.task.id)

    assert line.iterations == ("9", "10", "11")
    assert line.breaks == (Break(at=2, tasks=1),)
    assert {(each.candidate, each.overall, each.reviewed) for each in line.moments} == {
        ("new", Decimal("10.00"), 1),
        ("old", Decimal("6.00"), 1),
    }


def test_a_time_line_has_a_break_where_judge_guidance_or_rubric_changed(past: History) -> None:
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

    guided, judged = timeline(world.database, world.task.id).breaks

    assert guided == Break(at=1, guidance=("none", "version 1"))
    assert judged == Break(at=3, judge=(first, "claude-opus-5-5"))

    with world.database.write() as connection:
        of_last = tables.fact.c.comparison_id == past.made[-1].id
        connection.execute(tables.fact.update().where(of_last).values(rubric_id="another"))
        changed(connection, projects=[past.project])
    assert timeline(world.database, world.task.id).breaks[1].rubrics == 1


def test_pairs_of_one_task_are_numbered_as_they_were_created_and_an_only_one_is_not(past: History) -> None:
    first, second = past.pair(5, 3), past.pair(3, 5)
    past.task("Another task")
    only = past.pair(4, 4)

    # Also where the others are on another page.
    (newest,) = history(past.world.database, HistoryFilter(), limit=1, offset=1).rows
    assert (newest.line.id, newest.of_task) == (second.id, (2, 2))
    told = {row.line.id: row.of_task for row in history(past.world.database, HistoryFilter()).rows}
    assert told == {first.id: (1, 2), second.id: (2, 2), only.id: None}


def test_a_project_is_told_by_its_task_and_how_many_comparisons_it_has(past: History) -> None:
    database = past.world.database
    assert number_of_comparisons(database, project_id=past.project) == 0

    past.review(past.pair(5, 3), 5, 3)
    past.pair(3, 5)
    past.unjudged()

    assert number_of_comparisons(database, project_id=past.project) == 3
    assert number_of_comparisons(database, project_id="another") == 0
    assert project_of(database, past.world.task.id) == past.project
    with pytest.raises(NotFound):
        project_of(database, "no such task")


def test_what_can_be_chosen_is_sorted_by_its_numbers(past: History) -> None:
    for number, names in (
        (10, ("v1.10", "10")),
        (2, ("v2.0", "2")),
        (1, ("v1.9", "v1.10")),
    ):
        past.task(f"Network {number}, large")
        past.pair(5, 3, names=(f"new {number}", f"old {number}"))
        for name, iteration in zip(("new", "old"), names, strict=True):
            past.rename(f"{name} {number}", to=f"{name}{number}", iteration=iteration)
    past.reveal()

    offered = choices(past.world.database, frozenset({past.project}))

    assert [each.name for each in offered.tasks if each.name.startswith("Network")] == [
        "Network 1, large",
        "Network 2, large",
        "Network 10, large",
    ]
    assert offered.winners == ("new1", "new2", "new10", "old1", "old2", "old10")
    assert [each.name for each in offered.candidates if each.name.startswith("new")] == [
        "new1, v1.9",
        "new2, v2.0",
        "new10, v1.10",
    ]
    assert offered.iterations == ("2", "10", "v1.9", "v1.10", "v2.0")


def test_iteration_ten_comes_after_nine() -> None:
    assert sorted(("v10", "v9", "v1"), key=natural) == ["v1", "v9", "v10"]
