"""The picture of the history: each mark against what was planted, and no line through what does not compare."""

from unittest.mock import patch

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Drop, Metric, MetricPicture, picture
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import over_iterations
from comparator.store import tables
from comparator.store.core.sql import changed
from comparator.ui.frame.charts import break_marks
from tests.integration.reporting.test_why_and_where import asked_about
from tests.worlds.histories.experiment import REVERSED, WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import JudgeId, World


def drawn(
    experiment: Experiment, metric: Metric, *, axis: Axis = Axis.ITERATIONS, tag: str | None = None
) -> MetricPicture:
    asked = HistoryFilter(project_id=experiment.project, tag=tag, iterations=("2",))
    return picture(experiment.world.database, asked, metric, axis=axis)


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
    asked = HistoryFilter(project_id=history.project)
    return picture(world.database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS, reference=WITHOUT)


def test_a_judge_is_compared_with_the_last_one_before_however_many_iterations_have_none(world: World) -> None:
    other = JudgeId(model="claude-opus-5-5", digest="e" * 64)

    found = over_judges(world, JudgeId(), None, None, other)

    assert found.breaks == (Break(at=3, judge=("claude-sonnet-5-5", "claude-opus-5-5")),)


def test_another_judge_other_guidance_and_other_settings_are_told_apart(world: World) -> None:
    model = "claude-sonnet-5-5"

    found = over_judges(
        world,
        JudgeId(),
        JudgeId(guidance=1, digest="1" * 64),
        JudgeId(guidance=1, digest="2" * 64),
        JudgeId(guidance=2, model="claude-opus-5-5", digest="3" * 64),
    )

    assert found.breaks == (
        Break(at=1, guidance=("none", "version 1")),
        Break(at=2, judge=(model, model)),
        Break(at=3, judge=(model, "claude-opus-5-5"), guidance=("version 1", "version 2")),
    )
    assert [(break_marks.changed(each), break_marks.what(each)) for each in found.breaks] == [
        (("guidance",), "other guidance, version 1 after none"),
        (("judge",), f"{model} with other prompts or settings"),
        (
            ("judge", "guidance"),
            f"another judge, claude-opus-5-5 after {model}; other guidance, version 2 after version 1",
        ),
    ]


def test_each_mark_is_what_was_planted_and_a_break_parts_what_does_not_compare(world: World) -> None:
    experiment = Experiment(world, iterations=3, tasks_of=21).build()
    valid = [each for each in experiment.pairs if each.valid]

    rate = drawn(experiment, Metric.WIN_RATE)

    assert rate.steps == ("1", "2", "3")
    assert rate.reference is not None
    assert (rate.reference.name, rate.pairs) == (WITHOUT, len(valid))
    assert not rate.breaks
    assert [each.name for each in rate.lines] == [WITH]
    assert [(each.at, each.end) for each in rate.levels] == [(0, 3)]
    shares = [each.value for each in rate.lines[0].dots if each]
    assert rate.drop == Drop(at=2, before=shares[1], after=shares[2])
    # Filters of the list count, but not the span that the picture itself chooses.
    part = drawn(experiment, Metric.WIN_RATE, tag=REVERSED)
    assert part.pairs == sum(kind_of(each.task) == REVERSED for each in valid)

    assert drawn(experiment, Metric.AGREEMENT).lines[0].dots[0] is not None
    assert drawn(experiment, Metric.COST).lines == ()

    last = {each.comparison_id for each in experiment.pairs if each.iteration == 3}
    gone = {each.comparison_id for each in experiment.pairs if each.iteration == 3 and each.task == 1}
    some = {each.comparison_id for each in experiment.pairs if each.iteration == 2 and each.task in (4, 5)}
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
    with patch("comparator.reporting.results.over_iterations.MOST_PAIRS", 0):
        trend = over_iterations(world.database, asked_about(experiment, 3))
    assert trend is not None
    assert trend.breaks is None
