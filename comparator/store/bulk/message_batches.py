"""What is out at the provider as Message Batches, and the answers that have come back."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from pydantic import AwareDatetime

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import batch_items
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import BatchState, ItemState, Via
from comparator.store.core.sql import insert_new, insert_one, maybe, several
from comparator.store.core.unit import Unit


class OutState(StrEnum):
    """Where a Message Batch is."""

    HANDING_IN = "handing_in"
    OUT = "out"
    ENDED = "ended"
    LOST = "lost"
    """It was never handed in, or its requests were put into another one."""


class RequestState(StrEnum):
    """Where one request is."""

    WAITING = "waiting"
    SENT = "sent"
    FOLLOWS = "follows"
    """Another comparison asks the same; this one waits for that answer."""
    ANSWERED = "answered"


class Out(Frozen):
    """One Message Batch."""

    id: str
    batch_id: str
    provider_id: str | None
    state: OutState
    requests: int
    problem: str | None
    created_at: AwareDatetime
    polled_at: AwareDatetime | None
    ended_at: AwareDatetime | None


class BatchedRequest(Frozen):
    """One request; `reply` is what came back, or how often it was tried."""

    digest: str
    comparison_id: str
    parameters: dict[str, Any]
    reply: dict[str, Any] | None


_message_batch, _message_request, _batch, _batch_item = (
    tables.message_batch.c,
    tables.message_request.c,
    tables.batch.c,
    tables.batch_item.c,
)
_UNANSWERED = _message_request.state != RequestState.ANSWERED.value


def reply(connection: sa.Connection, batch_id: str, digest: str) -> dict[str, Any] | None:
    """The answer to a request of the batch; None while there is none."""
    query = sa.select(_message_request.reply).where(
        _message_request.batch_id == batch_id,
        _message_request.digest == digest,
        _message_request.state == RequestState.ANSWERED.value,
    )
    found: dict[str, Any] | None = connection.execute(query).scalar()
    return found


def put_out(unit: Unit, item: LeasedItem, *, worker: str, asked: Mapping[str, Mapping[str, Any]]) -> None:
    """Give a pair back until what it asks for, by digest, has gone out with the next Message Batch and was answered."""
    for digest, parameters in sorted(asked.items()):
        row = {
            "batch_id": item.batch_id,
            "digest": digest,
            "comparison_id": item.comparison_id,
            "state": RequestState.WAITING.value,
            "parameters": parameters,
            "at": unit.at,
        }
        if insert_new(unit.connection, tables.message_request, row):
            continue
        follower = hashlib.sha256(f"{digest}\n{item.comparison_id}".encode()).hexdigest()
        insert_new(
            unit.connection,
            tables.message_request,
            row | {"digest": follower, "state": RequestState.FOLLOWS.value, "parameters": {"digest": digest}},
        )
    batch_items.put_out(unit, item, worker=worker)


def running(connection: sa.Connection) -> tuple[str, ...]:
    """The batches that go by Message Batches and have something to hand in, to fetch or to cancel."""
    unfinished = sa.exists().where(
        _message_batch.batch_id == _batch.id,
        _message_batch.state.in_([OutState.OUT.value, OutState.HANDING_IN.value]),
    )
    open_items = sa.exists().where(
        _batch_item.batch_id == _batch.id, _batch_item.state == ItemState.OUT.value
    )
    query = (
        sa.select(_batch.id)
        .where(
            _batch.via == Via.BATCHES.value,
            sa.or_(unfinished, sa.and_(_batch.state == BatchState.RUNNING.value, open_items)),
        )
        .order_by(_batch.created_at)
    )
    return tuple(connection.execute(query).scalars())


def gathered(connection: sa.Connection, batch_id: str) -> bool:
    """Whether a Message Batch can go: something waits to be sent, and no comparison is still being prepared."""
    preparing = sa.exists().where(
        _batch_item.batch_id == batch_id,
        _batch_item.state == ItemState.WAITING.value,
    )
    waits = sa.exists().where(
        _message_request.batch_id == batch_id, _message_request.state == RequestState.WAITING.value
    )
    row = connection.execute(
        sa.select(sa.select(waits).scalar_subquery(), sa.select(preparing).scalar_subquery())
    ).one()
    return bool(row[0]) and not row[1]


def begin(
    unit: Unit, batch_id: str, *, most: int, longest: int
) -> tuple[Out, tuple[BatchedRequest, ...]] | None:
    """Put what waits into a new Message Batch that is about to be handed in; None where nothing waits.

    At most `most` requests of together about `longest` characters, but always one; the rest goes with the next one.
    """
    waiting = sa.and_(
        _message_request.batch_id == batch_id, _message_request.state == RequestState.WAITING.value
    )
    length = sa.func.length(sa.type_coerce(_message_request.parameters, sa.Text)).label("length")
    sizes = unit.connection.execute(
        sa.select(_message_request.digest, length)
        .where(waiting)
        .order_by(_message_request.at, _message_request.digest)
        .limit(most)
    ).all()
    if not sizes:
        return None
    so_far = itertools.accumulate(row.length for row in sizes)
    fits = max(1, sum(total <= longest for total in so_far))
    query = sa.select(
        _message_request.digest,
        _message_request.comparison_id,
        _message_request.parameters,
        _message_request.reply,
    ).where(waiting, _message_request.digest.in_([row.digest for row in sizes[:fits]]))
    requests = several(
        unit.connection, query.order_by(_message_request.at, _message_request.digest), BatchedRequest
    )
    out_id = unit.new_id()
    insert_one(
        unit.connection,
        tables.message_batch,
        id=out_id,
        batch_id=batch_id,
        state=OutState.HANDING_IN.value,
        requests=len(requests),
        created_at=unit.at,
    )
    unit.connection.execute(
        tables.message_request.update()
        .where(
            _message_request.batch_id == batch_id,
            _message_request.digest.in_([one.digest for one in requests]),
        )
        .values(state=RequestState.SENT.value, message_batch_id=out_id)
    )
    return get(unit.connection, out_id), requests


def get(connection: sa.Connection, out_id: str) -> Out:
    """One Message Batch."""
    found = maybe(connection, sa.select(tables.message_batch).where(_message_batch.id == out_id), Out)
    assert found is not None
    return found


def unfinished(connection: sa.Connection, batch_id: str) -> tuple[Out, ...]:
    """The Message Batches of a batch that are out, or were being handed in."""
    query = sa.select(tables.message_batch).where(
        _message_batch.batch_id == batch_id,
        _message_batch.state.in_([OutState.OUT.value, OutState.HANDING_IN.value]),
    )
    return several(connection, query.order_by(_message_batch.created_at), Out)


def known_ids(connection: sa.Connection) -> frozenset[str]:
    """The provider's ids of all Message Batches that we know of."""
    return frozenset(
        connection.execute(
            sa.select(_message_batch.provider_id).where(_message_batch.provider_id.is_not(None))
        ).scalars()
    )


