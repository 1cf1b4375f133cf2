"""Logs and error ids: what whoever runs the server sees, and what must not stand there."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.web.monitoring import Observe, set_up


async def fine(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("fine")


async def broken(_request: Request) -> PlainTextResponse:
    raise ValueError("The harvest was 81 crates.")


def client() -> TestClient:
    routes = [Route("/outputs/{id}", fine), Route("/broken", broken)]
    app = Starlette(routes=routes, middleware=[Middleware(Observe)])
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the log says; the log is as before afterwards."""
    root, ours = logging.root, logging.getLogger("comparator")
    before = list(root.handlers), root.level, ours.level
    stream = io.StringIO()
    yield stream
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def test_an_error_has_an_id_that_stands_in_the_log_and_json_logs_hold_no_content(
    written: io.StringIO,
) -> None:
    set_up("json", environment={}, stream=written)

    assert client().get("/outputs/secret-id").text == "fine"
    answer = client().get("/broken")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]

    assert answer.status_code == 500
    (error,) = (line for line in lines if line["level"] == "error")
    assert error["error_id"] in answer.text
    assert error["error"] == "builtins.ValueError"
    assert any("in broken" in place for place in error["at"])
    assert "crates" not in answer.text + written.getvalue()
    requests = [(line["area"], line["status"]) for line in lines if line["message"] == "request"]
    assert requests == [("outputs", 200), ("page", 500)]
    assert "secret-id" not in written.getvalue()
