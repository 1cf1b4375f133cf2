"""The judge that asks a model through the Messages API: one call for a rubric, one for each reading of a pair."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

import anthropic

from comparator.domain.errors import (
    ContextOverflow,
    InvalidAnswer,
    JudgeError,
    JudgeRefused,
    ReadingIncomplete,
)
from comparator.domain.labels import Order, Winner
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair, Family
from comparator.domain.scoring.judgment import Answer, Tools, contradicted_by, overall_scores
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.usage import Call
from comparator.judges import prompts
from comparator.judges.injections import addressed_in, labelled
from comparator.judges.model import request_content
from comparator.judges.model.answer_form import (
    answer_schema,
    criteria_schemas,
    example_rubric,
    expectations_schema,
    form_digest,
    rubric_schema,
)
from comparator.judges.model.answers import Unusable, read_answer, read_rubric
from comparator.judges.model.conversation import Conversation, Turn, asked_upon, with_cache_marks
from comparator.judges.model.direct import DirectSender, Patience, RequestFailed, send_patiently
from comparator.judges.model.faults import Unsupported
from comparator.judges.model.options import AnthropicOptions, Provider
from comparator.judges.model.request_content import ContentBlock
from comparator.judges.model.secrets import without_password
from comparator.judges.model.sender import Message, Request, Sender
from comparator.judges.protocol import Answered, JudgeIdentity, Owner, PassReply, Question, RubricReply
from comparator.judges.tools.examination import Examination

T = TypeVar("T")
MOST_TOKENS = 64_000


@dataclass(frozen=True)
class _Manner:
    """How a request is made; a server or an answer can force another manner, each at most once."""

    max_tokens: int
    schema: bool = True
    media: bool = True
    tools: bool = True
    """Whether tools are offered, where there are any for this reading."""
    turns: tuple[Turn, ...] = ()
    """What was answered so far, and what was asked upon it."""
    repaired: bool = False
    """Whether the problems of an unusable answer have been named."""


@dataclass(frozen=True)
class _Asked(Generic[T]):
    """A valid answer: what it was read as, its text, and how it was asked for."""

    value: T
    text: str
    manner: _Manner


class AnthropicJudge:
    """A model behind the Messages API. Safe to share between concurrent readings."""

    def __init__(
        self,
        options: AnthropicOptions,
        *,
        environment: Mapping[str, str],
        patience: Patience | None = None,
        through: Callable[[DirectSender], Sender] = lambda direct: direct,
    ) -> None:
        self._options = options
        self._patience = patience or Patience()
        self._direct = DirectSender(options, environment=environment, patience=self._patience)
        self._sender = through(self._direct)
        self._identity = identity_of(options)

    @property
    def identity(self) -> JudgeIdentity:
        """The model, with a digest over server, prompts and answer form."""
        return self._identity

    @property
    def prompt_digests(self) -> dict[str, str]:
        """Each prompt's name with the sha256 of its text."""
        return dict(prompts.digests())

    async def write_rubric(
        self, task: TaskText, *, families: tuple[Family, ...], on_behalf_of: Owner | None = None
    ) -> RubricReply:
        """A rubric from the task's wording and the kinds of files, not from the outputs."""
        content = request_content.rubric_content(task, families)
        calls: list[Call] = []
        asked = await self._ask(
            calls,
            system=lambda _tools: request_content.rubric_system(),
            content=lambda _media, _tools: content,
            form=_rubric_form(),
            read=lambda text: read_rubric(text, clean=self._direct.clean),
            on_behalf_of=on_behalf_of,
        )
        return RubricReply(rubric=asked.value, calls=tuple(calls))

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
        calls: list[Call] = []
        talk = None
        if examination is not None:
            talk = Conversation(pair, examination, model=self._options.model)

        async def ask(manner: _Manner | None = None) -> _Asked[Answer]:
            asked = await self._ask(
                calls,
                system=lambda tools: request_content.judge_system(tools=tools),
                content=lambda media, tools: request_content.pair_content(
                    pair, rubric, order=order, media=media, tools=tools
                ),
                form=_answer_form(rubric, expectations=len(pair.task.expectations)),
                read=lambda text: read_answer(text, rubric, pair, clean=self._direct.clean),
                manner=manner,
                talk=talk,
                on_behalf_of=on_behalf_of,
            )
            if talk is None or not asked.manner.tools:
                return asked
            return replace(asked, value=await asyncio.to_thread(talk.finished, asked.value))

        async def ask_further(asked: _Asked[Answer], question: str) -> _Asked[Answer]:
            turns = (*asked.manner.turns, *asked_upon(asked.text, question))
            return await ask(replace(asked.manner, turns=turns, repaired=False))

        first = await ask()
        if talk is not None and (question := talk.unopened(first.value)):
            first = await ask_further(first, question)
            if talk.unopened(first.value):
                raise talk.one_sided(calls)
        disagreement = _disagreement(rubric, first.value)
        if disagreement is None:
            return PassReply(answer=_with_flags(first.value, pair), calls=tuple(calls))
        before = len(calls)
        try:
            second = await ask_further(first, disagreement)
        except (InvalidAnswer, JudgeRefused, ContextOverflow, ReadingIncomplete):
            # The first answer is valid: it stands as it is, with the contradiction.
            return PassReply(answer=_with_flags(first.value, pair), calls=tuple(calls))
        if talk is not None and talk.unopened(second.value):
            second = first
        return PassReply(
            answer=_with_flags(second.value, pair),
            calls=tuple(calls),
            contradicted=_with_flags(first.value, pair),
            calls_before=before,
        )

    async def ask(self, question: Question[T], *, on_behalf_of: Owner | None = None) -> Answered[T]:
        """The answer to a question that is no pair, asked as patiently as one."""
        calls: list[Call] = []
        asked = await self._ask(
            calls,
            system=lambda _tools: [{"type": "text", "text": question.system}],
            content=lambda _media, _tools: [{"type": "text", "text": question.content}],
            form=_form(question.schema),
            read=lambda text: question.read(self._direct.clean(text)),
            on_behalf_of=on_behalf_of,
        )
        return Answered(asked.value, tuple(calls))

    async def check(self) -> str:
        """Whether the model can be reached, asked without cost where the server allows it. Raises JudgeError."""
        model, server = self._options.model, self._direct.server
        question = [{"role": "user", "content": "Are you there?"}]
        if self._options.provider is Provider.API:
            try:
                await self._direct.count_tokens({"model": model, "messages": question})
            except RequestFailed as failed:
                # Compatible servers often have no route for counting; then one short question has to do.
                if self._options.base_url is None or failed.fault.status not in (404, 405, 501):
                    raise failed.fault.error(failed.fault.message) from None
            else:
                return f"The model {model} at {server} can be reached; asking cost nothing."
        try:
            await self._send({"model": model, "max_tokens": 16, "messages": question}, None)
        except RequestFailed as failed:
            raise failed.fault.error(failed.fault.message, calls=failed.calls) from None
        return f"The model {model} at {server} can be reached; one short question was asked."

    async def close(self) -> None:
        """Closes the connections."""
        await self._direct.close()

    async def _ask(
        self,
        calls: list[Call],
        *,
        system: Callable[[bool], list[ContentBlock]],
        content: Callable[[bool, bool], list[ContentBlock]],
        form: dict[str, Any],
        read: Callable[[str], T],
        manner: _Manner | None = None,
        talk: Conversation | None = None,
        on_behalf_of: Owner | None,
    ) -> _Asked[T]:
        """Asks until there is a valid answer: at most once more without a schema, once without media, once with a
        larger limit, and once with the problems of an unusable answer named. Every request is added to `calls`.
        """
        manner = manner or _Manner(max_tokens=self._options.max_tokens, tools=talk is not None)
        while True:
            parameters = self._parameters(
                system(manner.tools), content(manner.media, manner.tools), form, manner
            )
            if talk is not None and manner.tools:
                parameters |= talk.offered()
                parameters["messages"] = with_cache_marks(parameters["messages"])
            try:
                message, tries = await self._send(parameters, on_behalf_of, paid=bool(calls))
            except RequestFailed as failed:
                calls.extend(failed.calls)
                simpler = self._simpler(manner, failed.fault.unsupported)
                if simpler is None:
                    raise failed.fault.error(failed.fault.message, calls=tuple(calls)) from None
                manner = simpler
                continue
            except JudgeError as error:
                # The sender refused it; what was asked before is paid for all the same.
                error.calls = (*calls, *error.calls)
                raise
            calls.extend(tries)
            _raise_if_stopped(message, self._options.model, calls)
            # Cut off, the arguments of a tool are not whole: that is an answer that was too long.
            if talk is not None and message.tool_uses and message.stop_reason != "max_tokens":
                turns = await talk.answer(message, calls)
                manner = replace(manner, turns=(*manner.turns, *turns))
                continue
            try:
                return _Asked(read(message.text), message.text, manner)
            except Unusable as unusable:
                problem = str(unusable)
            calls[-1] = calls[-1].model_copy(update={"problem": problem})
            if talk is not None and talk.stopped:
                raise talk.incomplete(problem, calls)
            manner = self._next_manner(manner, message, problem, calls)

    async def _send(
        self, parameters: dict[str, Any], on_behalf_of: Owner | None, *, paid: bool = False
    ) -> tuple[Message, tuple[Call, ...]]:
        return await send_patiently(
            self._sender,
            Request(parameters, paid=paid),
            on_behalf_of,
            options=self._options,
            patience=self._patience,
        )

    def _next_manner(self, manner: _Manner, message: Message, problem: str, calls: list[Call]) -> _Manner:
        cut_off = message.stop_reason == "max_tokens"
        if cut_off and manner.max_tokens == self._options.max_tokens < MOST_TOKENS:
            return replace(manner, max_tokens=min(MOST_TOKENS, self._options.max_tokens * 2))
        if not manner.repaired:
            turns = asked_upon(message.text, prompts.filled(prompts.REPAIR, problems=problem))
            return replace(manner, turns=(*manner.turns, *turns), repaired=True)
        advice = "Raise the limit of tokens, or choose" if cut_off else "Retry, or choose"
        first = problem.splitlines()[0].removeprefix("- ")
        raise InvalidAnswer(
            f"The judge's answer stayed unusable after one repair request: {first[:300]}. The raw answers are kept. "
            f"{advice} another model.",
            calls=tuple(calls),
        )

    def _simpler(self, manner: _Manner, unsupported: Unsupported | None) -> _Manner | None:
        if unsupported is Unsupported.SCHEMA and manner.schema:
            return replace(manner, schema=False)
        if unsupported is Unsupported.MEDIA and manner.media:
            return replace(manner, media=False)
        # The server refuses them in both orders alike; where tools are a must, the reading fails instead.
        begins = manner.tools and not manner.turns
        if unsupported is Unsupported.TOOLS and begins and self._options.tools is not Tools.ALWAYS:
            return replace(manner, tools=False)
        return None

    def _parameters(
        self, system: list[ContentBlock], content: list[ContentBlock], form: dict[str, Any], manner: _Manner
    ) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        for turn in manner.turns:
            if turn["role"] == messages[-1]["role"]:
                # There may be no empty answer among the messages: what is asked upon it goes with the question before.
                messages[-1] = {**turn, "content": [*messages[-1]["content"], *turn["content"]]}
            else:
                messages.append(dict(turn))
        parameters: dict[str, Any] = {
            "model": self._options.model,
            "max_tokens": manner.max_tokens,
            "system": system,
            "messages": messages,
        }
        if manner.schema:
            parameters["output_config"] = {"format": form}
        return parameters


