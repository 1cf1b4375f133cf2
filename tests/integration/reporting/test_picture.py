"""The picture of the history: each mark against what was planted, and no line through what does not compare."""

from __future__ import annotations

from itertools import groupby
from statistics import mean
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
import scipy.stats
import sqlalchemy as sa

from comparator.domain.scoring.several_judges import MemberJudge, SeveralJudges
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, MetricPicture, picture
from comparator.reporting.results.breaks import Break, Ground, breaks
from comparator.reporting.results.over_iterations import over_iterations
from comparator.store import tables
from comparator.store.core.revisions import changed
from comparator.store.core.unit import Unit, new_id
from comparator.store.pairs import keys
from comparator.store.people import people
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.theme import ColourTheme
from comparator.ui.history.picture import chart_of
from tests.integration.reporting.test_why_and_where import asked_about
from tests.unit.stats.test_shares_and_paired import by_statsmodels, mean_by_statsmodels
from tests.worlds.histories.experiment import REVERSED, WITH, WITHOUT, Experiment, kind_of
from tests.worlds.histories.history import NEW, OLD, History
from tests.worlds.histories.pairs import JudgeId, World


def drawn(
    experiment: Experiment, metric: Metric, *, axis: Axis = Axis.ITERATIONS, tag: str | None = None
) -> MetricPicture:
    asked = HistoryFilter(project_id=experiment.project, tag=tag, iterations=("2",))
    return picture(experiment.world.database, asked, metric, axis=axis)


def test_pairs_that_stand_at_no_step_are_not_counted_with_those_that_do(world: World) -> None:
    history = History(world)
    history.pair(5, 3)
    history.pair(5, 3, names=("with", "without"))
    history.rename(NEW, to=WITH, iteration="1")
    history.rename(OLD, to=WITHOUT, iteration="1")
    history.reveal()
    asked = HistoryFilter(project_id=history.project)
    with world.database.read() as connection:
        c = tables.candidate.c
        without = connection.execute(sa.select(c.id).where(c.name == WITHOUT)).scalar_one()

    for metric in (Metric.WIN_RATE, Metric.SCORE):
        found = picture(world.database, asked, metric, axis=Axis.ITERATIONS, reference=without)
        assert (found.steps, found.pairs) == (("1",), 1)


def _meet(history: History, iteration: int, *, names: tuple[str, str], times: int = 1) -> None:
    made = tuple(f"{name}-{iteration}" for name in names)
    for _ in range(times):
        history.pair(5, 3, names=(made[0], made[1]))
    for own, name in zip(made, names, strict=True):
        history.rename(own, to=name, iteration=str(iteration))


def test_a_reference_keeps_its_id_when_later_imports_and_filters_move_its_place(world: World) -> None:
    history = History(world)
    _meet(history, 1, names=("red", "blue"), times=2)
    _meet(history, 1, names=("green", "plain"))
    history.reveal()
    asked = HistoryFilter(project_id=history.project)

    def told(reference: str | None = None, **update: object) -> tuple[str, list[str]]:
        also = asked.model_copy(update=update)
        found = picture(world.database, also, Metric.WIN_RATE, axis=Axis.ITERATIONS, reference=reference)
        assert found.reference is not None
        return found.reference.name, [each.name for each in found.offered]

    def ids() -> dict[str, str]:
        found = picture(world.database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS)
        return {each.name: each.id for each in found.offered}

    first = ids()
    assert told(first["plain"]) == ("plain", ["blue", "green", "plain", "red"])

    _meet(history, 2, names=("plain", "baseline"), times=3)
    history.reveal()

    assert told(first["plain"]) == ("plain", ["baseline", "plain", "blue", "green", "red"])
    with world.database.read() as connection:
        c = tables.candidate.c
        (later,) = connection.execute(
            sa.select(c.id).where(c.name == "plain", c.id != first["plain"])
        ).scalars()
    assert told(later)[0] == "plain"
    # The one of iteration 1 is in no pair that fits; its name is.
    assert told(first["plain"], candidate_id=later)[0] == "plain"
    assert {name: ids()[name] for name in first} == first


def test_an_unknown_or_hidden_reference_is_replaced_and_tells_no_name(world: World) -> None:
    history = History(world)
    _meet(history, 1, names=("red", "blue"), times=2)
    history.reveal()
    _meet(history, 2, names=("red", "blue"))
    asked = HistoryFilter(project_id=history.project)
    with world.database.read() as connection:
        c = tables.candidate.c
        hidden = connection.execute(sa.select(c.id).where(c.name == "red", c.iteration == "2")).scalar_one()

    for reference in (hidden, "1", "red", ""):
        found = picture(world.database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS, reference=reference)
        assert found.reference == found.offered[0]
        assert found.reference.name == "blue"


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
                middle, low, high = mean_by_statsmodels(values, [each.task for each in mine])
                assert dot is not None
                assert dot.interval is not None
                assert (dot.n, dot.tasks) == (len(mine), len(by_task[iteration - 1]))
                assert (dot.value, dot.interval.low, dot.interval.high) == pytest.approx((middle, low, high))
            both = sorted(by_task[0].keys() & by_task[1].keys())
            covariance = np.cov([[np.mean(step[task]) for task in both] for step in by_task])
            spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
            width = scipy.stats.norm.ppf(0.975) * np.sqrt(spread / len(both) / 2)
            assert line.noise == pytest.approx(width, rel=1e-4)


