"""Whoever is signed in already is sent to the provider to prove it."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.web.guards.browsers import SignInAgain

PROVIDER = "https://idp.example.org/authorize?client_id=x&state=a%20b&prompt=select_account"


@pytest.mark.parametrize(("person", "asks"), [(None, False), ("olga", True)])
def test_the_provider_is_told_to_ask_again(person: str | None, asks: bool) -> None:
    async def login(_request: Request) -> RedirectResponse:
        return RedirectResponse(PROVIDER)

    routes = [Route("/auth/login", login), Route("/elsewhere", login)]
    client = TestClient(
        SignInAgain(Starlette(routes=routes), person=lambda _cookies: person), follow_redirects=False
    )
    told = client.get("/auth/login").headers["location"]
    assert ("prompt=login&max_age=0" in told) is asks
    assert ("select_account" in told) is not asks
    assert client.get("/elsewhere").headers["location"] == PROVIDER
