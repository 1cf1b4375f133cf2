"""Which files Streamlit offered to whom: its own addresses of them are open to everybody who has one."""

from __future__ import annotations

import re
from collections import OrderedDict

from starlette.types import Message, Send

_ADDRESS = re.compile(rb"/media/[\w.-]{16,200}")
MOST = 10_000
"""So many offers are remembered; the oldest are forgotten, and the file has to be asked for again on its page."""


class ShownMedia:
    """Remembers the addresses that the server itself has sent to each person."""

    def __init__(self) -> None:
        self._shown: OrderedDict[tuple[str, str], None] = OrderedDict()

    def noting(self, person_id: str, send: Send) -> Send:
        """`send` for a connection of this person, with the addresses of files noted."""

        async def noted(message: Message) -> None:
            data = message.get("bytes")
            if message["type"] == "websocket.send" and data:
                for found in _ADDRESS.findall(data):
                    self._shown[person_id, found.decode("ascii")] = None
                    self._shown.move_to_end((person_id, found.decode("ascii")))
                while len(self._shown) > MOST:
                    self._shown.popitem(last=False)
            await send(message)

        return noted

    def shown_to(self, person_id: str, path: str) -> bool:
        """Whether the server sent this address to the person."""
        return (person_id, path) in self._shown
