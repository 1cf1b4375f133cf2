"""The app in Chromium, with a clock in the page, and what Streamlit itself costs here and now: the floor of each page.

Times are in milliseconds. A click is measured within the page: what driving the browser costs is not in it.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools import chromium as machine

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 90.0
COUNT = ".st-key-count button"
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
        try:
            yield browser
        finally:
            browser.close()


def tab(browser: Browser) -> Page:
    """A page in a profile of its own, 1280 pixels wide: its first load is a cold one."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.add_init_script(FINDER)
    return page


@contextmanager
def app(home: Path | None = None, **settings: str) -> Iterator[str]:
    """The address of `comparator serve` with `settings` in its environment; in an empty home unless one is given.

    With an empty home the examples are loaded when it answers or soon after.
    """
    with tempfile.TemporaryDirectory(prefix="bench-home-") as empty:
        environment = {"COMPARATOR_HOME": os.fspath(home or empty), **settings}
        with serving("comparator", "serve", "--no-browser", "--port=PORT", environment=environment) as url:
            yield url


def streamlit(*command: str) -> AbstractContextManager[str]:
    """The address of Streamlit's own server: `hello`, or `run` and a script."""
    options = ("--server.port=PORT", "--server.headless=true", "--browser.gatherUsageStats=false")
    return serving("streamlit", *command, *options, environment={})


@contextmanager
def serving(module: str, *arguments: str, environment: Mapping[str, str]) -> Iterator[str]:
    """The address of a Streamlit server: a module that this Python runs, with a free port for `PORT`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", module, *(each.replace("PORT", port) for each in arguments)]
    foreign = ("ANTHROPIC_", "COMPARATOR_", "STREAMLIT_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment = {**kept, "PYTHONPATH": os.fspath(ROOT), **environment}
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, (Path(folder) / "log").open("wb+") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            deadline = time.monotonic() + PATIENCE
            while not _answers(f"{url}/_stcore/health"):
                if time.monotonic() > deadline or server.poll() is not None:
                    raise RuntimeError(f"the server does not answer: {Path(log.name).read_text()[-2000:]}")
                time.sleep(0.02)
            yield url
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=1):
            return True
    except OSError:
        return False


def memory() -> float:
    """Megabytes that the processes hold which this one has started, and theirs."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True
    ).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    ours, before = {os.getpid()}, 0
    while before != len(ours):
        before = len(ours)
        ours |= {pid for pid, parent, _ in rows if parent in ours}
    return sum(kilobytes for pid, _, kilobytes in rows if pid in ours - {os.getpid()}) / 1024


def clicks(browser: Browser, times: int = 20) -> list[float]:
    """The floor of a click: a button of a page that holds nothing else."""
    with streamlit("run", os.fspath(ROOT / "bench" / "button_page.py")) as url:
        page = tab(browser)
        load(page, url, until=COUNT)
        return [
            click(page, COUNT, until=f"document.body.innerText.includes('Clicked {n} times')")
            for n in range(1, times + 1)
        ]


def greetings(browser: Browser, times: int = 10) -> list[float]:
    """The floor of a page's load: Streamlit's hello page, which the browser has loaded before."""
    with streamlit("hello") as url:
        page = tab(browser)
        return [load(page, url, until="h1") for _ in range(times + 1)][1:]


def load(page: Page, url: str, *, until: str) -> float:
    """Load the address; milliseconds until something that matches the selector `until` is visible."""
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    wait(page, until=shown(until))
    return (time.perf_counter() - began) * 1000


def click(page: Page, selector: str, *, until: str) -> float:
    """Click the first visible match; milliseconds until `until`, a condition in JavaScript, holds."""
    act = f"window.benchFind({selector!r}).click()"
    return float(page.evaluate(WAIT.replace("ACT", act).replace("UNTIL", until)))


def press(page: Page, key: str, *, until: str) -> float:
    """Press a key that the page listens to; milliseconds until `until`, a condition in JavaScript, holds."""
    act = (
        "(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
        f"{{key: {key!r}, code: 'Digit' + {key!r}, bubbles: true, composed: true, cancelable: true}}))"
    )
    return float(page.evaluate(WAIT.replace("ACT", act).replace("UNTIL", until)))


def shown(selector: str) -> str:
    """The condition that something matching the selector is visible, in a component or outside of one."""
    return f"window.benchFind({selector!r}) !== null"


def wait(page: Page, *, until: str) -> None:
    """Return once the condition in JavaScript holds."""
    page.evaluate(WAIT.replace("ACT;", "").replace("UNTIL", until))
