"""The history: what its filters find, what it hides, and a task's time line."""

from unittest.mock import patch

import sqlalchemy as sa

from comparator.domain.answers import Answers
from comparator.domain.labels import Winner
from comparator.domain.project import ProjectSettings, ReviewMode
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.reporting.history import listing
from comparator.reporting.history.activity import review_days, score_leads
from comparator.reporting.history.conditions import HistoryFilter, choices
from comparator.reporting.history.picture import Axis, Metric, MetricPicture, picture
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import over_iterations
from comparator.store import tables
from comparator.store.core.sql import changed
from comparator.store.pairs.comparison_list import ListOrder
from comparator.store.pairs.comparisons import Comparison
from comparator.store.pairs.runs import RunState
from comparator.store.people import projects
from comparator.ui.frame.charts import break_marks
from tests.worlds.histories.experiment import (
    MODELS,
    REVERSED,
    WITH,
    WITHOUT,
    Experiment,
    asked_about,
    kind_of,
)
from tests.worlds.histories.history import NEW, OFFLINE, OLD, History
from tests.worlds.histories.pairs import JudgeId, World

OTHER = JudgeId(model="claude-opus-5-5", digest="e" * 64)


def listed(history: History, **filters: object) -> list[str]:
    page = listing.history(history.world.database, HistoryFilter.model_validate(filters))
    assert page.total == len(page.rows)
    return [row.line.id for row in page.rows]


def ids(*comparisons: Comparison) -> list[str]:
    """As the list has them: newest first."""
    return [comparison.id for comparison in reversed(comparisons)]


def blind_first(history: History) -> None:
    world = history.world
    with world.write() as unit:
        projects.save_settings(unit, history.project, ProjectSettings(mode=ReviewMode.BLIND_FIRST))


def test_a_comparison_is_found_by_who_judged_it_and_what_came_out(history: History) -> None:
    clear, baseline = history.pair(5, 3), history.pair(5, 3, judge=OFFLINE)
    close = history.pair(4, 4, judge=OTHER)
    history.review(clear, 5, 3)

    assert listed(history, judge_model="claude-opus-5-5") == ids(close)
    assert listed(history, judge_kind="offline") == ids(baseline)
    assert listed(history, verdict_source=VerdictSource.REVIEW) == ids(clear)
    assert listed(history, verdict_source=VerdictSource.OFFLINE) == ids(baseline)
    assert listed(history, decided_by=DecidedBy.RUBRIC, winner=Winner.A) == ids(clear)
    assert listed(history, reviewer_id=history.world.ben.id) == ids(clear)
    assert listed(history, reviewer_id=history.world.ada.id) == []
    assert listed(history, position_consistent=True) == ids(clear, close)
    # Only projects that the reader may see are listed.
    assert listed(history, among=frozenset({history.project})) == ids(clear, baseline, close)
    assert listed(history, among=frozenset({"another"})) == []
    assert choices(history.world.database, frozenset({"another"})).by["task_id"] == {}


def test_leads_are_told_before_the_reveal_unless_the_reader_has_yet_to_score(history: History) -> None:
    history.pair(5, 3)
    history.pair(3, 4)
    history.pair(4, 4)
    history.pair(5, 3, judge=OFFLINE)
    of_project = HistoryFilter(project_id=history.project, reader=history.world.ben.id)

    leads = score_leads(history.world.database, of_project)

    # Overall scores go from 2 to 10, so a point of every criterion is two.
    assert leads.sum(axis=1).to_dict() == {0: 1, 1: 0, 2: 1, 3: 0, 4: 1}
    assert leads["TIE"].to_list() == [1, 0, 0, 0, 0]
    blind_first(history)
    assert score_leads(history.world.database, of_project).empty


