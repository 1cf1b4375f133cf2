"""The browser of the tests, and the app with some examples: fresh ones for each module."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.servers.real_app import WAIT, App, load


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Chromium, as it is found on this machine."""
    # A page that is late on a busy machine is not wrong; the usual five seconds take it for that.
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path, args=["--no-sandbox", "--force-prefers-reduced-motion"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[App]:
    """The app with the examples that the module names."""
    app = App(tmp_path_factory.mktemp("app"))
    load(app.home, *request.module.EXAMPLES)
    with app:
        yield app


@pytest.fixture(scope="module")
def window(app: App, browser: Browser) -> Page:
    """One window for many tests: what it has loaded and compiled once need not be loaded again."""
    # The app comes first: beside a browser's event loop nothing can be judged.
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(WAIT)
    return page


@pytest.fixture
def page(window: Page) -> Page:
    """The window, light and of the usual size."""
    window.set_viewport_size({"width": 1280, "height": 900})
    window.emulate_media(color_scheme="light")
    return window
