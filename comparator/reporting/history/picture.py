"""One figure over iterations or days, for each candidate: its interval, what chance gives, and what broke it off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from math import sqrt
from statistics import median, variance
from typing import Any

import pandas as pd

from comparator.domain.labels import Frozen
from comparator.reporting.facts import Facts, facts_of, sums
from comparator.reporting.figures import against_the_judge
from comparator.reporting.frames import Frame
from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.reporting.results.breaks import Break, breaks, ground_of
from comparator.reporting.results.candidates import NamedCandidate, names, natural, revealed_ids, stem
from comparator.reporting.scope import KINDS, Verdicts
from comparator.stats.figures import Estimate, Interval
from comparator.stats.paired import mean, win_rate
from comparator.store.core.database import Database

NORMAL = 1.96


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


class Dot(Frozen):
    """The mean over the pairs of one step, or over their final reviews (agreement); the interval needs enough tasks."""

    value: float
    interval: Interval | None
    n: int
    tasks: int


class ChartLine(Frozen):
    """One candidate over all steps, None where it was not compared; `noise` is half the width of what chance gives."""

    id: str
    """Of the candidate that was imported first of those on this line; empty for a line of all."""
    name: str
    dots: tuple[Dot | None, ...]
    noise: float | None


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
    breaks: tuple[Break, ...]
    offered: tuple[Reference, ...]
    reference: Reference | None
    pairs: int


def picture(
    database: Database, asked: HistoryFilter, metric: Metric, *, axis: Axis, reference: str | None = None
) -> MetricPicture:
    """The metric over the revealed pairs of a project that fit the filter; iterations and days of it are not looked at.

    `asked.project_id` must be given. `reference` is the id of a candidate, which stands for all of its name; one that
    nobody met is replaced by one that was met.
    """
    assert asked.project_id is not None
    with facts_of(database, asked.project_id) as facts:
        pairs = facts.pairs[facts.pairs.revealed]
        fits = fitting(
            facts.connection, asked.model_copy(update={"iterations": (), "since": None, "until": None})
        )
        if fits is not None:
            pairs = pairs[pairs.index.isin(set(facts.connection.execute(fits).scalars()))]
        pairs = pairs.assign(**dict(zip(("first", "second"), _both(facts, pairs, metric), strict=True)))
        # Also those that the filter leaves out: a reference keeps its id whatever is filtered.
        revealed = revealed_ids(facts)
        every = names(facts.connection, asked.project_id, revealed, revealed=revealed)
        called = {id: every[id] for id in {*pairs.one, *pairs.two}}
        steps = _Steps(called, axis)
        offered = _references({(one, two) for one, two in zip(pairs.one, pairs.two, strict=True)}, every)
        wanted = every[reference].plain if reference in every else None
        against = next((each for each in offered if each.name == wanted), next(iter(offered), None))
        # Two runs of one candidate tell nothing of it.
        pairs = pairs[pairs.one != pairs.two]
        pairs = pairs.assign(
            step=[
                steps.of_pair((one, two), day)
                for one, two, day in zip(pairs.one, pairs.two, pairs.day, strict=True)
            ]
        )
        lines = _lines_of(
            pairs[_counts(pairs, metric)], metric, called, steps, against.name if against else None
        )
        order = sorted(lines.step.unique(), key=natural)
        found = breaks(facts.connection, ground_of(pairs, pairs.step), order)
    return MetricPicture(
        metric=metric,
        axis=axis,
        steps=tuple(order),
        lines=_lines(lines, order, metric, {each.at for each in found}, ids=_first_ids(called, steps.line)),
        breaks=found,
        offered=offered if metric is Metric.WIN_RATE else (),
        reference=against if metric is Metric.WIN_RATE else None,
        pairs=lines.comparison_id.nunique(),
    )


def _both(facts: Facts, pairs: Frame, metric: Metric) -> tuple[Frame, Frame]:
    """What a metric says of each side, the smaller id's first; of agreement the reviews compared, and those alike."""
    match metric:
        case Metric.WIN_RATE:
            return pairs.points, 2 - pairs.points
        case Metric.SCORE:
            return pairs.overall_one, pairs.overall_two
        case Metric.EXPECTATIONS:
            return pairs.passed_one, pairs.passed_two
        case Metric.AGREEMENT:
            reviews = against_the_judge(facts, pairs)
            same = (reviews.named == reviews.first_winner)[reviews.named.notna()]
            by_pair = same.groupby(reviews.comparison_id).agg(["size", "sum"])
            compared, alike = (
                pairs.comparison_id.map(by_pair[name]).astype(float).fillna(0) for name in ("size", "sum")
            )
            return compared, alike
        case _:
            a, b = (run.map(facts.runs[metric.value]) for run in (pairs.run_a, pairs.run_b))
            return a.where(pairs.a_is_one, b), b.where(pairs.a_is_one, a)


def _counts(pairs: Frame, metric: Metric) -> Frame:
    known = pairs.valid & pairs["first"].notna() & pairs.second.notna()
    if metric is Metric.AGREEMENT:
        return known & (pairs["first"] > 0)
    return known & pairs.kind.isin(KINDS[Verdicts.EITHER]) if metric in SETTLED else known


