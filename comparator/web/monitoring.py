"""What whoever runs the server watches: the log of a server or worker, a line for each request, health and readiness.

The log has lines for people, or one JSON object a line; secrets are struck out in both.
"""

import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from comparator.domain.errors import ComparatorError
from comparator.workflow.services import Services

HEALTH, READY = MONITORING = ("/health", "/ready")
LONGEST_AREA = 20
SHORTEST = 6
"""Characters of a value that is taken for a secret; a shorter one would strike out ordinary words."""
STRUCK = "[secret]"
NO_STORE = {"cache-control": "no-store"}
log = logging.getLogger(__name__)
FIELDS = ("error_id", "area", "method", "status", "ms")
"""What a record may carry beside its message."""
_NAMED = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"://[^/@\s]*:([^/@\s]+)@")


def set_up(
    style: Literal["plain", "json"],
    *,
    environment: Mapping[str, str],
    stream: TextIO | None = None,
) -> None:
    """Write the log of this process to the stream, by default standard error, in this style."""
    handler = logging.StreamHandler(stream) if stream else _ToStandardError()
    handler.setFormatter(_Plain(environment) if style == "plain" else _Json(environment))
    logging.root.handlers[:] = [handler]
    # In JSON each request has its line; people look at those of the proxy.
    logging.root.setLevel(logging.WARNING)
    logging.getLogger("comparator").setLevel(logging.WARNING if style == "plain" else logging.DEBUG)


class _ToStandardError(logging.StreamHandler[TextIO]):
    """Writes to what standard error is at that moment, not at the set-up."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self.stream = sys.stderr
        super().emit(record)

    def flush(self) -> None:
        """Nothing waits here: each line is written out as it comes."""


def take_over() -> None:
    """Have the loggers that libraries gave handlers of their own write through ours."""
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger) and logger.handlers:
            logger.handlers.clear()
            logger.propagate = True


def secret_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Values of the environment that must stand in no log, the longest first.

    >>> secret_values({"X_API_KEY": "sk-12345", "DB": "postgresql://me:passw0rd@host/db", "HOME": "/home/me"})
    ('passw0rd', 'sk-12345')
    """
    values = {value for name, value in environment.items() if _NAMED.search(name)}
    values |= {match for value in environment.values() for match in _IN_ADDRESS.findall(value)}
    return tuple(sorted((v for v in values if len(v) >= SHORTEST), key=lambda v: (-len(v), v)))


class _WithoutSecrets(logging.Formatter):
    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
        self._environment = environment

    def struck(self, text: str) -> str:
        # Looked up each time: the settings bring further variables in.
        for value in secret_values(self._environment):
            text = text.replace(value, STRUCK)
        return text


class _Plain(_WithoutSecrets):
    def format(self, record: logging.LogRecord) -> str:
        """The line, with the traceback of an error below it."""
        return self.struck(super().format(record))


class _Json(_WithoutSecrets):
    def format(self, record: logging.LogRecord) -> str:
        """One JSON object. Of an error only its type and place: its words may quote what was judged."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.struck(record.getMessage()),
        }
        entry |= {name: vars(record)[name] for name in FIELDS if name in vars(record)}
        if record.exc_info and record.exc_info[0]:
            entry["error"] = f"{record.exc_info[0].__module__}.{record.exc_info[0].__qualname__}"
            frames = traceback.extract_tb(record.exc_info[2])
            entry["at"] = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        return json.dumps(entry, ensure_ascii=False)


def area_of(path: str) -> str:
    """What of the app an address belongs to; ids and tokens in it are left out.

    >>> area_of("/outputs/0123/view"), area_of("/history")
    ('outputs', 'history')
    """
    return path.lstrip("/").partition("/")[0][:LONGEST_AREA]


@dataclass(frozen=True)
class Observe:
    """The outermost layer: logs every request, and gives an error that nobody caught an id that stands in the log."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note how it ended."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 0, time.monotonic()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception:
            # A bug: told with an id. Where the answer has begun, the browser sees that it breaks off.
            number = secrets.token_hex(4)
            log.exception("error %s", number, extra={"error_id": number})
            if status:
                raise
            text = f"Something went wrong (id {number}). The log of the app says what, under this id."
            await PlainTextResponse(text, 500, NO_STORE)(scope, receive, noted)
        finally:
            # Without the address: the rest of it may be a token.
            about = {"area": area_of(scope["path"]), "method": scope["method"], "status": status}
            log.debug("request", extra=about | {"ms": round((time.monotonic() - began) * 1000, 1)})


def monitoring_routes(services: Services) -> list[BaseRoute]:
    """Whether the process lives, and whether it can work."""
    # A lane of its own: whoever asks often keeps nobody else's thread or connection busy.
    lane = CapacityLimiter(1)

    def try_out() -> None:
        services.database.check()
        services.blobs.exists("0" * 64)

    async def health(_request: Request) -> Response:
        return PlainTextResponse("ok", headers=NO_STORE)

    async def ready(_request: Request) -> Response:
        try:
            await to_thread.run_sync(try_out, limiter=lane)
        except (ComparatorError, OSError) as error:
            # What is wrong is for whoever reads the log: the address is open to everybody.
            log.warning("not ready: %s", error)
            return PlainTextResponse("not ready", 503, headers=NO_STORE)
        return PlainTextResponse("ready", headers=NO_STORE)

    return [Route(HEALTH, health, methods=["GET"]), Route(READY, ready, methods=["GET"])]
