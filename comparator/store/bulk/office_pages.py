"""Pairs whose Office files are turned into pages: which wait, and who is at them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import exists, func, or_, select, true

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import leases
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import Connection, Unit, among, delete, there_is

_pages, _comparison, _lease = tables.office_pages.c, tables.comparison.c, tables.lease.c


class PageState(StrEnum):
    """Where a pair's pages are."""

    WAITING = "waiting"
    """They are to be made, or a worker that has leased the pair is at them."""
    MADE = "made"
    TEXT = "text"
    """None are to be made, or none can be: judge and reviewer have the content only, and are told why."""


WAITS = _pages.state == PageState.WAITING
"""Selects the pages to be made."""


class TakenPair(NamedTuple):
    """A pair that a worker has taken; `tries` counts those before."""

    comparison_id: str
    files: Any
    tries: int


class PageCounts(Frozen):
    """How many pairs with Office files there are."""

    waiting: int = 0
    """Those at work included."""
    made: int = 0
    text: int = 0
    """Those that are shown by their text."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.waiting + self.made + self.text


def add(unit: Unit, comparison_id: str, files: Any, *, waits: bool) -> None:
    """Have pages made of these files; where it does not wait, only note what they would be made of."""
    delete(unit, tables.office_pages, _pages.comparison_id == comparison_id)
    state = PageState.WAITING if waits else PageState.TEXT
    unit.add(tables.office_pages, comparison_id=comparison_id, state=state, files=files, tries=0)


def is_open(connection: Connection, comparison_id: str) -> bool:
    """Whether the pages of a pair are still to be made."""
    return there_is(connection, WAITS, _pages.comparison_id == comparison_id)


def any_open(connection: Connection) -> bool:
    """Whether any pages are still to be made."""
    return there_is(connection, WAITS)


def counts(connection: Connection) -> dict[str, PageCounts]:
    """How many pairs of each project that has any are in which state."""
    query = (
        select(_comparison.project_id, _pages.state, func.count())
        .join_from(tables.office_pages, tables.comparison, _comparison.id == _pages.comparison_id)
        .group_by(_comparison.project_id, _pages.state)
    )
    states: dict[str, dict[str, int]] = {}
    for project_id, state, number in connection.execute(query):
        states.setdefault(project_id, {})[state] = number
    return {project_id: PageCounts.model_validate(numbers) for project_id, numbers in states.items()}


def take(unit: Unit, *, worker: str, comparison_id: str | None = None) -> TakenPair | None:
    """Lease the next pair that waits, or the named one; None where there is none that no living worker has."""
    elsewhere = exists().where(
        _lease.kind == LeaseKind.OFFICE_PAGES,
        _lease.id == _pages.comparison_id,
        leases.lives(unit.at),
        # What an error left with this worker is tried again after a while.
        or_(_lease.worker != worker, _pages.touched_at > unit.at - leases.STALE_AFTER),
    )
    named = true() if comparison_id is None else _pages.comparison_id == comparison_id
    query = select(tables.office_pages).where(WAITS, ~elsewhere, named)
    for row in unit.execute(query.order_by(_pages.touched_at, _pages.comparison_id).limit(50)).all():
        both = (LeaseKind.OFFICE_PAGES, (row.comparison_id,))
        # Take the lease first, as `finish` does: locks taken in another order could deadlock.
        if not leases.take(unit, *both, worker=worker):
            continue
        as_seen = (_pages.comparison_id == row.comparison_id, _pages.touched_at == row.touched_at)
        if unit.update(tables.office_pages, WAITS, *as_seen, tries=row.tries + 1):
            return TakenPair(row.comparison_id, row.files, row.tries)
        leases.give_back(unit, *both, worker=worker)
    return None


def is_own(connection: Connection, comparison_id: str, *, worker: str) -> bool:
    """Whether the pages are still to be made, and by this worker: not stopped, nor taken by another."""
    mine = leases.of_worker(connection, LeaseKind.OFFICE_PAGES, worker=worker)
    return comparison_id in mine and is_open(connection, comparison_id)


def give_back(unit: Unit, *, worker: str) -> None:
    """Let others have what the worker was at; that it began does not count."""
    left = leases.of_worker(unit, LeaseKind.OFFICE_PAGES, worker=worker)
    mine = leases.give_back(unit, LeaseKind.OFFICE_PAGES, left, worker=worker)
    these = (WAITS, _pages.comparison_id.in_(mine))
    unit.update(tables.office_pages, *these, tries=_pages.tries - 1)


def stop(unit: Unit, *, project_id: str | None = None) -> int:
    """Make no pages of what waits; how many pairs these are. What is being made is thrown away."""
    of_project = select(_comparison.id).where(_comparison.project_id == project_id)
    here = true() if project_id is None else _pages.comparison_id.in_(of_project)
    return unit.update(tables.office_pages, WAITS, here, state=PageState.TEXT)


def again(unit: Unit, comparison_ids: Sequence[str]) -> int:
    """Have the pages of these pairs made anew; how many of them have any Office files."""
    these = (_pages.comparison_id.in_(among(unit, comparison_ids)), ~WAITS)
    return unit.update(tables.office_pages, *these, state=PageState.WAITING, tries=0)


def finish(unit: Unit, comparison_id: str, *, worker: str, succeeded: bool) -> bool:
    """Note that the pages are made, or that there can be none; False where the work is no longer the worker's own."""
    if not leases.give_back(unit, LeaseKind.OFFICE_PAGES, (comparison_id,), worker=worker):
        return False
    state = PageState.MADE if succeeded else PageState.TEXT
    this = (WAITS, _pages.comparison_id == comparison_id)
    return bool(unit.update(tables.office_pages, *this, state=state))