def handed_in(connection: sa.Connection, out_id: str, *, provider_id: str) -> None:
    """The provider has it."""
    connection.execute(
        tables.message_batch.update()
        .where(_message_batch.id == out_id)
        .values(state=OutState.OUT.value, provider_id=provider_id)
    )


def take_back(connection: sa.Connection, out_id: str, *, problem: str) -> None:
    """The provider does not have it; its requests wait for the next one."""
    connection.execute(
        tables.message_batch.update()
        .where(_message_batch.id == out_id)
        .values(state=OutState.LOST.value, problem=problem)
    )
    connection.execute(
        tables.message_request.update()
        .where(_message_request.message_batch_id == out_id, _message_request.state == RequestState.SENT.value)
        .values(state=RequestState.WAITING.value, message_batch_id=None)
    )


def polled(unit: Unit, out_id: str) -> None:
    """The provider was asked; it is still at it."""
    unit.connection.execute(
        tables.message_batch.update().where(_message_batch.id == out_id).values(polled_at=unit.at)
    )


def answer(
    connection: sa.Connection, out_id: str, digest: str, *, reply: Mapping[str, Any], again: bool
) -> None:
    """Keep what came back for a request; with `again` it goes out once more, `reply` saying how often it did."""
    values: dict[str, Any] = {"state": RequestState.ANSWERED.value, "reply": reply}
    if again:
        values |= {"state": RequestState.WAITING.value, "message_batch_id": None}
    connection.execute(
        tables.message_request.update()
        .where(
            _message_request.message_batch_id == out_id,
            _message_request.digest == digest,
            _message_request.state == RequestState.SENT.value,
        )
        .values(**values)
    )


