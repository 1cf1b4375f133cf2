"""Whoever asks for the differences of two files must be allowed to see both."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.ui.gate import Gate, Rules


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
