"""The server with panes, and what a test does to a page of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page

from tests.browser.servers.panes_files import fill
from tests.browser.servers.serving import Process, free_port

HEALTH = "_stcore/health"


@dataclass
class Served:
    """The running server and the files that it serves."""

    url: str
    folder: Path
    sets: dict[str, list[dict[str, Any]]]

    def id_of(self, group: str, label: str | None, name: str) -> str:
        """The id of one file."""
        rows = self.sets[group]
        return next(str(row["id"]) for row in rows if row["label"] == label and row["name"] == name)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("panes")
    with running(folder, fill(folder)) as served:
        yield served


@contextmanager
def running(folder: Path, sets: dict[str, list[dict[str, Any]]]) -> Iterator[Served]:
    """The server over a folder of files, for as long as the block lasts."""
    port = free_port()
    server = Path(__file__).with_name("panes_server.py")
    with Process(server, folder, str(port), port=port, log=folder / "log") as process:
        yield Served(f"{process.url}/", folder, sets)


@pytest.fixture(scope="module")
def window(browser: Browser) -> Page:
    """One window for many tests: what it has loaded and compiled once need not be loaded again."""
    return browser.new_page()


@pytest.fixture
def opened(window: Page, served: Served) -> Iterator[Callable[..., Page]]:
    """Opens a set of files in the window."""

    def open_page(group: str, *, theme: Literal["light", "dark"] = "light", width: int = 1280) -> Page:
        window.set_viewport_size({"width": width, "height": 800})
        window.emulate_media(color_scheme=theme)
        window.goto(f"{served.url}?set={group}")
        shown(window, "a")
        return window

    yield open_page
    # A page of the same place that runs nothing: what one test left behind is nothing to the next one.
    window.goto(f"{served.url}{HEALTH}")
    window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")


def shown(page: Page, side: str) -> Locator:
    """The frame in front of one side, once it has loaded."""
    frame = page.locator(f".pane[data-side={side}] iframe.front")
    frame.wait_for()
    page.locator(f".pane[data-side={side}] .veil").wait_for(state="hidden")
    return frame


def inside(page: Page, side: str) -> FrameLocator:
    """The document in front of one side: of an output's own page, what stands in the frame around it."""
    front = f".pane[data-side={side}] iframe.front"
    own = page.locator(f"{front}.page").count() > 0
    frame = page.frame_locator(front)
    return frame.frame_locator("iframe") if own else frame


def zoom(page: Page, side: str, way: str) -> None:
    """Have one output drawn larger or fitted, from the menu of its pane."""
    pane = page.locator(f".pane[data-side={side}]")
    if not pane.locator(".zoom").is_visible():
        pane.get_by_role("button", name=f"More of Output {side.upper()}").click()
    pane.get_by_role("button", name=way).click()


def choose(page: Page, name: str) -> None:
    page.get_by_role("tab").filter(has_text=name).first.click()


def words(page: Page, side: str) -> str:
    shown(page, side)
    return inside(page, side).locator("body").inner_text()


def show_quote(page: Page, **detail: Any) -> bool:
    found = page.evaluate(
        "(detail) => document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot"
        ".querySelector('.review').review.panes.quote(detail)",
        detail,
    )
    return bool(found)


def scrolled(page: Page, side: str) -> float:
    value = page.evaluate(
        """(side) => {
            const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
            const frame = root.querySelector(`.pane[data-side=${side}] iframe.front`);
            const box = frame.contentDocument.scrollingElement;
            return box.scrollTop / (box.scrollHeight - box.clientHeight);
        }""",
        side,
    )
    return float(value)


def wheel(page: Page, side: str, by: int) -> None:
    shown(page, side).hover()
    page.mouse.wheel(0, by)
