"""One figure over iterations or days, for each candidate, with its interval and where figures stop to compare."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial

import pandas as pd

from comparator.domain.counted import natural
from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of, rated, sums
from comparator.reporting.figures import against_the_judge
from comparator.reporting.frames import Frame
from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.reporting.results.breaks import Break, breaks
from comparator.reporting.results.candidates import NamedCandidate, names, stem
from comparator.reporting.results.decision import opposed
from comparator.reporting.results.over_iterations import Stretch, stretches
from comparator.reporting.results.series import pooled
from comparator.reporting.results.task_history import (
    TaskHistory,
    cells_by_task,
    regressed,
    task_histories,
    turns_of,
)
from comparator.reporting.scope import PEOPLE, Meets, ResultFilter
from comparator.stats.intervals import Estimate, Interval
from comparator.stats.paired import mean
from comparator.store.core.database import Database


class Metric(StrEnum):
    """What is told over time."""

    WIN_RATE = "win_rate"
    """The share of pairs won against one and the same reference, ties counted as half."""
    SCORE = "score"
    EXPECTATIONS = "expectations"
    GRADERS = "graders"
    """The share of expectations met by imported graders."""
    TOKENS = "tokens"
    SECONDS = "seconds"
    COST = "cost"
    AGREEMENT = "agreement"
    """The share of final reviews that name the judge's winner; of both candidates together."""


class Axis(StrEnum):
    """What it is told over."""

    ITERATIONS = "iterations"
    """Iterations, or versions where candidates have none."""
    DAYS = "days"


UNIT = {
    Metric.WIN_RATE: 0.5,
    Metric.SCORE: 0.1,
    Metric.EXPECTATIONS: 0.01,
    Metric.GRADERS: 0.01,
    Metric.TOKENS: 1.0,
    Metric.SECONDS: 0.1,
    Metric.COST: 1e-6,
    Metric.AGREEMENT: 0.5,
}
"""What one of a metric's stored whole numbers is worth."""
SHARES = {Metric.WIN_RATE, Metric.EXPECTATIONS, Metric.GRADERS, Metric.AGREEMENT}
"""Metrics from 0 to 1."""
SETTLED = {Metric.WIN_RATE, Metric.SCORE, Metric.EXPECTATIONS}
"""Metrics of verdicts that hold: reviews, else the judge's."""
ASIDE = ("iterations", "since", "until", "winner", "won_by", "order", "group", "among", "reader")
"""Fields of a filter that leave a picture as it is: it chooses the steps itself, and wins alone give no win rate."""


class Dot(Frozen):
    """The mean over the pairs of one step, or over their final reviews (agreement); the interval needs enough tasks."""

    value: float
    interval: Interval | None
    n: int
    tasks: int


class ChartLine(Frozen):
    """One candidate over all steps, None where it was not compared."""

    name: str
    dots: tuple[Dot | None, ...]


class Reference(Frozen):
    """What a win rate can be told against: a name, and the id of the candidate that had it first."""

    id: str
    name: str


class MetricPicture(Frozen):
    """A metric over its steps, oldest first. `offered` are the references that a win rate can be told against."""

    metric: Metric
    axis: Axis
    steps: tuple[str, ...]
    lines: tuple[ChartLine, ...]
    levels: tuple[Stretch, ...]
    """Of a win rate of one candidate: the stretches between changes beyond chance; else empty."""
    regressed: tuple[TaskHistory, ...]
    """Of a win rate of one candidate over iterations: the tasks that turned from won to lost; else empty."""
    breaks: tuple[Break, ...]
    offered: tuple[Reference, ...]
    reference: Reference | None
    pairs: int
    fitting: int
    """The pairs that fit the filter; those that are not counted lack a verdict, or what the metric needs."""
    people_alone: int
    """Pairs of candidates of which judge and people name different winners: reviews alone count there."""


def picture(
    database: Database,
    history_filter: HistoryFilter,
    metric: Metric,
    *,
    axis: Axis,
    reference: str | None = None,
) -> MetricPicture:
    """The metric over the revealed pairs of a project that fit the filter, whatever their iteration, day or winner.

    `history_filter.project_id` must be given. `reference` is the id of a candidate, which stands for all of its name;
    one that nobody met is replaced by one that was met.
    """
    assert history_filter.project_id is not None
    whole = HistoryFilter(project_id=history_filter.project_id)
    parts = history_filter.model_dump(exclude={*ASIDE, "project_id"})
    part = whole.copy_with(**parts)
    with facts_of(database, history_filter.project_id) as facts:
        read = partial(_picture, database, facts, part, metric, axis, reference)
        # Every click on a page needs it again, mostly unfiltered.
        return facts.kept(f"picture {metric} {axis} {reference}", read) if part == whole else read()


