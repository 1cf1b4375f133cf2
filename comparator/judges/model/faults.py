"""What a failed request means: which of our errors it is, whether a retry helps, and what to do about it."""

import email.utils
import re
from collections.abc import Callable, Container, Mapping, Set
from typing import NamedTuple

from comparator.domain.errors import ContextOverflow, JudgeError, JudgeNotAllowed, JudgeUnavailable
from comparator.judges.model.secrecy import Scrubber, server_of
from comparator.judges.model.sender import AnthropicOptions, Fault, Unsupported


class BrokenStream(Exception):
    """The answer ended before it was complete, or went on in a way that cannot be read."""


class OtherProtocol(Exception):
    """The answer is whole, and not one of the Messages API."""


class TooLong(Exception):
    """The answer has more bytes than are read; the message says how many these are."""


class Elsewhere(Exception):
    """An answer names another server for what is asked next; the message is its name."""


class _Row(NamedTuple):
    """Which failures are this fault: by status, type of error or name of exception and, where that says too little, by
    words.
    """

    signs: Container[int | str]
    error: type[JudgeError]
    message: str
    words: str = ""
    problem: str = "{status} {kind}: {text:.200}"
    unsupported: Unsupported | None = None
    retryable: bool = False
    busy: bool = False


_INVALID = "invalid_request_error"
_NO_MONEY = (
    "The account behind the key has no money left, or has reached its limit ({status}: {text}). Add credit or raise "
    "the limit at the provider, then retry."
)
_NO_ROOM = (
    "The pair does not fit into the context window of {model} ({text}). Compare fewer or smaller files, lower the "
    "judge's budget for each output, or choose a model with a larger window."
)
_OTHER_PROTOCOL = "The server at {server} does not speak the Messages API. Check the base URL of the judge."
_NO_MEDIA = "The server at {server} does not take documents or pictures ({text})."
_MEDIA = r"(?:document|image|images|pdf|media|multimodal|mmproj|vision|content (?:type|block))"
# The first row that holds counts. What words tell apart here is an invalid_request_error to the Messages API, no more
# (https://platform.claude.com/docs/en/api/errors); other servers say it otherwise.
_FAULTS = (
    _Row((402, "billing_error"), JudgeNotAllowed, _NO_MONEY),
    _Row(
        (400, 403, 429, _INVALID),
        JudgeNotAllowed,
        _NO_MONEY,
        words=r"credit balance|billing|payment|insufficient (?:funds|credit|quota|balance)|spend(?:ing)?[ _]limit"
        r"|usage limits?|purchase credits|exceeded your current quota",
    ),
    _Row(
        (401, "authentication_error"),
        JudgeNotAllowed,
        "The server at {server} does not accept the key ({status}). Check ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, "
        "then retry.",
    ),
    _Row(
        (403, "permission_error"),
        JudgeNotAllowed,
        "The key may not use the model {model} ({status}: {text}). Ask the owner of the account for access, or choose "
        "another model, then retry.",
    ),
    _Row(
        (404, "not_found_error"),
        JudgeNotAllowed,
        "The server at {server} knows no model {model!r}, or not this address ({status}). Check the model's name "
        "(COMPARATOR_MODEL) and the base URL.",
    ),
    _Row(
        (413, "request_too_large"),
        ContextOverflow,
        "The request with both outputs is larger than the server accepts ({status}). Compare fewer or smaller files, "
        "or lower the judge's budget for each output.",
    ),
    # Of llama.cpp (https://github.com/ggml-org/llama.cpp/pull/15780).
    _Row(("exceed_context_size_error",), ContextOverflow, _NO_ROOM),
    _Row(
        (400, 422, 500, _INVALID),
        ContextOverflow,
        _NO_ROOM,
        words=r"prompt is too long|context (?:window|length|size)|exceed\w* (?:the )?(?:available |maximum )?context"
        r"|too many tokens|maximum number of tokens",
    ),
    _Row(
        (400, 422, _INVALID),
        JudgeUnavailable,
        "The server refuses the answer's form ({text}).",
        words="output_config|output_format|json_schema|structured output|schema is too|grammar",
        unsupported=Unsupported.SCHEMA,
    ),
    # Before tools: of a picture that a tool returned, the message names its tool_result.
    _Row(
        (400, 422, _INVALID),
        ContextOverflow,
        "A picture or document is larger than the server accepts, or there are too many ({text}). Compare fewer or "
        "smaller files, or lower the judge's budget for each output.",
        words=r"\b(?:image|pdf|document|page)s?\b.*(?:exceed|maximum|too (?:large|many))"
        r"|(?:exceed|maximum|too (?:large|many)).*\b(?:image|pdf|document|page)s?\b",
    ),
    _Row(
        (400, 415, 422, 500, 501, _INVALID),
        JudgeUnavailable,
        "The server at {server} takes no tools ({text}). Set COMPARATOR_TOOLS=never, or choose another model.",
        words=r"\btool(?:s|_use|_choice|_result)?\b|function call",
        unsupported=Unsupported.TOOLS,
    ),
    _Row(
        (400, 415, 422, _INVALID),
        JudgeUnavailable,
        _NO_MEDIA,
        words=rf"\b{_MEDIA}\b",
        unsupported=Unsupported.MEDIA,
    ),
    _Row(
        (500, 501),
        JudgeUnavailable,
        _NO_MEDIA,
        words=rf"\b{_MEDIA}\b.*(?:support|mmproj)|(?:support|mmproj).*\b{_MEDIA}\b",
        unsupported=Unsupported.MEDIA,
    ),
    _Row(
        range(300, 400),
        JudgeUnavailable,
        "The server at {server} sends the request on to another address ({status}), which is not followed. Set the "
        "base URL to the address that answers.",
    ),
    _Row(
        (529, "overloaded_error"),
        JudgeUnavailable,
        "The server at {server} is overloaded, also after several tries. Retry later.",
        retryable=True,
        busy=True,
    ),
    _Row(
        (429, "rate_limit_error"),
        JudgeUnavailable,
        "The server at {server} limits the rate of requests, also after several tries. Retry later.",
        retryable=True,
        busy=True,
    ),
    _Row(
        (408, 409, 425, *range(500, 600), "api_error", "timeout_error"),
        JudgeUnavailable,
        "The server at {server} has a problem ({status}), also after several tries. Retry later.",
        retryable=True,
    ),
    _Row(("text/html",), JudgeUnavailable, _OTHER_PROTOCOL),
    _Row(
        ("Elsewhere",),
        JudgeNotAllowed,
        "The server at {server} names another one ({text}) for the results, which is not given the key. Start the "
        "batch without --via batches, or set the address of the API itself.",
        problem="the answer names another server: {text}",
    ),
    _Row(
        ("ReadTimeout", "ConnectTimeout", "WriteTimeout"),
        JudgeUnavailable,
        "The judge at {server} sent nothing for too long. Check the server, or raise COMPARATOR_SILENCE (in seconds), "
        "then retry.",
        problem="silent",
    ),
    _Row(
        ("TimeoutError", "APITimeoutError", "TimeoutException"),
        JudgeUnavailable,
        "The judge at {server} did not answer in time. Retry, or raise the timeout.",
        problem="timeout",
        retryable=True,
    ),
    _Row(
        ("APIConnectionError", "RequestError", "BrokenStream", "ConnectionError"),
        JudgeUnavailable,
        "The connection to the judge at {server} failed or ended in the middle of the answer. Check the network and "
        "the address, then retry.",
        problem="connection: {text:.200}",
        retryable=True,
    ),
    _Row(
        ("TooLong",),
        JudgeUnavailable,
        "The server at {server} sent more than {text}, far more than a judgment has; reading ended there. Check the "
        "address of the judge, or choose another model.",
        problem="too long: more than {text}",
    ),
    # What the server sent as its error can be nested as deeply as an answer.
    _Row(
        ("OtherProtocol", "RecursionError", "APIError"),
        JudgeUnavailable,
        _OTHER_PROTOCOL,
        problem="not the Messages API: {text:.200}",
    ),
    _Row(
        ("Exception",),
        JudgeNotAllowed,
        "Signing in to the model provider failed ({kind}: {text}). Check its credentials, region and the optional "
        "package for it, then retry.",
        problem="sign-in: {kind}",
    ),
    _Row(range(1000), JudgeUnavailable, "The server at {server} refuses the request ({status}: {text})."),
)


