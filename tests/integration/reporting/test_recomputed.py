"""Figures of Where, Over time, History and the result, computed again from planted pairs by pandas and statsmodels."""

from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from statsmodels.stats.multitest import multipletests

from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.picture import Axis, Metric, picture
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.over_iterations import History, over_iterations
from comparator.reporting.results.result import Difference, result
from comparator.reporting.results.series import pooled
from comparator.reporting.results.spending import Usage, run_usages
from comparator.reporting.scope import By, ResultFilter, Runs
from comparator.reporting.why.criteria import by_criterion
from comparator.reporting.why.slices import slices
from comparator.stats.differences import LEAST
from comparator.stats.intervals import ENOUGH, LEAST_TASKS, Estimate, Interval, TooFew
from comparator.store import tables
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import keys
from comparator.ui.dashboards.first_screen import trend_chart
from comparator.ui.dashboards.tabs.cost import price_of_runs
from comparator.ui.dashboards.tabs.over_time import tasks_chart
from tests.unit.stats.test_shares_and_paired import by_statsmodels, mean_by_statsmodels, numbers
from tests.worlds.histories.experiment import (
    EXPECTATIONS,
    MODELS,
    PATHS,
    WITH,
    WITHOUT,
    Experiment,
    Planted,
    asked_about,
    kind_of,
    model_of,
)
from tests.worlds.histories.pairs import START, World

ITERATIONS, TASKS = 8, 24
SIDES = {WITH: "one", WITHOUT: "two"}


