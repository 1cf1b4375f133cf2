"""The picture of the history: each mark against what was planted, and no line through what does not compare."""

from __future__ import annotations

from statistics import mean
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
import sqlalchemy as sa

from comparator.domain.scoring.several_judges import SeveralJudges
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, MetricPicture, picture
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import over_iterations
from comparator.store import tables
from comparator.store.core.sql import changed, new_id
from comparator.store.pairs import keys
from comparator.ui.frame.charts import break_marks
from tests.integration.reporting.test_why_and_where import asked_about
from tests.unit.stats.test_shares_and_paired import by_statsmodels
from tests.worlds.histories.experiment import REVERSED, WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import JudgeId, World


def drawn(
    experiment: Experiment, metric: Metric, *, axis: Axis = Axis.ITERATIONS, tag: str | None = None
) -> MetricPicture:
    asked = HistoryFilter(project_id=experiment.project, tag=tag, iterations=("2",))
    return picture(experiment.world.database, asked, metric, axis=axis)


def _meet(history: History, iteration: int, *, names: tuple[str, str], times: int = 1) -> None:
    made = tuple(f"{name}-{iteration}" for name in names)
    for _ in range(times):
        history.pair(5, 3, names=(made[0], made[1]))
    for own, name in zip(made, names, strict=True):
        history.rename(own, to=name, iteration=str(iteration))


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
    run, candidate, task_version = tables.run, tables.candidate.c, tables.task_version
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
        for task in range(TASKS + 1, experiment.tasks_of + 1):
            same = _task(connection, f"eval-{task - TASKS}")
            mine = task_version.c.task_id == _task(connection, f"eval-{task}")
            connection.execute(sa.insert(tables.purge_permit).values(id=1))
            connection.execute(task_version.update().where(mine).values(task_id=same, number=2))
            connection.execute(sa.delete(tables.purge_permit))
        changed(connection, projects=[experiment.project])
    return found


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


def ask(world: World, comparison_id: str, of_several: SeveralJudges) -> None:
    """Store that one of several judges was asked about a pair, and has read it."""
    batch = {
        "id": new_id(),
        "project_id": world.project.id,
        "name": "all",
        "state": "done",
        "via": "interactive",
        "priority": 1,
        "judge": {},
        "created_at": world.now(),
        "panel": of_several.model_dump(mode="json"),
    }
    item = {
        "batch_id": batch["id"],
        "comparison_id": comparison_id,
        "position": 0,
        "state": "done",
        "touched_at": world.now(),
    }
    with world.database.write() as connection:
        connection.execute(tables.batch.insert().values(batch))
        connection.execute(tables.batch_item.insert().values(item))


def test_each_mark_is_what_was_planted_and_a_break_parts_what_does_not_compare(world: World) -> None:
    experiment = Experiment(world, iterations=3, tasks_of=21).build()
    valid = [each for each in experiment.pairs if each.valid]

    rate = drawn(experiment, Metric.WIN_RATE)

    assert rate.steps == ("1", "2", "3")
    assert rate.reference is not None
    assert (rate.reference.name, rate.pairs) == (WITHOUT, len(valid))
    assert not rate.breaks
    (line,) = rate.lines
    assert line.name == WITH
    for at, dot in enumerate(line.dots, start=1):
        points = [1 + each.winner for each in valid if each.iteration == at]
        assert dot is not None
        assert (dot.n, dot.tasks) == (len(points), len(points))
        middle, *ends = by_statsmodels([point] for point in points)
        assert dot.value == pytest.approx(middle)
        assert (dot.interval is None) == (len(points) < 10)
        if dot.interval:
            assert [dot.interval.low, dot.interval.high] == pytest.approx(ends)
    assert [(each.at, each.end) for each in rate.levels] == [(0, 3)]
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
    assert sum(dot.n for dot in drawn(experiment, Metric.SCORE, axis=Axis.DAYS).lines[0].dots if dot) == len(
        valid
    )

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


def _task(connection: sa.Connection, key: str) -> str:
    return str(connection.execute(sa.select(tables.task.c.id).where(tables.task.c.key == key)).scalar_one())
