"""The browser of the tests: a fresh one for each module."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright


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
