"""What is out at the provider as Message Batches, and the answers that have come back."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import Connection, Text, and_, exists, func, or_, select, type_coerce

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk import batch_items
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import BatchState, ItemState, Via
from comparator.store.core.sql import delete, scalars, several, update
from comparator.store.core.unit import Unit


class Out(Frozen):
    """One Message Batch; `provider_id` is missing while it is being handed in."""

    id: str
    batch_id: str
    provider_id: str | None
    requests: int
    created_at: AwareDatetime
    ended_at: AwareDatetime | None


class BatchedRequest(Frozen):
    """One request, and how often it has come back to be asked again."""

    digest: str
    parameters: dict[str, Any]
    tries: int


_out, _request, _batch, _batch_item = (
    tables.message_batch.c,
    tables.message_request.c,
    tables.batch.c,
    tables.batch_item.c,
)
_WAITS = and_(_request.reply.is_(None), _request.message_batch_id.is_(None))
_COLUMNS = [_request[name] for name in BatchedRequest.model_fields]


def reply(connection: Connection, batch_id: str, digest: str) -> dict[str, Any] | None:
    """The answer to a request of the batch; None while there is none."""
    query = select(_request.reply).where(_request.batch_id == batch_id, _request.digest == digest)
    found: dict[str, Any] | None = connection.execute(query).scalar()
    return found


def put_out(unit: Unit, item: LeasedItem, *, worker: str, asked: Mapping[str, Mapping[str, Any]]) -> None:
    """Give a pair back until what it asks for, by digest, has gone out with a Message Batch and was answered.

    What several pairs ask, such as the rubric of their task, goes out once.
    """
    for digest, parameters in sorted(asked.items()):
        unit.add_new(
            tables.message_request,
            batch_id=item.batch_id,
            digest=digest,
            comparisons=[],
            parameters=parameters,
            tries=0,
        )
        same = and_(_request.batch_id == item.batch_id, _request.digest == digest)
        waiting = unit.execute(select(_request.comparisons).where(same).with_for_update()).scalar_one()
        unit.update(tables.message_request, same, comparisons=sorted({*waiting, item.comparison_id}))
    batch_items.put_out(unit, item, worker=worker)


def running(connection: Connection) -> tuple[str, ...]:
    """The batches that go by Message Batches and have something to hand in, to fetch or to cancel."""
    unfinished = exists().where(_out.batch_id == _batch.id, _out.ended_at.is_(None))
    open_items = exists().where(_batch_item.batch_id == _batch.id, _batch_item.state == ItemState.OUT)
    query = (
        select(_batch.id)
        .where(
            _batch.via == Via.BATCHES,
            or_(unfinished, and_(_batch.state == BatchState.RUNNING, open_items)),
        )
        .order_by(_batch.created_at)
    )
    return scalars(connection, query)


def gathered(connection: Connection, batch_id: str) -> bool:
    """Whether a Message Batch can go: something waits to be sent, and no comparison is still being prepared."""
    preparing = exists().where(_batch_item.batch_id == batch_id, _batch_item.state == ItemState.WAITING)
    waits = exists().where(_request.batch_id == batch_id, _WAITS)
    return bool(connection.execute(select(and_(waits, ~preparing))).scalar())


def begin(unit: Unit, batch_id: str, *, most: int, longest: int) -> tuple[Out, tuple[BatchedRequest, ...]]:
    """Put what waits, of which there is some, into a new Message Batch that is about to be handed in.

    At most `most` requests of together about `longest` characters, but always one; the rest goes with the next one.
    """
    waiting = and_(_request.batch_id == batch_id, _WAITS)
    length = func.length(type_coerce(_request.parameters, Text))
    order = (_request.at, _request.digest)
    sizes = unit.execute(
        select(_request.digest, length.label("length")).where(waiting).order_by(*order).limit(most)
    ).all()
    so_far = itertools.accumulate(row.length for row in sizes)
    fits = max(1, sum(total <= longest for total in so_far))
    chosen = and_(waiting, _request.digest.in_([row.digest for row in sizes[:fits]]))
    requests = several(unit.connection, select(*_COLUMNS).where(chosen).order_by(*order), BatchedRequest)
    out = Out(
        id=unit.new_id(),
        batch_id=batch_id,
        provider_id=None,
        requests=len(requests),
        created_at=unit.at,
        ended_at=None,
    )
    unit.add(tables.message_batch, **dict(out))
    unit.update(tables.message_request, chosen, message_batch_id=out.id)
    return out, requests


def unfinished(connection: Connection, batch_id: str) -> tuple[Out, ...]:
    """The Message Batches of a batch that are out, or were being handed in."""
    query = select(tables.message_batch).where(_out.batch_id == batch_id, _out.ended_at.is_(None))
    return several(connection, query.order_by(_out.created_at), Out)


def known_ids(connection: Connection) -> frozenset[str]:
    """The provider's ids of all Message Batches that we know of."""
    query = select(_out.provider_id).where(_out.provider_id.is_not(None))
    return frozenset(connection.execute(query).scalars())


