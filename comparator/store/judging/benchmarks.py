"""Benchmarks: a judge measured on labelled pairs or probes, and what came out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

import sqlalchemy as sa
from pydantic import AwareDatetime, ConfigDict, Field

from comparator.domain.labels import Frozen
from comparator.stats.figures import TooFew
from comparator.stats.raters.accuracy import Counts
from comparator.stats.raters.several_judges import JointWorth
from comparator.store import tables
from comparator.store.core.sql import insert_one, one, several
from comparator.store.core.unit import Unit
from comparator.store.judging.judgments import Identity

TOGETHER = "judge panel"
"""The mode in which several judges are measured together."""


class BenchmarkSource(StrEnum):
    """What a judge was measured on."""

    SET = "set"
    PROJECT = "project"
    PROBES = "probes"
    ANSWERS = "answers"
    """Answers that another judge gave elsewhere."""


class Passed(Frozen):
    """Of one kind of probe, how many readings passed it, of how many."""

    # What is stored and exported keeps its older name.
    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    passed: int = Field(default=0, alias="held")
    readings: int = 0
    pairs: int = 0


class BenchmarkResult(Frozen):
    """What came out. Costs are of all tries whose price is known, in US dollars."""

    # What is stored and exported keeps its older name.
    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    counts: Counts
    parts: dict[str, Counts] = Field(default_factory=dict)
    """By tag of the tasks."""
    families: dict[str, int] = Field(default_factory=dict)
    """Pairs read, by the kinds of files in them."""
    by_label_source: dict[str, int] = Field(default_factory=dict, alias="whose")
    """Pairs by who gave their label."""
    probes: dict[str, Passed] = Field(default_factory=dict)
    fell_for: tuple[str, ...] = ()
    """The probes that were not passed, by name."""
    tokens: int = 0
    tries: int = 0
    failed: int = 0
    unpriced: int = 0
    cost: Decimal = Decimal(0)
    worth: JointWorth | TooFew | None = None
    """For several judges, once all have read: the effective number of votes, and whether they beat the best of them."""


class NewBenchmark(Frozen):
    """What a judge is measured on, and how; `figures` is None until something was read."""

    project_id: str | None
    batch_id: str | None = None
    source: BenchmarkSource
    name: str
    set_digest: str
    mode: str
    """One request, tools, repetitions or judge panel, several joined by " + "; as given for answers from elsewhere."""
    sample: int | None = None
    figures: BenchmarkResult | None = None


class Benchmark(NewBenchmark):
    """One measurement of a judge; `finished_at` is None until its batch has ended."""

    id: str
    judge_kind: str
    judge_model: str
    judge_digest: str
    created_at: AwareDatetime
    finished_at: AwareDatetime | None


_benchmark = tables.benchmark.c
_columns = [_benchmark[name] for name in Benchmark.model_fields]


def add(unit: Unit, new: NewBenchmark, *, judge: Identity, created_by: str | None) -> Benchmark:
    """Store a measurement that begins, or with its figures one that is done."""
    id = unit.new_id()
    insert_one(
        unit.connection,
        tables.benchmark,
        id=id,
        judge_kind=judge.kind,
        judge_model=judge.model,
        judge_digest=judge.digest,
        figures=new.figures,
        created_at=unit.at,
        created_by=created_by,
        finished_at=unit.at if new.figures else None,
        **new.model_dump(mode="json", exclude={"figures"}),
    )
    return get(unit.connection, id)


def get(connection: sa.Connection, id: str) -> Benchmark:
    """The measurement. Raises NotFound."""
    return one(connection, sa.select(*_columns).where(_benchmark.id == id), Benchmark, what="such benchmark")


def keep_result(
    connection: sa.Connection, id: str, *, figures: BenchmarkResult, mode: str, finished_at: datetime | None
) -> None:
    """Keep what came out so far, or (with `finished_at`) at the end."""
    connection.execute(
        tables.benchmark.update()
        .where(_benchmark.id == id)
        .values(figures=figures, mode=mode, finished_at=finished_at)
    )


def unfinished(connection: sa.Connection) -> tuple[Benchmark, ...]:
    """Those whose batch has not ended, or whose end was not noted yet."""
    return several(connection, sa.select(*_columns).where(_benchmark.finished_at.is_(None)), Benchmark)


def listed(connection: sa.Connection, *, project_ids: Collection[str]) -> tuple[Benchmark, ...]:
    """All on pairs of these projects, and all answers of other judges; the oldest first, several judges after each."""
    mine = sa.or_(_benchmark.project_id.in_(list(project_ids)), _benchmark.project_id.is_(None))
    order = (
        _benchmark.created_at,
        _benchmark.mode.startswith(TOGETHER),
        _benchmark.judge_model,
        _benchmark.id,
    )
    return several(connection, sa.select(*_columns).where(mine).order_by(*order), Benchmark)
