"""Answers are sent at once, whatever opened the socket that is listened on."""

from __future__ import annotations

import asyncio
import socket
from functools import partial

from comparator.web.server import send_at_once


def test_connections_of_what_is_listened_on_next_send_at_once() -> None:
    assert asyncio.run(_delays(at_once=True)) == (False, True)


def test_the_sockets_that_streamlit_opens_would_wait() -> None:
    assert asyncio.run(_delays(at_once=False)) == (True, True)


async def _delays(*, at_once: bool) -> tuple[bool, bool]:
    """Whether a connection to each of two servers in turn waits for acknowledgements before it sends more."""
    loop = asyncio.get_running_loop()
    if at_once:
        send_at_once()
    found = []
    for _ in range(2):
        # As Streamlit does it: the protocol is left to the system.
        with socket.socket(socket.AF_INET) as listening:
            listening.bind(("127.0.0.1", 0))
            met: asyncio.Future[bool] = loop.create_future()
            server = await loop.create_server(partial(_Waits, met), sock=listening)
            with socket.create_connection(listening.getsockname()):
                found.append(await met)
            server.close()
            await server.wait_closed()
    return found[0], found[1]


class _Waits(asyncio.Protocol):
    def __init__(self, met: asyncio.Future[bool]) -> None:
        self._met = met

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        own = transport.get_extra_info("socket")
        self._met.set_result(not own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        transport.close()
