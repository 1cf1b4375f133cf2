"""The picture of the history: each mark against what was planted, and no line through what does not compare."""

from __future__ import annotations

from statistics import mean
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
import scipy.stats
import sqlalchemy as sa
import statsmodels.api as sm

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, MetricPicture, picture
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import over_iterations
from comparator.reporting.tally import keeping
from comparator.store import tables
from comparator.store.pairs import keys
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.history.picture import figure_of
from tests.integration.reporting.test_why_and_where import asked_about
from tests.unit.stats.test_shares_and_paired import by_statsmodels
from tests.worlds.histories.experiment import REVERSED, WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import JudgeId, World


def drawn(
    experiment: Experiment, metric: Metric, *, axis: Axis = Axis.ITERATIONS, tag: str | None = None
) -> MetricPicture:
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


TASKS = 21
"""Tasks of `told`, enough for intervals; every third has two pairs in each iteration."""


class Told(NamedTuple):
    """What came with the runs of a pair: costs in USD and pass rates, of the one with the skill and the one without."""

    iteration: int
    task: int
    cost: tuple[float, float]
    rate: tuple[float, float]


def told(experiment: Experiment) -> list[Told]:
    """Let the runs of two iterations have come with costs and grades."""
    rng, found = np.random.default_rng(5), []
    run, candidate, outcome = tables.run, tables.candidate.c, tables.outcome
    with experiment.world.database.write() as connection:
        skilled = set(connection.execute(sa.select(candidate.id).where(candidate.name == WITH)).scalars())
        made = {row.id: row for row in connection.execute(sa.select(run.c.id, run.c.candidate_id))}
        for each in experiment.pairs:
            cost, met = rng.integers(1_000, 90_000, 2) / 1e6, rng.integers(0, 21, 2)
            key = keys.read(connection, each.comparison_id)
            for id in (key.run_a, key.run_b):
                at = 0 if made[id].candidate_id in skilled else 1
                told_of = {"cost_usd": float(cost[at])}
                graded = {"summary": {"passed": int(met[at]), "total": 20}}
                connection.execute(run.update().where(run.c.id == id).values(details=told_of, grading=graded))
            if each.valid:
                rate = (met[0] / 20, met[1] / 20)
                task = (each.task - 1) % TASKS + 1
                found.append(Told(each.iteration, task, (cost[0], cost[1]), rate))
    keeping.bring_up(experiment.world.database)
    with experiment.world.database.write() as connection:
        for task in range(TASKS + 1, experiment.tasks_of + 1):
            same = _task(connection, f"eval-{task - TASKS}")
            mine = outcome.c.task_id == _task(connection, f"eval-{task}")
            connection.execute(outcome.update().where(mine).values(task_id=same))
    return found


def _by_statsmodels(values: list[float], tasks: list[int]) -> tuple[float, float, float]:
    """The mean and its interval, which lets the values of one task be alike."""
    fitted = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(tasks)}, use_t=True
    )
    ((low, high),) = fitted.conf_int()
    return float(fitted.params[0]), float(low), float(high)


def test_cost_and_graders_are_as_statsmodels_has_them_and_the_noise_as_numpy(world: World) -> None:
    experiment = Experiment(world, iterations=2, tasks_of=TASKS + 7, reviewed=False).build()
    every = told(experiment)

    for metric, of in ((Metric.COST, "cost"), (Metric.GRADERS, "rate")):
        found = drawn(experiment, metric)
        assert (found.steps, found.pairs, found.breaks) == (("1", "2"), len(every), ())
        assert [each.name for each in found.lines] == [WITH, WITHOUT]
        for place, line in enumerate(found.lines):
            by_task: list[dict[int, list[float]]] = [{}, {}]
            for iteration, dot in enumerate(line.dots, start=1):
                mine = [each for each in every if each.iteration == iteration]
                values = [getattr(each, of)[place] for each in mine]
                for each, value in zip(mine, values, strict=True):
                    by_task[iteration - 1].setdefault(each.task, []).append(value)
                middle, low, high = _by_statsmodels(values, [each.task for each in mine])
                assert dot is not None
                assert dot.interval is not None
                assert (dot.pairs, dot.tasks) == (len(mine), len(by_task[iteration - 1]))
                assert (dot.value, dot.interval.low, dot.interval.high) == pytest.approx((middle, low, high))
            both = sorted(by_task[0].keys() & by_task[1].keys())
            covariance = np.cov([[np.mean(step[task]) for task in both] for step in by_task])
            spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
            width = scipy.stats.norm.ppf(0.975) * np.sqrt(spread / len(both) / 2)
            assert line.noise == pytest.approx(width, rel=1e-4)


def test_agreement_is_the_share_of_final_reviews_that_name_the_judges_winner(world: World) -> None:
    history = History(world)
    agree = ((2, 1, 0), (1, 2))
    for at, reviewed in enumerate(agree, start=1):
        for same in reviewed:
            pair = history.pair(5, 3, names=(f"new-{at}", f"old-{at}"))
            for place, person in enumerate((world.ada, world.ben)):
                history.review(pair, *((5, 3) if place < same else (3, 5)), person_id=person.id)
        history.pair(5, 3, names=(f"new-{at}", f"old-{at}"))
        history.rename(f"new-{at}", to=WITH, iteration=str(at))
        history.rename(f"old-{at}", to=WITHOUT, iteration=str(at))
    history.reveal()

    asked = HistoryFilter(project_id=history.project)
    found = picture(world.database, asked, Metric.AGREEMENT, axis=Axis.ITERATIONS)

    (line,) = found.lines
    assert (line.name, found.steps) == ("Judge and reviewers", ("1", "2"))
    # A pair that nobody reviewed is left out.
    assert [dot and (dot.value, dot.pairs) for dot in line.dots] == [
        (float(np.mean(reviewed)) / 2, len(reviewed)) for reviewed in agree
    ]


def test_the_same_judge_with_other_guidance_makes_a_mark(world: World) -> None:
    history = History(world)
    for iteration, judge in ((1, JudgeId(guidance=1)), (2, JudgeId(guidance=2, digest="e" * 64)), (3, None)):
        names = (f"new-{iteration}", f"old-{iteration}")
        history.pair(5, 3, names=names, judge=judge or JudgeId(guidance=2, digest="e" * 64))
        history.rename(names[0], to=WITH, iteration=str(iteration))
        history.rename(names[1], to=WITHOUT, iteration=str(iteration))
    history.reveal()

    asked = HistoryFilter(project_id=history.project)
    found = picture(world.database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS, reference=WITHOUT)

    assert found.breaks == (Break(at=1, judge=("claude-sonnet-5-5", "claude-sonnet-5-5")),)
    drawn_as = figure_of(found, theme=ColourTheme.LIGHT).to_dict()
    words = [
        text for trace in drawn_as["data"] for text in trace.get("customdata", ()) if "guidance" in str(text)
    ]
    assert words == ["At 2: claude-sonnet-5-5 with other prompts, guidance or settings"]
    assert "judge" in [each["text"] for each in drawn_as["layout"]["annotations"]]
    runs = [list(trace["x"]) for trace in drawn_as["data"] if trace["mode"] == "lines"]
    assert runs
    assert not any(min(run) < 1 <= max(run) for run in runs)


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
        middle, *ends = by_statsmodels([point] for point in points)
        assert dot.value == pytest.approx(middle)
        assert (dot.interval is None) == (len(points) < 20)
        if dot.interval:
            assert [dot.interval.low, dot.interval.high] == pytest.approx(ends)
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
