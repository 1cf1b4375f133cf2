"""The log of a server or worker: lines for people, or one JSON object a line; secrets are struck out in both."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

SHORTEST = 6
"""Characters of a value that is taken for a secret; a shorter one would strike out ordinary words."""
STRUCK = "[secret]"
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
    found = {value for name, value in environment.items() if _NAMED.search(name)}
    found |= {match for value in environment.values() for match in _IN_ADDRESS.findall(value)}
    return tuple(sorted((v for v in found if len(v) >= SHORTEST), key=lambda v: (-len(v), v)))


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
