"""A live page runs its scripts and loads its own files, and reaches neither app, nor network, nor another page."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.outputs.preview.child_process import Renderer
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons, outputs
from comparator.web.guards.browsers import LOOPBACK, SameOrigin
from comparator.web.media.files import StoredMedia
from comparator.web.media.foreign_pages import foreign_routes
from comparator.web.server import SecurityHeaders
from tests.browser.hostile.hostile_pages import REACHING, Canary
from tests.browser.servers.serving import free_port
from tests.worlds.workbench import Workbench

OWN = """<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="look.css"></head><body>
<h1 id="h">Still</h1><img id="i" src="dot.svg"><script src="app.js"></script>
<script type="module">import {word} from "./part.js"; document.getElementById("h").dataset.module = word;</script>
<script>
const tell = {};
const attempt = (name, act) => {
  try { tell[name] = String(act()); } catch (error) { tell[name] = "refused: " + error.name; }
};
attempt("origin", () => self.origin);
attempt("cookie", () => document.cookie);
attempt("database", () => indexedDB.open("x"));
attempt("parent", () => window.parent.document.body);
attempt("top", () => window.top.document.title);
attempt("frames", () => window.top.frames[0].document);
attempt("service", () => { navigator.serviceWorker.register("sw.js"); });
window.parent.postMessage("from the page", "*");
window.top.postMessage({comparator: "score", value: 5}, "*");
document.body.dataset.tell = JSON.stringify(tell);
</script></body></html>"""
FILES = {
    "look.css": "h1 { color: rgb(1, 2, 3) }",
    "app.js": 'document.getElementById("h").textContent = "Alive";',
    "part.js": 'export const word = "module";',
    "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7"/></svg>',
}


class Log:
    """Notes every request that reaches the server."""

    def __init__(self, app: ASGIApp, *, lines: list[str]) -> None:
        self._app, self._lines = app, lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            cookie = dict(scope["headers"]).get(b"cookie", b"").decode()
            self._lines.append(f"{scope.get('method', 'WS')} {scope['path']} {cookie}".strip())
        await self._app(scope, receive, send)


@dataclass
class Place:
    url: str
    ids: dict[str, str]
    log: list[str]


@pytest.fixture(scope="module")
def place(canary: Canary, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("live")
    database = Database.open(f"sqlite:///{folder / 'own.db'}")
    workbench = Workbench(database, BlobStore.at(str(folder / "blobs")), folder)
    workbench.services = replace(workbench.services, album=None)
    for side in ("one", "two"):
        for name, text in {
            "own.html": OWN,
            "reaching.html": canary.page(REACHING),
            "side": side,
            **FILES,
        }.items():
            workbench.file(f"{side}/outputs/{name}", text)
    pair = PerOutput[Path](A=folder / "one/outputs", B=folder / "two/outputs")
    comparison_id = workbench.submitted(pair, task=TaskText(prompt="Make a page."))
    with database.read() as connection:
        found = comparisons.get(connection, comparison_id)
        ids = {row.name: row.id for row in outputs.list_files(connection, found.view_a)}
    renderer = Renderer(children=1)

    async def host(request: Request) -> Response:
        file_id = request.query_params.get("file", "")
        frame = '<iframe width="900" height="600" sandbox="allow-scripts allow-forms"></iframe>'
        page = HTMLResponse(f"<!doctype html><title>Host</title><h1>Host</h1>{frame if file_id else ''}")
        page.set_cookie("session", "secret", httponly=False, samesite="lax")
        return page

    log: list[str] = []
    routes = foreign_routes(
        StoredMedia(workbench.services), renderer=renderer, may_see=lambda _person, _id: True
    )
    app = Starlette(
        routes=[*routes, Route("/", host), Route("/{rest:path}", host)],
        middleware=[
            Middleware(Log, lines=log),
            Middleware(SecurityHeaders),
            Middleware(SameOrigin, hosts=LOOPBACK),
        ],
    )
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    yield Place(f"http://127.0.0.1:{port}", ids, log)
    server.should_exit = True
    thread.join(10)
    renderer.close()
    database.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.add_init_script(
        "if (window === top) { window.heard = []; addEventListener('message', (e) => heard.push([e.origin, e.data])); }"
    )
    page = context.new_page()
    yield page
    context.close()


def show(page: Page, place: Place, name: str) -> None:
    """Show a page in the host's frame, as the app does."""
    page.goto(f"{place.url}/?file={place.ids[name]}")
    page.evaluate(
        """async (id) => {
            const answer = await fetch(`/outputs/${id}/page`);
            document.querySelector("iframe").src = (await answer.json()).address;
        }""",
        place.ids[name],
    )


