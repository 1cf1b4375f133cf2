"""The real app, as `comparator serve` runs it, in a home of its own."""

import shutil
from pathlib import Path

from playwright.sync_api import Page

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.workflow.examples import load_examples
from tests.browser.servers.serving import ROOT, Process, free_port

WAIT = 150_000
"""Milliseconds that a test waits for a page: enough for a busy machine, and less than a test's limit of 180 s."""


class App(Process):
    """The app as `comparator serve` runs it in this home, with its examples only if asked for.

    `settings` are what its environment holds besides.
    """

    def __init__(self, home: Path, *, examples: bool = False, **settings: str) -> None:
        self.home, port = home, free_port()
        options = () if examples else ("--no-examples",)
        command = ("-m", "comparator", "serve", "--no-browser", "--port", str(port), *options)
        environment = {"COMPARATOR_HOME": str(home), **settings}
        super().__init__(*command, port=port, log=home / "log", environment=environment)


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