class Translator:
    """Puts faults into our own words. `clean` takes secrets out before anything is cut: half a key looks like none."""

    def __init__(
        self, options: AnthropicOptions, environment: Mapping[str, str], *, now: Callable[[], float]
    ) -> None:
        self.model, self.server, self.now = options.model, server_of(options), now
        self.clean = Scrubber.of(environment, base_url=options.base_url).clean

    def fault_of(self, error: Exception) -> Fault:
        """What an exception of the SDK, the network or a cloud provider's sign-in stands for."""
        import anthropic  # See make_client.

        if isinstance(error, anthropic.APIStatusError):
            body = error.body if error.body is not None else error.api_message or error
            return self.of_answer(
                status=error.status_code,
                kind=str(error.type or ""),
                text=str(error.api_message or error),
                headers=error.response.headers,
                code=str(error.error_code or ""),
                body=str(body),
                request_id=error.request_id,
            )
        # The SDK takes what stops a request for a lost connection.
        cause = error.__cause__ or error
        signs = {
            exception_type.__name__ for raised in (error, cause) for exception_type in type(raised).__mro__
        }
        text = self.clean(str(cause if isinstance(cause, Elsewhere) else error))[:300]
        return self._fault(signs, kind=type(error).__name__, text=text)

    def of_answer(
        self,
        *,
        kind: str,
        text: str,
        status: int = 0,
        headers: Mapping[str, str] | None = None,
        code: str = "",
        body: str = "",
        request_id: str | None = None,
    ) -> Fault:
        """What an error that a server answered with stands for; within a Message Batch it has no status."""
        headers = headers or {}
        kind, text = self.clean(kind)[:100], self.clean(text)[:500]
        signs: set[int | str] = {status, kind, headers.get("content-type", "").partition(";")[0]}
        fault = self._fault(signs, kind=kind, text=text, status=status, code=code)
        return fault._replace(
            # A server that is busy is waited for, whatever it advises single requests.
            retryable=fault.busy or (fault.retryable and headers.get("x-should-retry") != "false"),
            retry_after=self._retry_after(headers.get("retry-after", "")),
            body=self.clean(body or text)[:4000],
            request_id=request_id,
            status=status,
        )

    def _fault(
        self, signs: Set[int | str], *, kind: str, text: str, status: int = 0, code: str = ""
    ) -> Fault:
        """The fault of the first row that holds."""
        row = next(
            row
            for row in _FAULTS
            if any(sign in row.signs for sign in signs)
            and re.search(row.words, f"{code} {text}", re.IGNORECASE)
        )
        values = {"server": self.server, "model": self.model, "kind": kind, "text": text}
        return Fault(
            row.error,
            row.message.format(**values, status=status or kind),
            row.problem.format(**values, status=status or "").strip(),
            retryable=row.retryable,
            unsupported=row.unsupported,
            busy=row.busy,
        )

    def _retry_after(self, value: str) -> float | None:
        try:
            if value[:1].isdigit():
                return float(value)
            return email.utils.parsedate_to_datetime(value).timestamp() - self.now()
        except (ValueError, TypeError, OverflowError):
            return None
