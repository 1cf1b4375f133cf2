"""Has the server send each answer at once.

Streamlit opens its listening socket in a way by which asyncio does not recognise TCP. Without this an answer whose head
and body are written one after the other waits for the client's delayed acknowledgement: 40 ms each.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any


def send_at_once() -> None:
    """Set TCP_NODELAY on what the running loop listens on next, which connections inherit.

    The server calls its lifespan before it listens, so this is to be called there.
    """
    loop: Any = asyncio.get_running_loop()
    listen = loop.create_server

    async def create_server(*args: Any, sock: socket.socket | None = None, **options: Any) -> Any:
        del loop.create_server
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return await listen(*args, sock=sock, **options)

    loop.create_server = create_server
