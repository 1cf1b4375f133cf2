"""What judging a project took, by model, how long people reviewed, and what runs of the candidates took."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd
import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.judges.prices import price_of
from comparator.reporting.facts import Facts, facts_of
from comparator.reporting.figures import lines_of, selected
from comparator.reporting.frames import Frame, frame_of, took
from comparator.reporting.results.candidates import Names
from comparator.reporting.scope import Meets, ResultFilter, Runs
from comparator.stats.intervals import Interval, counted_quantile
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.core.sql import among
from comparator.store.tables.base import MONEY_PLACES


class Spent(Frozen):
    """What one model took. `cost`, in US dollars, is of the priced tries; `unpriced` ones have no known price."""

    model: str
    pairs: int
    tries: int
    failed: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: Decimal
    unpriced: int

    @property
    def imported(self) -> bool:
        """Whether nothing is known of what it took."""
        return not (self.input_tokens or self.output_tokens or self.seconds)


class ReviewTime(Frozen):
    """How long final reviews took, in minutes, pauses of more than five minutes cut."""

    reviews: int
    median: float
    nine_of_ten: float
    """Nine of ten took no longer."""


class Cost(Frozen):
    """What a project, or a part of its pairs, took so far."""

    models: tuple[Spent, ...]
    decided: int
    """Pairs with a verdict of a judge or a person."""
    review_time: ReviewTime | None

    @property
    def usd(self) -> Decimal:
        """US dollars in all."""
        return sum((model.cost for model in self.models), Decimal(0))


def cost(database: Database, project_id: str, *, of: ResultFilter | None = None) -> Cost:
    """What rubrics, judgments and reviews took; says nothing of candidates.

    `of` narrows it to the revealed pairs of this result, with or without a verdict, and to the rubrics of their tasks.
    """
    with facts_of(database, project_id) as facts:
        spendings = _models(facts, of)
        pairs = selected(facts, of)
        tenths = lines_of(facts, "minutes", of).tenths.astype("int64").value_counts().to_dict()
    return Cost(
        models=tuple(sorted(spendings, key=lambda spending: (-spending.cost, spending.model))),
        decided=int((pairs.judge_winner.notna() | (pairs.final_reviews > 0)).sum()),
        review_time=ReviewTime(
            reviews=sum(tenths.values()),
            median=counted_quantile(tenths, 0.5) / 10,
            nine_of_ten=counted_quantile(tenths, 0.9) / 10,
        )
        if tenths
        else None,
    )


def _models(facts: Facts, of: ResultFilter | None) -> list[Spent]:
    versions = None if of is None else among(facts.connection, set(selected(facts, of).version_id))
    beside = frame_of(facts.connection, _beside(facts.project_id, versions))
    every = pd.concat([pd.DataFrame(lines_of(facts, "spent", of)), beside])
    return [
        Spent(
            model=model,
            pairs=own.comparison_id.nunique(),
            **{name: int(own[name].sum()) for name in _NUMBERS},
            seconds=int(own.microseconds.sum()) / 1_000_000,
            cost=Decimal(int(own.cost.sum())).scaleb(-MONEY_PLACES),
        )
        for model, own in every.groupby("model")
    ]


_NUMBERS = ("tries", "failed", "input_tokens", "output_tokens", "unpriced")


def _beside(project_id: str, versions: sa.Select[Any] | None) -> sa.Select[Any]:
    """What rubrics, themes and suggestions took.

    Of a part of a project (`versions` of tasks) the rubrics alone: the others are asked about the whole.
    """
    c, task_version, inquiry = tables.attempt.c, tables.task_version.c, tables.inquiry.c
    if versions is None:
        own = (
            sa.select(task_version.id)
            .join(tables.task, tables.task.c.id == task_version.task_id)
            .where(tables.task.c.project_id == project_id)
        )
        select = sa.select(inquiry.id).where(inquiry.project_id == project_id)
        which = sa.or_(c.task_version_id.in_(own), c.inquiry_id.in_(select))
    else:
        which = c.task_version_id.in_(versions)
    return sa.select(c.model, *took()).where(which).group_by(c.model)


APART = 1.2
"""Candidates of which one costs so many times the other, or more, differ in cost."""


class RunUsage(NamedTuple):
    """What a candidate's own runs took on average, each figure over the runs that say so; None where none does."""

    name: str
    runs: int
    tokens: float | None
    seconds: float | None
    cost: float | None
    """In the money of the import."""
    models: tuple[str, ...] = ()
    """Those that the import names."""
    list_price: Interval | None = None
    """In US dollars by our list of prices: from all tokens as input to all as output, where the import does not split
    them. None where it names no model and tokens, or the list lacks one."""