def _lines_of(
    pairs: Frame,
    metric: Metric,
    called: Mapping[str, NamedCandidate],
    steps: _Steps,
    reference: str | None,
) -> Frame:
    """What each pair puts on the chart: a `value` on a line at a step, of a task."""
    if metric is Metric.AGREEMENT:
        # A review that names the judge's winner counts as won, another one as lost.
        counts = [(2, pairs.second), (0, pairs["first"] - pairs.second)]
        lines = [
            pairs.loc[pairs.index.repeat(number.astype("int64"))].assign(
                value=value, line="Judge and reviewers"
            )
            for value, number in counts
        ]
        return pd.concat(lines).dropna(subset=["step"])[_LINE]
    lines = []
    for own, other, value in (("one", "two", "first"), ("two", "one", "second")):
        side = pairs.assign(
            value=pairs[value],
            line=[steps.line(id) for id in pairs[own]],
            step=[steps.of(id, day) for id, day in zip(pairs[own], pairs.day, strict=True)],
        )
        if metric is Metric.WIN_RATE:
            side = side[side[other].map(lambda id: called[id].plain) == reference]
        lines.append(side)
    return pd.concat(lines).dropna(subset=["step"])[_LINE]


_LINE = ["comparison_id", "line", "step", "task_id", "value"]


class _Steps:
    """At which step of the axis a pair or a candidate stands, and which line a candidate belongs to."""

    def __init__(self, called: Mapping[str, NamedCandidate], axis: Axis) -> None:
        self._called, self._axis = called, axis
        families: dict[str, set[str]] = defaultdict(set)
        for each in called.values():
            if each.iteration is None:
                families[stem(each.plain)].add(each.plain)
        self._versions = {name: plain for name, plain in families.items() if len(plain) > 1}
        # Asked once a candidate, not once a pair.
        self._step = {id: self._step_of(each) for id, each in called.items()}
        self._line = {id: self._line_of(each) for id, each in called.items()}
        self._newer: dict[tuple[str, str], str | None] = {}

    def of(self, id: str, day: str | None) -> str | None:
        """The step of a candidate in a pair of this day; None where it has neither iteration nor version."""
        return day if self._axis is Axis.DAYS else self._step[id]

    def of_pair(self, both: tuple[str, str], day: str | None) -> str | None:
        """The step of the newer one of the two."""
        if self._axis is Axis.DAYS:
            return day
        if both not in self._newer:
            known = [step for id in both if (step := self._step[id]) is not None]
            self._newer[both] = max(known, key=natural, default=None)
        return self._newer[both]

    def line(self, id: str) -> str:
        """What the line of a candidate is called."""
        return self._line[id]

    def _step_of(self, each: NamedCandidate) -> str | None:
        if each.iteration is not None:
            return each.iteration
        return each.plain if stem(each.plain) in self._versions else None

    def _line_of(self, each: NamedCandidate) -> str:
        versions = self._versions.get(stem(each.plain)) if each.iteration is None else None
        if versions is None or self._axis is Axis.DAYS:
            return each.plain
        ordered = sorted(versions, key=natural)
        return f"{ordered[0]} to {ordered[-1]}"


def _references(
    pairs: Iterable[tuple[str, str]], called: Mapping[str, NamedCandidate]
) -> tuple[Reference, ...]:
    """The names that others met, the likeliest reference first: one without a skill, a baseline, the most met."""
    met: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for pair in pairs:
        one, two = (called[id].plain for id in pair)
        if one != two:
            met[one].add(pair)
            met[two].add(pair)

    def key(name: str) -> tuple[bool, int, Any]:
        plain = any(word in name.lower() for word in ("without", "baseline", "control", "old"))
        return (not plain, -len(met[name]), natural(name))

    ids = _first_ids(called, lambda id: called[id].plain)
    return tuple(Reference(id=ids[name], name=name) for name in sorted(met, key=key))


def _first_ids(called: Mapping[str, NamedCandidate], name: Callable[[str], str]) -> dict[str, str]:
    """By what candidates are called together, the id of the one that was imported first: no later import changes it."""
    newest_first = sorted(called, key=lambda id: (str(called[id].made), id), reverse=True)
    return {name(id): id for id in newest_first}


def _lines(
    lines: Frame, order: Sequence[str], metric: Metric, breaks: set[int], *, ids: Mapping[str, str]
) -> tuple[ChartLine, ...]:
    found = []
    for name, own in sorted(lines.groupby("line"), key=lambda each: natural(each[0])):
        by_step = dict(list(own.groupby("step")))
        found.append(
            ChartLine(
                id=ids.get(name, ""),
                name=name,
                dots=tuple(_dot(by_step[step], metric) if step in by_step else None for step in order),
                noise=_noise(own, order, metric, breaks),
            )
        )
    return tuple(found)


def _dot(own: Frame, metric: Metric) -> Dot:
    summed = sums(own.value, own.task_id)
    if metric in (Metric.WIN_RATE, Metric.AGREEMENT):
        estimate = win_rate(summed, tied=int((own.value == 1).sum()))
    else:
        estimate = mean(summed, unit=UNIT[metric])
    return Dot(
        value=summed.total / summed.n * UNIT[metric],
        interval=estimate.interval if isinstance(estimate, Estimate) else None,
        n=summed.n,
        tasks=summed.tasks,
    )


def _noise(own: Frame, order: Sequence[str], metric: Metric, breaks: set[int]) -> float | None:
    """Half the width in which 95 of 100 means lie if nothing changes: by how tasks change between neighbours.

    The mean change is taken out of each, so that a step from one iteration to the next adds nothing. A mean's variance
    is half of that of a change between two; None without two tasks in two neighbours that compare.
    """
    means = own.groupby(["task_id", "step"]).value.mean().unstack().reindex(columns=order).sort_index()
    spreads = []
    for at, (before, now) in enumerate(pairwise(order), start=1):
        changes = (means[now] - means[before]).dropna().tolist()
        if at not in breaks and len(changes) > 1:
            spreads.append(variance(changes) / len(changes) / 2)
    return NORMAL * sqrt(median(spreads)) * UNIT[metric] if spreads else None
