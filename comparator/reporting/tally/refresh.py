"""Keeping the tally in step: what changed since is counted anew, before any figure is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from comparator.reporting.tally.counting import VOID, Adds, adds, agreement
from comparator.reporting.tally.facts import Facts
from comparator.reporting.tally.outcome import outcome
from comparator.reporting.tally.part_conditions import Within, condition
from comparator.reporting.tally.read_facts import facts
from comparator.reporting.tally.scope import ResultFilter, Runs, of_two
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.core.sql import like

AT_A_TIME = 250
MANY = 2000
"""From so many changed comparisons on nobody waits for them: a worker counts, and figures are those of before."""
LOCK = 0x7A11E
"""On PostgreSQL one process counts at a time; the others wait and find it done."""

_outcome, _tally, _stale = tables.outcome.c, tables.tally.c, tables.stale.c
REVISION = "revision"
"""The figure that says how often pairs of a project were counted anew. It changes with them, in one transaction."""
ANY_STALE = sa.select(_stale.id).limit(1)


@contextmanager
def current(database: Database) -> Iterator[Connection]:
    """A connection to read figures on: of everything committed so far; while `behind`, of what was counted by then.

    Within `at_one_moment`: of everything committed before it began.
    """
    known = database.within_one_moment
    with database.read() if known else _caught_up(database, database.read) as connection:
        yield connection


@contextmanager
def at_one_moment(database: Database) -> Iterator[None]:
    """Read everything in this block from one snapshot, so that all figures of a page agree."""
    with _caught_up(database, database.one_moment):
        yield


@contextmanager
def _caught_up(
    database: Database, opened: Callable[[], AbstractContextManager[Connection]]
) -> Iterator[Connection]:
    """A connection that is opened once what changed is counted, unless that is too much to wait for."""
    with opened() as connection:
        if connection.execute(ANY_STALE).first() is None:
            yield connection
            return
    if not behind(database):
        bring_up(database)
    with opened() as connection:
        yield connection


def behind(database: Database) -> int:
    """How many comparisons are to be counted anew where they are too many to wait for, as after an upgrade; else 0."""
    with database.read() as connection:
        if connection.execute(sa.select(_stale.id).limit(1).offset(MANY)).first() is None:
            return 0
        waiting = connection.execute(sa.select(sa.func.count(_stale.comparison_id.distinct()))).scalar_one()
    return int(waiting) if waiting > MANY else 0


def bring_up(database: Database, *, most: int | None = None) -> int:
    """Count anew what changed, at most `most` comparisons; how many are left after that.

    Whatever is read afterwards in a new transaction rests on all that was committed before, if nothing is left.
    """
    done = 0
    while most is None or done < most:
        with database.read() as connection:
            if connection.execute(ANY_STALE).first() is None:
                return 0
        with database.write() as connection:
            done += _some(connection)
    with database.read() as connection:
        left = connection.execute(sa.select(sa.func.count(_stale.comparison_id.distinct()))).scalar_one()
    return int(left)


def rows_of(found: Facts) -> tuple[dict[str, Any], Adds]:
    """The comparison's row of `outcome`, and what it adds to the tally."""
    added = adds(found)
    listed = [[figure, key, number] for (figure, key), number in sorted(added.items()) if number]
    return {**outcome(found), **agreement(added), "adds": listed}, added


def _some(connection: Connection) -> int:
    if connection.dialect.name != "sqlite":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    marks = connection.execute(
        sa.select(_stale.id, _stale.comparison_id).order_by(_stale.id).limit(AT_A_TIME)
    ).all()
    ids = sorted({mark.comparison_id for mark in marks})
    if not ids:
        return 0
    last = max(mark.id for mark in marks)
    before = {
        row["comparison_id"]: row
        for row in connection.execute(
            sa.select(tables.outcome).where(_outcome.comparison_id.in_(ids))
        ).mappings()
    }
    now = facts(connection, ids)
    changed: dict[str, Counter[tuple[str, str, str]]] = {}
    rows = []
    for comparison_id in ids:
        old = before.get(comparison_id)
        if old is not None:
            tally = changed.setdefault(old["project_id"], Counter())
            place = pairs_of(old)
            for figure, key, number in old["adds"]:
                tally[figure, place, key] -= number
        found = now.get(comparison_id)
        if found is not None:
            row, added = rows_of(found)
            rows.append(row)
            tally, place = changed.setdefault(found.project_id, Counter()), pairs_of(row)
            for (figure, key), number in added.items():
                tally[figure, place, key] += number
    connection.execute(tables.outcome.delete().where(_outcome.comparison_id.in_(ids)))
    if rows:
        connection.execute(tables.outcome.insert(), rows)
    for project_id, tally in changed.items():
        tally[REVISION, "", ""] += 1
        add(connection, project_id, tally)
    # A mark that another transaction has yet to commit may have a smaller number; only those seen are taken away.
    connection.execute(
        tables.stale.delete().where(_stale.id <= last, _stale.id.in_([mark.id for mark in marks]))
    )
    return len(ids)


