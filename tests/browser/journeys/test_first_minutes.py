"""The first minutes with the examples, by keyboard alone: start, read, score, finalise, export, go on."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from comparator.domain.scoring.result import ComparisonResult
from tests.browser.servers.real_app import App

EXAMPLES = ("booking-form", "incident-report")
EXPECTATIONS = 5
"""Of the first example, which is judged and has six criteria."""


class Typist:
    """Presses keys, and counts them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1


@pytest.mark.slow
def test_the_first_two_minutes_need_no_mouse(app: App, page: Page) -> None:
    typist = Typist(page)
    page.goto(f"{app.url}/")
    page.get_by_role("button", name=re.compile("reviewing")).wait_for()

    typist.press("s")
    page.wait_for_url(re.compile(r"/review\?c="))
    page.locator(".pane[data-side=a] iframe.front").wait_for()
    hint = page.locator(".bar .hint")
    expect(hint).to_contain_text("1 of 2: Decide")
    expect(page.locator(".sheet")).to_contain_text("The entries are right, but the sheet looks unfinished")

    # Two scores are changed, each with its kind of reason; everything else is confirmed row by row.
    opened = typist.keys
    typist.press("Enter", "6", "y", "1", "Enter", "1", "y", "1", "Enter")
    typist.press(*["Enter"] * (3 + EXPECTATIONS))
    expect(page.locator(".bar[role=region]")).to_contain_text("2 changed, 20 confirmed")
    page.locator('.saved[data-waiting="0"]').wait_for()
    first = page.url
    typist.press("Control+Enter")
    page.wait_for_url(lambda url: "/review?c=" in url and url != first)
    expect(hint).to_have_count(0)
    expect(page.locator(".saved")).to_have_text("")
    review_keys = typist.keys - opened

    with page.expect_download() as download:
        typist.press("Control+s")
    result = ComparisonResult.from_json(Path(download.value.path()).read_text("utf-8"))
    assert result.expectation_results is not None
    assert result.expectation_results.A.total == EXPECTATIONS
    assert review_keys <= 15 + EXPECTATIONS
