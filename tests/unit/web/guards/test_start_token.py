"""Without sign-in, only a browser that came with the printed address gets anything."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from comparator.settings import Settings
from comparator.web.guards.browsers import StartToken
from comparator.web.start import start_token

TOKEN = "t" * 32


async def there(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(request.url.path))


async def stream(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


@pytest.fixture
def client() -> TestClient:
    app = Starlette(
        routes=[
            WebSocketRoute("/_stcore/stream", stream),
            Route("/{rest:path}", there, methods=["GET", "POST"]),
        ]
    )
    return TestClient(StartToken(app, token=TOKEN, port=8501), follow_redirects=False)


@pytest.mark.parametrize(
    "path",
    ["/", "/history", "/?token=", "/?token=wrong", "/outputs/x/view", "/static/x.js", "/_stcore/metrics"],
)
def test_without_the_token_nothing_is_answered(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (401, 403)
    assert "set-cookie" not in client.get(path).headers


def test_without_the_token_no_connection_opens(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream"):
        pass
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/_stcore/stream?token={TOKEN}"):
        pass
    assert client.post(f"/changes?token={TOKEN}").status_code in (401, 403)


def test_the_token_is_exchanged_once_and_leaves_the_address(client: TestClient) -> None:
    first = client.get(f"/history?c=1&token={TOKEN}")
    assert (first.status_code, first.headers["location"]) == (303, "/history?c=1")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert TOKEN not in cookie
    assert client.get("/history?c=1").text == "/history"
    with client.websocket_connect("/_stcore/stream"):
        pass


def test_the_address_leads_to_no_other_server(client: TestClient) -> None:
    answer = client.get(f"//evil.example/?token={TOKEN}")
    assert not answer.headers.get("location", "/").startswith("//")


def test_a_forged_cookie_is_worth_nothing(client: TestClient) -> None:
    for value in ("", TOKEN, "x" * 64):
        client.cookies.set("comparator_start_8501", value)
        assert client.get("/").status_code == 401


def test_it_is_wanted_on_a_network_and_where_it_is_asked_for(tmp_path: Path) -> None:
    plain = Settings(home=tmp_path)
    assert not start_token(plain, host="127.0.0.1")
    assert start_token(plain, host="0.0.0.0") != start_token(plain, host="0.0.0.0")
    assert len(start_token(plain, host="192.168.1.7")) >= 32
    assert start_token(Settings(home=tmp_path, start_token=True), host="127.0.0.1")