class Seen:
    """The experiment, and all that is known of its counted pairs before anything of ours counts them."""

    def __init__(self, world: World) -> None:
        self.experiment = Experiment(world, iterations=ITERATIONS, tasks_of=TASKS).build()
        self.database = world.database
        seconds = self._took_and_were_made(world)
        self.every = pd.DataFrame(map(row, self.experiment.pairs, seconds))
        self.pairs = self.every[self.every.valid]
        self.asked: ResultFilter = pooled(self.database, asked_about(self.experiment, 1))

    def _took_and_were_made(self, world: World) -> list[tuple[float, float]]:
        """Give both runs of a pair seconds of their own, and let three iterations be made each day."""
        rng, run, fact = np.random.default_rng(11), tables.run, tables.fact
        seconds_of_pairs = []
        with world.database.write() as connection:
            for pair in self.experiment.pairs:
                seconds = tuple(float(tenths) / 10 for tenths in rng.integers(100, 900, 2))
                key = keys.read(connection, pair.comparison_id)
                by_skill = (key.run_a, key.run_b) if pair.skill_is_a else (key.run_b, key.run_a)
                for id, took in zip(by_skill, seconds, strict=True):
                    connection.execute(run.update().where(run.c.id == id).values(seconds=took))
                created_at = START + timedelta(days=(pair.iteration - 1) // 3)
                mine = fact.c.comparison_id == pair.comparison_id
                connection.execute(fact.update().where(mine).values(created_at=created_at))
                seconds_of_pairs.append((seconds[0], seconds[1]))
        return seconds_of_pairs

    @property
    def over_time(self) -> History:
        over_time = over_iterations(self.database, self.asked)
        assert over_time is not None
        return over_time

    def by_task(self, column: str) -> pd.DataFrame:
        """A row a task, a column an iteration; not a number where the two were not compared."""
        return self.pairs.pivot_table(index="task", columns="iteration", values=column)


def row(pair: Planted, seconds: tuple[float, float]) -> dict[str, object]:
    """A pair, seen from the skill."""
    content, structure = PATHS[:2], PATHS[2:]
    of_each = {
        f"score_{side}": float(np.mean([scores[path] for path in content]))
        + float(np.mean([scores[path] for path in structure]))
        for side, scores in zip(SIDES.values(), pair.scores, strict=True)
    }
    return {
        "valid": pair.valid,
        "task": pair.task,
        "key": f"eval-{pair.task}",
        "iteration": pair.iteration,
        "day": f"{START + timedelta(days=(pair.iteration - 1) // 3):%Y-%m-%d}",
        "kind": kind_of(pair.task),
        "model": model_of(pair.iteration, iterations=ITERATIONS),
        "reviewer": pair.reviewer,
        "points": 1 + pair.winner,
        "content": float(np.mean([pair.leads[path] for path in content])),
        "structure": float(np.mean([pair.leads[path] for path in structure])),
        **of_each,
        "lead": of_each["score_one"] - of_each["score_two"],
        **{path: pair.leads[path] for path in PATHS},
        **{text: int(one) - int(two) for text, (one, two) in zip(EXPECTATIONS, pair.met, strict=True)},
        "met_one": float(np.mean([one for one, _ in pair.met])),
        "met_two": float(np.mean([two for _, two in pair.met])),
        "tokens_one": 1000.0 + 10 * pair.lengths[0],
        "tokens_two": 1000.0 + 10 * pair.lengths[1],
        "seconds_one": seconds[0],
        "seconds_two": seconds[1],
    }


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """One experiment for all figures, which only read it."""
    folder = tmp_path_factory.mktemp("recomputed")
    database = Database.open(f"sqlite:///{folder / 'comparator.db'}")
    yield Seen(World(database, BlobStore.at(str(folder / "blobs"))))
    database.close()


def rate(pairs: pd.DataFrame) -> tuple[float, float, float]:
    """The win rate of these pairs with its interval, by statsmodels."""
    return by_statsmodels(list(points) for _, points in pairs.groupby("task").points)


def mean(pairs: pd.DataFrame, column: str) -> tuple[float, float, float]:
    """The mean of a column with its interval, by statsmodels."""
    return mean_by_statsmodels(pairs[column], pairs.task)


def chance(part: pd.DataFrame, rest: pd.DataFrame) -> float | None:
    """The p of a part against the rest, by scipy: task by task, or by ranks where they have no task in common."""
    shared = sorted(set(part.task) & set(rest.task))
    if len(shared) >= LEAST:
        return same_tasks(part[part.task.isin(shared)], rest[rest.task.isin(shared)])
    own, others = (of[~of.task.isin(shared)].groupby("task").points.mean() for of in (part, rest))
    return None if min(len(own), len(others)) < LEAST else other_tasks(own, others)


def same_tasks(part: pd.DataFrame, rest: pd.DataFrame) -> float:
    """The largest p of a t test over tasks and of two random draws: of a task's pairs, and of its iterations."""
    pairs = [of.set_index("task").points / 2 for of in (part, rest)]
    each_iteration = ["task", "iteration"]
    iterations = [of.groupby(each_iteration).points.mean().droplevel("iteration") / 2 for of in (part, rest)]
    own, others = (part.groupby(level="task").mean() for part in pairs)
    return max(float(scipy.stats.ttest_1samp(own - others, 0).pvalue), drawn(*pairs), drawn(*iterations))


def drawn(part: "pd.Series[float]", rest: "pd.Series[float]") -> float:
    """The p of the summed differences between a task's two means if the part is drawn from all of the task."""
    own, others, every = (points.groupby(level="task") for points in (part, rest, pd.concat([part, rest])))
    difference = (own.mean() - others.mean()).sum()
    variance = (every.var() * (1 / own.size() + 1 / others.size())).sum()
    return 2 * float(scipy.stats.norm.sf(abs(difference) / np.sqrt(variance)))


def other_tasks(own: "pd.Series[float]", others: "pd.Series[float]") -> float:
    """Mann and Whitney's p, twice the smaller tail, by the first three moments of a sum of ranks drawn at random."""
    ranks = scipy.stats.rankdata(np.concatenate([own, others]))
    n, m = len(ranks), len(own)
    left = n - m
    variance = m * left / (n - 1) * np.var(ranks)
    third = m * left * (left - m) / ((n - 1) * (n - 2)) * scipy.stats.moment(ranks, 3)
    half = np.diff(np.unique(ranks)).min() / 2
    above = ranks[:m].sum() - m * ranks.mean()
    curve = scipy.stats.pearson3(third / variance**1.5, scale=np.sqrt(variance))
    return float(min(1, 2 * curve.sf(above - half), 2 * curve.cdf(above + half)))


def parts_of(seen: Seen, by: By) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Each part by a property with the rest."""
    columns = {By.TAG: "kind", By.TOPIC: "kind"}
    of = seen.pairs[columns.get(by, by.value)].astype(str)
    return {value: (seen.pairs[of == value], seen.pairs[of != value]) for value in of.unique()}


@pytest.mark.parametrize("by", [By.TAG, By.TOPIC, By.ITERATION, By.MODEL, By.REVIEWER])
def test_each_part_has_the_rate_and_the_chance_that_statsmodels_and_scipy_give_it(seen: Seen, by: By) -> None:
    expected = parts_of(seen, by)

    where = slices(seen.database, seen.asked, by)

    by_name = {part.name if by is By.REVIEWER else part.part.value: part for part in where.parts}
    assert by_name.keys() == expected.keys()
    assert where.share == pytest.approx(seen.pairs.points.mean() / 2)
    chances: dict[str, float] = {}
    for name, (own, rest) in expected.items():
        part, tasks, p = by_name[name], own.task.nunique(), chance(own, rest)
        assert (part.n, part.tasks) == (len(own), tasks)
        if tasks < LEAST_TASKS:
            assert part.rate == TooFew(n=tasks, needed=LEAST_TASKS)
        elif tasks < ENOUGH:
            assert isinstance(part.rate, Estimate)
            assert part.rate.few
            assert part.rate.value == pytest.approx(own.points.mean() / 2)
        else:
            assert numbers(part.rate) == pytest.approx(rate(own))
        assert part.difference == pytest.approx((own.points.mean() - rest.points.mean()) / 2)
        assert part.p == (None if p is None else pytest.approx(p))
        if p is not None:
            chances[name] = p
    clear = multipletests(list(chances.values()), alpha=0.05, method="fdr_bh")[0]
    assert {name for name, part in by_name.items() if part.stands_out} == {
        name for name, named in zip(chances, clear, strict=True) if named
    }


def test_iterations_and_the_step_between_them_are_as_statsmodels_and_scipy_have_them(seen: Seen) -> None:
    over_time = seen.over_time

    for at, iteration in enumerate(over_time.iterations, start=1):
        own = seen.pairs[seen.pairs.iteration == at]
        assert numbers(iteration.rate) == pytest.approx(rate(own))
        means = own[["lead", "met_one", "met_two"]].mean()
        assert (iteration.lead, iteration.met_one, iteration.met_two) == pytest.approx(tuple(means))
    assert numbers(over_time.pooled.rate) == pytest.approx(rate(seen.pairs))
    shares = (seen.pairs.groupby("iteration").points.mean() / 2).to_numpy()
    step, places = seen.experiment.step - 1, range(2, ITERATIONS - 1)
    every = seen.pairs.points.mean() / 2
    least = every * (1 - every) / (len(seen.pairs) / ITERATIONS) / 4

    def p(at: int) -> float:
        """Of a t test whose variance is no smaller than a quarter of the binomial one."""
        first, second = shares[:at], shares[at:]
        squares = ((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum()
        within = max(float(squares) / 6, least)
        t = abs(second.mean() - first.mean()) / np.sqrt(within * (1 / len(first) + 1 / len(second)))
        return 2 * float(scipy.stats.t.sf(t, ITERATIONS - 2))

    chances = [p(at) for at in places]
    assert [level.at for level in over_time.levels] == [0, step]
    assert places[int(np.argmin(chances))] == step
    for level in over_time.levels:
        own = seen.pairs[seen.pairs.iteration.between(level.at + 1, level.end)]
        assert numbers(level.rate) == pytest.approx(rate(own))
        assert level.n == len(own)
    rows = trend_chart(over_time, seen.asked).rows
    leads = list(seen.pairs.groupby("iteration").lead.mean())
    assert [row["Mean lead"] for row in rows] == pytest.approx(leads, abs=0.0051)


def test_a_task_over_time_is_as_pandas_counts_it(seen: Seen) -> None:
    over_time = seen.over_time
    leads, points = seen.by_task("lead"), seen.by_task("points")

    for task in over_time.tasks:
        own = leads.loc[int(task.key.removeprefix("eval-"))]
        cells = [np.nan if cell is None else cell.lead for cell in task.cells]
        assert cells == pytest.approx(list(own), nan_ok=True)
    names = {task.name: task.key for task in over_time.tasks}
    rows = {names[str(row["Task"])]: row for row in tasks_chart(seen.asked, over_time, 4).rows}
    assert len(rows) == TASKS
    for number, own in points.iterrows():
        row = rows[f"eval-{number}"]
        assert (row["Won"], row["Tied"], row["Lost"]) == tuple((own == ended).sum() for ended in (2, 1, 0))
        decided = own[own.isin([0, 2])]
        changes = (decided.diff().dropna() != 0).sum() - (row["p-value of the change"] is not None)
        assert row["Noise"] == pytest.approx(max(changes, 0) / ((len(decided) - 1) / 2), abs=0.0051)
        since = int(str(row["Since"]))
        halves = own[own.index < since].mean() / 2, own[own.index >= since].mean() / 2
        assert (row["Won before"], row["Won since"]) == pytest.approx(halves, abs=0.0051)


@pytest.mark.parametrize("axis", Axis)
@pytest.mark.parametrize(
    ("metric", "column"),
    [
        *((Metric.WIN_RATE, "points"), (Metric.SCORE, "score"), (Metric.EXPECTATIONS, "met")),
        *((Metric.TOKENS, "tokens"), (Metric.SECONDS, "seconds")),
    ],
)
def test_the_picture_is_as_statsmodels_draws_it(seen: Seen, axis: Axis, metric: Metric, column: str) -> None:
    of_project = HistoryFilter(project_id=seen.experiment.project)
    steps = seen.pairs["day" if axis is Axis.DAYS else "iteration"].astype(str)

    drawn = picture(seen.database, of_project, metric, axis=axis)

    assert drawn.steps == tuple(steps.unique())
    assert drawn.pairs == len(seen.pairs)
    # In the second half of the iterations another model did the tasks; a day may hold both.
    half = [Break(at=len(steps.unique()) // 2, models=MODELS)] if axis is Axis.ITERATIONS else []
    assert [*drawn.breaks] == half
    against_the_other = metric is Metric.WIN_RATE
    assert [line.name for line in drawn.lines] == ([WITH] if against_the_other else [WITH, WITHOUT])
    for line in drawn.lines:
        values = column if against_the_other else f"{column}_{SIDES[line.name]}"
        for step, dot in zip(drawn.steps, line.dots, strict=True):
            own = seen.pairs[steps == step]
            assert dot is not None
            assert dot.interval is not None
            assert (dot.n, dot.tasks) == (len(own), own.task.nunique())
            expected = rate(own) if against_the_other else mean(own, values)
            assert (dot.value, dot.interval.low, dot.interval.high) == pytest.approx(expected)


def test_the_result_and_its_criteria_are_as_statsmodels_and_scipy_have_them(seen: Seen) -> None:
    outcome = result(seen.database, seen.asked)

    def figures_of(compared: Difference) -> tuple[float, float, float]:
        value, low, high = numbers(compared.estimate)
        assert compared.mean == pytest.approx(value)
        return value, low, high

    assert numbers(outcome.rate) == pytest.approx(rate(seen.pairs))
    with_void = result(seen.database, seen.asked.model_copy(update={"runs": Runs.ALL}))
    assert numbers(with_void.rate) == pytest.approx(rate(seen.every))
    differences = {"lead": outcome.overall, "content": outcome.content, "structure": outcome.structure}
    differences |= {line.path: line.difference for line in by_criterion(seen.database, seen.asked)}
    for column, difference in differences.items():
        assert figures_of(difference) == pytest.approx(mean(seen.pairs, column), abs=1e-9)
    met = seen.pairs.assign(more=seen.pairs.met_one - seen.pairs.met_two)
    assert (outcome.met_one, outcome.met_two) == pytest.approx((met.met_one.mean(), met.met_two.mean()))


def test_tokens_and_seconds_of_a_candidates_runs_are_the_means_of_pandas(seen: Seen) -> None:
    (usage,) = run_usages(seen.database, seen.asked, Names(WITH, WITHOUT), [seen.asked.meetings])

    for of_side, (name, side) in zip((usage.one, usage.two), SIDES.items(), strict=True):
        # The void run of a pair is the skill's; the other one is valid.
        runs = seen.pairs if name == WITH else seen.every
        assert of_side is not None
        assert (of_side.name, of_side.runs) == (name, len(runs))
        means = runs[f"tokens_{side}"].mean(), runs[f"seconds_{side}"].mean()
        assert (of_side.tokens, of_side.seconds) == pytest.approx(means)


def test_costs_are_told_apart_by_a_fifth_in_prices_else_in_tokens(seen: Seen) -> None:
    (usage,) = run_usages(seen.database, seen.asked, Names(WITH, WITHOUT), [seen.asked.meetings])
    assert usage.one is not None
    assert usage.two is not None
    tokens = seen.pairs.tokens_one.mean() / seen.every.tokens_two.mean()
    assert str(usage.apart) == str(None if 1 / 1.2 < tokens < 1.2 else (float(tokens), "tokens"))
    priced = Usage(usage.one._replace(cost=0.5), usage.two._replace(cost=0.2))
    assert priced.apart == (2.5, "cost")
    # A list price of tokens that the import does not split is from all of them as input to all as output.
    listed = Usage(
        usage.one._replace(list_price=Interval(low=0.2, high=1.0)),
        usage.two._replace(list_price=Interval(low=0.1, high=0.5)),
    )
    assert str(listed.apart) == "(2.0, 'cost')"
    costs = price_of_runs(listed)
    assert costs.startswith("A run costs $0.20 to $1.00 against $0.10 to $0.50 (list price")