def pairs_of(row: Mapping[Any, Any]) -> str:
    """The pairs with which a row of `outcome` is added up: its candidates, and whether the pair is valid.

    Empty for a pair that is not revealed, and for two runs of one candidate.
    """
    if not row["revealed"] or row["one"] == row["two"]:
        return ""
    return _pairs(row["one"], row["two"], valid=row["valid"])


def _pairs(one: str, two: str, *, valid: bool) -> str:
    return f"{one}|{two}|{'valid' if valid else 'other'}"


def add(connection: Connection, project_id: str, tally: Mapping[tuple[str, str, str], int]) -> None:
    """Add these numbers, by figure, pairs and key, to the project's tally."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(tables.tally)
    statement = statement.on_conflict_do_update(
        index_elements=["project_id", "figure", "pairs", "key"],
        set_={"number": _tally.number + statement.excluded.number},
    )
    rows = [
        {"project_id": project_id, "figure": figure, "pairs": place, "key": key, "number": number}
        for (figure, place, key), number in sorted(tally.items())
        if number
    ]
    if rows:
        connection.execute(statement, rows)


def read(
    connection: Connection,
    project_id: str,
    figures: Sequence[str],
    *,
    of: ResultFilter | None = None,
    within: Sequence[Within] = (),
) -> dict[str, dict[tuple[str, ...], int]]:
    """The project's numbers by figure and the parts of their keys; those that came to nothing are left out.

    `of` narrows them to the revealed pairs of this result, with or without a verdict. `within` narrows them to revealed
    pairs that are in all of these parts.
    """
    names = {name: figure for figure in figures for name in names_of_figure(figure, of)}
    found: dict[str, Counter[str]] = {figure: Counter() for figure in figures}
    if within or (of is not None and of.within):
        pairs = pairs_in(project_id, of=of, within=within)
        for name, key, number in _added_up(connection, pairs, names):
            found[names[name]][key] += number
    else:
        query = sa.select(_tally.figure, _tally.key, sa.func.sum(_tally.number).label("number")).where(
            _tally.project_id == project_id,
            _tally.figure.in_(names),
            _tally.number != 0,
            *([] if of is None else [_tally.pairs.in_(_pairs_asked(of))]),
        )
        for row in connection.execute(query.group_by(_tally.figure, _tally.key)):
            found[names[row.figure]][row.key] += int(row.number)
    return {
        figure: {tuple(key.split("|")): number for key, number in keys.items() if number}
        for figure, keys in found.items()
    }


def names_of_figure(figure: str, of: ResultFilter | None) -> tuple[str, ...]:
    """The names under which a figure is stored: pairs with a run that is not valid count when a result asks for all."""
    return (figure, VOID + figure) if of is not None and of.runs is Runs.ALL else (figure,)


def pairs_in(
    project_id: str, *, of: ResultFilter | None, within: Sequence[Within] = ()
) -> tuple[sa.ColumnElement[bool], ...]:
    """The conditions on a row of `outcome` that `read` narrows by."""
    parts = (*within, *(of.within if of is not None else ()))
    found = [_outcome.project_id == project_id, *(condition(each) for each in parts)]
    if parts or of is not None:
        found.append(_outcome.revealed == sa.true())
    if of is not None:
        found += [*of_two(of), _outcome.one != _outcome.two]
        if of.runs is Runs.VALID:
            found.append(_outcome.valid == sa.true())
    return tuple(found)


def task_versions(
    project_id: str, *, of: ResultFilter | None = None, within: Sequence[Within] = ()
) -> sa.Select[Any]:
    """The task versions of the pairs that `read` narrows to."""
    return sa.select(_outcome.version_id).where(*pairs_in(project_id, of=of, within=within))


def _pairs_asked(of: ResultFilter) -> list[str]:
    return [
        _pairs(one, two, valid=valid)
        for one, two in map(sorted, of.meetings)
        for valid in ((True, False) if of.runs is Runs.ALL else (True,))
    ]


def revision(connection: Connection, project_id: str) -> int:
    """A number that changes whenever a pair of the project is counted anew."""
    return sum(read(connection, project_id, (REVISION,))[REVISION].values())


def _added_up(
    connection: Connection, pairs: Sequence[sa.ColumnElement[bool]], names: Collection[str]
) -> Iterator[tuple[str, str, int]]:
    """What each of these pairs adds to figures of these names."""
    query = sa.select(_outcome.adds).where(*pairs, sa.or_(*map(adds_to, names)))
    for added in connection.execute(query, execution_options={"yield_per": 1000}).scalars():
        yield from (each for each in added if each[0] in names)


def adds_to(name: str) -> sa.ColumnElement[bool]:
    """That a row of `outcome` adds to a figure: to look for a name in a text takes far less than to read the list."""
    return sa.type_coerce(_outcome.adds, sa.Text).like(like(f'["{name}", '), escape="\\")


def summed(numbers: Iterable[tuple[tuple[str, ...], int]], *places: int) -> Counter[tuple[str, ...]]:
    """The numbers added up over all parts of their keys but those at these places."""
    found: Counter[tuple[str, ...]] = Counter()
    for key, number in numbers:
        found[tuple(key[place] for place in places)] += number
    return found
