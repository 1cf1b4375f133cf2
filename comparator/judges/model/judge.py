"""The judge that asks a model through the Messages API: one call for a rubric, one for each reading of a pair."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from comparator.domain.errors import ContextOverflow, InvalidAnswer, JudgeRefused, ReadingIncomplete
from comparator.domain.labels import Label, Order, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.project import Guidance
from comparator.domain.scoring.judgment import Answer, JudgeIdentity, contradicts, verdict_of
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges.injections import addressed_in, label_passages
from comparator.judges.model.answers import form_digest
from comparator.judges.model.direct_sender import DirectSender
from comparator.judges.model.exchange import Exchange
from comparator.judges.model.request_content import PairQuestion, rubric_question
from comparator.judges.model.retries import Connection, Patience
from comparator.judges.model.secrecy import strip_password
from comparator.judges.model.sender import AnthropicOptions, Fault, Provider, Sender
from comparator.judges.prompts import Prompt, digests
from comparator.judges.protocol import Owner, PassReply, Question, QuestionResult
from comparator.judges.tools.examination import Examination

T = TypeVar("T")


class AnthropicJudge:
    """A model behind the Messages API. Safe to share between concurrent readings."""

    def __init__(
        self,
        options: AnthropicOptions,
        *,
        environment: Mapping[str, str],
        patience: Patience | None = None,
        through: Callable[[DirectSender], Sender] | None = None,
        guidance: Guidance | None = None,
    ) -> None:
        self._options, self._guidance = options, guidance
        patience = patience or Patience()
        self._direct = DirectSender(options, environment=environment, patience=patience)
        self._connection = Connection(options, through(self._direct) if through else self._direct, patience)
        self.identity = identity_of(options, guidance)
        """The model, with a digest over server, prompts, guidance and answer form."""
        self.prompt_digests = digests() | _guidance_digest(guidance)
        """Each prompt's name with the sha256 of its text."""

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> QuestionResult[Rubric]:
        """A rubric from the task's wording and the kinds of files, not from the outputs."""
        return await self.ask(rubric_question(task, families), on_behalf_of=on_behalf_of)

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,
        *,
        order: Order,
        repetition: int = 0,  # noqa: ARG002  a repetition is the same question again
        on_behalf_of: Owner | None = None,
        examination: Examination | None = None,
    ) -> PassReply:
        """One reading; passages that address the judge are flagged, whether the model or our own search found them.

        An answer whose scores give another winner than it names is asked about once more; what comes then, holds.
        """
        shown_pair = examination.material.given if examination else pair
        question = PairQuestion(pair, shown_pair, rubric, order, self._guidance)
        exchange: Exchange[Answer] = Exchange(
            self._connection, question, on_behalf_of or Owner(), examination
        )

        async def ask(further: str = "") -> Answer:
            # Our own search goes on while the model reads.
            answering: Awaitable[Answer] = exchange.answer(further)
            searching = asyncio.to_thread(addressed_in, pair)
            answer, own_passages = await asyncio.gather(answering, searching)
            if examination and exchange.tools:
                answer = await asyncio.to_thread(examination.finished, answer, exchange.stopped)
            passages = tuple(dict.fromkeys((*label_passages(own_passages), *answer.addressed_judge)))
            return answer.copy_with(addressed_judge=passages)

        def unopened(answer: Answer) -> Label | None:
            return examination.unopened(answer.better) if examination and exchange.tools else None

        first = await ask()
        if never := unopened(first):
            if not exchange.stopped:
                text = Prompt.UNOPENED.filled(better=first.better.value, unopened=never.value)
                first = await ask(text)
            if unopened(first):
                raise ReadingIncomplete(
                    "The reading is incomplete: the judge named a winner but never opened what was cut from one "
                    "output. Retry, or choose another model.",
                    calls=tuple(exchange.calls),
                )
        calls_before = len(exchange.calls)
        verdict = verdict_of(rubric, [first])
        if verdict is None or not contradicts(verdict, first) or (both := verdict.overall) is None:
            return PassReply(answer=first, calls=tuple(exchange.calls))
        named = "a tie" if first.better is Winner.TIE else f"output {first.better}"
        text = Prompt.AGREE.filled(
            by_scores=verdict.winner.value, totals=f"A {both.A}, B {both.B}", named=named
        )
        try:
            second = await ask(text)
        except (InvalidAnswer, JudgeRefused, ContextOverflow, ReadingIncomplete):
            # The first answer is valid: it stands as it is, with the contradiction.
            return PassReply(answer=first, calls=tuple(exchange.calls))
        holds = first if unopened(second) else second
        gave_way = holds.better is not first.better
        return PassReply(
            answer=holds.copy_with(first_verdict=first.better if gave_way else None),
            calls=tuple(exchange.calls),
            contradicted=first,
            calls_before=calls_before,
        )

    async def ask(self, question: Question[T], *, on_behalf_of: Owner | None = None) -> QuestionResult[T]:
        """The answer to a question that is no pair, asked as patiently as one."""
        exchange = Exchange(self._connection, question, on_behalf_of or Owner())
        return QuestionResult(await exchange.answer(), tuple(exchange.calls))

    async def check(self) -> str:
        """Whether the model can be reached, asked without cost where the server allows it. Raises JudgeError."""
        model, server = self._options.model, self._direct.server
        question = [{"role": "user", "content": "Are you there?"}]
        if self._options.provider is Provider.API:
            fault = await self._direct.count_tokens({"model": model, "messages": question})
            if fault is None:
                return f"The model {model} at {server} can be reached; asking cost nothing."
            # Compatible servers often have no route for counting; then one short question has to do.
            if self._options.base_url is None or fault.status not in (404, 405, 501):
                raise fault.error(fault.message)
        calls: list[Call] = []
        parameters = {"model": model, "max_tokens": 16, "messages": question}
        outcome = await self._connection.send_patiently(parameters, Owner(), calls)
        if isinstance(outcome, Fault):
            raise outcome.error(outcome.message, calls=tuple(calls))
        return f"The model {model} at {server} can be reached; one short question was asked."

    async def close(self) -> None:
        """Closes the connections."""
        await self._direct.close()


def identity_of(options: AnthropicOptions, guidance: Guidance | None = None) -> JudgeIdentity:
    """Which judge these options make; patience and limits are left out, they change no answer."""
    configuration = {
        "model": options.model,
        "provider": options.provider,
        "server": strip_password(options.base_url) if options.base_url else "",
        "prompts": digests(),
        "form": form_digest(),
        "tools": options.tools,
        **_guidance_digest(guidance),
    }
    digest = hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()
    return JudgeIdentity(
        kind="anthropic",
        model=options.model,
        digest=digest,
        tools=options.tools,
        guidance=guidance.number if guidance else None,
    )


def _guidance_digest(guidance: Guidance | None) -> dict[str, str]:
    """The sha256 of what is sent of the guidance; nothing where there is none."""
    if guidance is None:
        return {}
    sent = Prompt.GUIDANCE.filled(notes=guidance.text)
    return {"guidance": hashlib.sha256(sent.encode("utf-8", "replace")).hexdigest()}
