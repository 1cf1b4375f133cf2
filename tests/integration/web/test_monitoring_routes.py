"""Health and readiness over HTTP, and a server that ends in order."""

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
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.store.core.database import Database
from comparator.web.monitoring import monitoring_routes
from comparator.workflow.services import Services
from tests.browser.servers.signing import free_port
from tests.worlds.process import wait_until
from tests.worlds.workbench import Workbench


def client(services: Services) -> TestClient:
    return TestClient(Starlette(routes=monitoring_routes(services)))


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
        finally:
            server.send_signal(signal.SIGTERM)
            code = server.wait(timeout=40)

    assert code in (0, -signal.SIGTERM)
    first, *lines = log.read_text().splitlines()
    assert first.startswith("Blind Comparator: http://")
    told = [json.loads(line) for line in lines]
    assert {line["level"] for line in told} <= {"debug", "info"}
    assert ("ready", 200) in {(line.get("area"), line.get("status")) for line in told}
    assert "sk-planted" not in log.read_text()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
