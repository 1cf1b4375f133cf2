"""What Streamlit itself costs here and now: the floor for every figure of a page, and the tools that take both.

    with chromium() as browser, app() as url:
        floor = floor_of(browser)
        page = tab(browser)
        load(page, url, until="tbody tr")
        click(page, "a.open", until=".scores")

Times are in milliseconds. A click is measured within the page: what driving the browser costs is not in it.
"""

from __future__ import annotations

import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.figures import Figure, plain
from tools import chromium as machine

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 90.0
CLICKS = 20
COLD, WARM = 5, 10
FOREIGN = ("ANTHROPIC_", "COMPARATOR_", "STREAMLIT_")
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


@dataclass(frozen=True)
class Floor:
    """Medians, in milliseconds, of Streamlit's own pages on this machine."""

    click: float
    hello: float
    cold: float
    warm: float

    def figures(self) -> tuple[Figure, ...]:
        """The floor itself, as lines of the table."""
        return (
            plain("floor: a button's click until visible", self.click, unit="ms", n=CLICKS),
            plain("floor: streamlit hello, a click until visible", self.hello, unit="ms", n=CLICKS),
            plain("floor: streamlit hello, cold load", self.cold, unit="ms", n=COLD),
            plain("floor: streamlit hello, warm load", self.warm, unit="ms", n=WARM),
        )


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

    With an empty home the six examples are loaded when it answers or soon after.
    """
    with tempfile.TemporaryDirectory(prefix="bench-home-") as empty:
        environment = {"COMPARATOR_HOME": os.fspath(home or empty), **settings}
        with serving(
            lambda port: ["-m", "comparator", "serve", "--no-browser", "--port", str(port)], environment
        ) as url:
            yield url


@contextmanager
def serving(
    command: Callable[[int], Sequence[str]], environment: dict[str, str] | None = None
) -> Iterator[str]:
    """The address of a Streamlit server, run by this Python with the command's arguments for a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        log = Path(folder) / "log"
        with (
            log.open("wb") as said,
            subprocess.Popen(
                [sys.executable, *command(port)],
                cwd=folder,
                env={**kept, "PYTHONPATH": os.fspath(ROOT), **(environment or {})},
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as server,
        ):
            try:
                _answers(f"http://127.0.0.1:{port}/_stcore/health", server=server, log=log)
                yield f"http://127.0.0.1:{port}"
            finally:
                os.killpg(server.pid, signal.SIGTERM)


def memory(command: str) -> list[float]:
    """Megabytes that each child of this process holds which runs this command of ours."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            lines = (folder / "status").read_text(encoding="utf-8").splitlines()
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        status = dict(line.split(":", 1) for line in lines)
        if int(status["PPid"]) == os.getpid() and f"comparator\0{command}\0".encode() in words:
            found.append(int(status["VmRSS"].split()[0]) / 1024)
    return found


def floor_of(browser: Browser) -> Floor:
    """The floor of this run: loads of Streamlit's own hello page, clicks to it, and on a page of one button."""
    options = ("--server.headless=true", "--browser.gatherUsageStats=false")
    with serving(lambda port: ["-m", "streamlit", "hello", f"--server.port={port}", *options]) as url:
        cold, warm = loads(browser, url, until="h1")
        hello = _clicks_in_hello(browser, url)
    script = os.fspath(Path(__file__).with_name("floor_page.py"))
    with serving(lambda port: ["-m", "streamlit", "run", script, f"--server.port={port}", *options]) as url:
        page = tab(browser)
        load(page, url, until=".st-key-count button")
        clicks = [
            click(
                page, ".st-key-count button", until=f"document.body.innerText.includes('Clicked {n} times')"
            )
            for n in range(1, CLICKS + 1)
        ]
        page.context.close()
    return Floor(click=statistics.median(clicks), hello=hello, cold=cold, warm=warm)


def _clicks_in_hello(browser: Browser, url: str) -> float:
    """Median of clicks in the sidebar that lead from a demonstration back to the hello page."""
    page = tab(browser)
    load(page, url, until="h1")
    headed = "window.benchAll('h1').some((head) => head.innerText.includes({!r}))"
    took = []
    for _ in range(CLICKS):
        click(
            page,
            "[data-testid=stSidebarNavLink][href$=animation_demo]",
            until=headed.format("Animation demo"),
        )
        page.wait_for_timeout(300)
        took.append(click(page, "[data-testid=stSidebarNavLink]", until=headed.format("Welcome")))
        page.wait_for_timeout(300)
    page.context.close()
    return statistics.median(took)


def loads(browser: Browser, url: str, *, until: str) -> tuple[float, float]:
    """Median of cold loads (nothing cached) and of warm ones of the address."""
    page = tab(browser)
    load(page, url, until=until)  # the server's own first run
    warm = [load(page, url, until=until) for _ in range(WARM)]
    page.context.close()
    cold = []
    for _ in range(COLD):
        page = tab(browser)
        cold.append(load(page, url, until=until))
        page.context.close()
    return statistics.median(cold), statistics.median(warm)


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


def _answers(address: str, *, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise RuntimeError(f"the server does not answer: {log.read_text('utf-8')[-2000:]}")