def sent_in(connection: sa.Connection, out_id: str) -> dict[str, BatchedRequest]:
    """The requests of a Message Batch that have no answer yet, by digest."""
    query = sa.select(
        _message_request.digest,
        _message_request.comparison_id,
        _message_request.parameters,
        _message_request.reply,
    ).where(_message_request.message_batch_id == out_id, _message_request.state == RequestState.SENT.value)
    return {one.digest: one for one in several(connection, query, BatchedRequest)}


def answered_in(connection: sa.Connection, out_id: str) -> Iterator[dict[str, Any]]:
    """What came back for the requests of a Message Batch, one after the other."""
    query = sa.select(_message_request.reply).where(
        _message_request.message_batch_id == out_id, _message_request.state == RequestState.ANSWERED.value
    )
    yield from connection.execute(query, execution_options={"yield_per": 200}).scalars()


def end(unit: Unit, out_id: str) -> None:
    """All its results are kept; what got none goes out again."""
    take_back(unit.connection, out_id, problem="")
    unit.connection.execute(
        tables.message_batch.update()
        .where(_message_batch.id == out_id)
        .values(state=OutState.ENDED.value, ended_at=unit.at, problem=None)
    )


def wake(unit: Unit, batch_id: str) -> None:
    """Let the comparisons whose answers are all there be read on."""
    answered = sa.select(_message_request.digest).where(
        _message_request.batch_id == batch_id, _message_request.state == RequestState.ANSWERED.value
    )
    followers = unit.connection.execute(
        sa.select(_message_request.digest, _message_request.parameters).where(
            _message_request.batch_id == batch_id, _message_request.state == RequestState.FOLLOWS.value
        )
    ).all()
    there = set(unit.connection.execute(answered).scalars()) if followers else set()
    done = [row.digest for row in followers if row.parameters["digest"] in there]
    if done:
        unit.connection.execute(
            tables.message_request.delete().where(
                _message_request.batch_id == batch_id, _message_request.digest.in_(done)
            )
        )
    waits = sa.exists().where(
        _message_request.batch_id == batch_id,
        _message_request.comparison_id == _batch_item.comparison_id,
        _UNANSWERED,
    )
    unit.connection.execute(
        tables.batch_item.update()
        .where(_batch_item.batch_id == batch_id, _batch_item.state == ItemState.OUT.value, ~waits)
        .values(state=ItemState.WAITING.value, touched_at=unit.at)
    )


def sweep(connection: sa.Connection) -> None:
    """Drop the requests of batches that have ended: their answers are kept with the tries."""
    ended = sa.select(_batch.id).where(
        _batch.via == Via.BATCHES.value, _batch.state.in_([BatchState.DONE.value, BatchState.CANCELLED.value])
    )
    out = sa.select(_message_batch.batch_id).where(
        _message_batch.state.in_([OutState.OUT.value, OutState.HANDING_IN.value])
    )
    connection.execute(
        tables.message_request.delete().where(
            _message_request.batch_id.in_(ended), _message_request.batch_id.not_in(out)
        )
    )
