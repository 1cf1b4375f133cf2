"""Reads a pair in both orders at once; what is there already is not paid for again."""

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
    """Runs the missing passes concurrently and reports each as soon as it is there, answer or JudgeError.

    A pass that fails does not stop the others. Any other exception, also of `on_done`, is raised after all have ended.
    """

    async def read(order: Order, repetition: int) -> None:
        outcome: PassReply | JudgeError
        try:
            outcome = await judge.read_pair(
                pair,
                rubric,
                order=order,
                repetition=repetition,
                on_behalf_of=owner_of(order, repetition),
                examination=tools_of(order, repetition),
            )
        except JudgeError as error:
            outcome = error
        await on_done(order, repetition, outcome)

    outcomes = await asyncio.gather(
        *(read(order, repetition) for order, repetition in missing_passes(have, repetitions=repetitions)),
        return_exceptions=True,
    )
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