def inner(page: Page) -> Page:
    """The live page's frame: below the host's frame and the one around it."""
    page.wait_for_function("() => window.frames.length === 1")
    for _ in range(100):
        found = [frame for frame in page.frames if "/live/" in frame.url and "html" in frame.url]
        if found:
            return found[0]  # type: ignore[return-value] # a frame has what is used here
        page.wait_for_timeout(50)
    raise AssertionError([frame.url for frame in page.frames])


def test_a_live_page_runs_and_loads_its_own_files_in_an_origin_of_its_own(place: Place, page: Page) -> None:
    show(page, place, "own.html")
    frame = inner(page)
    frame.wait_for_selector("h1[data-module=module]")

    assert frame.inner_text("h1") == "Alive"
    assert frame.evaluate("() => getComputedStyle(document.getElementById('h')).color") == "rgb(1, 2, 3)"
    assert frame.evaluate("() => document.getElementById('i').naturalWidth") == 7
    tell = frame.evaluate("() => JSON.parse(document.body.dataset.tell)")
    assert tell.pop("origin") == "null"
    assert {name: said for name, said in tell.items() if not said.startswith("refused: ")} == {}


def test_what_a_live_page_sends_to_the_app_comes_from_no_origin(place: Place, page: Page) -> None:
    show(page, place, "own.html")
    inner(page).wait_for_selector("h1[data-module=module]")

    page.wait_for_function("() => window.heard.length > 0")

    assert {origin for origin, _ in page.evaluate("() => window.heard")} == {"null"}


def test_no_live_page_reaches_out_leaves_or_asks_the_app_for_anything(
    place: Place, page: Page, canary: Canary
) -> None:
    page.goto(f"{place.url}/")
    page.evaluate("() => localStorage.setItem('kept', 'ours')")
    canary.heard.clear()
    place.log.clear()
    popups: list[str] = []
    page.on("popup", lambda popup: popups.append(popup.url))

    show(page, place, "reaching.html")
    page.wait_for_timeout(2_500)

    assert page.url == f"{place.url}/?file={place.ids['reaching.html']}"
    assert page.title() == "Host"
    assert popups == []
    assert page.evaluate("() => [localStorage.getItem('kept'), document.cookie]") == [
        "ours",
        "session=secret",
    ]
    asked = [line for line in place.log if not line.startswith("GET / ")]
    allowed = (f"GET /outputs/{place.ids['reaching.html']}/page", "GET /live/", "GET /favicon.ico")
    assert [line for line in asked if not line.startswith(allowed)] == []
    # No cookie goes to a page's files; the frame around it is the app's own.
    assert [line for line in asked if ".html " in line and "session" in line] == []
    assert canary.heard == []


def test_the_canary_hears_a_page_that_is_not_locked_up(
    browser: Browser, canary: Canary, tmp_path: Path
) -> None:
    canary.heard.clear()
    path = tmp_path / "free.html"
    path.write_text(f"<img src='http://{canary.place}/free.png'>", encoding="utf-8")
    page = browser.new_page()

    page.goto(path.as_uri())

    assert any("free.png" in line for line in canary.heard)
