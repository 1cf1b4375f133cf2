"""The small tools over each output: sorting by a head, the line to go to, and zoom, each as a reviewer uses it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.panes_page import choose, contexts, opened, served, shown, words

__all__ = ("contexts", "opened", "served")


def inside(page: Page, side: str) -> FrameLocator:
    return page.frame_locator(f".pane[data-side={side}] iframe.front")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_table_is_sorted_by_its_head_and_back_and_the_linked_one_by_the_column_of_that_name(
    opened: Callable[..., Page], theme: str
) -> None:
    page = opened("long", color_scheme=theme)
    choose(page, "table.csv")
    shown(page, "a")
    shown(page, "b")
    for title, first in (
        ("Sort by this column, smallest first", "0"),
        ("Sort by this column, largest first", "118"),
    ):
        inside(page, "a").get_by_title(title).first.click()
        expect(inside(page, "a").locator("tbody tr").first.locator("td").first).to_have_text(first)
        expect(inside(page, "b").locator("tbody tr").first.locator("td").nth(1)).to_have_text(first)
    inside(page, "a").get_by_text("In the order of the file").click()
    expect(inside(page, "a").locator("th[aria-sort]")).to_have_count(0)
    expect(inside(page, "b").locator("th[aria-sort]")).to_have_count(0)
    page.get_by_role("button", name="Scroll both outputs together").click()
    inside(page, "b").get_by_title("Sort by this column").last.click()
    expect(inside(page, "b").locator("th[aria-sort]")).to_contain_text("side")
    expect(inside(page, "a").locator("th[aria-sort]")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_line_whose_number_is_typed_is_gone_to(opened: Callable[..., Page], theme: str) -> None:
    page = opened("long", color_scheme=theme)
    choose(page, "huge.log")
    shown(page, "a")
    goal = page.locator(".pane[data-side=a]").get_by_label("Go to line")
    goal.fill("250,001")
    goal.press("Enter")
    expect(inside(page, "a").locator("pre")).to_contain_text("line 250000 of a very long log of side A")
    assert goal.input_value() == ""
    assert "line 0 of" not in words(page, "a")


@pytest.mark.parametrize("name", ["img/picture.png", "drawing.svg", "page.html"])
def test_pictures_and_pages_are_drawn_larger_and_fitted_again(opened: Callable[..., Page], name: str) -> None:
    page = opened("families")
    choose(page, name)
    shown(page, "a")
    pane = page.locator(".pane[data-side=a]")
    drawn = inside(page, "a").locator("h1" if name.endswith("html") else ".picture img")
    height = "(node) => node.getBoundingClientRect().height"
    before = float(drawn.evaluate(height))
    pane.get_by_role("button", name="Larger").click()
    expect(pane.get_by_role("button", name="Fit to the width")).to_have_text("125%")
    assert float(drawn.evaluate(height)) == pytest.approx(before * 1.25, rel=0.08)
    pane.get_by_role("button", name="Fit to the width").click()
    assert float(drawn.evaluate(height)) == pytest.approx(before, rel=0.02)
