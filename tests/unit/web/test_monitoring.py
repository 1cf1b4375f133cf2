"""Numbers, logs and error ids: what whoever runs the server sees, and what must not stand there."""

from __future__ import annotations

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

from comparator.reporting.operation import Operation
from comparator.web.monitoring import logs
from comparator.web.monitoring.metrics import Metrics
from comparator.web.monitoring.observe import Observe

NOW = Operation(
    comparisons={"to_judge": 7, "finalised": 2},
    workers=1,
    readings=20,
    readings_failed=3,
    reading_seconds=61.5,
    cost=12.25,
)


async def fine(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("fine")


async def broken(_request: Request) -> PlainTextResponse:
    raise ValueError("The harvest was 81 crates.")


def client(metrics: Metrics) -> TestClient:
    routes = [Route("/media/{id}", fine), Route("/broken", broken)]
    app = Starlette(routes=routes, middleware=[Middleware(Observe, metrics=metrics)])
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


def test_requests_are_counted_by_area_and_no_id_makes_a_new_number() -> None:
    metrics = Metrics(lambda: NOW)

    for id in ("one", "two"):
        client(metrics).get(f"/media/{id}")
    text = metrics.text().decode()

    assert 'comparator_http_requests_total{area="media",method="GET",status="200"} 2.0' in text
    assert 'comparator_http_request_seconds_count{area="media"} 2.0' in text
    assert "/media/" not in text


def test_an_error_has_an_id_that_stands_in_the_log_and_json_logs_hold_no_content(
    written: io.StringIO,
) -> None:
    metrics = Metrics(lambda: NOW)
    logs.set_up("json", environment={}, stream=written)
    logging.root.addHandler(metrics.handler())

    answer = client(metrics).get("/broken")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]

    assert answer.status_code == 500
    (error,) = (line for line in lines if line["level"] == "error")
    assert error["error_id"] in answer.text
    assert error["error"] == "builtins.ValueError"
    assert any("in broken" in place for place in error["at"])
    assert "crates" not in answer.text + written.getvalue()
    (request,) = (line for line in lines if line["message"] == "request")
    assert (request["area"], request["status"]) == ("page", 500)
    assert "comparator_errors_total 1.0" in metrics.text().decode()
