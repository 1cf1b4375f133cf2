"""Over https no cookie is sent back in the clear, whoever sets it."""

from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.web import server
from comparator.web.media.files import StoredMedia


async def signed_in(_request: Request) -> Response:
    answer = PlainTextResponse("ok")
    answer.set_cookie("plain", "secure", httponly=True)
    answer.set_cookie("marked", "1", secure=True)
    return answer


@pytest.mark.parametrize("secure", [True, False])
def test_over_https_every_cookie_is_for_https_only(monkeypatch: pytest.MonkeyPatch, secure: bool) -> None:
    monkeypatch.setattr("comparator.web.server.App", lambda _script, secrets, **parts: Starlette(**parts))
    routes, access = [Route("/signed-in", signed_in)], server.Access(secure=secure)
    app = server.create_app(Path("app.py"), media=Mock(spec=StoredMedia), routes=routes, access=access)

    plain, marked = (
        TestClient(app, base_url="http://localhost").get("/signed-in").headers.get_list("set-cookie")
    )

    assert plain.startswith("plain=secure;")
    assert plain.endswith("; Secure") is secure
    assert "httponly" in plain.lower()
    assert marked.lower().count("; secure") == 1
