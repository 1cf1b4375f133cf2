"""The app in Chromium, with a clock in the page, and what Streamlit itself costs here and now: the floor of each page.

Times are in milliseconds. A click is measured within the page: what driving the browser costs is not in it.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, sync_playwright

from bench.figures import Figure, figure
from tests.browser.servers.serving import Process, free_port
from tools import chromium as machine

ROOT = Path(__file__).resolve().parents[1]
CLICK, HELLO = "a button's click", "Streamlit's hello page"
# Looks into open shadow roots too, where the app's components live.
FINDER = """
    window.benchAll ??= (selector, within = document) => [
        ...[...within.querySelectorAll(selector)].filter((node) => node.getClientRects().length > 0),
        ...[...within.querySelectorAll('*')].filter((host) => host.shadowRoot)
            .flatMap((host) => window.benchAll(selector, host.shadowRoot)),
    ];
    window.benchFind ??= (selector) => window.benchAll(selector)[0] ?? null;
"""
# The condition is written into the function: the app's own policy lets no page evaluate text later on.
WAIT = """() => new Promise((resolve, reject) => {
    const began = performance.now();
    ACT;
    const look = () => {
        if (UNTIL) return resolve(performance.now() - began);
        if (performance.now() - began > 60000) return reject(new Error('it did not come within a minute'));
        requestAnimationFrame(look);
    };
    look();
})"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium that the tests drive too."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=machine.find(), args=["--no-sandbox"])
        yield browser
        browser.close()


def tab(browser: Browser) -> Page:
    """A page in a profile of its own, 1280 pixels wide: its first load is a cold one."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(90_000)
    page.add_init_script(FINDER)
    return page


def memory() -> float:
    """Megabytes that the apps hold which this process has started, and what they started; without the browser."""
    apps = [child for child in psutil.Process().children() if "comparator" in child.cmdline()]
    ours = [process for app in apps for process in (app, *app.children(recursive=True))]
    return float(sum(process.memory_info().rss for process in ours)) / 1024**2


def floors(browser: Browser) -> tuple[Figure, Figure]:
    """A click on the button of a page that holds nothing else, and a load of Streamlit's hello page, seen before."""
    said = "document.body.innerText.includes('Clicked {} times')"
    with _streamlit("run", os.fspath(ROOT / "bench" / "button_page.py")) as url:
        page = tab(browser)
        load(page, url, until=shown(".st-key-count button"))
        clicks = [click(page, ".st-key-count button", until=said.format(n)) for n in range(1, 21)]
    with _streamlit("hello") as url:
        page = tab(browser)
        loads = [load(page, url, until=shown("h1")) for _ in range(11)][1:]
    return figure(f"floor: {CLICK}", clicks, "ms"), figure(f"floor: a load of {HELLO}", loads, "ms")


@contextmanager
def _streamlit(*command: str) -> Iterator[str]:
    port = free_port()
    options = (f"--server.port={port}", "--server.headless=true", "--browser.gatherUsageStats=false")
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        Process("-m", "streamlit", *command, *options, port=port, log=Path(folder) / "log") as server,
    ):
        yield server.url


def load(page: Page, url: str, *, until: str) -> float:
    """Load the address; milliseconds until `until`, a condition in JavaScript, holds."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=until)
    return (time.perf_counter() - began) * 1000


def click(page: Page, selector: str, *, until: str) -> float:
    """Click the first visible match; milliseconds until `until`, a condition in JavaScript, holds."""
    return wait(page, f"window.benchFind({selector!r}).click()", until=until)


def press(page: Page, key: str, *, until: str) -> float:
    """Press a key that the page listens to; milliseconds until `until`, a condition in JavaScript, holds."""
    act = (
        "(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
        f"{{key: {key!r}, code: 'Digit' + {key!r}, bubbles: true, composed: true, cancelable: true}}))"
    )
    return wait(page, act, until=until)


def wait(page: Page, act: str = "", *, until: str) -> float:
    """Act; milliseconds until the condition in JavaScript holds."""
    return float(page.evaluate(WAIT.replace("ACT", act).replace("UNTIL", until)))


def shown(selector: str) -> str:
    """The condition that something matching the selector is visible, in a component or outside of one."""
    return f"window.benchFind({selector!r}) !== null"
