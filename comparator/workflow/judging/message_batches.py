"""The queue of Message Batches: gathers requests, hands them in, fetches the answers, and survives restarts.

A comparison is read until it asks for an answer that is not there; it is then put aside, and read again from its start
once the answer has come: the same question has the same digest, so that nothing is asked twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

from comparator.domain.errors import ComparatorError, JudgeError, JudgeUnavailable
from comparator.domain.usage import Usage
from comparator.judges.model.client import (
    LONGEST_REQUESTS,
    MOST_REQUESTS,
    UNREADABLE,
    MessageBatches,
    RequestResult,
)
from comparator.judges.model.direct_sender import DirectSender, usage_in
from comparator.judges.model.sender import ANSWER_TOKENS, BatchReply, Request, Sent, request_digest, tokens_of
from comparator.judges.prices import BATCHED, cost_of
from comparator.judges.protocol import Owner
from comparator.store.bulk import batches, leases, message_batches
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.bulk.batches import Batch, BatchState
from comparator.store.bulk.message_batches import BatchedRequest as KeptRequest
from comparator.store.bulk.message_batches import Out
from comparator.store.core.sql import Unit
from comparator.store.judging import budgets
from comparator.workflow.judging.paying import paying_for_model, reserve
from comparator.workflow.judging.registry import Membership

log = logging.getLogger(__name__)

MOST_TRIES = 3
TICK_SECONDS = 0.5
AFTER_TROUBLE = 10.0
BUG = (
    "Something went wrong with the provider's batches; the worker's log has the details. Let the batch go on."
)
ADOPTABLE = timedelta(minutes=5)
"""How far the provider's clock may differ from ours."""


class Suspended(Exception):
    """The judging goes on once answers have come back."""


class MessageBatchSender:
    """Finds answers that came back in a Message Batch, and queues what has none yet."""

    def __init__(self, queue: MessageBatchQueue, direct: DirectSender) -> None:
        self._queue, self._direct = queue, direct

    async def send(self, request: Request, owner: Owner) -> Sent:
        """The stored answer. Raises Suspended where it is still to come."""
        reply = await self._queue.reply_to(request.parameters, owner)
        return self._direct.read_reply(request, reply)


