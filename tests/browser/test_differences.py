"""Differences in a real browser: shown on request, walked through, held back where little is in common."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.panes_page import choose, contexts, opened, served, shown

__all__ = ["contexts", "opened", "served"]

HERE = """(side) => {
    const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
    const frame = root.querySelector(`.pane[data-side=${side}] iframe.front`);
    const here = frame.contentDocument.querySelector('[data-here]');
    return here && {change: here.dataset.change, top: Math.round(here.getBoundingClientRect().top),
                    high: frame.contentDocument.scrollingElement.scrollHeight};
}"""


def test_differences_are_shown_walked_through_and_left_again(opened: Callable[..., Page]) -> None:
    page = opened("long")
    foreign = []
    page.on(
        "request", lambda request: foreign.append(request.url) if "127.0.0.1" not in request.url else None
    )
    choose(page, "data.json")
    shown(page, "a")
    toggle = page.get_by_role("button", name="Show what differs")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    for side, mark in (("a", "del"), ("b", "ins")):
        shown(page, side)
        frame = page.frame_locator(f".pane[data-side={side}] iframe.front")
        expect(frame.locator(f"p.other {mark}").first).to_have_text("A" if side == "a" else "B")
    page.get_by_role("button", name="Next change").click()
    expect(page.locator(".steps .count")).to_have_text("1 / 1")
    here = [page.evaluate(HERE, side) for side in ("a", "b")]
    assert here[0] == here[1]
    assert here[0]["change"] == "1"

    # The key of the sheet, which reaches the panes as an event.
    page.evaluate("window.dispatchEvent(new CustomEvent('comparator:toggle-differences'))")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".pane[data-side=a] iframe.front")).to_have_attribute("data-mode", "view")
    assert not foreign


def test_two_files_with_little_in_common_are_compared_when_asked_for_twice(
    opened: Callable[..., Page],
) -> None:
    page = opened("families")
    choose(page, "report-a.md")
    shown(page, "a")
    toggle = page.get_by_role("button", name="Show what differs")
    toggle.click()
    said = page.locator(".differences .said")
    expect(said).to_contain_text("These two have little in common")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".pane[data-side=a] iframe.front")).to_have_attribute("data-mode", "view")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Show the source").first.click()
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".pane[data-side=a] iframe.front")).to_have_attribute("data-mode", "source")
