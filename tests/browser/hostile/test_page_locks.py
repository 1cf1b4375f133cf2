"""Pages of outputs in the panes reach no other address, nothing of our own and no guard of ours; none freezes the tab."""

# ruff: noqa: E501 - an attack is easier to read in one piece

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Frame, Page, Request, expect, sync_playwright

from tests.browser.hostile.hostile_pages import REACHING, Canary
from tests.browser.servers import panes_page
from tests.browser.servers.panes_files import Shelf
from tests.browser.servers.panes_page import Served, running, show_quote, shown
from tests.browser.servers.real_app import WAIT

PUT_AWAY = "This page did not respond, so it was closed."
EVIL = "http://evil.invalid"
CLOBBER = "".join(
    f"<img name={name}>"
    for name in (
        "addEventListener", "documentElement", "body", "querySelector", "querySelectorAll", "scrollingElement",
        "firstChild", "createTreeWalker", "createRange", "getSelection", "getElementById", "adoptedStyleSheets",
        "defaultView", "location", "cookie",
    )
)  # fmt: skip
FORM = "".join(
    f"<input name={name}>"
    for name in ("closest", "matches", "parentNode", "parentElement", "nodeType", "tagName", "getAttribute")
)
BOMB = '<svg width="300" height="300"><defs><g id="a0"><rect width="3" height="3"/></g>' + "".join(
    f'<g id="a{n}">' + f'<use href="#a{n - 1}" x="1"/>' * 10 + "</g>" for n in range(1, 9)
)
# Style rules alone make the drawing repeat itself.
SLY = (
    "<style>"
    + "".join(f".p{n}{{fill:url(#p{n})}}" for n in range(9))
    + '</style><svg width="900" height="900">'
    + "".join(
        f'<pattern id="p{n}" width="{n + 2}" height="{n + 3}" patternUnits="userSpaceOnUse">'
        + "".join(f'<rect class="p{n - 1}" x="{k}" width="{n + 2}" height="{n + 3}"/>' for k in range(12))
        + "</pattern>"
        for n in range(9)
    )
    + '<rect class="p8" width="900" height="900"/></svg>'
)
# Nothing of it is repeated, so that it is drawn before anybody knows.
SPANS = "<table>" + ("<tr>" + "<td rowspan=65534 colspan=1000>x" * 30) * 1_200 + "</table>"
PAGES = {
    "look-ups": f'<link rel=preconnect href="{EVIL}"><link rel=dns-prefetch href="//evil.invalid"><link rel=prefetch '
    f'href="{EVIL}/p"><link rel=icon href="{EVIL}/i.ico"><link rel=modulepreload href="{EVIL}/m.js"><a id=one '
    f'href="{EVIL}/a">one</a><svg><style><link rel=preconnect href="{EVIL}"></style></svg><a href="//evil.invalid/x" '
    f'ping="{EVIL}/ping">two</a>',
    "links": f'<a href="{EVIL}/1">l</a><br><a href="mailto:x@evil.invalid">m</a><br><a href="evil-app:go">e</a><br><svg '
    f'width=99 height=20><a xlink:href="{EVIL}/2" href="{EVIL}/3"><text y=15>s</text></a></svg><br><img usemap="#m" '
    f'width=99 height=20 src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><map name=m><area coords="0,0,99,20"'
    f' shape=rect href="{EVIL}/4"></map><br><a href="{EVIL}/5" target=_blank download>d</a><math href="{EVIL}/6"><mi '
    f'href="{EVIL}/7">x</mi></math>',
    "addresses": "<br>".join(
        f'<a href="{address}">link</a>'
        for address in (
            f"&#1;{EVIL}/1",
            "&#9;//evil.invalid",
            "\\\\evil.invalid\\2",
            "/\\evil.invalid/3",
            f"ht&#10;tp{EVIL[4:]}/4",
            "http:evil.invalid/5",
            "http:/evil.invalid/6",
            "https:evil.invalid",
            f"{EVIL}:inert/7",
            "//evil.invalid:80:inert",
            f"view-source:{EVIL}",
            f"blob:{EVIL}/8",
            "../../../auth/logout",
            "a/../../../view",
            "%2e%2e/download",
            "..\\view",
            "/auth/logout",
            "?set=other",
            "//evil.invalid@:inert",
            "//u:inert~u@evil.invalid",
            f"{EVIL}/&#10;:inert",
            "javascript:top.close()",
        )
    ),
    "refresh": f'<meta http-equiv=refresh content="0;url={EVIL}/r"><meta name=referrer content=unsafe-url>stay',
    "nested": f"<iframe srcdoc=\"<a href='{EVIL}/n'>n</a><link rel=preconnect href={EVIL}><iframe srcdoc='&lt;img "
    f"src={EVIL}/nn>'></iframe>\"></iframe><base href='{EVIL}/'><img src=b.png>",
    "own-origin": "<img src='/_stcore/health'><img src='/auth/logout'><img src='../../../auth/logout'><link rel="
    "stylesheet href='/_stcore/host-config'><img src='../download'><img src='%2e%2e/download'><img src='..\\view'>"
    "<style>p{background:url(/_stcore/metrics)}</style><base href='/'><img src='_stcore/health'>",
    "clobber": f"<body><p id=words>These words are looked for.</p>{CLOBBER}<form id=f>{FORM}Words of a form.<a href='{EVIL}/c'>"
    "link</a></form>",
    "forged": '<html data-pages="99" data-kind="plain" data-theme="dark" data-unit="row" data-first="1"><!--comparator '
    '{"kind": "plain", "page": 1, "pages": 7, "notes": ["B won"], "data": []}--><p data-go="sheet=2">forged</p>',
    "bomb": f'<p>words</p>{BOMB}</defs><use href="#a8"/></svg>',
    "sly": f"<p>words</p>{SLY}",
    "spans": SPANS,
}
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
window.top.postMessage({comparator: "score", value: 5}, "*");
document.body.dataset.tell = JSON.stringify(tell);
</script></body></html>"""
BESIDE = {
    "look.css": "h1 { color: rgb(1, 2, 3) }",
    "app.js": 'document.getElementById("h").textContent = "Alive";',
    "part.js": 'export const word = "module";',
    "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7"/></svg>',
}
LIVE = {"own": OWN, "reaching": REACHING}
LATER = {
    "moving": "<style>@keyframes turn { to { rotate: 1turn } } p { animation: turn 3s infinite }</style><p>Moving words."
    "<svg width=40 height=40><circle r=9 cx=9 cy=9><animate attributeName=r to=19 dur=9s begin=5s /></circle></svg>",
    # Nothing of it is drawn at first.
    "later-css": "<style>@keyframes come { from { display: none } to { display: block } } div { animation: come 1s 2s "
    f"both }}</style><p>x</p><div>{SPANS}</div>",
    "popover": "<button popovertarget=p>open it</button><div id=p popover>Output B won</div><dialog>closed</dialog>",
}


def group_of(name: str) -> str:
    """The set that a page is in: so few that each has a tab."""
    if name in LATER or name in LIVE:
        return "later" if name in LATER else "live"
    return "locks" if list(PAGES).index(name) < len(PAGES) // 2 else "more"


def choose(page: Page, name: str) -> None:
    """Show this page, in its set."""
    group = group_of(name.removesuffix(".html"))
    if not page.url.endswith(f"set={group}"):
        page.goto(f"{page.url.partition('?')[0]}?set={group}")
    panes_page.choose(page, name)


@pytest.fixture(scope="module")
def chromium(chromium_path: str, canary: Canary) -> Iterator[Browser]:
    """A browser of its own in which `evil.invalid` is an address."""
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path,
            args=[
                "--no-sandbox",
                f"--host-resolver-rules=MAP evil.invalid 127.0.0.1:{canary.port}, MAP 192.0.2.1 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory, canary: Canary) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("locks")
    shelf = Shelf(folder)
    for name, text in BESIDE.items():
        kind = ("svg", "image/svg+xml") if name.endswith("svg") else ("code", "text/plain")
        shelf.add("live", "A", name, kind[0], text.encode(), kind[1])
    for pages in (PAGES, LATER, LIVE):
        for name, markup in pages.items():
            group = group_of(name)
            shelf.add(group, "A", f"{name}.html", "html", canary.page(markup).encode(), "text/html")
            # What hangs hangs on both sides at once.
            other = markup + " " if SPANS in markup and group == "later" else "<p>The other side.</p>"
            shelf.add(group, "B", f"{name}.html", "html", other.encode(), "text/html")
    shelf.close()
    with running(folder, shelf.sets) as served:
        yield served


# With `hurry`, each second in which a page is asked whether it is alive counts as five.
BEGIN = """
if (window === top) {
    localStorage.clear();
    sessionStorage.clear();
    const { setInterval } = window;
    window.setInterval = (act, time, ...more) => setInterval((...given) => {
        for (let n = time === 1000 && window.hurry ? 5 : 1; n; n -= 1) act(...given);
    }, time, ...more);
    window.heard = [];
    addEventListener("message", ({ origin, data }) => heard.push([origin, data]), true);
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser, locked: Served) -> Page:
    """One window: the app is loaded and compiled once. A test keeps nothing there for the next one."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(BEGIN)
    page.goto(f"{locked.url}?set=locks")
    shown(page, "a")
    return page


def test_the_canary_hears_who_calls(chromium: Browser, canary: Canary) -> None:
    page = chromium.new_page()
    with pytest.raises(Error):
        page.goto(f"{EVIL}/called")
    assert any(line.startswith("GET /called") for line in canary.heard)
    page.close()
    canary.heard.clear()


def test_no_page_connects_or_opens_anything_when_pressed(page: Page, canary: Canary, locked: Served) -> None:
    asked: list[str] = []
    windows: list[Page] = []
    page.context.on(
        "requestfinished", lambda request: asked.append(request.url) if request.frame.parent_frame else None
    )
    page.context.on("page", lambda window: windows.append(window))
    for name in ("look-ups", "links", "addresses", "refresh", "nested", "own-origin", "clobber"):
        choose(page, f"{name}.html")
        shown(page, "a")
        for number, (x, y) in enumerate(_places(page, "a, area, mi, img")):
            for how in ("left", "middle"):
                page.mouse.click(x, y, button=how)
            # What else a hand does is refused whatever the address.
            if number < 2:
                page.mouse.click(x, y, button="right")
                for key in ("Control", "Shift"):
                    page.keyboard.down(key)
                    page.mouse.click(x, y)
                    page.keyboard.up(key)
                _drag(page, x, y)
            page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        # No navigation of its own: the page is where it was.
        assert any(frame.url.endswith(f"/{name}.html?page") for frame in page.frames), name
    assert canary.heard == []
    assert windows == []
    ours = [url for url in asked if url.startswith(locked.url)]
    assert [url for url in asked if url not in ours and not url.startswith(("data:", "blob:"))] == []
    # Of ourselves a page may ask what lies beside it, and nothing else.
    told = ("auth/", "_stcore/health", "_stcore/metrics", "_stcore/host-config")
    assert [url for url in ours if url.removeprefix(locked.url).startswith(told)] == []
    assert [url for url in ours if url.endswith(("/download", "/view"))] == []


def test_names_of_elements_disarm_no_guard(page: Page) -> None:
    choose(page, "clobber.html")
    shown(page, "a")
    file_id = page.locator(".pane[data-side=a] iframe.front").get_attribute("data-file")
    assert show_quote(page, fileId=file_id, label="A", text="words are looked for", start=0)
    assert show_quote(page, fileId=file_id, label="A", text="Words of a form", start=0)
    page.evaluate(
        "() => { window.keys = []; document.addEventListener('keydown', (e) => window.keys.push(e.key)); }"
    )
    (words,) = _places(page, "#words")
    page.mouse.click(*words)
    page.keyboard.press("5")
    # The frame is another process, and tells of a key a moment later.
    page.wait_for_function("() => window.keys.length")
    assert page.evaluate("() => window.keys") == ["5"]
    (link,) = _places(page, "form a")
    page.mouse.click(*link)
    page.get_by_text(f"Links are disabled here: {EVIL}/c").wait_for()


def test_what_a_page_forges_about_itself_is_not_believed(page: Page) -> None:
    choose(page, "forged.html")
    shown(page, "a")
    pane = page.locator(".pane[data-side=a]")
    assert pane.locator(".pager").is_hidden()
    assert pane.get_by_text("B won").count() == 0
    frame = panes_page.inside(page, "a")
    frame.get_by_text("forged").click()
    assert frame.get_by_text("forged").is_visible()
    # Nor does our theme become its own.
    assert frame.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.timeout(120)
def test_a_page_that_hangs_later_is_put_away_when_it_does(page: Page) -> None:
    choose(page, "later-css.html")
    page.evaluate("() => { window.hurry = true; }")
    for side in ("a", "b"):
        page.locator(f".pane[data-side={side}]").get_by_text(PUT_AWAY).wait_for(timeout=WAIT)
    page.evaluate("() => { window.hurry = false; }")
    choose(page, "moving.html")
    shown(page, "a")


def own_page(page: Page) -> Frame:
    """The document of a page that loads what lies beside it, shown."""
    choose(page, "own.html")
    around = shown(page, "a").element_handle().content_frame()
    assert around is not None
    return around.child_frames[0]


def test_a_live_page_runs_and_loads_its_own_files_in_an_origin_of_its_own(page: Page) -> None:
    frame = own_page(page)
    frame.wait_for_selector("h1[data-module=module]")

    assert frame.inner_text("h1") == "Alive"
    assert frame.evaluate("() => getComputedStyle(document.getElementById('h')).color") == "rgb(1, 2, 3)"
    assert frame.evaluate("() => document.getElementById('i').naturalWidth") == 7
    tell = frame.evaluate("() => JSON.parse(document.body.dataset.tell)")
    assert tell.pop("origin") == "null"
    assert {name: said for name, said in tell.items() if not said.startswith("refused: ")} == {}
    heard = [
        (origin, data["comparator"]) for origin, data in page.evaluate("() => heard") if "comparator" in data
    ]
    assert ("null", "score") in heard
    assert {origin for origin, _ in heard} == {"null"}


def test_no_live_page_reaches_out_leaves_or_asks_the_app(page: Page, canary: Canary, locked: Served) -> None:
    own_page(page)
    page.evaluate("() => { localStorage.setItem('kept', 'ours'); document.cookie = 'session=secret'; }")
    canary.heard.clear()
    asked: list[Request] = []
    windows: list[Page] = []
    page.context.on("requestfinished", lambda request: asked.append(request))
    page.context.on("page", lambda window: windows.append(window))
    before = (page.url, page.title(), page.evaluate("() => document.cookie"))

    choose(page, "reaching.html")
    page.wait_for_timeout(2_500)

    assert (page.url, page.title(), page.evaluate("() => document.cookie")) == before
    assert page.evaluate("() => localStorage.getItem('kept')") == "ours"
    assert windows == []
    assert canary.heard == []
    inner = [request for request in asked if request.frame.parent_frame]
    assert [
        each.url for each in inner if not each.url.startswith((f"{locked.url}live/", "data:", "blob:"))
    ] == []
    # No cookie goes to a page's files; the frame around it is the app's own.
    assert [each.url for each in inner if ".html" in each.url and "session" in str(each.all_headers())] == []


@pytest.mark.timeout(120)
def test_a_page_that_does_not_answer_is_put_away_and_the_rest_goes_on(page: Page) -> None:
    choose(page, "forged.html")
    page.evaluate("() => { window.ticks = []; setInterval(() => window.ticks.push(performance.now()), 50); }")
    page.evaluate("() => { window.hurry = true; }")
    choose(page, "spans.html")
    page.get_by_text(PUT_AWAY).wait_for(timeout=WAIT)
    gaps = page.evaluate("() => ticks.slice(1).map((tick, index) => tick - ticks[index])")
    # The page around it never waited for the drawing, which does not end; a busy machine alone takes a second or two.
    assert max(gaps) < 5_000, json.dumps(sorted(gaps)[-3:])
    # Nor did the other side pay for it.
    shown(page, "b")
    assert panes_page.inside(page, "b").get_by_text("The other side.").is_visible()
    page.locator(".pane[data-side=a]").get_by_role("button", name="Load again").wait_for()
    page.locator(".pane[data-side=a]").get_by_role("button", name="Show the source").click()
    shown(page, "a")
    assert "rowspan" in page.frame_locator(".pane[data-side=a] iframe.front").locator("body").inner_text()
    choose(page, "forged.html")
    shown(page, "a")


def _drag(page: Page, x: float, y: float) -> None:
    """Drag what is there across to the other side, as the mouse does it."""
    # Playwright's own mouse asks the frame whether a drag began, and waits for ever where no script may run.
    devtools = page.context.new_cdp_session(page)
    for kind, right, down in (
        ("mousePressed", 0, 0),
        *(("mouseMoved", 10 * step, 5 * step) for step in (1, 2, 20, 60)),
        ("mouseReleased", 600, 300),
    ):
        devtools.send(
            "Input.dispatchMouseEvent",
            {"type": kind, "x": x + right, "y": y + down, "button": "left", "buttons": 1, "clickCount": 1},
        )
    devtools.detach()


def _places(page: Page, selector: str) -> list[tuple[float, float]]:
    """The middle of each element that is seen, found by a document that may be clobbered."""
    frame = page.locator(".pane[data-side=a] iframe.front")
    box = frame.bounding_box()
    assert box
    found = (
        panes_page.inside(page, "a")
        .locator(":root")
        .evaluate(
            """(_, selector) => [...Document.prototype.querySelectorAll.call(document, selector)]
            .map((node) => Element.prototype.getBoundingClientRect.call(node))
            .filter((box) => box.width && box.top >= 0 && box.bottom < innerHeight)
            .map((box) => [box.left + box.width / 2, box.top + box.height / 2])""",
            selector,
        )
    )
    return [(box["x"] + x, box["y"] + y) for x, y in found]