def test_candidates_are_neither_offered_nor_found_before_the_reveal(history: History) -> None:
    pair = history.pair(5, 3)
    c = tables.candidate.c
    with history.world.database.read() as connection:
        candidate = connection.execute(sa.select(c.id).where(c.name == NEW)).scalar_one()
    assert choices(history.world.database, frozenset({history.project})).by["candidate_id"] == {}
    assert listed(history, candidate_id=candidate) == []
    assert listing.history(history.world.database, HistoryFilter()).rows[0].made_by is None

    history.review(pair, 5, 3)
    history.reveal()

    (row,) = listing.history(history.world.database, HistoryFilter()).rows
    history.pair(4, 2, names=("kestrel", "merlin"))
    offered = choices(history.world.database, frozenset({history.project})).by["candidate_id"]
    assert [*offered.values()] == [NEW, OLD]
    assert listed(history, candidate_id=candidate) == ids(pair)
    assert row.made_by is not None
    assert (row.made_by.A, row.made_by.B) == (NEW, OLD)


def test_tags_that_differ_in_case_are_two(history: History) -> None:
    pairs = {}
    for tag in ("docs", "Docs"):
        history.task(f"Task of {tag}", tag)
        pairs[tag] = history.pair(5, 3)

    assert {tag: listed(history, tag=tag) for tag in pairs} == {tag: ids(pair) for tag, pair in pairs.items()}


def test_runs_that_do_not_count_can_be_looked_for(history: History) -> None:
    sound, void = history.pair(5, 3), history.pair(5, 3)
    p, r = tables.run_pair.c, tables.run.c
    with history.world.database.write() as connection:
        low = connection.execute(sa.select(p.run_low).where(p.comparison_id == void.id)).scalar_one()
        connection.execute(tables.run.update().where(r.id == low).values(state=RunState.VOID.value))

    assert listed(history, run_state=RunState.VALID) == ids(sound)
    assert listed(history, run_state=RunState.VOID) == ids(void)
    assert listed(history, run_state=RunState.CUT_OFF) == []


def test_who_scores_blind_first_learns_nothing_from_the_history(history: History) -> None:
    pair = history.pair(5, 3)
    blind_first(history)
    ben = history.world.ben.id

    (row,) = listing.history(history.world.database, HistoryFilter(reader=ben)).rows
    assert row.covered
    assert listed(history, reader=ben, winner=Winner.A) == []
    assert listed(history, reader=ben, position_consistent=True) == []
    assert listed(history, reader=ben, order=ListOrder.CLEAREST) == []
    said = str(row.line.reasoning)
    assert listed(history, reader=ben, text=said, in_reasons=True) == []

    history.review(pair, 5, 3, mode=ReviewMode.BLIND_FIRST)

    (row,) = listing.history(history.world.database, HistoryFilter(reader=ben)).rows
    assert not row.covered
    said = str(row.line.reasoning)
    assert listed(history, reader=ben, text=said.upper(), in_reasons=True) == [pair.id]
    assert listed(history, reader=ben, text=said) == []
    days = {
        reader: review_days(history.world.database, HistoryFilter(project_id=history.project, reader=reader))
        for reader in (ben, history.world.ada.id)
    }
    assert [len(named) for named in days.values()] == [1, 0]


def drawn(experiment: Experiment, metric: Metric, *, tag: str | None = None) -> MetricPicture:
    of_tag = HistoryFilter(project_id=experiment.project, tag=tag, iterations=("2",))
    return picture(experiment.world.database, of_tag, metric, axis=Axis.ITERATIONS)


def over_judges(world: World, *judges: JudgeId | None) -> MetricPicture:
    """The win rate over an iteration for each judge; without one a person reviewed the pair."""
    history = History(world)
    for iteration, judge in enumerate(judges, start=1):
        names = (f"new-{iteration}", f"old-{iteration}")
        if judge is None:
            history.review(history.unjudged(names=names), 5, 3)
        else:
            history.pair(5, 3, names=names, judge=judge)
        history.rename(names[0], to=WITH, iteration=str(iteration))
        history.rename(names[1], to=WITHOUT, iteration=str(iteration))
    history.reveal()
    of_project = HistoryFilter(project_id=history.project)
    return picture(world.database, of_project, Metric.WIN_RATE, axis=Axis.ITERATIONS, reference=WITHOUT)


