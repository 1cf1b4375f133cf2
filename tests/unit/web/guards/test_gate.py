"""What is not listed as open is closed; the rest is for whoever it is for, asked at each request."""

import threading

import anyio
import anyio.lowlevel
import pytest
from anyio import create_task_group, fail_after, to_thread
from httpx2 import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from comparator.domain.rights import Act
from comparator.web.guards.gate import AT_ONCE_A_PERSON, Gate
from tests.worlds.judging.judges import rules


async def there(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request.url.path)


def test_both_ids_of_an_address_are_asked_for() -> None:
    app = Starlette(routes=[Route("/outputs/{rest:path}", there)])
    access = rules(person=lambda _cookies: "someone", may_see=lambda _person, id: id in ("mine", "also-mine"))
    client = TestClient(Gate(app, rules=access, outputs=("/outputs",)))
    allowed = (
        *(
            "mine/view",
            "mine/differences/also-mine/a",
            "mine/differences/also-mine/summary",
            "mine.pages/differences/also-mine.pages/summary",
        ),
        "mine/page/1.png",
    )
    refused = ("other/view", "mine/differences/other/a", "mine/differences/other/summary")
    for path in (*allowed, *refused, "other/differences/mine/b", "mine/differences%2Fother/a"):
        assert client.get(f"/outputs/{path}").status_code == (200 if path in allowed else 403), path


async def test_the_gate_answers_while_all_other_threads_are_busy() -> None:
    access = rules(person=lambda _cookies: None, may_see=lambda _person, _id: False)
    gate = Gate(Starlette(routes=[]), rules=access, outputs=("/outputs",))
    leave = threading.Event()
    others = to_thread.current_default_thread_limiter()
    others.total_tokens = 1

    async def stay() -> None:
        await to_thread.run_sync(leave.wait, 60)

    async with (
        create_task_group() as group,
        AsyncClient(transport=ASGITransport(gate), base_url="http://test") as browser,
    ):
        group.start_soon(stay)
        try:
            while not others.borrowed_tokens:
                await anyio.lowlevel.checkpoint()
            with fail_after(20):
                assert (await browser.get("/outputs/mine/view")).status_code == 403
        finally:
            leave.set()


async def test_whoever_asks_for_much_that_takes_long_keeps_nobody_else_waiting() -> None:
    leave, inside = anyio.Event(), []

    async def long(request: Request) -> PlainTextResponse:
        inside.append(request.url.path)
        if not request.url.path.startswith("/outputs/quick/"):
            await leave.wait()
        return PlainTextResponse("")

    access = rules(person=lambda cookies: cookies["who"], may_see=lambda _person, _id: True)
    gate = Gate(Starlette(routes=[Route("/outputs/{rest:path}", long)]), rules=access, outputs=("/outputs",))
    async with (
        create_task_group() as group,
        AsyncClient(transport=ASGITransport(gate), base_url="http://test") as browser,
    ):

        async def ask(path: str, who: str) -> int:
            answer = await browser.get(f"/outputs/{path}", headers={"cookie": f"who={who}"})
            return answer.status_code

        for number in range(20):
            group.start_soon(ask, f"slow/view{number}", "eve")
        group.start_soon(ask, "slow/differences/other/play", "eve")
        with fail_after(20):
            while len(inside) < AT_ONCE_A_PERSON:
                await anyio.lowlevel.checkpoint()
            group.start_soon(ask, "film/play", "eve")
            assert await ask("quick/view", "rob") == 200
            while "/outputs/film/play" not in inside:
                await anyio.lowlevel.checkpoint()
        assert len(inside) == AT_ONCE_A_PERSON + 2
        leave.set()

    assert len(inside) == 23
    assert gate._person_limit._of == {}


