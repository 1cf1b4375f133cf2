"""One exchange with a model: asked until its answer has the wanted form, with tools where it may open files."""

import asyncio
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, TypeVar

from comparator.domain.errors import (
    ContextOverflow,
    InvalidAnswer,
    JudgeError,
    JudgeRefused,
    ReadingIncomplete,
)
from comparator.domain.scoring.judgment import Tools
from comparator.domain.usage import Call, Usage
from comparator.judges.model.answers import Unusable, in_words, schema_of
from comparator.judges.model.request_content import PairQuestion, add_cache_marks, follow_up_turns
from comparator.judges.model.retries import Connection
from comparator.judges.model.sender import ANSWER_TOKENS, Fault, ModelMessage, Unsupported
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.prompts import Prompt
from comparator.judges.protocol import Owner, Question
from comparator.judges.tools.examination import Examination

T = TypeVar("T")
MOST_TOKENS = 64_000
_WHAT_TO_DO = "Raise COMPARATOR_TOOL_LIMITS, or choose another model."


@dataclass
class Exchange(Generic[T]):
    """A question, what was answered so far, and how the next request is made.

    A server or an answer can force a simpler request, each kind at most once. With an `examination` the model asks for
    tools and gets answers until a limit is near; one request is kept back for the verdict.
    """

    connection: Connection
    question: Question[T] | PairQuestion
    owner: Owner
    examination: Examination | None = None
    calls: list[Call] = field(default_factory=list)
    """Every request so far, failed ones included."""
    stopped: str = ""
    """The limit at which no more tools are offered; empty while they are."""

    def __post_init__(self) -> None:
        self.tools = self.examination is not None
        """Whether tools are in the requests; a server can refuse them."""
        self._schema = self._media = True
        self._most_tokens = self.connection.options.max_tokens
        self._repaired = False
        self._turns: tuple[dict[str, Any], ...] = ()
        self._text = ""

    async def answer(self, further: str = "") -> Any:
        """A valid answer to the question or, upon the answer before, to a `further` one.

        It is asked at most once more without a schema, once without media, once with a larger limit, and once with the
        problems of an unusable answer named. Raises a JudgeError with all calls.
        """
        if further:
            self._turns += follow_up_turns(self._text, further)
            self._repaired = False
        try:
            while True:
                message = await self.connection.send_patiently(self._parameters(), self.owner, self.calls)
                if isinstance(message, Fault):
                    self._simplify(message)
                    continue
                self._raise_if_stopped(message)
                # Cut off, the arguments of a tool are not whole: that is an answer that was too long.
                if self.examination and message.tool_uses and message.stop_reason != "max_tokens":
                    await self._open_files(self.examination, message)
                    continue
                self._text = message.text
                try:
                    return self.question.read(message.text)
                except Unusable as unusable:
                    self._repair(str(unusable), cut_off=message.stop_reason == "max_tokens")
        except JudgeError as error:
            error.calls = tuple(self.calls)
            raise

    def _parameters(self) -> dict[str, Any]:
        question = self.question
        if isinstance(question, PairQuestion):
            form = "" if self._schema else in_words(question.form)
            system, content = question.request(media=self._media, tools=self.tools, form=form)
        else:
            system, content = (
                [{"type": "text", "text": text}] for text in (question.system, question.content)
            )
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        for turn in self._turns:
            if turn["role"] == messages[-1]["role"]:
                # There may be no empty answer among the messages: what is asked upon it goes with the question before.
                messages[-1] = {**turn, "content": [*messages[-1]["content"], *turn["content"]]}
            else:
                messages.append(turn)
        parameters: dict[str, Any] = {
            "model": self.connection.options.model,
            "max_tokens": self._most_tokens,
            "system": system,
            "messages": messages,
        }
        if self._schema:
            parameters["output_config"] = {"format": schema_of(question.form)}
        if self.examination and self.tools:
            # They stay in the request to the end, or nothing before would be in the cache.
            choice = {"type": "none" if self.stopped else "auto"}
            parameters |= {"tools": self.examination.tools, "tool_choice": choice}
            parameters["messages"] = add_cache_marks(messages)
        return parameters

    def _simplify(self, fault: Fault) -> None:
        """The next request goes without what the server does not take. Raises the fault's error if that is nothing."""
        if fault.unsupported is Unsupported.SCHEMA and self._schema:
            self._schema = False
        elif fault.unsupported is Unsupported.MEDIA and self._media:
            self._media = False
        # The server refuses them in both orders alike; where tools are a must, the reading fails instead.
        elif (
            fault.unsupported is Unsupported.TOOLS
            and self.tools
            and not self._turns
            and self.connection.options.tools is not Tools.ALWAYS
        ):
            self.tools = False
        else:
            raise fault.error(fault.message)

    def _raise_if_stopped(self, message: ModelMessage) -> None:
        """Raises for the stop reasons after which there is no answer."""
        model = self.connection.options.model
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
        self._note(f"stopped: {message.stop_reason}")
        raise error

    def _note(self, problem: str) -> None:
        """What was wrong with the answer to the last request."""
        self.calls[-1] = self.calls[-1].copy_with(problem=problem)

    def _repair(self, problem: str, *, cut_off: bool) -> None:
        self._note(problem)
        first = problem.splitlines()[0].removeprefix("- ")[:300]
        if self.stopped:
            raise ReadingIncomplete(
                f"The reading is incomplete: {self.stopped}, and no usable verdict came: {first}. {_WHAT_TO_DO}"
            )
        if cut_off and self._most_tokens == self.connection.options.max_tokens < MOST_TOKENS:
            self._most_tokens = min(MOST_TOKENS, self._most_tokens * 2)
        elif not self._repaired:
            # A server may take a schema and ignore it: then the model has not been told the form yet.
            form = f"\n\n{in_words(self.question.form)}" if self._schema else ""
            self._turns += follow_up_turns(self._text, Prompt.REPAIR.filled(problems=problem) + form)
            self._repaired = True
        else:
            advice = "Raise the limit of tokens, or choose" if cut_off else "Retry, or choose"
            raise InvalidAnswer(
                f"The judge's answer stayed unusable after one repair request: {first}. The raw answers are kept. "
                f"{advice} another model."
            )

    async def _open_files(self, examination: Examination, message: ModelMessage) -> None:
        """Adds the model's turn, and the answers to the tools that it asks for."""
        if self.stopped:
            raise ReadingIncomplete(
                f"The reading is incomplete: {self.stopped}, and the judge went on to ask for tools when it was to "
                f"give its verdict. {_WHAT_TO_DO}"
            )
        size = self.calls[-1].usage.tokens
        # Several answers at once may not overfill the window that the verdict still has to fit into.
        examination.room = examination.limits.context - size - 2 * ANSWER_TOKENS
        before = len(examination.calls)
        results: list[dict[str, Any]] = []
        for use in message.tool_uses:
            answered = await asyncio.to_thread(examination.call, use.name, use.input)
            result = {"type": "tool_result", "tool_use_id": use.id, "content": answered.content}
            results.append(result | ({"is_error": True} if answered.is_error else {}))
        added = sum(call.tokens for call in examination.calls[before:])
        self.stopped = self._limit_near(examination, size + added)
        if self.stopped:
            results.append({"type": "text", "text": Prompt.LIMIT.filled(reason=self.stopped)})
        self._turns += (
            {"role": "assistant", "content": list(message.content)},
            {"role": "user", "content": results},
        )

    def _limit_near(self, examination: Examination, context: int) -> str:
        """The limit that a further request of so many tokens would come too near; empty where there is none."""
        limits = examination.limits
        if reached := examination.limit_reached():
            return reached
        if context + 2 * ANSWER_TOKENS > limits.context:
            return f"the {limits.context:,} tokens of a request are used"
        sent = self.calls[-1].usage
        # The part that was sent before is in the cache where there is one; what is new is paid in full.
        cached = min(sent.tokens, context) if sent.cached_tokens or sent.cache_written_tokens else 0
        likely = Usage(input_tokens=context - cached, cached_tokens=cached, output_tokens=ANSWER_TOKENS)
        # Behind the next request there has to be room for one more: a reading at its limit still comes to its verdict.
        used = [call.usage for call in self.calls]
        if sum(map(_fresh_tokens, used)) + 2 * _fresh_tokens(likely) > limits.tokens:
            return f"{limits.tokens:,} tokens would be exceeded"
        seconds = sum(usage.seconds for usage in used) + sum(call.seconds for call in examination.calls)
        if seconds + 2 * max(usage.seconds for usage in used) > limits.seconds:
            return f"{limits.seconds:g} seconds would be exceeded"
        next_two = 2 * (cost_of(self.connection.options.model, likely) or Decimal(0))
        money = (cost_of_calls(tuple(self.calls)) or Decimal(0)) + next_two
        if limits.money is not None and money > limits.money:
            return f"{limits.money} US dollars would be exceeded"
        return ""


def _fresh_tokens(usage: Usage) -> int:
    """Tokens sent and received that did not come from a cache."""
    return usage.input_tokens + usage.cache_written_tokens + usage.output_tokens