def handed_in(connection: Connection, out_id: str, *, provider_id: str) -> None:
    """The provider has it."""
    update(connection, tables.message_batch, _out.id == out_id, provider_id=provider_id)


def end(unit: Unit, out_id: str) -> None:
    """The provider does not have it, or all its results are kept; what got none goes out again."""
    unit.update(
        tables.message_request,
        _request.message_batch_id == out_id,
        _request.reply.is_(None),
        message_batch_id=None,
    )
    unit.update(tables.message_batch, _out.id == out_id, ended_at=unit.at)


def answer(connection: Connection, out_id: str, digest: str, *, reply: Mapping[str, Any] | None) -> None:
    """Keep what came back for a request; None: it goes out once more, and the try counts."""
    values: dict[str, Any] = {"reply": reply}
    if reply is None:
        values = {"message_batch_id": None, "tries": _request.tries + 1}
    update(
        connection,
        tables.message_request,
        _request.message_batch_id == out_id,
        _request.digest == digest,
        _request.reply.is_(None),
        **values,
    )


def sent_in(connection: Connection, out_id: str) -> dict[str, BatchedRequest]:
    """The requests of a Message Batch that have no answer yet, by digest."""
    query = select(*_COLUMNS).where(_request.message_batch_id == out_id, _request.reply.is_(None))
    return {one.digest: one for one in several(connection, query, BatchedRequest)}


def answered_in(connection: Connection, out_id: str) -> Iterator[dict[str, Any]]:
    """What came back for the requests of a Message Batch, one after the other."""
    query = select(_request.reply).where(_request.message_batch_id == out_id, _request.reply.is_not(None))
    yield from connection.execute(query, execution_options={"yield_per": 200}).scalars()


def wake(unit: Unit, batch_id: str) -> None:
    """Let the comparisons whose answers are all there be read on."""
    open_ = select(_request.comparisons).where(_request.batch_id == batch_id, _request.reply.is_(None))
    wait = {id for ids in unit.execute(open_).scalars() for id in ids}
    out = select(_batch_item.comparison_id).where(
        _batch_item.batch_id == batch_id, _batch_item.state == ItemState.OUT
    )
    for comparison_id in set(unit.execute(out).scalars()) - wait:
        unit.update(
            tables.batch_item,
            _batch_item.batch_id == batch_id,
            _batch_item.comparison_id == comparison_id,
            state=ItemState.WAITING,
            touched_at=unit.at,
        )


def sweep(connection: Connection) -> None:
    """Drop the requests of batches that have ended: their answers are kept with the tries."""
    ended = select(_batch.id).where(
        _batch.via == Via.BATCHES, _batch.state.in_([BatchState.DONE, BatchState.CANCELLED])
    )
    out = select(_out.batch_id).where(_out.ended_at.is_(None))
    delete(connection, tables.message_request, _request.batch_id.in_(ended), _request.batch_id.not_in(out))
