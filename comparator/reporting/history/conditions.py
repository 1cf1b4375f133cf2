"""What the history can be filtered by: the values that occur, and conditions on a row of `fact`."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from comparator.domain.counted import natural
from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.store import tables
from comparator.store.core.database import Connection, Database
from comparator.store.facts import fact
from comparator.store.facts.fact import MEASURED, REVEALED, Status
from comparator.store.pairs import comparison_list
from comparator.store.pairs.comparison_list import ListFilter, ListGroup, ListOrder
from comparator.store.pairs.reveals import in_revealed_pairs
from comparator.store.pairs.runs import RunState
from comparator.store.reviewing import reviews
from comparator.store.reviewing.covered import covered

Condition = sa.ColumnElement[bool]


class HistoryFilter(Frozen):
    """Which comparisons; None means all. Of a span the first value is included and the last is not.

    Candidate and iteration find revealed comparisons only. What a judge said of a pair that `reader` has yet to score
    without seeing it is found by no filter.
    """

    text: str = ""
    in_reasons: bool = False
    """Whether `text` is searched in the reasons of verdicts that the reader may see, too."""
    status: Status | None = None
    measured: bool | None = None
    """Whether it was read only to measure a judge."""
    project_id: str | None = None
    among: frozenset[str] | None = None
    """Only comparisons of these projects; None for any."""
    batch_id: str | None = None
    task_id: str | None = None
    tag: str | None = None
    candidate_id: str | None = None
    iterations: tuple[str, ...] = ()
    """Any of these; empty for all."""
    judge_kind: str | None = None
    judge_model: str | None = None
    reviewer_id: str | None = None
    winner: Winner | None = None
    decided_by: DecidedBy | None = None
    verdict_source: VerdictSource | None = None
    position_consistent: bool | None = None
    run_state: RunState | None = None
    since: datetime | None = None
    until: datetime | None = None
    won_by: str | None = None
    """The name of a candidate that won, whatever its iteration; finds revealed comparisons only."""
    check_id: str | None = None
    """A check that found something in one of the outputs at least."""
    order: ListOrder = ListOrder.NEWEST
    group: ListGroup | None = None
    reader: str | None = None

    @property
    def about_the_verdict(self) -> bool:
        """Whether it asks for something that a verdict says."""
        values = (self.winner, self.won_by, self.decided_by, self.position_consistent)
        return any(value is not None for value in values) or self.order in _BY_VERDICT


_BY_VERDICT = {ListOrder.CLEAREST, ListOrder.CLOSEST, ListOrder.LEAST_SURE}
_OF_FACT = ("winner", "decided_by", "verdict_source", "judge_kind", "judge_model", "position_consistent")
"""Fields that stand for the columns of the same names."""
_fact = tables.fact.c


def list_filter(connection: Connection, history_filter: HistoryFilter) -> ListFilter:
    """The same for the store's list: all that a comparison's row must fulfil."""
    reader = history_filter.reader
    may_read = sa.true() if reader is None else ~covered(connection, reader)
    return ListFilter(
        history_filter.project_id,
        (history_filter.status,) if history_filter.status else (),
        history_filter.text,
        may_read if history_filter.in_reasons else None,
        tuple(_conditions(connection, history_filter)),
    )


def fitting(connection: Connection, history_filter: HistoryFilter) -> sa.Select[tuple[str]] | None:
    """The query for the ids of the comparisons of `history_filter.project_id` that fit; None where all of them do."""
    assert history_filter.project_id is not None
    where = list_filter(connection, history_filter)
    if not (where.further or where.text or where.statuses):
        return None
    return comparison_list.fitting(connection, where)


def _conditions(connection: Connection, history_filter: HistoryFilter) -> Iterator[Condition]:
    for name in _OF_FACT:
        if (value := getattr(history_filter, name)) is not None:
            yield _fact[name] == value
    if history_filter.measured is not None:
        yield MEASURED if history_filter.measured else ~MEASURED
    if history_filter.among is not None:
        yield _fact.project_id.in_(sorted(history_filter.among))
    if history_filter.batch_id is not None:
        item = tables.batch_item.c
        yield _fact.comparison_id.in_(
            sa.select(item.comparison_id).where(item.batch_id == history_filter.batch_id)
        )
    if history_filter.since is not None:
        yield _fact.created_at >= history_filter.since
    if history_filter.until is not None:
        yield _fact.created_at < history_filter.until
    if history_filter.check_id is not None:
        check_count, comparison = tables.check_count.c, tables.comparison.c
        views = sa.select(check_count.view_id).where(
            check_count.check_id == history_filter.check_id, check_count.found > 0
        )
        yield _fact.comparison_id.in_(
            sa.select(comparison.id).where(sa.or_(comparison.view_a.in_(views), comparison.view_b.in_(views)))
        )
    yield from _of_task(history_filter)
    yield from _of_runs(history_filter)
    yield from _of_people(history_filter)
    if history_filter.reader is not None and history_filter.about_the_verdict:
        yield ~covered(connection, history_filter.reader)


def _of_task(history_filter: HistoryFilter) -> Iterator[Condition]:
    task_version, task = tables.task_version.c, tables.task.c
    if history_filter.task_id is not None:
        yield _of_versions(sa.select(task_version.id).where(task_version.task_id == history_filter.task_id))
    if history_filter.tag is not None:
        # Tags are kept as a JSON list; for SQLite, LIKE does not tell "docs" from "Docs".
        tags, tag = sa.cast(task.tags, sa.Text), json.dumps(history_filter.tag, ensure_ascii=False)
        tagged = sa.select(task.id).where(sa.func.replace(tags, tag, "") != tags)
        yield _of_versions(sa.select(task_version.id).where(task_version.task_id.in_(tagged)))


def _of_versions(versions: sa.Select[tuple[str]]) -> Condition:
    comparison = tables.comparison.c
    return _fact.comparison_id.in_(sa.select(comparison.id).where(comparison.task_version_id.in_(versions)))


def _of_runs(history_filter: HistoryFilter) -> Iterator[Condition]:
    run, candidate = tables.run.c, tables.candidate.c
    conditions: list[Condition] = []
    if history_filter.candidate_id is not None:
        conditions.append(
            sa.or_(
                candidate.id == history_filter.candidate_id,
                candidate.merged_into == history_filter.candidate_id,
            )
        )
    if history_filter.iterations:
        conditions.append(candidate.iteration.in_(history_filter.iterations))
    for condition in conditions:
        yield _with_run(run.candidate_id.in_(sa.select(candidate.id).where(condition)))
        yield REVEALED
    if history_filter.won_by is not None:
        ab_key, winner = tables.ab_key.c, tables.candidate.alias("winner")
        first, second = tables.run.alias("first"), tables.run.alias("second")
        winning = sa.case((_fact.winner == "A", first.c.candidate_id), else_=second.c.candidate_id)
        yield REVEALED
        yield (
            sa.exists().where(
                ab_key.comparison_id == _fact.comparison_id,
                first.c.id == ab_key.run_a,
                second.c.id == ab_key.run_b,
                _fact.winner.in_(["A", "B"]),
                winner.c.id == winning,
                winner.c.name == history_filter.won_by,
            )
        )
    if history_filter.run_state is RunState.VALID:
        yield ~_with_run(run.state != RunState.VALID.value)
    elif history_filter.run_state is not None:
        yield _with_run(run.state == history_filter.run_state.value)


def _with_run(condition: Condition) -> Condition:
    """One of the two runs fulfils it. Each side has an index; joined by "or" SQLite would read every pair."""
    run_pair = tables.run_pair.c
    runs = sa.select(tables.run.c.id).where(condition)
    return _fact.comparison_id.in_(
        sa.union(
            *(
                sa.select(run_pair.comparison_id).where(side.in_(runs))
                for side in (run_pair.run_low, run_pair.run_high)
            )
        )
    )


def _of_people(history_filter: HistoryFilter) -> Iterator[Condition]:
    review, finalisation = tables.review.c, tables.finalisation.c
    if history_filter.reviewer_id is not None:
        done = sa.select(review.comparison_id).join_from(
            tables.review, tables.finalisation, finalisation.review_id == review.id
        )
        yield _fact.comparison_id.in_(
            done.where(review.person_id == history_filter.reviewer_id, reviews.not_reopened())
        )


Projects = frozenset[str] | None
"""Ids of projects; None for all of them."""
MOST = 500
MOST_NAMES = 20
"""At most so many values of a kind are offered; the free text finds the rest."""


Names = dict[str, str]
"""Values to filter by, with what each is called."""


class Choices(NamedTuple):
    """The values that occur in some projects."""

    by: dict[str, Names]
    """By the field of `HistoryFilter`."""
    winners: tuple[str, ...]
    """The names of revealed candidates, whatever their iteration."""
    blind: bool
    """Whether something is not revealed yet, so that its outputs are A and B."""


def choices(database: Database, among: Projects) -> Choices:
    """What can be chosen among these projects."""
    task, output_check = tables.task.c, tables.output_check.c
    of_tasks = sa.select(task.id, task.title, task.key, task.tags).order_by(task.title, task.key).limit(MOST)
    of_checks = (
        sa.select(output_check.id, output_check.name).order_by(sa.func.lower(output_check.name)).limit(MOST)
    )
    with database.read() as connection:
        tasks = connection.execute(_within(of_tasks, task.project_id, among)).all()
        checks = connection.execute(_within(of_checks, output_check.project_id, among)).all()
        models = {row.judge_model for row in fact.counted(connection, among) if row.number}
        revealed = _revealed_candidates(connection, among)
        return Choices(
            {
                "task_id": _by_name((row.id, row.title or row.key, row.key) for row in tasks),
                "tag": _themselves({tag for row in tasks for tag in row.tags}),
                "judge_model": _themselves(filter(None, models)),
                "reviewer_id": _reviewers(connection, among),
                "candidate_id": _by_name(
                    (row.id, ", ".join(filter(None, (row.name, row.iteration, row.model))), row.id[:6])
                    for row in revealed
                ),
                "iterations": _themselves({row.iteration for row in revealed if row.iteration}),
                "check_id": _distinct((row.id, row.name, row.id[:6]) for row in checks),
            },
            winners=tuple(_themselves({row.name for row in revealed}))[:MOST_NAMES],
            blind=not revealed or _blind(connection, among),
        )


def _blind(connection: Connection, among: Projects) -> bool:
    """Whether a pair is not revealed."""
    comparison = tables.comparison.c
    query = (
        sa.select(comparison.id)
        .join(tables.run_pair, tables.run_pair.c.comparison_id == comparison.id)
        .where(comparison.reveal_id.is_(None))
        .limit(1)
    )
    return connection.execute(_within(query, comparison.project_id, among)).first() is not None


def _distinct(rows: Iterable[tuple[str, str, str]]) -> Names:
    """Values with their names, and with what tells them apart where two have the same name."""
    every = tuple(rows)
    names = Counter(name for _, name, _ in every)
    return {value: name if names[name] == 1 else f"{name} ({more})" for value, name, more in every}


def _by_name(rows: Iterable[tuple[str, str, str]]) -> Names:
    ordered = sorted(_distinct(rows).items(), key=lambda item: natural(item[1].lower()))
    return dict(ordered[:MOST])


def _themselves(values: Iterable[str]) -> Names:
    """Values that are their own names, in order."""
    return {value: value for value in sorted(values, key=natural)[:MOST]}


def _within(query: sa.Select[Any], column: sa.ColumnElement[str], among: Projects) -> sa.Select[Any]:
    return query if among is None else query.where(column.in_(sorted(among)))


def _reviewers(connection: Connection, among: Projects) -> Names:
    person, review, comparison = tables.person.c, tables.review.c, tables.comparison.c
    # Of each person one review is enough: asked for as a value, as PostgreSQL joins all of them for an EXISTS.
    reviews = sa.select(review.id).join_from(
        tables.review, tables.comparison, comparison.id == review.comparison_id
    )
    reviews = _within(reviews.where(review.person_id == person.id), comparison.project_id, among)
    rows = connection.execute(
        sa.select(person.id, person.name)
        .where(reviews.correlate(tables.person).limit(1).scalar_subquery().is_not(None))
        .order_by(person.name)
    )
    return _distinct((row.id, row.name, row.id[:6]) for row in rows)


def _revealed_candidates(connection: Connection, among: Projects) -> Sequence[sa.Row[Any]]:
    candidate = tables.candidate.c
    revealed = sa.exists().where(tables.reveal.c.project_id == candidate.project_id)
    query = sa.select(candidate.id, candidate.name, candidate.iteration, candidate.model).where(
        candidate.merged_into.is_(None), revealed, in_revealed_pairs()
    )
    rows: Sequence[sa.Row[Any]] = connection.execute(_within(query, candidate.project_id, among)).all()
    return rows
