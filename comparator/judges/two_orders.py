"""Reads a pair in both orders; what is there already is not paid for again, nor what both orders share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from comparator.domain.errors import JudgeError
from comparator.domain.labels import Order
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import Judge, Owner, PassReply

if TYPE_CHECKING:
    from comparator.judges.tools.examination import Examination

OnDone = Callable[[Order, int, PassReply | JudgeError], Awaitable[None]]


def missing_passes(have: tuple[Pass, ...], *, repetitions: int) -> tuple[tuple[Order, int], ...]:
    """Which order and repetition are still to be read, the first repetition of both orders first.

    >>> missing_passes((), repetitions=1)
    ((<Order.A_FIRST: 'AB'>, 0), (<Order.B_FIRST: 'BA'>, 0))
    """
    done = {(p.order, p.repetition) for p in have}
    wanted = [(order, repetition) for repetition in range(repetitions) for order in Order]
    return tuple(one for one in wanted if one not in done)


async def judge_pair(
    judge: Judge,
    pair: BlindedPair,
    rubric: Rubric,
    *,
    have: tuple[Pass, ...],
    repetitions: int,
    on_done: OnDone,
    owner_of: Callable[[Order, int], Owner | None] = lambda *_: None,
    tools_of: Callable[[Order, int], Examination | None] = lambda *_: None,
) -> None:
    """Runs the missing passes and reports each as soon as it is there, answer or JudgeError.

    All but the first start when the first begins to answer: what they share is in the provider's cache from then on.
    Of outputs that are the same, one pass is read, and holds for all. A pass that fails does not stop the others. Any
    other exception, also of `on_done`, is raised after all have ended.
    """
    missing = missing_passes(have, repetitions=repetitions)
    if not missing:
        return
    first, *others = missing
    begun = asyncio.Event()

    async def read(order: Order, repetition: int) -> PassReply | JudgeError:
        owner = owner_of(order, repetition) or Owner()
        owner.began = begun.set
        try:
            return await judge.read_pair(
                pair,
                rubric,
                order=order,
                repetition=repetition,
                on_behalf_of=owner,
                examination=tools_of(order, repetition),
            )
        except JudgeError as error:
            return error

    async def read_first() -> None:
        try:
            outcome: PassReply | JudgeError = (
                PassReply(answer=have[0].answer) if pair.same and have else await read(*first)
            )
            await on_done(*first, outcome)
            for each in others if pair.same else ():
                await on_done(*each, _without_calls(outcome))
        finally:
            begun.set()

    async def read_other(order: Order, repetition: int) -> None:
        await begun.wait()
        await on_done(order, repetition, await read(order, repetition))

    outcomes = await asyncio.gather(
        read_first(), *(read_other(*each) for each in others if not pair.same), return_exceptions=True
    )
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


def _without_calls(outcome: PassReply | JudgeError) -> PassReply | JudgeError:
    """The same outcome, for which nothing was asked."""
    return PassReply(answer=outcome.answer) if isinstance(outcome, PassReply) else type(outcome)(str(outcome))
