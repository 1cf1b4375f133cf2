"""What a page's connection may carry to the server: the messages that our pages need, and no other of Streamlit's."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive

from comparator.web.streamlit_parts import BY_ITSELF, kind_of

UPLOAD = "file_urls_request"
NEEDED = frozenset({"rerun_script", BY_ITSELF, "stop_script", UPLOAD})
"""A widget or page, the button that stops a run, and where a file is to be uploaded. The others clear every page's
caches, read the repository, install skills, end the server, or serve what no page of ours has."""
ACTIVE_EVERY = 60.0
"""Seconds after which a further message is noted as a sign of activity."""

log = logging.getLogger(__name__)


class Guard:
    """Drops every message of a connection that the pages do not need, before Streamlit sees it."""

    def __init__(
        self,
        receive: Receive,
        *,
        may_upload: Callable[[], Awaitable[bool]],
        active: Callable[[], Awaitable[None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._receive, self._may_upload, self._active, self._clock = receive, may_upload, active, clock
        self._noted = -ACTIVE_EVERY
        self._logged: set[str] = set()

    async def receive(self) -> Message:
        """The next message that may pass."""
        while True:
            message = await self._receive()
            data = message.get("bytes")
            if message["type"] != "websocket.receive" or data is None:
                # A text is no message of Streamlit's, which ends the connection.
                return message
            kind = kind_of(data)
            if kind is None:
                return message
            if kind not in NEEDED or (kind == UPLOAD and not await self._may_upload()):
                self._tell(kind)
                continue
            if kind != BY_ITSELF:
                await self._note()
            return message

    async def _note(self) -> None:
        if self._clock() - self._noted >= ACTIVE_EVERY:
            self._noted = self._clock()
            await self._active()

    def _tell(self, kind: str) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            log.warning("a message %s was refused", kind)
