"""What is out at the provider as Message Batches, and the answers that have come back."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AwareDatetime
from sqlalchemy import ColumnElement, Text, and_, exists, func, or_, select, type_coerce

from comparator.domain.labels import Frozen
from comparator.store import tables
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import BatchState, ItemState, Via
from comparator.store.core.sql import Connection, Stored, Unit, delete, scalars, several

POLL_SECONDS = 60.0
"""Between two questions to the provider about the same batch."""


class Out(Frozen):
    """One Message Batch that is out; `provider_id` is missing while it is being handed in."""

    id: str
    provider_id: str | None
    requests: int
    created_at: AwareDatetime


class BatchedRequest(Stored, table=tables.message_request):
    """One request, and how often it has come back to be asked again."""

    digest: str
    parameters: dict[str, Any]
    tries: int


_request, _batch, _item = tables.message_request.c, tables.batch.c, tables.batch_item.c
_WAITS = and_(_request.reply.is_(None), _request.out_id.is_(None))
_UNFINISHED = exists().where(_request.batch_id == _batch.id, _request.out_id.is_not(None))


def reply(connection: Connection, batch_id: str, digest: str) -> dict[str, Any] | None:
    """The answer to a request of the batch; None while there is none."""
    query = select(_request.reply).where(_request.batch_id == batch_id, _request.digest == digest)
    message: dict[str, Any] | None = connection.execute(query).scalar()
    return message


def ask(unit: Unit, item: LeasedItem, questions: Mapping[str, Mapping[str, Any]]) -> None:
    """Have what a pair asks for, by digest, go out with a Message Batch.

    What several pairs ask, such as the rubric of their task, goes out once.
    """
    for digest, parameters in sorted(questions.items()):
        key = {"batch_id": item.batch_id, "digest": digest}
        unit.add_new(tables.message_request, **key, comparisons=[], parameters=parameters, tries=0)
        same = and_(_request.batch_id == item.batch_id, _request.digest == digest)
        waiting = unit.execute(select(_request.comparisons).where(same).with_for_update()).scalar_one()
        unit.update(tables.message_request, same, comparisons=sorted({*waiting, item.comparison_id}))


def running(connection: Connection) -> tuple[str, ...]:
    """The batches that go by Message Batches and have something to hand in, to fetch or to cancel."""
    out = exists().where(_item.batch_id == _batch.id, _item.state == ItemState.OUT)
    work = or_(_UNFINISHED, and_(_batch.state == BatchState.RUNNING, out))
    query = select(_batch.id).where(_batch.via == Via.BATCHES, work)
    return scalars(connection, query.order_by(_batch.created_at))


def is_gathered(connection: Connection, batch_id: str) -> bool:
    """Whether a Message Batch can go: something waits to be sent, and no comparison is still being prepared."""
    preparing = exists().where(_item.batch_id == batch_id, _item.state == ItemState.WAITING)
    waits = exists().where(_request.batch_id == batch_id, _WAITS)
    return bool(connection.execute(select(and_(waits, ~preparing))).scalar())


def begin(unit: Unit, batch_id: str, *, most: int, longest: int) -> tuple[Out, tuple[BatchedRequest, ...]]:
    """Put what waits, of which there is some, into a new Message Batch that is about to be handed in.

    At most `most` requests of together about `longest` characters, but always one; the rest goes with the next one.
    """
    waiting, order = and_(_request.batch_id == batch_id, _WAITS), (_request.at, _request.digest)
    length = func.length(type_coerce(_request.parameters, Text))
    query = select(_request.digest, length).where(waiting).order_by(*order).limit(most)
    digests, lengths = zip(*unit.execute(query), strict=True)
    fits = max(1, sum(total <= longest for total in itertools.accumulate(lengths)))
    chosen = and_(waiting, _request.digest.in_(digests[:fits]))
    requests = BatchedRequest.all(unit, chosen, by=order)
    out = Out(id=unit.new_id(), provider_id=None, requests=len(requests), created_at=unit.at)
    unit.update(tables.message_request, chosen, out_id=out.id, provider_id=None, sent_at=unit.at)
    return out, requests


def unfinished(connection: Connection, batch_id: str) -> tuple[Out, ...]:
    """The Message Batches of a batch that are out, or were being handed in."""
    what = (_request.out_id.label("id"), _request.provider_id, _request.sent_at.label("created_at"))
    query = select(*what, func.count().label("requests")).group_by(*what).order_by(_request.sent_at)
    return several(connection, query.where(_request.batch_id == batch_id, _request.out_id.is_not(None)), Out)


def known_ids(connection: Connection) -> frozenset[str]:
    """The provider's ids of the Message Batches that we know of."""
    known = _request.provider_id.is_not(None)
    return frozenset(scalars(connection, select(_request.provider_id).where(known).distinct()))


def note_handed_in(unit: Unit, out_id: str, *, provider_id: str) -> None:
    """The provider has it."""
    unit.update(tables.message_request, _request.out_id == out_id, provider_id=provider_id)


def end(unit: Unit, out_id: str) -> None:
    """The provider does not have it, or all its results are kept; what got none goes out again."""
    unit.update(tables.message_request, _request.out_id == out_id, out_id=None)


def answer(unit: Unit, out_id: str, digest: str, *, reply: Mapping[str, Any] | None) -> None:
    """Keep what came back for a request; None: it goes out once more, and the try counts."""
    values: dict[str, Any] = {"reply": reply}
    if reply is None:
        values = {"out_id": None, "tries": _request.tries + 1}
    these = (*_unanswered(out_id), _request.digest == digest)
    unit.update(tables.message_request, *these, **values)


def open_requests(connection: Connection, out_id: str) -> dict[str, BatchedRequest]:
    """The requests of a Message Batch that have no answer yet, by digest."""
    return {one.digest: one for one in BatchedRequest.all(connection, *_unanswered(out_id))}


def _unanswered(out_id: str) -> tuple[ColumnElement[bool], ...]:
    return (_request.out_id == out_id, _request.reply.is_(None))


def replies_of(connection: Connection, out_id: str) -> Iterator[dict[str, Any]]:
    """What came back for the requests of a Message Batch, one after the other."""
    query = select(_request.reply).where(_request.out_id == out_id, _request.reply.is_not(None))
    yield from connection.execute(query.execution_options(yield_per=200)).scalars()


def wake(unit: Unit, batch_id: str) -> None:
    """Let the comparisons whose answers are all there be read on."""
    open_ = select(_request.comparisons).where(_request.batch_id == batch_id, _request.reply.is_(None))
    wait = {id for ids in scalars(unit, open_) for id in ids}
    out = (_item.batch_id == batch_id, _item.state == ItemState.OUT)
    for id in {*scalars(unit, select(_item.comparison_id).where(*out))} - wait:
        these = (_item.batch_id == batch_id, _item.comparison_id == id)
        unit.update(tables.batch_item, *these, state=ItemState.WAITING)


def sweep(connection: Connection) -> None:
    """Drop the requests of batches that have ended: their answers are kept with the tries."""
    over = _batch.state.in_([BatchState.DONE, BatchState.CANCELLED])
    ended = select(_batch.id).where(_batch.via == Via.BATCHES, over, ~_UNFINISHED)
    delete(connection, tables.message_request, _request.batch_id.in_(ended))
