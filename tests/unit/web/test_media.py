"""Routes to outputs, the tokens of live pages, and what monitoring tells."""

import base64
import io
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from comparator.domain.pair.view import Family
from comparator.outputs.preview.child_process import Renderer
from comparator.web.guards.gate import Gate
from comparator.web.media.foreign_pages import OpenPage, Tokens, foreign_routes
from comparator.web.media.routes import media_routes
from comparator.web.monitoring import Observe, set_up
from tests.worlds.files.outputs_office import pages
from tests.worlds.judging.judges import rules
from tests.worlds.media import Media

FILES = {
    "text": ("a.txt", Family.TEXT, "text/plain", b"words"),
    "table": ("a.csv", Family.CSV, "text/plain", b"number,word\n1,low\n3,high\n2,middle\n"),
    "wav": ("a.wav", Family.AUDIO, "audio/wav", b"%PDF-"),
    "pdf": ("a.pdf", Family.PDF, "application/pdf", b"%PDF-"),
    "book": ("b.pdf", Family.PDF, "application/pdf", pages(*(f"chapter {n} ends" for n in range(1, 46)))),
}


@pytest.fixture
def media() -> Media:
    return Media(FILES)


@pytest.fixture
def client(media: Media, tmp_path: Path) -> Iterator[TestClient]:
    renderer = Renderer()
    routes = media_routes(media, renderer=renderer, cache=tmp_path)
    yield TestClient(Starlette(routes=routes), raise_server_exceptions=True)
    renderer.close()


def test_a_page_that_is_not_there_is_the_nearest_one(client: TestClient) -> None:
    for page in ("1", "2", "777", "999999", "9" * 5_000, "0"):
        answer = client.get("/outputs/text/view", params={"page": page})
        assert answer.status_code == 200
        assert "words" in answer.text


def test_sound_is_sent_in_the_ranges_that_a_player_asks_for(client: TestClient) -> None:
    whole = client.get("/outputs/wav/play")
    assert (whole.status_code, whole.content, whole.headers["content-type"]) == (200, b"%PDF-", "audio/wav")
    assert whole.headers["x-content-type-options"] == "nosniff"
    part = client.get("/outputs/wav/play", headers={"range": "bytes=1-2"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"PD", "bytes 1-2/5")
    assert client.get("/outputs/wav/play", headers={"range": "bytes=-2"}).content == b"F-"
    assert client.get("/outputs/wav/play", headers={"range": "bytes=5-"}).status_code == 416
    assert client.get("/outputs/pdf/play").status_code == 404
    assert '<audio controls preload="metadata" src="play"' in client.get("/outputs/wav/view").text


@pytest.mark.parametrize("address", ["text/view", "text/source", "pdf/nothing", "wav/view"])
def test_nothing_runs_in_a_document_of_ours_nor_frames_it(client: TestClient, address: str) -> None:
    policy = client.get(f"/outputs/{address}").headers["content-security-policy"].split("; ")

    assert {"default-src 'none'", "frame-ancestors 'self'", "sandbox allow-same-origin"} <= set(policy)
    assert not [part for part in policy if part.startswith("script-src")]


def test_a_quote_of_a_pdf_is_found_on_the_part_of_the_preview_that_holds_its_page(client: TestClient) -> None:
    for number, page in ((20, 1), (21, 2), (45, 3)):
        place = client.get("/outputs/book/locate", params={"text": f"chapter {number} ends"}).json()

        assert place["page"] == page
        assert f"{number} of 45" in client.get("/outputs/book/view", params={"page": page}).text


def test_a_table_is_shown_in_the_order_that_is_asked_for(client: TestClient) -> None:
    for order, words in (
        *(("", "low high middle"), ("1,asc", "low middle high"), ("1,desc", "high middle low")),
    ):
        table = client.get("/outputs/table/view", params={"sort": order}).text

        assert re.findall(r"<td>(\w+)</td>", table) == words.split()


CHROMIUM = {"user-agent": "Chrome/156.0"}


PAGE = {"page": ("a b.html", Family.HTML, "text/html", b"<!doctype html><p>Hi<script>1</script>")}


def test_a_token_says_nothing_and_holds_in_one_process_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
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
    access = rules(person=lambda _cookies: "ada", may_see=lambda _person, _id: True)
    client = TestClient(Gate(Starlette(routes=routes), rules=access, outputs=("/outputs",)), headers=CHROMIUM)
    frame = client.get("/outputs/page/page").json()["address"]
    address = client.get(frame).text.partition('src="')[2].partition('"')[0]
    assert address == f"{frame}a%20b.html?page"

    assert client.get(address).text.endswith("<p>Hi<script>1</script>")
    allowed.clear()
    assert client.get(address).status_code == client.get(frame).status_code == 404


@pytest.mark.parametrize(
    ("query", "agent", "project", "run"),
    [
        *(("", "Chrome/156.0", True, True), ("?scripts=0", "Chrome/156.0", True, False)),
        *(("", "Chrome/156.0", False, False), ("", "Chrome/155.0", True, False)),
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

    reply = client.get(f"/outputs/page/page{query}").json()
    page = client.get(f"{reply['address']}a b.html")

    policy = page.headers["content-security-policy"]
    assert reply["scripts"] is run
    assert ("'unsafe-inline' 'unsafe-eval'" in policy) is run
    # Our own script says so by a nonce, which switches off those of the page.
    assert ("script-src 'nonce-" in policy) is not run
    assert bool(reply["why"]) is not (run or bool(query))
    assert f"connect-src http://testserver{reply['address']};" in policy
    assert policy.endswith("sandbox allow-scripts allow-forms")


def test_without_a_token_nothing_is_there_and_nothing_may_run(renderer: Renderer) -> None:
    client = TestClient(
        Starlette(routes=foreign_routes(Media(PAGE), renderer=renderer, may_see=lambda _person, _id: True))
    )
    for address in ("/live/x/", "/live/x/a.html", "/live/page/a b.html"):
        answer = client.get(address)
        assert (answer.status_code, "Hi" in answer.text) == (404, False)
        assert "sandbox" in answer.headers["content-security-policy"]


async def fine(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("fine")


async def broken(_request: Request) -> PlainTextResponse:
    raise ValueError("The harvest was 81 crates.")


def observed() -> TestClient:
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


def test_an_error_has_an_id_and_json_logs_hold_no_content(written: io.StringIO) -> None:
    set_up("json", environment={}, stream=written)

    assert observed().get("/outputs/secret-id").text == "fine"
    answer = observed().get("/broken")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]

    assert answer.status_code == 500
    (error,) = (line for line in lines if line["level"] == "error")
    assert error["error_id"] in answer.text
    assert error["error"] == "builtins.ValueError"
    assert any("in broken" in place for place in error["at"])
    assert "crates" not in answer.text + written.getvalue()
    requests = [(line["area"], line["status"]) for line in lines if line["message"] == "request"]
    assert requests == [("outputs", 200), ("broken", 500)]
    assert "secret-id" not in written.getvalue()
