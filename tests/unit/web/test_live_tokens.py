"""Live pages are open under random tokens: a few for each person, and only as long as they may see the page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.store.pairs.outputs import FileRow
from comparator.web.guards.gate import Gate
from comparator.web.media import web_pages
from comparator.web.media.web_pages import Tokens, web_routes
from comparator.workflow.services import Services
from tests.worlds.judging.gate_rules import rules

PAGE = FileRow(
    id="page",
    view_id="view",
    position=0,
    name="index.html",
    family=Family.HTML,
    size=2,
    digest="d",
    notes=(),
    blob="b" * 64,
    media_type="text/html",
)


def test_who_opens_many_pages_closes_none_of_anybody_else() -> None:
    tokens = Tokens()
    hers = tokens.open({"a.html": PAGE}, page_id="page", person_id="ada")
    his = [tokens.open({"a.html": PAGE}, page_id="page", person_id="ben") for _ in range(60)]

    assert tokens.find(hers) is not None
    assert [tokens.find(token) is not None for token in his] == [False] * 10 + [True] * 50


def test_a_live_page_ends_with_the_right_to_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = {("ada", "page")}
    monkeypatch.setattr(web_pages, "live_pages", lambda _services, _id: (PAGE,))
    monkeypatch.setattr(web_pages, "may_see_output", lambda _services, person, id: (person, id) in allowed)
    services = cast("Services", SimpleNamespace(blobs={PAGE.blob: b"Hi"}))
    tokens = Tokens()
    made = rules(person=lambda _cookies: "ada", may_see=lambda _person, _id: True)
    app = Gate(Starlette(routes=web_routes(services, tokens=tokens)), rules=made, outputs=("/outputs",))
    client = TestClient(app, headers={"user-agent": "Chrome/156.0"})
    frame = client.get("/outputs/page/live").text
    address = frame.partition('src="')[2].partition('"')[0]

    assert client.get(address).text == "Hi"
    allowed.clear()
    assert client.get(address).status_code == 404
