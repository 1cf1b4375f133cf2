"""What every judge can do: write a rubric for a task and read a blinded pair; and how a pair is read in both orders."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from comparator.domain.errors import JudgeError
from comparator.domain.labels import Frozen, Order
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.scoring.judgment import Answer, JudgeIdentity, Pass
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges.tools.examination import Examination

T = TypeVar("T")
ContentBlock = dict[str, Any]
"""A block of a request, as the Messages API takes it."""

OFFLINE_CHECK = "offline check"
"""What the judge that needs no model is called."""


def judge_called(kind: str, model: str) -> str:
    """The model's name; the offline check's own."""
    return OFFLINE_CHECK if kind == "offline" else model


class PassReply(Frozen):
    """One answer to the pair, and all requests that it took."""

    answer: Answer
    calls: tuple[Call, ...] = ()
    contradicted: Answer | None = None
    """An answer before this one whose scores gave another winner than it named; the judge was asked once more."""
    calls_before: int = 0
    """How many of the requests went into that one."""


WAITING = "Waiting for the server at"
"""How the sentence begins that says so."""


@dataclass(eq=False)
class Owner:
    """Whose requests these are: one rubric or one reading of a pair, and when its turn comes."""

    comparison_id: str = ""
    batch_id: str = ""
    urgent: bool = False
    """Somebody waits for it, so that it goes before all that is not."""
    position: int = 0
    """The place in its batch; the earlier one goes first."""
    writes_rubric: bool = False
    """Readings wait for rubrics, so these go before readings."""
    reserve: Callable[["Owner", int, int], Awaitable[None]] | None = None
    """Sets aside what a request will cost, by its tokens in and out. Raises JudgeNotAllowed."""
    tell: Callable[[str], None] = lambda _: None
    """Told a sentence while a request waits for its server."""
    began: Callable[[], None] = lambda: None
    """Called when an answer begins: from then on what the request marked is in the provider's cache."""


class Question(NamedTuple, Generic[T]):
    """Something that a model is asked beside pairs; `read` makes a value of its text, or raises Unusable."""

    system: str
    content: str
    form: type[BaseModel]
    read: Callable[[str], T]


class QuestionResult(NamedTuple, Generic[T]):
    """What came of a question, and the requests that it took."""

    value: T
    calls: tuple[Call, ...] = ()


@runtime_checkable
class Model(Protocol):
    """A judge that can be asked anything. Raises a JudgeError whose `calls` hold every request that was made."""

    @property
    def identity(self) -> JudgeIdentity:
        """Kind, model and configuration of this judge."""
        ...

    async def ask(self, question: Question[T], *, on_behalf_of: Owner | None = None) -> QuestionResult[T]:
        """A valid answer."""
        ...


class AsksNoModel:
    """What judges that ask no model have in common: no prompts, nothing to close."""

    prompt_digests: Mapping[str, str] = MappingProxyType({})
    """Empty: nobody is asked."""

    async def close(self) -> None:
        """Nothing to give back."""


class Judge(Protocol):
    """Someone who scores a pair. All methods raise a JudgeError whose `calls` hold every request that was made."""

    @property
    def identity(self) -> JudgeIdentity:
        """Kind, model and configuration of this judge."""
        ...

    @property
    def prompt_digests(self) -> Mapping[str, str]:
        """Each prompt's name with the sha256 of its text; empty for a judge without prompts."""
        ...

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> QuestionResult[Rubric]:
        """A rubric for the task, from its wording and the families of its runs' files, never from their contents."""
        ...

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,
        repetition: int = 0,
        on_behalf_of: Owner | None = None,
        examination: Examination | None = None,
    ) -> PassReply:
        """The judge's answer with the outputs presented in `order`; the labels stay with the outputs.

        With an `examination` it may open files of the pair with tools; what it opened is kept there.
        """
        ...

    async def check(self) -> str:
        """One plain sentence that says the judge can be reached. Raises JudgeError with what to do if not."""
        ...

    async def close(self) -> None:
        """Gives back connections; the judge is not used afterwards."""
        ...


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
            # The same for the others, for which nothing was asked.
            same = (
                PassReply(answer=outcome.answer)
                if isinstance(outcome, PassReply)
                else type(outcome)(str(outcome))
            )
            for reading in others if pair.same else ():
                await on_done(*reading, same)
        finally:
            begun.set()

    async def read_other(order: Order, repetition: int) -> None:
        await begun.wait()
        await on_done(order, repetition, await read(order, repetition))

    outcomes = await asyncio.gather(
        read_first(), *(read_other(*reading) for reading in others if not pair.same), return_exceptions=True
    )
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