class Usage(NamedTuple):
    """The two candidates over all their iterations, None without a run."""

    one: RunUsage | None
    two: RunUsage | None

    def times(self, what: str) -> float | None:
        """How many times the cost, tokens or seconds of two a run of one takes; None where that is not known."""
        if what == "cost" and self.prices:
            first, second = self.prices
            return (first.low + first.high) / (second.low + second.high)
        one, two = (getattr(side, what, None) for side in (self.one, self.two))
        return one / two if one and two else None

    @property
    def prices(self) -> tuple[Interval, Interval] | None:
        """What a run of each costs in US dollars, by the import, else by our list; None where neither knows both."""
        one, two = self.one, self.two
        if one is None or two is None:
            return None
        if one.cost and two.cost:
            return Interval(low=one.cost, high=one.cost), Interval(low=two.cost, high=two.cost)
        return (one.list_price, two.list_price) if one.list_price and two.list_price else None

    @property
    def relative(self) -> tuple[float, str] | None:
        """How many times the "cost" of two a run of one takes, or, where no price is known, the "tokens"; None where
        neither is."""
        known = ((self.times(what), what) for what in ("cost", "tokens"))
        return next(((times, what) for times, what in known if times), None)

    @property
    def apart(self) -> tuple[float, str] | None:
        """What `relative` says, unless both take about the same."""
        relative = self.relative
        return None if relative and 1 / APART < relative[0] < APART else relative


def run_usages(
    database: Database, result_filter: ResultFilter, called: Names, steps: Iterable[Sequence[Meets]]
) -> tuple[Usage, ...]:
    """What the two candidates' own runs took in each of these steps, such as an iteration; of a part, the runs for its
    tasks.

    `called` are their names over all iterations. Raises BlindnessError before the reveal.
    """
    by_candidate = dict(list(_own_runs(database, result_filter).groupby("candidate")))

    def side(name: str, ids: Iterable[str]) -> RunUsage | None:
        own = [by_candidate[id] for id in dict.fromkeys(ids) if id in by_candidate]
        return _usage(name, pd.concat(own)) if own else None

    return tuple(
        Usage(side(called[0], [m.one for m in met]), side(called[1], [m.two for m in met])) for met in steps
    )


def _own_runs(database: Database, result_filter: ResultFilter) -> Frame:
    with facts_of(database, result_filter.project_id) as facts:
        facts.revealed(result_filter)
        runs = facts.runs
        if result_filter.runs is Runs.VALID:
            runs = runs[runs.state == "valid"]
        if result_filter.within:
            pairs = facts.within(facts.pairs[facts.pairs.revealed], result_filter.within)
            runs = runs[runs.version_id.isin(pairs.version_id)]
    return runs


def runs_by_step(
    database: Database, result_filter: ResultFilter, called: Names, steps: Mapping[str, Meets]
) -> Frame:
    """A row for each of these steps and candidates with runs there: how many (`Runs`), and their mean tokens and
    seconds."""
    runs = _own_runs(database, result_filter).groupby("candidate")
    took = runs.agg(Runs=("state", "size"), Tokens=("tokens", "mean"), Seconds=("exact_seconds", "mean"))
    rows = [(step, name, id) for step, met in steps.items() for name, id in zip(called, met, strict=True)]
    table = pd.DataFrame(rows, columns=["Iteration", "Candidate", "id"])
    return table.join(took, on="id", how="inner").drop(columns="id")


def ratios(runs: Frame, called: Names) -> tuple[str, dict[str, float]]:
    """Tokens, else Seconds, and how many times those of two a run of one took in each step; empty where no import says
    either."""
    for what in ("Tokens", "Seconds"):
        both = runs.pivot(index="Iteration", columns="Candidate", values=what).reindex(columns=[*called])
        both = both[(both > 0).all(axis=1)].reindex(runs.Iteration.unique()).dropna()
        if len(both):
            return what, (both[called.one] / both[called.two]).to_dict()
    return "", {}


def largest_change(times: Mapping[str, float]) -> tuple[str, str]:
    """The step at which such a ratio changed by most, and how; empty where that is little.

    >>> largest_change({"1": 1.1, "2": 1.2, "3": 2.5}), largest_change({"1": 1.1, "2": 1.0})
    (('3', 'rose'), ('', ''))
    """
    changes = [
        (max(now / before, before / now), step, "rose" if now > before else "fell")
        for (_, before), (step, now) in pairwise(times.items())
    ]
    most, step, how = max(changes, default=(1.0, "", ""))
    return (step, how) if most > APART else ("", "")


def _usage(name: str, runs: Frame) -> RunUsage:
    tokens, seconds, cost = (
        float(known.mean()) if len(known := runs[what].dropna()) else None
        for what in ("tokens", "exact_seconds", "cost")
    )
    return RunUsage(
        name,
        len(runs),
        tokens,
        seconds,
        None if cost is None else cost * 1e-6,
        tuple(sorted(runs.model.dropna().unique())),
        _list_price(runs.dropna(subset=["tokens"])),
    )


def _list_price(runs: Frame) -> Interval | None:
    low = high = 0.0
    for model, own in runs.groupby("model", dropna=False):
        price = price_of(model) if isinstance(model, str) else None
        if price is None:
            return None
        a_token_in, a_token_out = float(price.input) * 1e-6, float(price.output) * 1e-6
        split = own.input_tokens * a_token_in + own.output_tokens * a_token_out
        low += float(split.fillna(own.tokens * a_token_in).sum())
        high += float(split.fillna(own.tokens * a_token_out).sum())
    return Interval(low=low / len(runs), high=high / len(runs)) if len(runs) else None
