"""What a failed request means: which of our errors it is, whether a retry helps, and what to do about it."""

from __future__ import annotations

import asyncio
import email.utils
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import httpx2

from comparator.domain.errors import (
    ContextOverflow,
    JudgeError,
    JudgeNotAllowed,
    JudgeUnavailable,
)

if TYPE_CHECKING:
    import anthropic

# The words that tell faults apart which have no status, type or code of their own. The Messages API calls most of these
# an invalid_request_error and no more (https://platform.claude.com/docs/en/api/errors); other servers say it otherwise.
_BILLING = re.compile(
    r"credit balance|billing|payment|insufficient (?:funds|credit|quota|balance)|spend(?:ing)? limit|usage limits?"
    r"|purchase credits|exceeded your current quota",
    re.IGNORECASE,
)
_OVERFLOW = re.compile(
    r"prompt is too long|context (?:window|length|size)|exceed\w* (?:the )?(?:available |maximum )?context"
    r"|too many tokens|maximum number of tokens",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"output_config|output_format|json_schema|structured output|schema is too|grammar", re.IGNORECASE
)
_MEDIA = re.compile(
    r"\b(?:document|image|images|pdf|media|multimodal|mmproj|vision|content (?:type|block))\b", re.IGNORECASE
)
_TOOLS = re.compile(r"\btool(?:s|_use|_choice|_result)?\b|function call", re.IGNORECASE)
_RETRIED = frozenset({408, 409, 425, 429})
_OVERFLOW_TYPE = "exceed_context_size_error"
"""Of llama.cpp (https://github.com/ggml-org/llama.cpp/pull/15780)."""


class Unsupported(StrEnum):
    """What a server does not take, so that the request is made again without it."""

    SCHEMA = "schema"
    MEDIA = "media"
    TOOLS = "tools"


@dataclass(frozen=True)
class Fault:
    """A failed request in our own words."""

    error: type[JudgeError]
    message: str
    problem: str
    """A short note for the stored call."""
    retryable: bool = False
    retry_after: float | None = None
    """Seconds that the server asks to wait."""
    unsupported: Unsupported | None = None
    body: str = ""
    request_id: str | None = None
    status: int | None = None
    busy: bool = False
    """Whether the server limits the rate or is overloaded, so that the same request is taken later."""


class BrokenStream(Exception):
    """The answer ended before it was complete."""


class OtherProtocol(Exception):
    """The answer is whole, and not one of the Messages API."""


class TooLong(Exception):
    """The answer has more bytes than are read."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the answer is longer than {most} bytes")
        self.most = most


class Elsewhere(Exception):
    """An answer names another server for what is asked next."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the answer names another server: {host}")
        self.host = host