def _picture(
    database: Database,
    facts: Facts,
    history_filter: HistoryFilter,
    metric: Metric,
    axis: Axis,
    reference: str | None,
) -> MetricPicture:
    is_rate = metric is Metric.WIN_RATE
    pairs = facts.pairs[facts.pairs.revealed]
    fits = fitting(facts.connection, history_filter)
    if fits is not None:
        pairs = pairs[pairs.index.isin(set(facts.connection.execute(fits).scalars()))]
    pairs = pairs.assign(**_both(facts, pairs, metric))
    # Also those that the filter leaves out: a reference keeps its id whatever is filtered.
    every = names(facts)
    offered = _references(pairs, every)
    wanted = every[reference].plain if reference in every else None
    against = next((offer for offer in offered if offer.name == wanted), next(iter(offered), None))
    # Two runs of one candidate tell nothing of it.
    pairs = pairs[pairs.one != pairs.two]
    step, line = _steps_and_lines({id: every[id] for id in {*pairs.one, *pairs.two}}, axis)
    if axis is Axis.DAYS:
        pairs = pairs.assign(step_one=pairs.day, step_two=pairs.day, step=pairs.day)
    else:
        one, two = pairs.one.map(step), pairs.two.map(step)
        place = {name: at for at, name in enumerate(sorted({*one.dropna(), *two.dropna()}, key=natural))}
        # A pair stands at the step of its newer candidate.
        newer = two.where(one.isna() | (two.map(place).astype(float) > one.map(place).astype(float)), one)
        pairs = pairs.assign(step_one=one, step_two=two, step=newer)
    counted = pairs.valid & pairs.value_one.notna() & pairs.value_two.notna()
    reviews_only = pairs.both.isin(_people_alone(database, facts) if metric in SETTLED else ())
    counted &= ~reviews_only | pairs.kind.isin(PEOPLE)
    lines = _lines(pairs[counted], metric, line)
    if is_rate:
        plain = {id: candidate.plain for id, candidate in every.items()}
        lines = lines[lines.other.map(plain) == (against and against.name)]
    order = sorted(lines.step.unique(), key=natural)
    changes = breaks(facts, pairs, pairs.step, order)
    if axis is Axis.DAYS:
        # Other tasks each day are no change of what is compared.
        changes = tuple(change for change in changes if change.beyond_tasks)
    drawn = [
        ChartLine(name=name, dots=tuple(_dot(own[own.step == value], metric) for value in order))
        # The likeliest reference comes second, as on the dashboards.
        for name, own in sorted(
            lines.groupby("line"),
            key=lambda group: (bool(offered) and group[0] == offered[0].name, natural(group[0])),
        )
    ]
    is_single = is_rate and len(drawn) == 1
    return MetricPicture(
        metric=metric,
        axis=axis,
        steps=tuple(order),
        lines=tuple(drawn),
        levels=stretches(lines.assign(points=lines.value), order, changes) if is_single else (),
        regressed=_regressed(facts, lines, order) if is_single and axis is Axis.ITERATIONS else (),
        breaks=changes,
        offered=offered if is_rate else (),
        reference=against if is_rate else None,
        pairs=lines.comparison_id.nunique(),
        fitting=len(pairs),
        people_alone=int(reviews_only[lines.comparison_id.unique()].sum()),
    )


def candidate_order(database: Database, project_id: str) -> tuple[str, ...]:
    """The names of the revealed candidates that met others, in the order of their colours: the likeliest reference
    last."""
    with facts_of(database, project_id) as facts:
        every = names(facts)
        offered = [offer.name for offer in _references(facts.pairs[facts.pairs.revealed], every)]
    return (*sorted(offered[1:], key=natural), *offered[:1])


def _regressed(facts: Facts, lines: Frame, order: Sequence[str]) -> tuple[TaskHistory, ...]:
    won = lines.assign(points=lines.value, both=lines.step, overall=float("nan"), position_consistent=None)
    cells = cells_by_task(won, {step: at for at, step in enumerate(order)})
    return regressed(task_histories(cells, turns_of(cells), facts.tasks, {}))


def _people_alone(database: Database, facts: Facts) -> set[str]:
    """The candidates, as in the column `both`, of which judge and people name different winners on the dashboards."""

    def read() -> set[str]:
        pairs = facts.pairs[facts.pairs.revealed & (facts.pairs.one != facts.pairs.two)]
        differ = pairs[
            pairs.kind.isin(PEOPLE) & ((pairs.points - pairs.judge_points).abs() > 0)
        ].both.unique()
        left, contrary = set(differ), set[str]()
        while left:
            met = Meets(*left.pop().split())
            result_filter = pooled(
                database, ResultFilter(project_id=facts.project_id, one=met.one, two=met.two)
            )
            theirs = {meeting.both for meeting in result_filter.meetings}
            left -= theirs
            if opposed(facts, result_filter):
                contrary |= theirs
        return contrary

    return facts.kept("people alone", read)


