"""One reading's talk with a model that opens files: what is offered, what its calls get, and when it has to close."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

from comparator.domain.errors import ReadingIncomplete
from comparator.domain.labels import Label
from comparator.domain.scoring.judgment import Answer, Examined
from comparator.domain.usage import Call, Usage
from comparator.judges import prompts
from comparator.judges.model.sender import ANSWER_TOKENS, ModelMessage
from comparator.judges.prices import cost_of, cost_of_calls
from comparator.judges.tools.arguments import definitions
from comparator.judges.tools.attention import attention
from comparator.judges.tools.examination import Examination
from comparator.judges.tools.quoting import verified

_WHAT_TO_DO = "Raise COMPARATOR_TOOL_LIMITS, or choose another model."


class Conversation:
    """The model asks for tools, and gets answers until a limit is near; one request is kept back for the verdict."""

    def __init__(self, examination: Examination, *, model: str) -> None:
        self._examination, self._model = examination, model
        self.stopped = ""
        """The limit at which no more tools are offered; empty while they are."""

    def offered(self) -> dict[str, Any]:
        """The tools as a request carries them. They stay in it to the end, or nothing before would be in the cache."""
        return {
            "tools": [*definitions()],
            "tool_choice": {"type": "none" if self.stopped else "auto"},
        }

    async def answer(
        self, message: ModelMessage, calls: tuple[Call, ...]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The model's turn, and the answers to the tools it asks for. Raises ReadingIncomplete after the last request.

        `calls` are the requests of this reading so far.
        """
        if self.stopped:
            raise ReadingIncomplete(
                f"The reading is incomplete: {self.stopped}, and the judge went on to ask for tools when it was to "
                f"give its verdict. {_WHAT_TO_DO}",
                calls=calls,
            )
        limits, size = self._examination.limits, calls[-1].usage.tokens
        # Several answers at once may not overfill the window that the verdict still has to fit into.
        self._examination.room = limits.context - size - 2 * ANSWER_TOKENS
        before = len(self._examination.calls)
        results = []
        for use in message.tool_uses:
            answered = await asyncio.to_thread(self._examination.call, use.name, use.input)
            results.append(
                {
                    "type": "tool_result",
                    "tool_use_id": use.id,
                    "content": answered.content,
                    **({"is_error": True} if answered.is_error else {}),
                }
            )
        added = sum(call.tokens for call in self._examination.calls[before:])
        self.stopped = self._must_close(calls, size + added)
        if self.stopped:
            text = prompts.filled(prompts.LIMIT, reason=self.stopped)
            results.append({"type": "text", "text": text})
        return {"role": "assistant", "content": list(message.content)}, {"role": "user", "content": results}

    def incomplete(self, problem: str, calls: tuple[Call, ...]) -> ReadingIncomplete:
        """The error where the request that was kept back brought no verdict."""
        return ReadingIncomplete(
            f"The reading is incomplete: {self.stopped}, and no usable verdict came: "
            f"{problem.splitlines()[0].removeprefix('- ')[:300]}. {_WHAT_TO_DO}",
            calls=calls,
        )

    def unopened(self, answer: Answer) -> str:
        """What to ask where the answer names a winner without having opened what was cut of a side; else empty."""
        seen = attention(self._examination.material.given, self._examination.calls)
        if seen.may_win(answer.better):
            return ""
        never = next(label for label in Label if not seen.opened(label))
        return prompts.filled(prompts.UNOPENED, better=answer.better.value, unopened=never.value)

    def one_sided(self, calls: tuple[Call, ...]) -> ReadingIncomplete:
        """The error where it was asked to open the other side and still has not."""
        return ReadingIncomplete(
            "The reading is incomplete: the judge named a winner but never opened what was cut from one output. Retry, "
            "or choose another model.",
            calls=calls,
        )

    def finished(self, answer: Answer) -> Answer:
        """The answer with how the tools were used, and its quotes looked up in whole files, too."""
        seen = attention(self._examination.material.given, self._examination.calls)
        examined = Examined(calls=seen.calls, uneven=seen.uneven, stopped=self.stopped)
        return verified(answer, self._examination.material).model_copy(update={"examined": examined})

    def _must_close(self, calls: tuple[Call, ...], context: int) -> str:
        limits = self._examination.limits
        if reached := self._examination.limit_reached():
            return reached
        if context + 2 * ANSWER_TOKENS > limits.context:
            return f"the {limits.context:,} tokens of a request are used"
        sent = calls[-1].usage
        before = min(sent.tokens, context)
        # The part that was sent before is in the cache where there is one; what is new is paid in full.
        cached = before if sent.cached_tokens or sent.cache_written_tokens else 0
        likely = Usage(input_tokens=context - cached, cached_tokens=cached, output_tokens=ANSWER_TOKENS)
        # Behind the next request there has to be room for one more: a reading at its limit still comes to its verdict.
        if sum(_fresh(call.usage) for call in calls) + 2 * _fresh(likely) > limits.tokens:
            return f"{limits.tokens:,} tokens would be exceeded"
        taken = sum(call.usage.seconds for call in calls) + sum(
            call.seconds for call in self._examination.calls
        )
        if taken + 2 * max(call.usage.seconds for call in calls) > limits.seconds:
            return f"{limits.seconds:g} seconds would be exceeded"
        money = (cost_of_calls(calls) or Decimal(0)) + 2 * (cost_of(self._model, likely) or Decimal(0))
        if limits.money is not None and money > limits.money:
            return f"{limits.money} US dollars would be exceeded"
        return ""


def _fresh(usage: Usage) -> int:
    """Tokens sent and received that did not come from a cache."""
    return usage.input_tokens + usage.cache_written_tokens + usage.output_tokens