def test_a_judge_is_compared_with_the_last_one_before_however_many_iterations_have_none(world: World) -> None:
    rates = over_judges(world, JudgeId(), None, None, OTHER)

    assert rates.breaks == (Break(at=3, judge=("claude-sonnet-5-5", "claude-opus-5-5")),)


def test_another_judge_other_guidance_and_other_settings_are_told_apart(world: World) -> None:
    model = "claude-sonnet-5-5"

    rates = over_judges(
        world,
        JudgeId(),
        JudgeId(guidance=1, digest="1" * 64),
        JudgeId(guidance=1, digest="2" * 64),
        JudgeId(guidance=2, model="claude-opus-5-5", digest="3" * 64),
    )

    assert rates.breaks == (
        Break(at=1, guidance=("none", "version 1")),
        Break(at=2, judge=(model, model)),
        Break(at=3, judge=(model, "claude-opus-5-5"), guidance=("version 1", "version 2")),
    )
    changed = [break_marks.changes(change) for change in rates.breaks]
    assert changed == [("guidance",), ("judge",), ("judge", "guidance")]
    assert [break_marks.what(change) for change in rates.breaks] == [
        "other guidance, version 1 after none",
        f"{model} with other prompts or settings",
        f"another judge, claude-opus-5-5 after {model}; other guidance, version 2 after version 1",
    ]


def test_each_mark_is_what_was_planted_and_a_break_parts_what_does_not_compare(world: World) -> None:
    experiment = Experiment(world, iterations=3, tasks_of=21).build()
    valid = [pair for pair in experiment.pairs if pair.valid]

    rate = drawn(experiment, Metric.WIN_RATE)

    assert rate.steps == ("1", "2", "3")
    assert rate.reference is not None
    assert (rate.reference.name, rate.pairs) == (WITHOUT, len(valid))
    assert rate.breaks == (Break(at=1, models=MODELS),)
    assert [line.name for line in rate.lines] == [WITH]
    assert [(level.at, level.end) for level in rate.levels] == [(0, 3)]
    # Filters of the list count, but not the span that the picture itself chooses.
    part = drawn(experiment, Metric.WIN_RATE, tag=REVERSED)
    assert part.pairs == sum(kind_of(pair.task) == REVERSED for pair in valid)

    assert drawn(experiment, Metric.AGREEMENT).lines[0].dots[0] is not None
    assert drawn(experiment, Metric.COST).lines == ()

    last = {pair.comparison_id for pair in experiment.pairs if pair.iteration == 3}
    gone = {pair.comparison_id for pair in experiment.pairs if pair.iteration == 3 and pair.task == 1}
    some = {pair.comparison_id for pair in experiment.pairs if pair.iteration == 2 and pair.task in (4, 5)}
    fact = tables.fact
    with world.database.write() as connection:
        for ids, values in (
            (last, {"judge_model": "judge-two", "judge_digest": "e" * 64}),
            (some, {"rubric_id": "another"}),
        ):
            connection.execute(fact.update().where(fact.c.comparison_id.in_(ids)).values(**values))
        connection.execute(fact.delete().where(fact.c.comparison_id.in_(gone)))
        changed(connection, projects=[experiment.project])

    broken = drawn(experiment, Metric.WIN_RATE)

    second, third = broken.breaks
    assert (second.at, second.judge, second.rubrics, second.tasks) == (1, None, 2, 0)
    assert (third.at, third.judge, third.tasks) == (2, ("claude-sonnet-5-5", "judge-two"), 1)

    # The dashboards' trend is parted where the picture is.
    trend = over_iterations(world.database, asked_about(experiment, 3))
    assert trend is not None
    assert trend.breaks == broken.breaks
    world.database.answers = Answers()
    with patch("comparator.reporting.results.over_iterations.MOST_PAIRS", 0):
        trend = over_iterations(world.database, asked_about(experiment, 3))
    assert trend is not None
    assert trend.breaks is None