class MessageBatchQueue:
    """One for each worker; of all workers only one at a time hands in and fetches for a batch."""

    def __init__(self, me: Membership, *, poll_seconds: float) -> None:
        self._me, self._ledger = me, me.ledger
        self._poll_seconds = poll_seconds
        self._questions: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
        self._clients: dict[str, MessageBatches] = {}
        self._quiet_until: dict[str, float] = {}
        self._polled: dict[str, float] = {}

    async def reply_to(self, parameters: Mapping[str, Any], owner: Owner) -> BatchReply:
        """The stored answer. Raises Suspended where it is still to come."""
        digest = request_digest(parameters)
        reply = await self._me.read(
            lambda connection: message_batches.reply(connection, owner.batch_id, digest)
        )
        if reply is None:
            self._questions.setdefault((owner.batch_id, owner.comparison_id), {})[digest] = parameters
            raise Suspended
        return BatchReply.model_validate(reply)

    def asked_by(self, item: LeasedItem) -> dict[str, Mapping[str, Any]]:
        """What a pair that is put aside asks for, by digest."""
        return self._questions.pop((item.batch_id, item.comparison_id), {})

    async def run(self) -> None:
        """Hand in, fetch and cancel, for as long as the worker lives."""
        while True:
            for batch_id in await self._mine():
                if time.monotonic() < self._quiet_until.get(batch_id, 0.0):
                    continue
                try:
                    await self._serve(batch_id)
                except JudgeUnavailable as error:
                    log.warning("the provider's batches: %s", error)
                    self._quiet_until[batch_id] = time.monotonic() + AFTER_TROUBLE
                except ComparatorError as error:
                    await self._stop_for(batch_id, str(error))
                except Exception:
                    # A bug, or an answer that nobody thought of: the other batches go on.
                    log.exception("serving the batch %s", batch_id)
                    await self._stop_for(batch_id, BUG)
                    self._quiet_until[batch_id] = time.monotonic() + AFTER_TROUBLE
            await asyncio.sleep(TICK_SECONDS)

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients.values():
            with suppress(Exception):
                await client.close()

    async def _mine(self) -> Sequence[str]:
        """The batches that this worker is the one to serve."""
        batch_ids = await self._me.read(message_batches.running)
        if not batch_ids:
            return ()
        leased = await self._ledger.write(
            lambda unit: leases.take(unit, leases.LeaseKind.MESSAGE_BATCHES, batch_ids, worker=self._me.id)
        )
        return [batch_id for batch_id in batch_ids if batch_id in leased]

    async def _serve(self, batch_id: str) -> None:
        batch, out, gathered = await self._me.read(
            lambda connection: (
                batches.get(connection, batch_id),
                message_batches.unfinished(connection, batch_id),
                message_batches.is_gathered(connection, batch_id),
            )
        )
        model = batch.judge.model
        if model not in self._clients:
            self._clients[model] = self._me.services.message_batches(model)
        client = self._clients[model]
        for one in out:
            if one.provider_id is None:
                await self._find(batch, client, one)
            else:
                await self._fetch(batch, client, one, one.provider_id)
        if batch.state is BatchState.RUNNING and gathered:
            await self._hand_in(batch, client)
        elif not out:
            await self._ledger.write(lambda unit: message_batches.wake(unit, batch_id))

    async def _hand_in(self, batch: Batch, client: MessageBatches) -> None:

        judge = batch.judge

        def write(unit: Unit) -> tuple[Out, tuple[KeptRequest, ...]]:
            out, requests = message_batches.begin(
                unit, batch.id, most=MOST_REQUESTS, longest=LONGEST_REQUESTS
            )
            usage = Usage(
                input_tokens=sum(tokens_of(one.parameters).input for one in requests),
                output_tokens=ANSWER_TOKENS * len(requests),
            )
            paying = paying_for_model(
                self._me.services, unit, kind=judge.kind, model=judge.model, budget_id=batch.budget_id
            )
            # A budget without room is raised, and then nothing of it is stored.
            problem = f"{len(requests):,} further requests. Raise it, then resume the batch."
            amount = _batch_cost(judge.model, usage)
            reserve(unit, paying, out.id, amount, worker=budgets.AT_PROVIDER, problem=problem)
            return out, requests

        out, requests = await self._ledger.write(write)
        try:
            provider_id = await client.create([(one.digest, one.parameters) for one in requests])
        except JudgeError as error:
            # After a lost connection the provider may have it all the same: then it is looked for first.
            if not isinstance(error, JudgeUnavailable):
                await self._end(batch, out, Usage())
            raise
        await self._handed_in(out, provider_id)

    async def _handed_in(self, out: Out, provider_id: str) -> None:
        await self._ledger.write(
            lambda unit: message_batches.note_handed_in(unit, out.id, provider_id=provider_id)
        )

    async def _end(self, batch: Batch, out: Out, used: Usage) -> None:
        """What the provider does not have or has answered is paid by what it used, and its pairs go on."""

        def write(unit: Unit) -> None:
            message_batches.end(unit, out.id)
            budgets.settle(unit, out.id, _batch_cost(batch.judge.model, used))
            message_batches.wake(unit, batch.id)
            message_batches.sweep(unit)

        await self._ledger.write(write)

    async def _find(self, batch: Batch, client: MessageBatches, out: Out) -> None:
        """A Message Batch was being handed in when the worker died: the provider has it, or its requests go again."""
        known = await self._me.read(message_batches.known_ids)
        recent = await client.recent(since=out.created_at - ADOPTABLE)
        matches = [one for one in recent if one.id not in known and one.requests == out.requests]
        if not matches:
            await self._end(batch, out, Usage())
            return
        # The one nearest in time; should it be somebody else's, its results name other requests.
        nearest = min(matches, key=lambda one: abs(one.created_at - out.created_at))
        await self._handed_in(out, nearest.id)

    async def _fetch(self, batch: Batch, client: MessageBatches, out: Out, provider_id: str) -> None:
        if time.monotonic() - self._polled.get(out.id, float("-inf")) < self._poll_seconds:
            return
        self._polled[out.id] = time.monotonic()
        if batch.state is BatchState.CANCELLED:
            with suppress(JudgeError):
                await client.cancel(provider_id)
        if not await client.ended(provider_id):
            return
        waiting = await self._me.read(lambda connection: message_batches.open_requests(connection, out.id))
        stored: list[asyncio.Task[None]] = []
        async for result in client.results(provider_id):
            # What comes twice is neither counted nor kept again.
            one = waiting.pop(result.custom_id, None)
            if one is None:
                continue
            stored.append(asyncio.create_task(self._keep(out, one, result)))
            if len(stored) >= 200:
                await asyncio.gather(*stored)
                stored.clear()
        # What no line names has been tried all the same: a provider that never names it is not asked for ever.
        missing = (RequestResult(digest, UNREADABLE, again=True) for digest in waiting)
        stored += [asyncio.create_task(self._keep(out, waiting[one.custom_id], one)) for one in missing]
        await asyncio.gather(*stored)
        # Of all that is kept: an earlier worker may have died in the middle of the results.
        kept = await self._me.read(lambda connection: tuple(message_batches.replies_of(connection, out.id)))
        await self._end(batch, out, sum((usage_in(reply.get("message") or {}) for reply in kept), Usage()))

    async def _keep(self, out: Out, request: KeptRequest, result: RequestResult) -> None:
        """Keep what came back for a request, or count the try where it is asked once more."""
        again = result.again and request.tries + 1 < MOST_TRIES
        reply = None if again else result.reply.model_dump(mode="json")
        await self._ledger.write(
            lambda unit: message_batches.answer(unit, out.id, request.digest, reply=reply)
        )

    async def _stop_for(self, batch_id: str, problem: str) -> None:
        await self._ledger.write(lambda unit: batches.stop_for(unit, batch_id, problem=problem))


def _batch_cost(model: str, usage: Usage) -> Decimal:
    return (cost_of(model, usage) or Decimal(0)) * BATCHED
