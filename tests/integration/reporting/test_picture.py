"""The picture of the history: each mark against what was planted, and no line through what does not compare."""

from __future__ import annotations

from statistics import mean
from unittest.mock import patch

import pytest
import sqlalchemy as sa

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, Picture, picture
from comparator.reporting.results.over_iterations import over_iterations
from comparator.stats.paired import Sums, win_rate
from comparator.store import tables
from tests.integration.reporting.test_why_and_where import asked_about
from tests.worlds.histories.experiment import REVERSED, WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import World


def drawn(
    experiment: Experiment, metric: Metric, *, axis: Axis = Axis.ITERATIONS, tag: str | None = None
) -> Picture:
    asked = HistoryFilter(project_id=experiment.project, tag=tag, iterations=("2",))
    return picture(experiment.world.database, asked, metric, axis=axis, reference=WITHOUT)


def test_pairs_that_stand_at_no_step_are_not_counted_with_those_that_do(world: World) -> None:
    history = History(world)
    history.pair(5, 3)
    history.pair(5, 3, names=("with", "without"))
    history.rename(NEW, to=WITH, iteration="1")
    history.rename(OLD, to=WITHOUT, iteration="1")
    history.reveal()
    asked = HistoryFilter(project_id=history.project)

    for metric in (Metric.WIN_RATE, Metric.SCORE):
        found = picture(world.database, asked, metric, axis=Axis.ITERATIONS, reference=WITHOUT)
        assert (found.steps, found.pairs) == (("1",), 1)


def test_each_mark_is_what_was_planted_and_a_break_parts_what_does_not_compare(world: World) -> None:
    experiment = Experiment(world, iterations=3, tasks_of=21).build()
    valid = [each for each in experiment.pairs if each.valid]

    rate = drawn(experiment, Metric.WIN_RATE)

    assert rate.steps == ("1", "2", "3")
    assert (rate.reference, rate.pairs) == (WITHOUT, len(valid))
    assert not rate.breaks
    (line,) = rate.lines
    assert line.name == WITH
    for at, dot in enumerate(line.dots, start=1):
        points = [1 + each.winner for each in valid if each.iteration == at]
        assert dot is not None
        assert (dot.pairs, dot.tasks) == (len(points), len(points))
        assert dot.value == pytest.approx(mean(points) / 2)
        told = win_rate(Sums.of([point] for point in points), tied=points.count(1))
        assert dot.interval == getattr(told, "interval", None)
    assert line.noise is not None
    # Filters of the list count, but not the span that the picture itself chooses.
    part = drawn(experiment, Metric.WIN_RATE, tag=REVERSED)
    assert part.pairs == sum(kind_of(each.task) == REVERSED for each in valid)

    tokens = drawn(experiment, Metric.TOKENS)
    by_name = {each.name: each for each in tokens.lines}
    for place, name in enumerate((WITH, WITHOUT)):
        dot = by_name[name].dots[0]
        assert dot is not None
        assert dot.value == pytest.approx(
            mean(1000 + 10 * each.lengths[place] for each in valid if each.iteration == 1)
        )
    assert [dot.value for dot in drawn(experiment, Metric.SECONDS).lines[0].dots if dot] == [21.0, 22.0, 23.0]
    met = {each.name: each.dots[0] for each in drawn(experiment, Metric.EXPECTATIONS).lines}[WITH]
    assert met is not None
    first = [each for each in valid if each.iteration == 1]
    assert met.value == pytest.approx(mean(sum(one for one, _ in each.met) / 4 for each in first), abs=0.006)
    assert drawn(experiment, Metric.AGREEMENT).lines[0].dots[0] is not None
    assert drawn(experiment, Metric.COST).lines == ()
    assert sum(
        dot.pairs for dot in drawn(experiment, Metric.SCORE, axis=Axis.DAYS).lines[0].dots if dot
    ) == len(valid)

    made = sa.select(tables.candidate.c.id).where(tables.candidate.c.iteration == "3")
    last = sa.and_(tables.outcome.c.one.in_(made))
    some = {each.comparison_id for each in experiment.pairs if each.iteration == 2 and each.task in (4, 5)}
    with world.database.write() as connection:
        connection.execute(
            tables.outcome.update().where(last).values(judge="judge-two", judge_digest="e" * 64)
        )
        connection.execute(
            tables.outcome.update()
            .where(tables.outcome.c.comparison_id.in_(some))
            .values(rubric_id="another")
        )
        connection.execute(
            tables.outcome.delete().where(last, tables.outcome.c.task_id == _task(connection, "eval-1"))
        )

    broken = drawn(experiment, Metric.WIN_RATE)

    second, third = broken.breaks
    assert (second.at, second.judge, second.rubrics, second.tasks) == (1, None, 2, 0)
    assert (third.at, third.judge, third.tasks) == (2, ("claude-sonnet-5-5", "judge-two"), 1)
    assert broken.lines[0].noise is None

    # The dashboards' trend is parted where the picture is.
    trend = over_iterations(world.database, asked_about(experiment, 3))
    assert trend is not None
    assert trend.breaks == broken.breaks
    with patch("comparator.reporting.results.over_iterations.MOST_PAIRS", 0):
        trend = over_iterations(world.database, asked_about(experiment, 3))
    assert trend is not None
    assert trend.breaks is None


def _task(connection: sa.Connection, key: str) -> str:
    return str(connection.execute(sa.select(tables.task.c.id).where(tables.task.c.key == key)).scalar_one())