def _both(facts: Facts, pairs: Frame, metric: Metric) -> dict[str, Frame]:
    """What a metric says of each side, the smaller id's first; of agreement the reviews that name the judge's winner,
    and the others."""
    match metric:
        case Metric.WIN_RATE:
            one, two = pairs.points, 2 - pairs.points
        case Metric.SCORE:
            one, two = pairs.overall_one, pairs.overall_two
        case Metric.EXPECTATIONS:
            one, two = pairs.passed_one, pairs.passed_two
        case Metric.AGREEMENT:
            same = against_the_judge(facts, pairs).groupby("comparison_id").same.agg(["sum", "size"])
            one, every = (pairs.comparison_id.map(same[name]).astype(float) for name in ("sum", "size"))
            two = every - one
        case _:
            a, b = (run.map(facts.runs[metric.value]) for run in (pairs.run_a, pairs.run_b))
            one, two = a.where(pairs.a_is_one, b), b.where(pairs.a_is_one, a)
    return {"value_one": one.astype(float), "value_two": two.astype(float)}


def _lines(pairs: Frame, metric: Metric, line: Mapping[str, str]) -> Frame:
    """What each pair puts on the chart: a `value` on a line at a step, of a task, against the other candidate."""
    if metric is Metric.AGREEMENT:
        # A review that names the judge's winner counts as won, another one as lost.
        parts = [
            pairs.loc[pairs.index.repeat(number.astype("int64"))].assign(
                value=value, line="Judge and reviewers", other=""
            )
            for value, number in ((2, pairs.value_one), (0, pairs.value_two))
        ]
    else:
        parts = [
            pairs.assign(
                value=pairs[f"value_{own}"],
                line=pairs[own].map(line),
                step=pairs[f"step_{own}"],
                other=pairs[other],
            )
            for own, other in (("one", "two"), ("two", "one"))
        ]
    return pd.concat(parts).dropna(subset=["step"])[
        ["comparison_id", "line", "step", "task_id", "value", "other"]
    ]


def _steps_and_lines(
    called: Mapping[str, NamedCandidate], axis: Axis
) -> tuple[dict[str, str | None], dict[str, str]]:
    """At which step each candidate stands (None where it has neither iteration nor version), and its line's name."""
    families: dict[str, set[str]] = defaultdict(set)
    # Two candidates that only met each other are compared, whatever their names: they are no history.
    several = len({candidate.plain for candidate in called.values()}) > 2
    for candidate in called.values():
        if several and candidate.iteration is None:
            families[stem(candidate.plain)].add(candidate.plain)
    step, line = {}, {}
    for id, candidate in called.items():
        versions = sorted(families.get(stem(candidate.plain), ()), key=natural)
        is_version = candidate.iteration is None and len(versions) > 1
        step[id] = candidate.iteration or (candidate.plain if is_version else None)
        line[id] = (
            f"{versions[0]} to {versions[-1]}" if is_version and axis is not Axis.DAYS else candidate.plain
        )
    return step, line


def _references(pairs: Frame, called: Mapping[str, NamedCandidate]) -> tuple[Reference, ...]:
    """The names that others met, the likeliest reference first, as on the dashboards: one without a skill, a baseline,
    the most met, the older by its name, the one that wins less."""
    met: dict[str, set[str]] = defaultdict(set)
    for both in pairs.both.unique():
        plain = {called[id].plain for id in both.split()}
        for name in plain if len(plain) > 1 else ():
            met[name].add(both)
    # The id of the one that was imported first: no later import changes it.
    ids = {
        called[id].plain: id for id in sorted(called, key=lambda id: (str(called[id].at), id), reverse=True)
    }
    likely = ("without", "baseline", "control", "old")
    won: dict[str, float] = defaultdict(float)
    if len({stem(name) for name in met}) == len(met):
        for side, points in ((pairs.one, pairs.points), (pairs.two, 2 - pairs.points)):
            for id, of_one in points.groupby(side).sum().items():
                won[called[id].plain] += of_one
    order = sorted(
        met,
        key=lambda name: (
            not any(word in name.lower() for word in likely),
            -len(met[name]),
            won[name],
            natural(name),
        ),
    )
    return tuple(Reference(id=ids[name], name=name) for name in order)


def _dot(own: Frame, metric: Metric) -> Dot | None:
    if own.empty:
        return None
    summed = sums(own.value, own.task_id)
    if metric in (Metric.WIN_RATE, Metric.AGREEMENT):
        estimate = rated(own.value, own.task_id).rate
    else:
        estimate = mean(summed, unit=UNIT[metric])
    return Dot(
        value=summed.total / summed.n * UNIT[metric],
        interval=estimate.interval if isinstance(estimate, Estimate) else None,
        n=summed.n,
        tasks=summed.tasks,
    )
