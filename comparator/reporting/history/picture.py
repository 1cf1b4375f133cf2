"""One figure over iterations or days, for each candidate: its interval, what chance gives, and what broke it off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from math import sqrt
from statistics import median, variance
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.history.conditions import HistoryFilter, fitting
from comparator.reporting.results.breaks import Break, breaks
from comparator.reporting.results.candidates import NamedCandidate, names, natural, revealed_ids, stem
from comparator.reporting.tally.refresh import current, read
from comparator.reporting.tally.scope import KINDS, Verdicts
from comparator.stats.figures import Estimate, Interval
from comparator.stats.paired import Sums, mean, win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database

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


_Values = Mapping[str, Mapping[str, Mapping[str, Sequence[int]]]]
"""Whole numbers by line, step and task."""

_outcome = tables.outcome.c
_VALUES = {
    Metric.WIN_RATE: (_outcome.points, _outcome.points),
    Metric.SCORE: (_outcome.overall_one, _outcome.overall_two),
    Metric.EXPECTATIONS: (_outcome.passed_one, _outcome.passed_two),
    Metric.GRADERS: (_outcome.graded_one, _outcome.graded_two),
    Metric.TOKENS: (_outcome.tokens_one, _outcome.tokens_two),
    Metric.SECONDS: (_outcome.seconds_one, _outcome.seconds_two),
    Metric.COST: (_outcome.cost_one, _outcome.cost_two),
    Metric.AGREEMENT: (_outcome.compared, _outcome.agreed),
}


def picture(
    database: Database, asked: HistoryFilter, metric: Metric, *, axis: Axis, reference: str | None = None
) -> MetricPicture:
    """The metric over the revealed pairs of a project that fit the filter; iterations and days of it are not looked at.

    `asked.project_id` must be given. `reference` is the id of a candidate, which stands for all of its name; one that
    nobody met is replaced by one that was met.
    """
    assert asked.project_id is not None
    with current(database) as connection:
        rows = _rows(connection, asked, metric)
        met = {row[:2] for row in rows}
        # Also those that the filter leaves out: a reference keeps its id whatever is filtered.
        shown = {id for both in met for id in both}
        revealed = shown | revealed_ids(read(connection, asked.project_id, ("met",))["met"])
        every = names(connection, asked.project_id, revealed, revealed=revealed)
        called = {id: every[id] for id in shown}
        steps = _Steps(called, axis)
        offered = _references(met, every)
        wanted = every[reference].plain if reference in every else None
        against = next((each for each in offered if each.name == wanted), next(iter(offered), None))
        chosen = against.name if against else None
        different = [row for row in rows if row[0] != row[1]]
        counted = [
            row for row in different if _counts(row, metric) and _is_drawn(row, metric, called, steps, chosen)
        ]
        values = _values(counted, metric, called, steps, chosen)
        order = sorted({step for by_step in values.values() for step in by_step}, key=natural)
        found = _breaks(connection, different, steps, order)
    return MetricPicture(
        metric=metric,
        axis=axis,
        steps=tuple(order),
        lines=_lines(values, order, metric, {each.at for each in found}, ids=_first_ids(called, steps.line)),
        breaks=found,
        offered=offered if metric is Metric.WIN_RATE else (),
        reference=against if metric is Metric.WIN_RATE else None,
        pairs=len(counted),
    )


def _rows(connection: Connection, asked: HistoryFilter, metric: Metric) -> Sequence[Any]:
    """A row a revealed pair: all of them, since also a void run belongs to the tasks that were tried.

    They are thousands, so each is taken apart by place and not by name.
    """
    first, second = _VALUES[metric]
    query = sa.select(
        _outcome.one,
        _outcome.two,
        _outcome.day,
        _outcome.task_id,
        first.label("first"),
        second.label("second"),
        _outcome.valid,
        _outcome.kind,
        _outcome.version_id,
        _outcome.rubric_id,
        _outcome.judge,
        _outcome.judge_digest,
        _outcome.comparison_id,
    ).where(_outcome.project_id == asked.project_id, _outcome.revealed == sa.true())
    ids = fitting(connection, asked.model_copy(update={"iterations": (), "since": None, "until": None}))
    if ids is not None:
        query = query.where(_outcome.comparison_id.in_(ids))
    return connection.execute(query).all()


def _counts(row: Any, metric: Metric) -> bool:
    _, _, _, _, first, second, valid, kind, *_ = row
    if not valid or first is None or second is None:
        return False
    if metric is Metric.AGREEMENT:
        return bool(first)
    return metric not in SETTLED or kind in _EITHER


def _is_drawn(
    row: Any, metric: Metric, called: Mapping[str, NamedCandidate], steps: _Steps, reference: str | None
) -> bool:
    """Whether the pair stands at a step, and one of the two met the reference where there is one."""
    one, two, day, *_ = row
    if metric is Metric.AGREEMENT:
        return steps.of_pair((one, two), day) is not None
    return any(
        steps.of(id, day) is not None and (metric is not Metric.WIN_RATE or called[other].plain == reference)
        for id, other in ((one, two), (two, one))
    )


_EITHER = {each.value for each in KINDS[Verdicts.EITHER]}


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


def _values(
    rows: Iterable[Any],
    metric: Metric,
    called: Mapping[str, NamedCandidate],
    steps: _Steps,
    reference: str | None,
) -> _Values:
    found: dict[str, dict[str, dict[str, list[int]]]] = {}

    def add(line: str, step: str, task: str, value: int) -> None:
        found.setdefault(line, {}).setdefault(step, {}).setdefault(task, []).append(value)

    for one, two, day, task, first, second, *_ in rows:
        if metric is Metric.AGREEMENT:
            step = steps.of_pair((one, two), day)
            if step is not None:
                for points in (2,) * second + (0,) * (first - second):
                    add("Judge and reviewers", step, task, points)
            continue
        if metric is Metric.WIN_RATE:
            second = 2 - first
        for id, other, value in ((one, two, first), (two, one, second)):
            step = steps.of(id, day)
            if step is None or (metric is Metric.WIN_RATE and called[other].plain != reference):
                continue
            add(steps.line(id), step, task, value)
    return found


def _lines(
    values: _Values, order: Sequence[str], metric: Metric, breaks: set[int], *, ids: Mapping[str, str]
) -> tuple[ChartLine, ...]:
    lines = []
    for name, own in sorted(values.items(), key=lambda each: natural(each[0])):
        by_step = [own.get(step, {}) for step in order]
        lines.append(
            ChartLine(
                id=ids.get(name, ""),
                name=name,
                dots=tuple(_dot(tasks, metric) if tasks else None for tasks in by_step),
                noise=_noise(by_step, metric, breaks),
            )
        )
    return tuple(lines)


def _dot(tasks: Mapping[str, Sequence[int]], metric: Metric) -> Dot:
    sums = Sums.of(tasks.values())
    if metric in (Metric.WIN_RATE, Metric.AGREEMENT):
        estimate = win_rate(sums, tied=sum(values.count(1) for values in map(list, tasks.values())))
    else:
        estimate = mean(sums, unit=UNIT[metric])
    return Dot(
        value=sums.total / sums.n * UNIT[metric],
        interval=estimate.interval if isinstance(estimate, Estimate) else None,
        n=sums.n,
        tasks=sums.tasks,
    )


def _noise(by_step: Sequence[Mapping[str, Sequence[int]]], metric: Metric, breaks: set[int]) -> float | None:
    """Half the width in which 95 of 100 means lie if nothing changes: by how tasks change between neighbours.

    The mean change is taken out of each, so that a step from one iteration to the next adds nothing. A mean's variance
    is half of that of a change between two; None without two tasks in two neighbours that compare.
    """
    spreads = []
    for at, (before, now) in enumerate(pairwise(by_step), start=1):
        both = before.keys() & now.keys()
        if at not in breaks and len(both) > 1:
            changes = [sum(now[t]) / len(now[t]) - sum(before[t]) / len(before[t]) for t in sorted(both)]
            spreads.append(variance(changes) / len(changes) / 2)
    return NORMAL * sqrt(median(spreads)) * UNIT[metric] if spreads else None


def _breaks(
    connection: Connection, rows: Iterable[Any], steps: _Steps, order: Sequence[str]
) -> tuple[Break, ...]:
    ground = (
        (steps.of_pair((one, two), day), task, *rest) for one, two, day, task, _, _, _, _, *rest in rows
    )
    return breaks(connection, ground, order)