def identity_of(options: AnthropicOptions) -> JudgeIdentity:
    """Which judge these options make; patience and limits are left out, they change no answer."""
    configuration = {
        "model": options.model,
        "provider": options.provider.value,
        "server": without_password(options.base_url) if options.base_url else "",
        "prompts": prompts.digests(),
        "form": form_digest(),
        "tools": options.tools.value,
    }
    digest = hashlib.sha256(json.dumps(configuration, sort_keys=True).encode()).hexdigest()
    return JudgeIdentity(kind="anthropic", model=options.model, digest=digest, tools=options.tools)


def _disagreement(rubric: Rubric, answer: Answer) -> str | None:
    """What to ask where the scores give another winner than the answer names; None where they agree."""
    by_scores = contradicted_by(rubric, answer)
    if by_scores is None:
        return None
    both = overall_scores(rubric, answer)
    named = "a tie" if answer.better is Winner.TIE else f"output {answer.better.value}"
    return prompts.filled(
        prompts.AGREE, by_scores=by_scores.value, totals=f"A {both.A}, B {both.B}", named=named
    )


def _answer_form(rubric: Rubric, *, expectations: int) -> dict[str, Any]:
    frame = _answer_frame()
    schema = frame["schema"]
    definitions = {**schema["$defs"], **criteria_schemas(rubric, described=False)}
    properties = {**schema["properties"], "expectations": _expectations_form(expectations)}
    return {**frame, "schema": {**schema, "properties": properties, "$defs": definitions}}


