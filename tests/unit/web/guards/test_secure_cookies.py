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


def cookies(monkeypatch: pytest.MonkeyPatch, *, secure: bool) -> list[str]:
    monkeypatch.setattr("comparator.web.server.App", lambda _script, secrets, **parts: Starlette(**parts))
    app = server.create_app(
        Path("app.py"),
        media=Mock(spec=StoredMedia),
        routes=[Route("/signed-in", signed_in)],
        access=server.Access(secure=secure),
    )
    return TestClient(app, base_url="http://localhost").get("/signed-in").headers.get_list("set-cookie")


def test_over_https_every_cookie_is_for_https_only(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, marked = cookies(monkeypatch, secure=True)

    assert plain.startswith("plain=secure;")
    assert plain.endswith("; Secure")
    assert "httponly" in plain.lower()
    assert marked.lower().count("; secure") == 1


def test_without_https_cookies_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, marked = cookies(monkeypatch, secure=False)

    assert "; secure" not in plain.lower()
    assert marked.lower().count("; secure") == 1
