"""Pages are open under sealed tokens, and only as long as whoever opened them may see the page."""

import base64
import re
import time

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.web.guards.gate import Gate
from comparator.web.media.foreign_pages import OpenPage, Tokens, foreign_routes
from tests.worlds.judging.gate_rules import rules
from tests.worlds.media import Media

CHROMIUM = {"user-agent": "Chrome/156.0"}


PAGE = {"page": ("a b.html", Family.HTML, "text/html", b"<!doctype html><p>Hi<script>1</script>")}


def test_a_token_says_nothing_and_holds_for_a_while_and_in_one_process_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens, page = Tokens(), OpenPage("ada", "page", with_scripts=True)
    token = tokens.of(page)

    assert tokens.find(token) == page
    assert Tokens().find(token) is None
    assert tokens.find(f"{token[:-6]}AAAA{token[-2:]}") is None
    assert not {b"ada", b"page"} & set(re.split(rb"\W", base64.urlsafe_b64decode(token)))
    later = time.time() + 12 * 3600 + 1
    monkeypatch.setattr("time.time", lambda: later)
    assert tokens.find(token) is None


def test_an_open_page_ends_with_the_right_to_see_it(renderer: Renderer) -> None:
    allowed = {("ada", "page")}
    routes = foreign_routes(
        Media(PAGE), renderer=renderer, may_see=lambda person, id: (person, id) in allowed
    )
    made = rules(person=lambda _cookies: "ada", may_see=lambda _person, _id: True)
    client = TestClient(Gate(Starlette(routes=routes), rules=made, outputs=("/outputs",)), headers=CHROMIUM)
    frame = client.get("/outputs/page/page").json()["address"]
    address = client.get(frame).text.partition('src="')[2].partition('"')[0]
    assert address == f"{frame}a%20b.html?page"

    assert client.get(address).text.endswith("<p>Hi<script>1</script>")
    allowed.clear()
    assert client.get(address).status_code == client.get(frame).status_code == 404


@pytest.mark.parametrize(
    ("query", "agent", "project", "run"),
    [
        ("", "Chrome/156.0", True, True),
        ("?scripts=0", "Chrome/156.0", True, False),
        ("", "Chrome/156.0", False, False),
        ("", "Chrome/155.0", True, False),
        ("", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", True, False),
        ("", "", True, False),
    ],
)
def test_scripts_run_where_browser_project_and_reviewer_let_them(
    renderer: Renderer, query: str, agent: str, project: bool, run: bool
) -> None:
    media = Media(PAGE, why_still="" if project else "off")
    routes = foreign_routes(media, renderer=renderer, may_see=lambda _person, _id: True)
    client = TestClient(Starlette(routes=routes), headers={"user-agent": agent})

    told = client.get(f"/outputs/page/page{query}").json()
    page = client.get(f"{told['address']}a b.html")

    policy = page.headers["content-security-policy"]
    assert told["scripts"] is run
    assert ("'unsafe-inline' 'unsafe-eval'" in policy) is run
    # Our own script says so by a nonce, which switches off those of the page.
    assert ("script-src 'nonce-" in policy) is not run
    assert bool(told["why"]) is not (run or bool(query))
    assert policy.endswith("sandbox allow-scripts allow-forms")


def test_without_a_token_nothing_is_there_and_nothing_may_run(renderer: Renderer) -> None:
    client = TestClient(
        Starlette(routes=foreign_routes(Media(PAGE), renderer=renderer, may_see=lambda _person, _id: True))
    )
    for address in ("/live/x/", "/live/x/a.html", "/live/page/a b.html"):
        answer = client.get(address)
        assert (answer.status_code, "Hi" in answer.text) == (404, False)
        assert "sandbox" in answer.headers["content-security-policy"]
