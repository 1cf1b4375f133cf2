"""The real app, as `comparator serve` runs it, in a home of its own."""

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import Page

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.examples import load_examples
from tests.browser.servers.serving import PATIENCE, ROOT, free_port

WAIT = 150_000
"""Milliseconds that a test waits for a page: enough for a busy machine, and less than a test's limit of 180 s."""


class App:
    """A running app; it can be killed and started again on the same port."""

    def __init__(self, home: Path, *, examples: bool = False) -> None:
        self.home = home
        self._options = () if examples else ("--no-examples",)
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the app."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and wait until it answers. Raises RuntimeError with the log's end if it does not."""
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "comparator",
                    "serve",
                    "--no-browser",
                    "--port",
                    str(self.port),
                    *self._options,
                ],
                cwd=self.home,
                env={**os.environ, "PYTHONPATH": os.fspath(ROOT), "COMPARATOR_HOME": str(self.home)},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError((self.home / "log").read_text("utf-8")[-2000:])

    def kill(self) -> None:
        """Kill it without a chance to save anything."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def open_scores(page: Page) -> None:
    """Show the scores of the open review, which are a second step where no model judged."""
    page.locator(".bar .who").first.wait_for()
    if page.locator(".sheet").is_hidden():
        page.locator("[data-toggle=scores]").click()
    page.locator(".scores").first.wait_for()


def load(home: Path, *names: str) -> None:
    """Put some of the examples into a home; all but two are read by the offline check."""
    for name in names:
        leave = () if name in ("booking-form", "repair-cafe-page") else ("judgment.json",)
        shutil.copytree(ROOT / "examples" / name, home / "some" / name, ignore=shutil.ignore_patterns(*leave))
    services = open_services(Settings(home=home))
    load_examples(services, home / "some")
    services.close()