EVERYTHING = (
    *("/", "/history", "/favicon.png", "/static/js/index.js", "/media/0123456789abcdef0123.json"),
    *("/component/x/y", "/app/static/x", "/_stcore/health", "/_stcore/script-health-check"),
    *("/_stcore/metrics", "/_stcore/host-config", "/_stcore/allowed-message-origins"),
    *("/_stcore/bidi-components/x/y.js", "/_stcore/upload_file/session/file", "/_stcore/agent/x", "/healthz"),
    *("/health", "/ready", "/auth/login", "/auth/logout", "/oauth2callback", "/sign-in", "/sign-out"),
    *("/invitation", "/invitation/exchange.js", "/live/x/y", "/modules/x/y.js", "/changes"),
    *("/outputs/mine/view", "/some/new/address", "//outputs/mine/view", "/static/../outputs/mine/view"),
)
OPEN = {
    *("GET /static/js/index.js", "GET /_stcore/health", "GET /health", "GET /ready", "GET /auth/login"),
    *("GET /auth/logout", "GET /oauth2callback", "GET /sign-in", "GET /invitation", "POST /invitation"),
    *("GET /invitation/exchange.js", "GET /live/x/y", "GET /modules/x/y.js", "POST /changes"),
    "POST /sign-out",
}
MEMBERS = {
    *("GET /", "GET /history", "GET /favicon.png", "GET /_stcore/host-config", "GET /healthz"),
    *("GET /changes", "GET /_stcore/bidi-components/x/y.js"),
}
UPLOADS = {f"{method} /_stcore/upload_file/session/file" for method in ("PUT", "DELETE")}


async def reached(who: str | None, *rights: Act) -> set[str]:
    """All addresses and methods that reach the app for a person with these rights somewhere."""
    seen: set[str] = set()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.add(f"{scope['method']} {scope['path']}")
        await PlainTextResponse("")(scope, receive, send)

    given = rules(person=lambda _cookies: who, may=lambda _person, act: act in rights)
    gate = Gate(app, rules=given, outputs=("/outputs",))
    for path in EVERYTHING:
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            sent: Scope = {"type": "http", "method": method, "path": path, "headers": [], "query_string": b""}

            async def receive() -> Message:
                return {"type": "http.request", "body": b""}

            async def send(message: Message) -> None:
                pass

            await gate(sent, receive, send)
    return seen


async def test_each_reaches_what_is_listed_for_their_rights_and_nothing_else() -> None:
    # Signing out is passed on as Streamlit's own address, which clears the cookies.
    assert await reached(None) == OPEN - {"POST /sign-out"}
    assert await reached("nora") == OPEN - {"POST /sign-out", "GET /auth/logout"}
    members = await reached("rhea", Act.READ)
    assert members == (OPEN | MEMBERS) - {"POST /sign-out", "GET /auth/logout"}
    assert await reached("lea", Act.READ, Act.SUBMIT) - members == UPLOADS


async def test_a_page_says_at_the_door_who_may_not_come_in() -> None:
    gate = Gate(Starlette(), rules=rules(person=lambda _cookies: None), outputs=())
    async with AsyncClient(transport=ASGITransport(gate), base_url="http://test") as browser:
        assert (await browser.get("/history")).text == "door for None"
        assert (await browser.get("/_stcore/metrics")).status_code == 403


async def test_signing_out_takes_the_token_and_no_link_does_it() -> None:
    requests: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        requests.append(f"{scope['method']} {scope['path']}")
        await PlainTextResponse("out")(scope, receive, send)

    gate = Gate(app, rules=rules(ended={"its own"}), outputs=())
    async with AsyncClient(transport=ASGITransport(gate), base_url="http://test") as browser:
        for method, path, form in (
            *(("GET", "/auth/logout", {}), ("GET", "/sign-out?token=its+own", {}), ("POST", "/sign-out", {})),
            *(("POST", "/sign-out", {"token": "another"}), ("POST", "/auth/logout", {"token": "its own"})),
        ):
            assert (await browser.request(method, path, data=form or None)).status_code == 405, (method, path)
        assert requests == []
        assert (await browser.post("/sign-out", data={"token": "its own"})).text == "out"
    assert requests == ["GET /auth/logout"]


@pytest.mark.parametrize("who", [None, "nora"])
async def test_no_connection_opens_without_a_role(who: str | None) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it was reached")

    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": b""}

    async def send(message: Message) -> None:
        answers.append(message)

    gate = Gate(app, rules=rules(person=lambda _cookies: who, may=lambda _person, _act: False), outputs=())
    await gate({"type": "websocket", "path": "/_stcore/stream", "headers": []}, receive, send)
    assert answers == [{"type": "websocket.close", "code": 1008}]
