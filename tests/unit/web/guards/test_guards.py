"""Guards of the server: other origins, the start token, tries, and the page that the browser is given."""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from comparator.settings import Settings
from comparator.web import server
from comparator.web.guards.browsers import COUNTED, SameOrigin, StartToken, Tries, address_of
from comparator.web.media.files import StoredMedia
from comparator.web.start import start_token
from comparator.web.streamlit import SCRIPT, STATIC
from comparator.workflow.people.sign_in import MOST
from tests.worlds.judging.judges import rules

INDEX = (STATIC / "index.html").read_text("utf-8")
BROWSER = {"accept": "text/html,*/*;q=0.8", "accept-encoding": "gzip"}


async def signed_in(_request: Request) -> Response:
    answer = PlainTextResponse("ok")
    answer.set_cookie("plain", "secure", httponly=True)
    answer.set_cookie("marked", "1", secure=True)
    return answer


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, repository: Path) -> Callable[..., TestClient]:
    """A browser at the whole server, in which no page of Streamlit's runs."""
    monkeypatch.setattr("comparator.web.server.App", lambda _script, secrets, **parts: Starlette(**parts))

    def at(*, secure: bool = False) -> TestClient:
        media, routes = Mock(spec=StoredMedia), [Route("/signed-in", signed_in)]
        app = server.create_app(
            repository / "app.py", media=media, routes=routes, access=server.Access(secure=secure)
        )
        return TestClient(app, base_url="http://localhost")

    return at


@pytest.mark.parametrize("secure", [True, False])
def test_over_https_every_cookie_is_for_https_only(serve: Callable[..., TestClient], secure: bool) -> None:
    plain, marked = serve(secure=secure).get("/signed-in").headers.get_list("set-cookie")

    assert plain.startswith("plain=secure;")
    assert plain.endswith("; Secure") is secure
    assert "httponly" in plain.lower()
    assert marked.lower().count("; secure") == 1