def test_agreement_is_the_share_of_final_reviews_that_name_the_judges_winner(world: World) -> None:
    history = History(world)
    rng, told = np.random.default_rng(6), []
    with world.database.write() as connection:
        unit = Unit(connection, at=world.now(), new_id=new_id)
        reviewers = (world.ada, world.ben, people.ensure_person(unit, "local:cleo", name="Cleo"))
    for task in range(30):
        history.task(f"Task {task}")
        for at in (1, 2):
            names = (f"new-{at}", f"old-{at}")
            reviewed = history.pair(5, 3, names=names)
            # A pair that nobody reviewed is left out.
            agree = rng.random((task + at) % 4) < 0.4 * at
            for same, person in zip(agree, reviewers, strict=False):
                history.review(reviewed, *((5, 3) if same else (3, 5)), person_id=person.id)
            told += [(at, task, int(same)) for same in agree]
    for at in (1, 2):
        history.rename(f"new-{at}", to=WITH, iteration=str(at))
        history.rename(f"old-{at}", to=WITHOUT, iteration=str(at))
    history.reveal()

    asked = HistoryFilter(project_id=history.project)
    found = picture(world.database, asked, Metric.AGREEMENT, axis=Axis.ITERATIONS)

    (line,) = found.lines
    assert (line.name, found.steps) == ("Judge and reviewers", ("1", "2"))
    for at, dot in enumerate(line.dots, start=1):
        by_task: dict[int, list[int]] = {}
        for step, task, same in told:
            if step == at:
                by_task.setdefault(task, []).append(2 * same)
        assert {len(each) for each in by_task.values()} == {1, 2, 3}
        assert dot is not None
        assert (dot.n, dot.tasks) == (sum(map(len, by_task.values())), len(by_task))
        middle, *ends = by_statsmodels(by_task.values())
        assert dot.value == pytest.approx(middle)
        assert dot.interval is not None
        assert [dot.interval.low, dot.interval.high] == pytest.approx(ends)


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


def test_rubrics_and_tasks_are_compared_with_the_last_iteration_that_has_them(world: World) -> None:
    def pair(step: int, version: str, rubric: str | None) -> Ground:
        return step, "task", version, rubric, None, None, f"pair-{step}"

    pairs = [pair(1, "v1", "r1"), pair(2, "v1", None), pair(4, "v1", "r2"), pair(6, "v2", "r3")]

    with world.database.read() as connection:
        found = breaks(connection, pairs, range(1, 7))

    # In iterations 3 and 5 nothing was compared.
    assert found == (Break(at=3, rubrics=1), Break(at=5, tasks=1))


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


def test_several_judges_that_get_other_guidance_are_no_other_judges(world: World) -> None:
    history = History(world)
    for iteration, version in enumerate((1, 2), start=1):
        # The second goes by no guidance, as the offline check does.
        judges = (
            JudgeId(model="one", guidance=version, digest=f"{version}" * 64),
            JudgeId(model="two"),
        )
        names = (f"new-{iteration}", f"old-{iteration}")
        pair = history.unjudged(names=names)
        members = [
            MemberJudge(name=each.model, kind=each.kind, model=each.model, digest=each.digest)
            for each in judges
        ]
        of_several = SeveralJudges(id=f"panel-{iteration}", members=tuple(members), quorum=2)
        for judge in judges:
            ask(world, pair.id, of_several)
            world.judge(pair, 5, 3, judge=judge)
        history.rename(names[0], to=WITH, iteration=str(iteration))
        history.rename(names[1], to=WITHOUT, iteration=str(iteration))
    history.reveal()

    asked = HistoryFilter(project_id=history.project)
    found = picture(world.database, asked, Metric.WIN_RATE, axis=Axis.ITERATIONS)

    assert found.breaks == (Break(at=1, guidance=("none and version 1", "none and version 2")),)


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


def test_the_same_judge_with_other_guidance_makes_a_mark(world: World) -> None:
    second = JudgeId(guidance=2, digest="e" * 64)

    found = over_judges(world, JudgeId(guidance=1), second, second)

    assert found.breaks == (Break(at=1, guidance=("version 1", "version 2")),)
    figure = chart_of(found).figure(ColourTheme.LIGHT)
    assert figure is not None
    drawn_as = figure.to_dict()
    words = [
        text for trace in drawn_as["data"] for text in trace.get("customdata", ()) if "guidance" in str(text)
    ]
    assert words == ["At 2: other guidance, version 2 after version 1"]
    assert "guidance" in [each["text"] for each in drawn_as["layout"]["annotations"]]
    lines = [list(trace["x"]) for trace in drawn_as["data"] if trace["mode"] == "lines"]
    runs = [list(run) for line in lines for gap, run in groupby(line, lambda at: at is None) if not gap]
    assert runs
    assert not any(min(run) < 1 <= max(run) for run in runs)


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
