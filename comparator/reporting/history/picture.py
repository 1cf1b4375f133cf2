"""One figure over iterations or days, for each candidate: its interval, what chance gives, and what broke it off."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from math import sqrt
from statistics import median, variance
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.reporting.history.conditions import HistoryFilter, conditions
from comparator.reporting.results.candidates import NamedCandidate, names, natural, stem
from comparator.reporting.tally.keeping import current
from comparator.reporting.tally.scope import KINDS, Verdicts
from comparator.stats.figures import Estimate, Interval
from comparator.stats.paired import Sums, mean, win_rate
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.pairs import comparison_list

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
    """The mean over the pairs of one step; the interval needs enough tasks."""

    value: float
    interval: Interval | None
    pairs: int
    tasks: int


class ChartLine(Frozen):
    """One candidate over all steps, None where it was not compared; `noise` is half the width of what chance gives."""

    name: str
    dots: tuple[Dot | None, ...]
    noise: float | None


class Break(Frozen):
    """A step from which figures do not compare with those before, and what is otherwise there."""

    at: int
    judge: tuple[str, str] | None = None
    """What judged before, and since; the same name twice where its prompts, guidance or settings changed."""
    rubrics: int = 0
    """Tasks that are judged by another rubric."""
    tasks: int = 0
    """Tasks that came, went, or are worded otherwise."""


class Picture(Frozen):
    """A metric over its steps, oldest first. `offered` are the references that a win rate can be told against."""

    metric: Metric
    axis: Axis
    steps: tuple[str, ...]
    lines: tuple[ChartLine, ...]
    breaks: tuple[Break, ...]
    offered: tuple[str, ...]
    reference: str | None
    pairs: int


class _Seen(NamedTuple):
    """One value: of which line and task, at which step."""

    line: str
    step: str
    task: str
    value: int


_o = tables.outcome.c
_VALUES = {
    Metric.WIN_RATE: (_o.points, _o.points),
    Metric.SCORE: (_o.overall_one, _o.overall_two),
    Metric.EXPECTATIONS: (_o.passed_one, _o.passed_two),
    Metric.GRADERS: (_o.graded_one, _o.graded_two),
    Metric.TOKENS: (_o.tokens_one, _o.tokens_two),
    Metric.SECONDS: (_o.seconds_one, _o.seconds_two),
    Metric.COST: (_o.cost_one, _o.cost_two),
    Metric.AGREEMENT: (_o.held_against, _o.agreed),
}


def picture(
    database: Database, asked: HistoryFilter, metric: Metric, *, axis: Axis, reference: str | None = None
) -> Picture:
    """The metric over the revealed pairs of a project that fit the filter; iterations and days of it are not looked at.

    `asked.project_id` must be given. A reference that nobody met is replaced by one that was met.
    """
    assert asked.project_id is not None
    with current(database) as connection:
        rows = _rows(connection, asked, metric)
        ids = {id for row in rows for id in (row.one, row.two)}
        called = names(connection, asked.project_id, ids, revealed=ids)
    steps = _Steps(called, axis)
    offered = _references(rows, called)
    chosen = reference if reference in offered else next(iter(offered), None)
    counted = [row for row in rows if row.one != row.two and _counts(row, metric)]
    seen = list(_seen(counted, metric, called, steps, chosen))
    order = sorted({each.step for each in seen}, key=natural)
    breaks = _breaks([row for row in rows if row.one != row.two], steps, order)
    return Picture(
        metric=metric,
        axis=axis,
        steps=tuple(order),
        lines=_lines(seen, order, metric, {each.at for each in breaks}),
        breaks=breaks,
        offered=offered if metric is Metric.WIN_RATE else (),
        reference=chosen if metric is Metric.WIN_RATE else None,
        pairs=len(counted),
    )


def _rows(connection: Connection, asked: HistoryFilter, metric: Metric) -> Sequence[Any]:
    """A row a revealed pair: all of them, since also a void run belongs to the tasks that were tried."""
    first, second = _VALUES[metric]
    query = sa.select(
        _o.one,
        _o.two,
        _o.task_id,
        _o.day,
        _o.valid,
        _o.kind,
        _o.version_id,
        _o.rubric_id,
        _o.judge,
        _o.judge_digest,
        first.label("first"),
        second.label("second"),
    ).where(_o.project_id == asked.project_id, _o.revealed == sa.true())
    plain = asked.model_copy(update={"iterations": (), "since": None, "until": None})
    further = conditions(connection, plain)
    assert plain.project_id is not None
    if further or plain.text or plain.status:
        fitting = comparison_list.fitting(
            connection,
            project_id=plain.project_id,
            status=plain.status,
            text=plain.text or None,
            further=further,
        )
        query = query.where(_o.comparison_id.in_(fitting))
    return connection.execute(query).all()


def _counts(row: Any, metric: Metric) -> bool:
    if not row.valid or row.first is None or row.second is None:
        return False
    if metric is Metric.AGREEMENT:
        return bool(row.first)
    return metric not in SETTLED or row.kind in _EITHER


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

    def of(self, id: str, row: Any) -> str | None:
        """The step of a candidate in a pair; None where it has neither iteration nor version."""
        if self._axis is Axis.DAYS:
            day: str | None = row.day
            return day
        return self._step[id]

    def of_pair(self, row: Any) -> str | None:
        """The step of the newer one of the two."""
        if self._axis is Axis.DAYS:
            return self.of(row.one, row)
        both = (row.one, row.two)
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


def _references(rows: Sequence[Any], called: Mapping[str, NamedCandidate]) -> tuple[str, ...]:
    """The names that others met, the likeliest reference first: one without a skill, a baseline, the most met."""
    met: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for pair in {(row.one, row.two) for row in rows}:
        one, two = (called[id].plain for id in pair)
        if one != two:
            met[one].add(pair)
            met[two].add(pair)

    def key(name: str) -> tuple[bool, int, Any]:
        plain = any(word in name.lower() for word in ("without", "baseline", "control", "old"))
        return (not plain, -len(met[name]), natural(name))

    return tuple(sorted(met, key=key))


def _seen(
    rows: Iterable[Any],
    metric: Metric,
    called: Mapping[str, NamedCandidate],
    steps: _Steps,
    reference: str | None,
) -> Iterable[_Seen]:
    for row in rows:
        if metric is Metric.AGREEMENT:
            step = steps.of_pair(row)
            if step is not None:
                yield _Seen("Judge and reviewers", step, row.task_id, 2 * row.second // row.first)
            continue
        for id, other, value in ((row.one, row.two, row.first), (row.two, row.one, row.second)):
            step = steps.of(id, row)
            if step is None:
                continue
            if metric is Metric.WIN_RATE:
                if called[other].plain != reference:
                    continue
                value = row.first if id == row.one else 2 - row.first
            yield _Seen(steps.line(id), step, row.task_id, value)


def _lines(
    seen: Iterable[_Seen], order: Sequence[str], metric: Metric, breaks: set[int]
) -> tuple[ChartLine, ...]:
    place = {step: at for at, step in enumerate(order)}
    found: dict[str, list[dict[str, list[int]]]] = {}
    for each in seen:
        tasks = found.setdefault(each.line, [{} for _ in order])[place[each.step]]
        tasks.setdefault(each.task, []).append(each.value)
    return tuple(
        ChartLine(
            name=name,
            dots=tuple(_dot(tasks, metric) if tasks else None for tasks in by_step),
            noise=_noise(by_step, metric, breaks),
        )
        for name, by_step in sorted(found.items(), key=lambda each: natural(each[0]))
    )


def _dot(tasks: Mapping[str, Sequence[int]], metric: Metric) -> Dot:
    sums = Sums.of(tasks.values())
    if metric in (Metric.WIN_RATE, Metric.AGREEMENT):
        told = win_rate(sums, tied=sum(values.count(1) for values in map(list, tasks.values())))
    else:
        told = mean(sums, unit=UNIT[metric])
    return Dot(
        value=sums.total / sums.n * UNIT[metric],
        interval=told.interval if isinstance(told, Estimate) else None,
        pairs=sums.n,
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


class _Ground(NamedTuple):
    """What the pairs of a step rest on."""

    judges: dict[str, str]
    rubrics: dict[str, set[str]]
    versions: dict[str, set[str]]


def _breaks(rows: Iterable[Any], steps: _Steps, order: Sequence[str]) -> tuple[Break, ...]:
    ground = {step: _Ground({}, defaultdict(set), defaultdict(set)) for step in order}
    for row in rows:
        step = steps.of_pair(row)
        if step not in ground:
            continue
        own = ground[step]
        if row.judge_digest is not None:
            own.judges[row.judge_digest] = row.judge
        if row.version_id is not None:
            own.versions[row.task_id].add(row.version_id)
            if row.rubric_id is not None:
                own.rubrics[row.version_id].add(row.rubric_id)
    found = []
    for at, (before, now) in enumerate(pairwise(ground[step] for step in order), start=1):
        both = before.rubrics.keys() & now.rubrics.keys()
        every = before.versions.keys() | now.versions.keys()
        change = Break(
            at=at,
            judge=_judges(before.judges, now.judges),
            rubrics=sum(before.rubrics[each] != now.rubrics[each] for each in both),
            tasks=sum(before.versions.get(each) != now.versions.get(each) for each in every),
        )
        if change.judge or change.rubrics or change.tasks:
            found.append(change)
    return tuple(found)


def _judges(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, str] | None:
    if not before or not now or before.keys() == now.keys():
        return None
    return " and ".join(sorted(set(before.values()))), " and ".join(sorted(set(now.values())))
