"""The index page says where the server is; nothing else is changed."""

import base64
import hashlib
import re
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.web import server
from comparator.web.media.answers import PREFIX
from comparator.web.media.stored import StoredMedia
from comparator.web.streamlit import SCRIPT, STATIC

INDEX = (STATIC / "index.html").read_text("utf-8")
BROWSER = {"accept": "text/html,*/*;q=0.8", "accept-encoding": "gzip"}
OWN = {"content-security-policy": "sandbox"}


def page(request: Request) -> Response:
    """Streamlit's index page, with what was asked for."""
    return HTMLResponse(INDEX, headers={"x-encoding": request.headers.get("accept-encoding", "none")})


def output(_: Request) -> Response:
    return HTMLResponse("<script>of an output</script>", headers=OWN)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr("comparator.web.server.App", lambda _script, secrets, **parts: Starlette(**parts))
    theirs = [
        Route("/queue", page),
        Route("/elsewhere", output),
        Route(f"{PREFIX}/x/own", output),
        Route("/missing", lambda _: HTMLResponse("<script></script>", status_code=404)),
    ]
    app = server.create_app(Path("app.py"), media=Mock(spec=StoredMedia), routes=theirs)
    return TestClient(app, base_url="http://localhost")


def test_the_index_page_says_where_the_server_is_before_any_script_of_its_own(client: TestClient) -> None:
    told = client.get("/queue", headers=BROWSER)

    assert told.text == INDEX.replace("<script>", f"<script>{SCRIPT}</script><script>", 1)
    assert int(told.headers["content-length"]) == len(told.content)
    # Compressed, it could not be written into.
    assert told.headers["x-encoding"] == "none"


def test_the_policy_lets_each_script_of_the_page_run(client: TestClient) -> None:
    told = client.get("/queue", headers=BROWSER)

    scripts = re.findall(r"<script>(.*?)</script>", told.text, re.DOTALL)
    assert SCRIPT in scripts
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in told.headers["content-security-policy"]