class Returned(Exception):
    """A request of a Message Batch came back with an error instead of an answer."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.type = kind
        self.status_code = _STATUS_OF.get(kind, 500)
        self.api_message = message
        self.error_code = self.body = self.request_id = None
        self.headers = httpx2.Headers()


_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


def fault_of(
    error: Exception, *, model: str, server: str, now: float, clean: Callable[[str], str] = str
) -> Fault:
    """The fault that an exception of the SDK, the network or a cloud provider's sign-in stands for.

    `now` is seconds since the epoch, for a retry-after that names a time. `clean` takes secrets out of what was said,
    before it is cut: half a key is no longer recognised.
    """
    import anthropic  # See make_client.

    if isinstance(error, anthropic.APIStatusError | Returned):
        return _of_status(error, model=model, server=server, now=now, clean=clean)
    # The SDK takes what stops a request for a lost connection.
    if isinstance(elsewhere := error.__cause__ or error, Elsewhere):
        return Fault(
            JudgeNotAllowed,
            f"The server at {server} names another one ({clean(elsewhere.host)[:200]}) for the results, which is not "
            "given the key. Start the batch without --via batches, or set the address of the API itself.",
            str(elsewhere),
        )
    if isinstance(error.__cause__ or error, httpx2.ReadTimeout):
        return Fault(
            JudgeUnavailable,
            f"The judge at {server} sent nothing for too long. Check the server, or raise COMPARATOR_SILENCE "
            "(in seconds), then retry.",
            "silent",
        )
    if isinstance(
        error, TimeoutError | asyncio.TimeoutError | anthropic.APITimeoutError | httpx2.TimeoutException
    ):
        return Fault(
            JudgeUnavailable,
            f"The judge at {server} did not answer in time. Retry, or raise the timeout.",
            "timeout",
            retryable=True,
        )
    if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError | BrokenStream | ConnectionError):
        return Fault(
            JudgeUnavailable,
            f"The connection to the judge at {server} failed or ended in the middle of the answer. "
            "Check the network and the address, then retry.",
            f"connection: {clean(str(error))[:200]}",
            retryable=True,
        )
    if isinstance(error, TooLong):
        return Fault(
            JudgeUnavailable,
            f"The server at {server} sent more than {error.most / 1e6:.0f} MB, far more than a judgment has; reading "
            "ended there. Check the address of the judge, or choose another model.",
            f"too long: {error}",
        )
    if isinstance(
        error,
        anthropic.APIError
        | ValueError
        | TypeError
        | AttributeError
        | KeyError
        | RecursionError
        | OtherProtocol,
    ):
        return Fault(
            JudgeUnavailable,
            _other_protocol(server),
            f"not the Messages API: {type(error).__name__}: {clean(str(error))[:200]}",
        )
    return Fault(
        JudgeNotAllowed,
        f"Signing in to the model provider failed ({type(error).__name__}: {clean(str(error))[:300]}). "
        "Check its credentials, region and the optional package for it, then retry.",
        f"sign-in: {type(error).__name__}",
    )


def _of_status(
    error: anthropic.APIStatusError | Returned,
    *,
    model: str,
    server: str,
    now: float,
    clean: Callable[[str], str],
) -> Fault:
    status, kind = error.status_code, clean(str(error.type or ""))[:100]
    text = clean(str(error.api_message or error))[:500]
    code = str(error.error_code or "")
    headers = error.headers if isinstance(error, Returned) else error.response.headers
    common = {
        "body": clean(str(error.body if error.body is not None else text))[:4000],
        "request_id": error.request_id,
        "status": status,
    }
    problem = f"{status} {kind}: {text[:200]}".strip()
    overloaded = status == 529 or kind == "overloaded_error"

    def fault(of: type[JudgeError], message: str, **more: object) -> Fault:
        return Fault(of, message, problem, **{**common, **more})  # type: ignore[arg-type]  # plain keyword values

    if (
        status == 402
        or kind == "billing_error"
        or "spend_limit" in code
        or (status in (400, 403, 429) and _BILLING.search(text))
    ):
        return fault(
            JudgeNotAllowed,
            f"The account behind the key has no money left, or has reached its limit ({status}: {text}). Add credit "
            "or raise the limit at the provider, then retry.",
        )
    if status == 401 or kind == "authentication_error":
        return fault(
            JudgeNotAllowed,
            f"The server at {server} does not accept the key ({status}). Check ANTHROPIC_API_KEY or "
            "ANTHROPIC_AUTH_TOKEN, then retry.",
        )
    if status == 403 or kind == "permission_error":
        return fault(
            JudgeNotAllowed,
            f"The key may not use the model {model} ({status}: {text}). Ask the owner of the account for access, or "
            "choose another model, then retry.",
        )
    if status == 404 or kind == "not_found_error":
        return fault(
            JudgeNotAllowed,
            f"The server at {server} knows no model {model!r}, or not this address (404). Check the model's name "
            "(COMPARATOR_MODEL) and the base URL.",
        )
    if status == 413:
        return fault(
            ContextOverflow,
            "The request with both outputs is larger than the server accepts (413). Compare fewer or smaller files, or "
            "lower the judge's budget for each output.",
        )
    if kind == _OVERFLOW_TYPE or (status in (400, 422, 500) and _OVERFLOW.search(text)):
        return fault(
            ContextOverflow,
            f"The pair does not fit into the context window of {model} ({text}). Compare fewer or smaller files, lower "
            "the judge's budget for each output, or choose a model with a larger window.",
        )
    if status in (400, 422) and _SCHEMA.search(text):
        return fault(
            JudgeUnavailable,
            f"The server refuses the answer's form ({text}).",
            unsupported=Unsupported.SCHEMA,
        )
    if status in (400, 415, 422, 500, 501) and _TOOLS.search(text):
        return fault(
            JudgeUnavailable,
            f"The server at {server} takes no tools ({text}). Set COMPARATOR_TOOLS=never, or choose another model.",
            unsupported=Unsupported.TOOLS,
        )
    if status in (400, 415, 422, 500, 501) and _MEDIA.search(text):
        return fault(
            JudgeUnavailable,
            f"The server at {server} does not take documents or pictures ({text}).",
            unsupported=Unsupported.MEDIA,
        )
    if 300 <= status < 400:
        return fault(
            JudgeUnavailable,
            f"The server at {server} sends the request on to another address ({status}), which is not followed. Set "
            "the base URL to the address that answers.",
        )
    retryable = (
        status in _RETRIED
        or status >= 500
        or overloaded
        or kind in ("api_error", "timeout_error", "rate_limit_error")
    )
    if retryable:
        what = (
            "is overloaded"
            if overloaded
            else "limits the rate of requests"
            if status == 429 or kind == "rate_limit_error"
            else f"has a problem ({status})"
        )
        return fault(
            JudgeUnavailable,
            f"The server at {server} {what}, also after several tries. Retry later.",
            retryable=headers.get("x-should-retry") != "false",
            retry_after=_retry_after(headers, now),
            busy=overloaded or status == 429 or kind == "rate_limit_error",
        )
    if headers.get("content-type", "").startswith("text/html"):
        return fault(JudgeUnavailable, _other_protocol(server))
    return fault(JudgeUnavailable, f"The server at {server} refuses the request ({status}: {text}).")


def _other_protocol(server: str) -> str:
    return f"The server at {server} does not speak the Messages API. Check the base URL of the judge."


def _retry_after(headers: httpx2.Headers, now: float) -> float | None:
    milliseconds = headers.get("retry-after-ms")
    value = headers.get("retry-after")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if value:
            return max(0.0, float(value))
        return None
    except ValueError:
        return _until(value, now) if value else None


def _until(moment: str, now: float) -> float | None:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(moment).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
