"""Whoever asks for the differences of two files must be allowed to see both."""

from __future__ import annotations

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

from comparator.web.gate import AT_ONCE_A_PERSON, Gate, Rules


async def there(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request.url.path)


@pytest.fixture
def client() -> TestClient:
    app = Starlette(routes=[Route("/outputs/{rest:path}", there)])
    rules = Rules(person=lambda _cookies: "someone", may_see=lambda _person, id: id in ("mine", "also-mine"))
    return TestClient(Gate(app, rules=rules, outputs=("/outputs",)))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("mine/view", 200),
        ("other/view", 403),
        ("mine/differences/also-mine/a", 200),
        ("mine/differences/also-mine/summary", 200),
        ("mine/differences/other/a", 403),
        ("mine/differences/other/summary", 403),
        ("other/differences/mine/b", 403),
        ("mine/differences%2Fother/a", 403),
        ("mine/page/1.png", 200),
    ],
)
def test_both_ids_of_an_address_are_asked_for(client: TestClient, path: str, status: int) -> None:
    assert client.get(f"/outputs/{path}").status_code == status


async def test_the_gate_answers_while_all_other_threads_are_busy() -> None:
    rules = Rules(person=lambda _cookies: None, may_see=lambda _person, _id: False)
    gate = Gate(Starlette(routes=[]), rules=rules, outputs=("/outputs",))
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

    rules = Rules(person=lambda cookies: cookies["who"], may_see=lambda _person, _id: True)
    gate = Gate(Starlette(routes=[Route("/outputs/{rest:path}", long)]), rules=rules, outputs=("/outputs",))
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
    assert gate._turns == {}
