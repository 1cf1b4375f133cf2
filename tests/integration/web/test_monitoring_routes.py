"""Health, readiness and numbers over HTTP, and a server that ends in order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.settings import Settings
from comparator.store.core.database import Database
from comparator.web.monitoring.routes import monitoring_routes
from comparator.web.start import metrics_of
from comparator.workflow.services import Services
from tests.app.conftest import wait_until
from tests.browser.servers.signing import free_port
from tests.worlds.workbench import Workbench


def client(services: Services, *, guarded: bool = False) -> TestClient:
    return TestClient(Starlette(routes=monitoring_routes(services, metrics_of(services), guarded=guarded)))


def test_where_people_sign_in_the_numbers_want_a_token_of_their_own(workbench: Workbench) -> None:
    settings = Settings(metrics_token=SecretStr("planted-token"))
    with_token = client(replace(workbench.services, settings=settings), guarded=True)
    without = client(workbench.services, guarded=True)

    assert without.get("/metrics", headers={"authorization": "Bearer "}).status_code == 401
    assert with_token.get("/metrics").status_code == 401
    assert with_token.get("/metrics", headers={"authorization": "Bearer other"}).status_code == 401
    assert with_token.get("/metrics", headers={"authorization": "Bearer planted-token"}).status_code == 200


def test_a_server_is_ready_only_while_its_database_answers(workbench: Workbench) -> None:
    browser = client(workbench.services)
    assert browser.get("/ready").status_code == 200

    gone = Database(sa.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/gone"))
    closed = client(replace(workbench.services, database=gone))

    assert closed.get("/ready").status_code == 503
    assert closed.get("/ready").text == "not ready"
    assert closed.get("/health").text == "ok"


@pytest.mark.slow
def test_a_server_answers_writes_its_log_as_json_and_ends_in_order(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    environment = {
        **os.environ,
        "COMPARATOR_HOME": str(tmp_path / "home"),
        "COMPARATOR_LOG": "json",
        "COMPARATOR_JUDGE": "offline",
        "ANTHROPIC_API_KEY": "sk-planted-0123456789",
    }
    with log.open("w") as file:
        server = subprocess.Popen(
            [sys.executable, "-m", "comparator", "serve", "--no-examples", f"--port={port}"],
            env=environment, stdout=file, stderr=file,
        )  # fmt: skip
        try:
            wait_until(lambda: answers(f"http://127.0.0.1:{port}/ready"))
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                text = answer.read().decode()
        finally:
            server.send_signal(signal.SIGTERM)
            code = server.wait(timeout=40)

    assert 'comparator_http_requests_total{area="ready"' in text
    assert code in (0, -signal.SIGTERM)
    first, *lines = log.read_text().splitlines()
    assert first.startswith("Blind Comparator: http://")
    assert {json.loads(line)["level"] for line in lines} <= {"debug", "info"}
    assert "sk-planted" not in log.read_text()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