@lru_cache(maxsize=256)
def _expectations_form(number: int) -> dict[str, Any]:
    form: dict[str, Any] = anthropic.transform_schema(expectations_schema(number))
    return form


@lru_cache(maxsize=1)
def _answer_frame() -> dict[str, Any]:
    return _form(answer_schema(example_rubric(), expectations=0))


@lru_cache(maxsize=1)
def _rubric_form() -> dict[str, Any]:
    return _form(rubric_schema())


def _form(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema as the API takes it; made once, as it takes longer than the request itself."""
    return {"type": "json_schema", "schema": anthropic.transform_schema(schema)}


def _raise_if_stopped(message: Message, model: str, calls: list[Call]) -> None:
    """Raises for the stop reasons after which there is no answer."""
    error: JudgeError
    match message.stop_reason:
        case "refusal":
            error = JudgeRefused(
                f"The model {model} declined to judge this pair. Review it without a judge, or choose another model.",
            )
        case "model_context_window_exceeded":
            error = ContextOverflow(
                f"The pair and the answer do not fit into the context window of {model}. Compare fewer or smaller "
                "files, lower the judge's budget for each output, or choose a model with a larger window.",
            )
        case _:
            return
    calls[-1] = calls[-1].model_copy(update={"problem": f"stopped: {message.stop_reason}"})
    error.calls = tuple(calls)
    raise error


def _with_flags(answer: Answer, pair: BlindedPair) -> Answer:
    found = labelled(addressed_in(pair))
    return answer.model_copy(
        update={"addressed_judge": tuple(dict.fromkeys((*found, *answer.addressed_judge)))}
    )