def test_the_index_page_says_where_the_server_is_and_lets_each_script_run(
    serve: Callable[..., TestClient],
) -> None:
    response = serve().get("/queue", headers=BROWSER)

    assert response.text == INDEX.replace("<script>", f"<script>{SCRIPT}</script><script>", 1)
    assert int(response.headers["content-length"]) == len(response.content)
    for script in re.findall(r"<script>(.*?)</script>", response.text, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in response.headers["content-security-policy"]


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

    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": "/", "headers": sent}
    await SameOrigin(app, hosts=hosts)(scope, receive, send)
    return bool(seen)


async def test_the_apps_own_pages_connect_by_its_ip_address_too() -> None:
    here = ("127.0.0.1:8501", "localhost:8501", "[::1]:8501", "127.0.0.1", "localhost")
    for host in (*here, "192.168.1.7:8501", "[fe80::1]:8501"):
        assert await reached("websocket", host=host, origin=f"http://{host}")
        assert await reached("http", method="PUT", host=host, origin=f"http://{host}")
        assert await reached("http", host=host)
        # Reading from elsewhere is left to the browser's own rules.
        assert await reached("http", host=host, origin="http://localhost:9999")


async def test_pages_of_another_origin_do_not_connect_whatever_their_port() -> None:
    for origin in (
        *("http://localhost:9999", "http://127.0.0.1:3000", "http://127.0.0.1", "https://evil.example"),
        *("http://localhost:8501.evil.example", "http://evil.example@localhost:9999", "null", "http://["),
    ):
        assert not await reached("websocket", host="localhost:8501", origin=origin), origin
        assert not await reached("http", method="POST", host="localhost:8501", origin=origin), origin


async def test_any_other_name_is_answered_only_if_it_is_the_public_one_and_its_origin_has_to_be_the_same() -> (
    None
):
    names = frozenset({"review.example"})
    for host in (
        *("evil.example", "evil.example:8501", "mybox:8501", "localhost.evil.example", "127.0.0.1.nip.io"),
        *("", "0x7f.1", "2130706433"),
    ):
        assert not await reached("http", host=host), host
        assert not await reached("http", host=host, hosts=names), host
        assert not await reached("websocket", host=host, origin=f"http://{host}"), host
    assert await reached("websocket", hosts=names, host="review.example", origin="https://review.example")
    assert not await reached("websocket", hosts=names, host="review.example", origin="https://evil.example")


TOKEN = "t" * 32


async def there(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(request.url.path))


async def stream(socket: WebSocket) -> None:
    await socket.accept()
    await socket.close()


@pytest.fixture
def guarded() -> TestClient:
    every = Route("/{rest:path}", there, methods=["GET", "POST"])
    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", stream), every])
    return TestClient(StartToken(app, token=TOKEN, port=8501), follow_redirects=False)


def test_without_the_token_nothing_is_answered_and_no_connection_opens(guarded: TestClient) -> None:
    for path in (
        *("/", "/history", "/?token=", "/?token=wrong", "/outputs/x/view", "/static/x.js"),
        "/_stcore/metrics",
    ):
        assert guarded.get(path).status_code in (401, 403)
        assert "set-cookie" not in guarded.get(path).headers
    for forged in ("", TOKEN, "x" * 64):
        guarded.cookies.set("comparator_start_8501", forged)
        assert guarded.get("/").status_code == 401
    for address in ("/_stcore/stream", f"/_stcore/stream?token={TOKEN}"):
        with pytest.raises(WebSocketDisconnect), guarded.websocket_connect(address):
            pass
    assert guarded.post(f"/changes?token={TOKEN}").status_code in (401, 403)


def test_the_token_is_exchanged_once_and_leaves_the_address(guarded: TestClient) -> None:
    first = guarded.get(f"/history?c=1&token={TOKEN}")
    assert (first.status_code, first.headers["location"]) == (303, "/history?c=1")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert TOKEN not in cookie
    assert guarded.get("/history?c=1").text == "/history"
    with guarded.websocket_connect("/_stcore/stream"):
        pass
    elsewhere = guarded.get(f"//evil.example/?token={TOKEN}")
    assert not elsewhere.headers.get("location", "/").startswith("//")


def test_it_is_wanted_on_a_network_and_where_it_is_asked_for(tmp_path: Path) -> None:
    plain = Settings(home=tmp_path)
    assert not start_token(plain, host="127.0.0.1")
    assert start_token(plain, host="0.0.0.0") != start_token(plain, host="0.0.0.0")
    assert len(start_token(plain, host="192.168.1.7")) >= 32
    assert start_token(Settings(home=tmp_path, start_token=True), host="127.0.0.1")


class Server:
    """Counts what passes, and lets everybody try so often; `who` is the person of every browser."""

    def __init__(self, *, who: str | None = None, proxies: int = 0) -> None:
        self.who = who
        self.made: Counter[str] = Counter()
        access = rules(person=lambda _cookies: self.who, may_try=self.may_try)
        self.tries = Tries(self.app, rules=access, proxies=proxies)

    def may_try(self, whose: str) -> bool:
        self.made[whose] += 1
        return self.made[whose] <= MOST

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ask(self, method: str, path: str, *, at: str = "10.0.0.1", noted: str = "") -> int:
        statuses: list[int] = []

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request"}

        headers = [(b"x-forwarded-for", noted.encode())] if noted else []
        scope = {"type": "http", "method": method, "path": path, "client": (at, 1), "headers": headers}
        await self.tries(scope, receive, send)
        return statuses[0]


@pytest.mark.parametrize(("method", "path"), sorted(COUNTED))
async def test_an_address_that_tries_too_often_waits_and_no_other_does(method: str, path: str) -> None:
    server = Server()
    for _ in range(MOST):
        assert await server.ask(method, path) == 200
    assert await server.ask(method, path) == 429
    assert await server.ask(method, path, at="10.0.0.2") == 200
    assert await server.ask("GET", "/static/x.js") == 200
    assert sum(server.made.values()) == MOST + 2


async def test_a_person_who_tries_too_often_waits_whatever_the_address() -> None:
    server = Server(who="mallory")
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", at=f"10.0.1.{number}") == 200
    assert await server.ask("POST", "/invitation", at="10.0.2.1") == 429
    server.who = "olga"
    assert await server.ask("POST", "/invitation", at="10.0.2.1") == 200


async def test_what_anybody_can_write_into_a_header_counts_for_nothing() -> None:
    server = Server()
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", noted=f"10.9.9.{number}") == 200
    assert await server.ask("POST", "/invitation", noted="10.9.8.1") == 429
    # Behind a proxy the address that it noted counts.
    server = Server(proxies=1)
    for number in range(MOST):
        assert await server.ask("POST", "/invitation", noted=f"10.9.9.{number}, 192.0.2.7") == 200
    assert await server.ask("POST", "/invitation", noted="10.9.8.1, 192.0.2.7") == 429
    assert await server.ask("POST", "/invitation", noted="192.0.2.8") == 200


def test_a_household_of_ipv6_is_one_address() -> None:
    for client, found in (
        *((("2001:db8:1:2:3::4", 1), "2001:db8:1:2::/64"), (("10.0.0.1", 1), "10.0.0.1"), (None, "unknown")),
        (("not an address", 1), "unknown"),
    ):
        assert address_of({"type": "http", "client": client, "headers": []}, proxies=0) == found
