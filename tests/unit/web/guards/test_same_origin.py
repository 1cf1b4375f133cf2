"""Other websites, on this machine or elsewhere, get no connection to the app."""

import pytest
from starlette.types import Message, Receive, Scope, Send

from comparator.web.guards.browsers import SameOrigin


async def reached(
    kind: str, *, hosts: frozenset[str] = frozenset(), method: str = "GET", **headers: str
) -> bool:
    """Whether a request with these headers reaches the app."""
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def send(message: Message) -> None:
        assert message["type"] in ("websocket.close", "http.response.start", "http.response.body")

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {
        "type": kind,
        "method": method,
        "path": "/",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await SameOrigin(app, hosts=hosts)(scope, receive, send)
    return bool(seen)


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "localhost:8501", "[::1]:8501"])
async def test_the_apps_own_pages_connect(host: str) -> None:
    assert await reached("websocket", host=host, origin=f"http://{host}")
    assert await reached("http", method="PUT", host=host, origin=f"http://{host}")


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:9999",
        "http://127.0.0.1:3000",
        "http://127.0.0.1",
        "https://evil.example",
        "http://localhost:8501.evil.example",
        "http://evil.example@localhost:9999",
        "null",
        "http://[",
    ],
)
async def test_pages_of_another_origin_do_not_connect_whatever_their_port(origin: str) -> None:
    assert not await reached("websocket", host="localhost:8501", origin=origin)
    assert not await reached("http", method="POST", host="localhost:8501", origin=origin)


async def test_a_foreign_name_that_resolves_to_this_machine_is_not_answered() -> None:
    assert not await reached("http", host="evil.example:8501")
    assert not await reached("websocket", host="evil.example:8501", origin="http://evil.example:8501")


async def test_reading_from_elsewhere_is_left_to_the_browsers_own_rules() -> None:
    assert await reached("http", host="localhost:8501", origin="http://localhost:9999")


@pytest.mark.parametrize("host", ["192.168.1.7:8501", "[fe80::1]:8501", "127.0.0.1", "localhost"])
async def test_it_is_reached_by_its_ip_address_from_other_machines(host: str) -> None:
    assert await reached("http", host=host)
    assert await reached("websocket", host=host, origin=f"http://{host}")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "mybox:8501", "localhost.evil.example", "127.0.0.1.nip.io", "", "0x7f.1", "2130706433"],
)
async def test_any_other_name_is_answered_only_if_it_is_the_public_one(host: str) -> None:
    assert not await reached("http", host=host)
    assert not await reached("http", host=host, hosts=frozenset({"review.example"}))
    assert not await reached("websocket", host=host, origin=f"http://{host}")


async def test_behind_a_proxy_its_public_name_is_answered_and_the_origin_has_to_be_the_same() -> None:
    names = frozenset({"review.example"})
    assert await reached("websocket", hosts=names, host="review.example", origin="https://review.example")
    assert not await reached("websocket", hosts=names, host="review.example", origin="https://evil.example")
