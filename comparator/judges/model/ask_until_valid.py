"""Asks a model until it gives an answer of the form that is wanted, as simply as its server takes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from comparator.domain.errors import ContextOverflow, InvalidAnswer, JudgeError, JudgeRefused
from comparator.domain.scoring.judgment import Tools
from comparator.domain.usage import Call
from comparator.judges import prompts
from comparator.judges.model.answer_form import in_words, schema_of
from comparator.judges.model.answers import Unusable
from comparator.judges.model.direct import Patience, RequestFailed, send_patiently
from comparator.judges.model.faults import Unsupported
from comparator.judges.model.options import AnthropicOptions
from comparator.judges.model.request_content import asked_upon, with_cache_marks
from comparator.judges.model.sender import ModelMessage, Request, Sender
from comparator.judges.protocol import ContentBlock, Owner

if TYPE_CHECKING:
    from comparator.judges.model.conversation import Conversation

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
MOST_TOKENS = 64_000


@dataclass(frozen=True)
class RequestForm:
    """How a request is made; a server or an answer can force another manner, each at most once."""

    max_tokens: int
    schema: bool = True
    media: bool = True
    tools: bool = True
    """Whether tools are offered, where there are any for this reading."""
    turns: tuple[dict[str, Any], ...] = ()
    """What was answered so far, and what was asked upon it."""
    repaired: bool = False
    """Whether the problems of an unusable answer have been named."""


class ModelQuestion(Protocol[T_co]):
    """What a model is asked, and how its answer is read."""

    @property
    def form(self) -> type[BaseModel]:
        """The form of the answer."""

    def request(
        self, *, media: bool, tools: bool, form: str
    ) -> tuple[list[ContentBlock], list[ContentBlock]]:
        """The instructions and the question, with media and tools or without, and with the form in words."""

    def read(self, text: str, /) -> T_co:
        """The answer in this text. Raises Unusable."""


@dataclass(frozen=True)
class ValidAnswer(Generic[T]):
    """A valid answer: what it was read as, its text, and how it was asked for."""

    value: T
    text: str
    manner: RequestForm
    calls: tuple[Call, ...]
    """Every request of the reading up to this answer."""


class Asker:
    """Asks by one model's options. Safe to share between concurrent readings."""

    def __init__(self, options: AnthropicOptions, sender: Sender, *, patience: Patience) -> None:
        self._options, self._sender, self._patience = options, sender, patience

    async def ask(
        self,
        question: ModelQuestion[T],
        *,
        manner: RequestForm | None = None,
        talk: Conversation | None = None,
        earlier: tuple[Call, ...] = (),
        on_behalf_of: Owner | None,
    ) -> ValidAnswer[T]:
        """Asks until there is a valid answer: at most once more without a schema, once without media, once with a
        larger limit, and once with the problems of an unusable answer named.

        `earlier` are the requests of the same reading before: the answer's `calls`, or the error's, begin with them.
        """
        calls = earlier
        manner = manner or RequestForm(max_tokens=self._options.max_tokens, tools=talk is not None)
        while True:
            try:
                message, tries = await self.send(
                    self._parameters(question, manner, talk), on_behalf_of, paid=bool(calls)
                )
            except RequestFailed as failed:
                calls += failed.calls
                simpler = self._simpler(manner, failed.fault.unsupported)
                if simpler is None:
                    raise failed.fault.error(failed.fault.message, calls=calls) from None
                manner = simpler
                continue
            except JudgeError as error:
                # The sender refused it; what was asked before is paid for all the same.
                error.calls = (*calls, *error.calls)
                raise
            calls += tries
            self._raise_if_stopped(message, calls)
            # Cut off, the arguments of a tool are not whole: that is an answer that was too long.
            if talk is not None and message.tool_uses and message.stop_reason != "max_tokens":
                turns = await talk.answer(message, calls)
                manner = replace(manner, turns=(*manner.turns, *turns))
                continue
            try:
                return ValidAnswer(question.read(message.text), message.text, manner, calls)
            except Unusable as unusable:
                problem = str(unusable)
            calls = _with_problem(calls, problem)
            if talk is not None and talk.stopped:
                raise talk.incomplete(problem, calls)
            manner = self._next_manner(question, manner, message, problem, calls)

    async def send(
        self, parameters: dict[str, Any], on_behalf_of: Owner | None, *, paid: bool = False
    ) -> tuple[ModelMessage, tuple[Call, ...]]:
        """What the model said, and every try. Raises RequestFailed, and JudgeError where the sender refuses it."""
        return await send_patiently(
            self._sender,
            Request(parameters, paid=paid),
            on_behalf_of,
            options=self._options,
            patience=self._patience,
        )

    def _next_manner(
        self,
        question: ModelQuestion[T],
        manner: RequestForm,
        message: ModelMessage,
        problem: str,
        calls: tuple[Call, ...],
    ) -> RequestForm:
        cut_off = message.stop_reason == "max_tokens"
        if cut_off and manner.max_tokens == self._options.max_tokens < MOST_TOKENS:
            return replace(manner, max_tokens=min(MOST_TOKENS, self._options.max_tokens * 2))
        if not manner.repaired:
            # A server may take a schema and ignore it: then the model has not been told the form yet.
            form = f"\n\n{in_words(question.form)}" if manner.schema else ""
            turns = asked_upon(message.text, prompts.filled(prompts.REPAIR, problems=problem) + form)
            return replace(manner, turns=(*manner.turns, *turns), repaired=True)
        advice = "Raise the limit of tokens, or choose" if cut_off else "Retry, or choose"
        first = problem.splitlines()[0].removeprefix("- ")
        raise InvalidAnswer(
            f"The judge's answer stayed unusable after one repair request: {first[:300]}. The raw answers are kept. "
            f"{advice} another model.",
            calls=calls,
        )

    def _simpler(self, manner: RequestForm, unsupported: Unsupported | None) -> RequestForm | None:
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
        self, question: ModelQuestion[T], manner: RequestForm, talk: Conversation | None
    ) -> dict[str, Any]:
        form = "" if manner.schema else in_words(question.form)
        system, content = question.request(media=manner.media, tools=manner.tools, form=form)
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        for turn in manner.turns:
            if turn["role"] == messages[-1]["role"]:
                # There may be no empty answer among the messages: what is asked upon it goes with the question before.
                messages[-1] = {**turn, "content": [*messages[-1]["content"], *turn["content"]]}
            else:
                messages.append(turn)
        parameters: dict[str, Any] = {
            "model": self._options.model,
            "max_tokens": manner.max_tokens,
            "system": system,
            "messages": messages,
        }
        if manner.schema:
            parameters["output_config"] = {"format": schema_of(question.form)}
        if talk is not None and manner.tools:
            parameters |= talk.offered() | {"messages": with_cache_marks(messages)}
        return parameters

    def _raise_if_stopped(self, message: ModelMessage, calls: tuple[Call, ...]) -> None:
        """Raises for the stop reasons after which there is no answer."""
        model = self._options.model
        error: JudgeError
        match message.stop_reason:
            case "refusal":
                error = JudgeRefused(
                    f"The model {model} declined to judge this pair. Review it without a judge, or choose another "
                    "model."
                )
            case "model_context_window_exceeded":
                error = ContextOverflow(
                    f"The pair and the answer do not fit into the context window of {model}. Compare fewer or smaller "
                    "files, lower the judge's budget for each output, or choose a model with a larger window."
                )
            case _:
                return
        error.calls = _with_problem(calls, f"stopped: {message.stop_reason}")
        raise error


def _with_problem(calls: tuple[Call, ...], problem: str) -> tuple[Call, ...]:
    """The calls with what was wrong with the answer to the last one."""
    return (*calls[:-1], calls[-1].model_copy(update={"problem": problem}))
