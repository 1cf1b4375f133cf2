"""The list of comparisons: where each stands, filtered and sorted."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Select, Text, case, cast, func, literal, or_, select

from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.store import tables
from comparator.store.core.sql import Connection, like, naturally, number, one, scalars, several
from comparator.store.facts import fact
from comparator.store.facts.fact import Status
from comparator.store.pairs.comparisons import ComparisonSource

_comparison, _fact, _task, _project = (
    tables.comparison.c,
    tables.fact.c,
    tables.task.c,
    tables.project.c,
)


class ComparisonRow(Frozen):
    """One comparison in a list. Scores are None while nothing is settled; `winner` is by `verdict_source`."""

    id: str
    project_id: str
    project_name: str
    task_id: str
    task_key: str
    tags: tuple[str, ...]
    title: str
    source: ComparisonSource
    created_at: AwareDatetime
    touched_at: AwareDatetime
    status: Status
    judge_kind: str | None
    judge_model: str | None
    judge_winner: Winner | None
    judge_overall_a: Decimal | None
    judge_overall_b: Decimal | None
    position_consistent: bool | None
    self_consistent: bool | None
    """Whether no reading names another winner than its own scores give."""
    stated_confidence: int | None
    quotes_found: int | None
    quotes_total: int | None
    problem: str | None
    form: str | None
    """What the offline check found, where it has read the pair: such as "B does not open"."""
    verdict_source: VerdictSource | None
    winner: Winner | None
    reasoning: str | None
    """Why, in the words of the verdict that holds; it speaks of A and B."""
    decided_by: DecidedBy | None
    left_out: int | None
    """How many criteria and expectations do not count."""
    overall_a: Decimal | None
    overall_b: Decimal | None
    final_reviews: int
    open_reviews: int
    superseded: bool | None
    """A later import replaced one of its runs."""
    state_a: str | None = None
    """`void` or `cut_off` where the run is; `state_b` likewise."""
    state_b: str | None = None
    may_reveal: bool | None = None
    """A passage in one of the outputs tells outright which run it is."""
    reviews: tuple[dict[str, Any], ...] | None = None
    """Of the final reviews, what `review_facts` says."""

    @property
    def is_accepted(self) -> bool:
        """Whether reviewers finalised it as the judge had it, and confirmed or changed nothing."""
        return bool(self.reviews) and not any(review["spoken"] for review in self.reviews or ())

    @property
    def is_void(self) -> bool:
        """Whether one of its runs is void, so that it is not counted."""
        return "void" in (self.state_a, self.state_b)


class ListGroup(StrEnum):
    """What stands together in a list."""

    PROJECT = "project"
    TASK = "task"


class ListOrder(StrEnum):
    """How a list is sorted."""

    NEWEST = "newest"
    OLDEST = "oldest"
    TITLE = "title"
    TITLE_BACKWARDS = "title-"
    CLEAREST = "clearest"
    """The largest difference of the overall scores first; what has none comes last."""
    CLOSEST = "closest"
    LEAST_SURE = "least-sure"
    """The lowest stated confidence first."""
    FAILED_FIRST = "failed"
    """What no judge could read, then the oldest."""


@dataclass(frozen=True, eq=False)
class ListFilter:
    """Which comparisons a list has; None means all."""

    project_id: str | None = None
    statuses: tuple[Status, ...] = ()
    """Any of these; empty for all."""
    text: str = ""
    """Searched in title, prompt and tags, whatever its case."""
    with_reasons: ColumnElement[bool] | None = None
    """In which rows of facts it is searched in the reasons, too; None for none."""
    further: tuple[ColumnElement[bool], ...] = ()
    """Conditions on the row of facts."""


EVERY = ListFilter()


class ListPage(Frozen):
    """A part of a list; `total` counts all that fit the filter."""

    lines: tuple[ComparisonRow, ...]
    total: int


_OF_FACT = tuple(name for name in ComparisonRow.model_fields if name in _fact)


def line(connection: Connection, comparison_id: str) -> ComparisonRow:
    """The comparison as a list shows it. Raises NotFound."""
    return one(
        connection, _lines().where(_comparison.id == comparison_id), ComparisonRow, what="such comparison"
    )


def page(
    connection: Connection,
    where: ListFilter = EVERY,
    *,
    order: ListOrder = ListOrder.NEWEST,
    group: ListGroup | None = None,
    limit: int = 50,
    offset: int = 0,
) -> ListPage:
    """A part of the list."""
    conditions = _conditions(connection, where)
    sorted_by = (*_together(group), *_ORDERS[order])
    listed = fitting(connection, where).order_by(*sorted_by).limit(limit).offset(offset)
    query = _lines().where(_comparison.id.in_(listed)).order_by(*sorted_by)
    lines = several(connection, query, ComparisonRow)
    if len(lines) < limit and (lines or not offset):
        total = offset + len(lines)
    elif where.text or where.further:
        total = number(connection, _joined() if where.text else tables.fact, *conditions)
    else:
        numbers = counts(connection, project_id=where.project_id)
        total = sum(numbers[kind] for kind in (where.statuses or Status))
    return ListPage(lines=lines, total=total)


def ids(
    connection: Connection, where: ListFilter = EVERY, *, order: ListOrder = ListOrder.NEWEST
) -> tuple[str, ...]:
    """The ids of a whole list, as `page` would show it."""
    return scalars(connection, fitting(connection, where).order_by(*_ORDERS[order]))


def fitting(connection: Connection, where: ListFilter) -> Select[tuple[str]]:
    """The query for the ids of a whole list, for use in another."""
    return select(_fact.comparison_id).select_from(_joined(where.text)).where(*_conditions(connection, where))


def counts(connection: Connection, *, project_id: str | None = None) -> dict[Status, int]:
    """How many comparisons have each status."""
    numbers = dict.fromkeys(Status, 0)
    for row in fact.counted(connection, None if project_id is None else [project_id]):
        numbers[Status(row.status)] += row.number
    return numbers


_ahead = func.abs(_fact.overall_a - _fact.overall_b)
_by_title = naturally(_comparison.title)
# All pairs of an import were created at one time.
_newest = (_fact.created_at.desc(), *_by_title, _fact.comparison_id)
_ORDERS: dict[ListOrder, tuple[ColumnElement[Any], ...]] = {
    ListOrder.NEWEST: _newest,
    ListOrder.OLDEST: (_fact.created_at, _fact.comparison_id),
    ListOrder.TITLE: (*_by_title, *_newest),
    ListOrder.TITLE_BACKWARDS: (*(clause.desc() for clause in _by_title), *_newest),
    ListOrder.CLEAREST: (_ahead.desc().nulls_last(), _fact.comparison_id),
    ListOrder.CLOSEST: (_ahead.asc().nulls_last(), _fact.comparison_id),
    ListOrder.FAILED_FIRST: (_fact.status != Status.FAILED, _fact.created_at, _fact.comparison_id),
    ListOrder.LEAST_SURE: (_fact.stated_confidence.asc().nulls_last(), _fact.comparison_id),
}


def _together(group: ListGroup | None) -> tuple[ColumnElement[Any], ...]:
    """What puts the pairs of a group together."""
    if group is ListGroup.PROJECT:
        return (_project.created_at, _fact.project_id)
    return _by_title if group is ListGroup.TASK else ()


def _joined(with_task: object = True) -> sa.FromClause:
    pairs = tables.fact.join(tables.comparison, _comparison.id == _fact.comparison_id)
    pairs = pairs.join(tables.project, _project.id == _comparison.project_id)
    if not with_task:
        return pairs
    version = tables.task_version
    return pairs.join(version, version.c.id == _comparison.task_version_id).join(
        tables.task, _task.id == version.c.task_id
    )


def _lines() -> Select[Any]:
    return select(
        _comparison.id,
        _comparison.title,
        _comparison.source,
        _comparison.may_reveal,
        _project.name.label("project_name"),
        _task.id.label("task_id"),
        _task.key.label("task_key"),
        _task.tags,
        *(_fact[name] for name in _OF_FACT),
    ).select_from(_joined())


def _conditions(connection: Connection, where: ListFilter) -> list[ColumnElement[bool]]:
    sqlite = connection.dialect.name == "sqlite"
    conditions = [] if where.project_id is None else [_fact.project_id == where.project_id]
    if where.statuses:
        conditions.append(_fact.status.in_(where.statuses))
    searched = [_comparison.title, _comparison.prompt, cast(_task.tags, Text)]
    if where.with_reasons is not None:
        searched.append(case((where.with_reasons, func.coalesce(_fact.reasoning, "")), else_=""))
    for word in where.text.split():
        if word.isascii() and word.isdecimal():
            # 7 is no part of 17 or 72.
            pattern = f"*[^0-9]{word}[^0-9]*" if sqlite else f"[^0-9]{word}[^0-9]"
            padded = (literal(" ").concat(column).concat(" ") for column in searched)
            matches = [column.bool_op("GLOB" if sqlite else "~")(pattern) for column in padded]
        elif word.isascii() and sqlite:
            # SQLite's own LIKE knows both cases of ASCII, and is many times as fast as our lower().
            matches = [column.like(like(word), escape="\\") for column in searched]
        else:
            matches = [column.ilike(like(word), escape="\\") for column in searched]
        conditions.append(or_(*matches))
    return [*conditions, *where.further]
