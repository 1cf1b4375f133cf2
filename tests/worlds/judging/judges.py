"""Judges without a model: one that gives every value, one that waits until it may answer; and services for it."""

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from starlette.responses import PlainTextResponse

from comparator.domain.labels import Label, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Answer, JudgeIdentity
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.several_judges import JudgeChoice, SeveralJudges
from comparator.judges.model.judge import AnthropicJudge
from comparator.judges.model.retries import Patience
from comparator.judges.model.sender import AnthropicOptions
from comparator.judges.offline import OfflineJudge
from comparator.judges.protocol import Judge, Owner, PassReply, QuestionResult
from comparator.store.bulk import leases
from comparator.store.bulk.leases import LeaseKind
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.web.guards.gate import Rules
from comparator.workflow.judging.asking import order
from comparator.workflow.services import Services
from tests.loopback.server import LoopbackServer


class WholeJudge(OfflineJudge):
    """A judge in place of a model, with a value for everything: the longer output is the better one."""

    identity = JudgeIdentity(kind="anthropic", model="whole-judge", digest="7" * 64)

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, **more: Any) -> PassReply:
        answer = (await super().read_pair(pair, rubric, **more)).answer
        lengths = pair.outputs.map(lambda view: sum(len(file.text) for file in view.files))
        longer = Winner.A if lengths.A > lengths.B else Winner.B if lengths.B > lengths.A else Winner.TIE

        def score(label: Label) -> int:
            return 3 if longer is Winner.TIE else 4 if longer.value == label.value else 2

        return PassReply(
            answer=Answer.model_validate(
                answer.model_dump(exclude={"form"})
                | {
                    "criteria": {
                        path: {
                            label.value: mark.model_dump()
                            | {"score": score(label), "rationale": f"It is {score(label)} of 5."}
                            for label, mark in both.items()
                        }
                        for path, both in answer.criteria.items()
                        if path in rubric.paths
                    },
                    "expectations": [
                        {label.value: {"passed": longer.value == label.value} for label in Label}
                        for _ in answer.expectations
                    ],
                    "better": longer,
                    "stated_confidence": 90,
                    "reasoning": "The longer output does more of the task.",
                }
            )
        )


@dataclass(eq=False)
class SlowJudge:
    """Answers as the offline check does, once `gate` is open; counts what it is asked."""

    gate: threading.Event = field(default_factory=threading.Event)
    fault: Exception | None = None
    """Raised instead of an answer."""
    readings: int = 0
    cancelled: int = 0
    closed: int = 0
    inner: OfflineJudge = field(default_factory=OfflineJudge)

    @property
    def identity(self) -> JudgeIdentity:
        return self.inner.identity

    @property
    def prompt_digests(self) -> Mapping[str, str]:
        return self.inner.prompt_digests

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> QuestionResult[Rubric]:
        return await self.inner.write_rubric(task, families=families)

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, **more: Any) -> PassReply:
        self.readings += 1
        more["on_behalf_of"].began()
        try:
            while not self.gate.is_set():  # noqa: ASYNC110  # another thread opens it
                await asyncio.sleep(0.005)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.fault is not None:
            raise self.fault
        return await self.inner.read_pair(pair, rubric, **more)

    async def check(self) -> str:
        return await self.inner.check()

    async def close(self) -> None:
        self.closed += 1


@dataclass(frozen=True, kw_only=True)
class ServicesWith(Services):
    """Services whose judge is the test's own."""

    hand_out: Callable[[], Judge]

    def judge(self, *_: Any, **__: Any) -> Judge:
        """The test's judge, whatever is asked for."""
        return self.hand_out()


async def _at_once(_seconds: float) -> None:
    pass


def judge_at(server: LoopbackServer, **options: object) -> AnthropicJudge:
    """The Anthropic judge, which asks this server and waits nowhere between two tries."""
    settings = AnthropicOptions.model_validate(
        {"base_url": server.base_url, "retries": 2, "timeout": 30, **options}
    )
    return AnthropicJudge(
        settings,
        environment={"ANTHROPIC_API_KEY": "sk-ant-planted-key-0123456789"},
        patience=Patience(sleep=_at_once),
    )


def rules(
    *,
    person: Callable[[Mapping[str, str]], str | None] = lambda _cookies: "someone",
    may_see: Callable[[str, str], bool] = lambda _person, _id: False,
    may: Callable[[str, Act], bool] = lambda _person, _act: True,
    ended: Collection[str] = (),
    may_try: Callable[[str], bool] = lambda _who: True,
) -> Rules:
    """Everybody is someone with every right but to outputs, unless said otherwise; `ended` are the tokens with which
    a sign-in ends."""
    return Rules(
        person=person,
        may_see=may_see,
        may=may,
        active=lambda _cookies: None,
        outside_page=lambda who, _cookies: PlainTextResponse(f"door for {who}", 401),
        sign_out=lambda cookies, token: person(cookies) is None or token in ended,
        may_try=may_try,
    )


ELSEWHERE = "elsewhere:1:x"


def asked(services: Services, comparison_id: str, *, old: timedelta = timedelta(0)) -> str:
    """Somebody has asked for the pair this long ago, and nobody has begun; the id of its batch."""
    with services.database.write() as connection:
        choice = JudgeChoice(kind="offline", model=services.judge("offline").identity.model, repetitions=1)
        unit = Unit(connection, at=services.now() - old, new_id=services.new_id)
        (batch,) = order(unit, comparison_id, SeveralJudges(id="asked", members=(choice,)))
        return batch.id


def judge_elsewhere(
    services: Services, comparison_id: str, *, old: timedelta = timedelta(0), worker: str = ELSEWHERE
) -> str:
    """A worker has the pair that somebody asked for, with its last sign of life this long ago; the batch's id."""
    batch_id = asked(services, comparison_id, old=old)
    at = services.now() - old
    with services.write(at=at) as unit:
        leases.join(unit, worker)
        assert leases.take(unit, LeaseKind.PAIR, (comparison_id,), worker=worker)
        fact.refresh(unit, comparison_id)
    return batch_id
