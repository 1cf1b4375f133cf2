"""What the loopback server can be told to do with a request instead of answering it properly."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Answer = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """The usual answer, its text changed by `change`, with another stop reason if wanted."""

    change: Callable[[Answer], str] = json.dumps
    stop_reason: str = "end_turn"
    streams: bool = True
    """False sends one JSON body although a stream was asked for."""


@dataclass(frozen=True)
class Status:
    """An error instead of an answer."""

    code: int
    kind: str
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ErrorEvent:
    """A stream that begins well and then carries an error."""

    kind: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Reset:
    """The connection is cut; with `midway`, after half of the answer."""

    midway: bool = False


@dataclass(frozen=True)
class Slow:
    """The answer comes in small pieces over this many seconds."""

    seconds: float


@dataclass(frozen=True)
class Hang:
    """No answer at all, for this many seconds."""

    seconds: float = 30.0


Act = Reply | Status | ErrorEvent | Reset | Slow | Hang


def says(text: str, *, stop_reason: str = "end_turn") -> Reply:
    """An answer with exactly this text."""
    return Reply(change=lambda _: text, stop_reason=stop_reason)


def edited(edit: Callable[[Answer], object]) -> Reply:
    """The usual answer after `edit` has changed it in place."""

    def change(answer: Answer) -> str:
        edit(answer)
        return json.dumps(answer)

    return Reply(change=change)


def _first_mark(answer: Answer) -> dict[str, Any]:
    mark: dict[str, Any] = next(iter(answer["criteria"]["content"].values()))
    return mark


def _drop_criterion(answer: Answer) -> None:
    answer["criteria"]["content"].popitem()


def _name_the_other(answer: Answer) -> None:
    if "better" in answer:
        answer["better"] = {"A": "B", "B": "A"}.get(answer["better"], "TIE")


ONLY_PROSE = says("I think that output A is the better one, because it is longer.")
MAX_TOKENS = Reply(change=lambda a: json.dumps(a)[: len(json.dumps(a)) // 2], stop_reason="max_tokens")
MISSING_CRITERION = edited(_drop_criterion)
OUT_OF_RANGE = edited(lambda a: _first_mark(a)["A"].update(score=7))
CONTRADICTED = edited(_name_the_other)
"""Names the output whose scores are lower; a rubric is written as usual."""
REFUSAL = says("", stop_reason="refusal")
WINDOW_EXCEEDED = says("", stop_reason="model_context_window_exceeded")

RATE_LIMITED = Status(
    429, "rate_limit_error", "This request would exceed your rate limit.", {"retry-after": "1"}
)
OVERLOADED = Status(529, "overloaded_error", "Overloaded")
SERVER_ERROR = Status(500, "api_error", "Internal server error")
BAD_KEY = Status(401, "authentication_error", "invalid x-api-key")
FORBIDDEN = Status(
    403, "permission_error", "Your API key does not have permission to use the specified resource."
)
NO_CREDIT = Status(
    400, "invalid_request_error", "Your credit balance is too low to access the API. Go to Plans & Billing."
)
PAYMENT_REQUIRED = Status(402, "billing_error", "Payment required")
NO_MODEL = Status(404, "not_found_error", "model: no-such-model")
TOO_LARGE = Status(413, "request_too_large", "Request exceeds the maximum size")
TOO_LONG = Status(400, "invalid_request_error", "prompt is too long: 1048580 tokens > 1000000 maximum")
NO_SCHEMA = Status(400, "invalid_request_error", "output_config: Extra inputs are not permitted")
NO_DOCUMENTS = Status(400, "invalid_request_error", "unsupported content block type: document")
