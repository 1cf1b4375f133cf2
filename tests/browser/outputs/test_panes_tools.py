"""The tools over each output as a reviewer uses them: quotes, differences, sorting, the line to go to, zoom."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.servers.panes_files import LONG, QUOTE
from tests.browser.servers.panes_page import (
    Served,
    choose,
    inside,
    opened,
    served,
    show_quote,
    shown,
    window,
    zoom,
)

pytestmark = pytest.mark.slow

__all__ = ("opened", "served", "window")
MARKED = """(root) => {
    const view = root.ownerDocument.defaultView;
    const marked = view.CSS.highlights.get('comparator-quote');
    if (!marked) return null;
    const range = [...marked][0];
    const box = range.getBoundingClientRect();
    return {text: range.toString(), seen: box.top >= 0 && box.bottom <= view.innerHeight + 1};
}"""
HERE = """(side) => {
    const root = document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot;
    const frame = root.querySelector(`.pane[data-side=${side}] iframe.front`);
    const here = frame.contentDocument.querySelector('[data-here]');
    return here && {change: here.dataset.change, top: Math.round(here.getBoundingClientRect().top),
                    high: frame.contentDocument.scrollingElement.scrollHeight};
}"""


def marked_in(page: Page, side: str) -> dict[str, Any]:
    """The words that are marked as a quote, whether they are seen, and how the file is shown."""
    found = inside(page, side).locator(":root").evaluate(MARKED) or {}
    mode = page.locator(f".pane[data-side={side}] iframe.front").get_attribute("data-mode")
    return {**found, "mode": mode}


def test_a_table_is_sorted_by_its_head_and_back(opened: Callable[..., Page]) -> None:
    page = opened("long")
    choose(page, "table.csv")
    shown(page, "a")
    for title, first in (
        ("Sort by this column, smallest first", "0"),
        ("Sort by this column, largest first", "118"),
    ):
        inside(page, "a").get_by_title(title).first.click()
        expect(inside(page, "a").locator("tbody tr").first.locator("td").first).to_have_text(first)
    inside(page, "a").get_by_text("In the order of the file").click()
    expect(inside(page, "a").locator("th[aria-sort]")).to_have_count(0)


@pytest.mark.parametrize(
    "name", ["img/picture.png", pytest.param("svg.svg", marks=pytest.mark.slow), "page.html"]
)
def test_pictures_and_pages_are_drawn_larger_and_fitted_again(opened: Callable[..., Page], name: str) -> None:
    page = opened("families")
    choose(page, name)
    shown(page, "a")
    pane = page.locator(".pane[data-side=a]")
    drawn = inside(page, "a").locator({"page.html": "h1", "svg.svg": "svg"}.get(name, ".picture img"))
    height = "(node) => node.getBoundingClientRect().height"
    before = float(drawn.evaluate(height))
    zoom(page, "a", "Larger")
    expect(pane.get_by_role("button", name="Fit to the width")).to_have_text("125%")
    assert float(drawn.evaluate(height)) == pytest.approx(before * 1.25, rel=0.08)
    pane.get_by_role("button", name="Fit to the width").click()
    assert float(drawn.evaluate(height)) == pytest.approx(before, rel=0.02)


@pytest.mark.parametrize("label", ["A", pytest.param("B", marks=pytest.mark.slow)])
def test_a_quote_is_shown_in_its_place(opened: Callable[..., Page], served: Served, label: str) -> None:
    page = opened("long")
    # The white space of a quote need not be that of the output.
    quote = QUOTE.replace("thing happened", "thing\n  happened")
    for name in LONG:
        file_id = served.id_of("long", label, name)
        assert show_quote(page, fileId=file_id, label=label, text=quote, start=None, end=None), name
        marked = marked_in(page, label.lower())
        assert "".join(marked["text"].split()) == "".join(QUOTE.split()), name
        assert marked["seen"], name
        assert marked["mode"] == "view", name


def test_a_quote_across_marks_of_markdown_is_found(opened: Callable[..., Page], served: Served) -> None:
    page = opened("long")
    file_id = served.id_of("long", "A", "report.md")
    assert show_quote(
        page, fileId=file_id, label="A", text="**A** Paragraph 12 says that", start=None, end=None
    )
    assert marked_in(page, "a")["text"] == "A Paragraph 12 says that"


def test_quotes_of_what_the_judge_read_are_found(opened: Callable[..., Page], served: Served) -> None:
    page = opened("families")
    number = '"invoice_number": "2026-0417"'
    for name, quote, marked in (
        ("budget.xlsx", "B2: =2*6.25", "=2*6.25"),
        ("budget.xlsx", "| 2 | Paper | 12.5 |", "2Paper12.5"),
        ("budget.xlsx", "| 47 | Sum | 46 |", "47Sum46"),  # on its second sheet
        ("report-a.md", "| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done", None),
        ("page.html", '<p class="c">green</p>', "green"),
        ("invoice.json", f'{number},\n  "invoice_date"', '"invoice_number":"2026-0417","invoice_date"'),
        ("work.ipynb", "[cell 1: code]\nprint('A')", "[cell1:code]print('A')"),
    ):
        found = show_quote(page, fileId=served.id_of("families", "A", name), label="A", text=quote)
        shown_as = marked_in(page, "a")
        assert found == (marked is not None), name
        if marked is not None:
            assert "".join(shown_as["text"].split()) == marked, name
            assert shown_as["mode"] == "view", name


def test_differences_are_shown_walked_through_and_left_again(opened: Callable[..., Page]) -> None:
    page = opened("long")
    foreign = []
    page.on(
        "request", lambda request: foreign.append(request.url) if "127.0.0.1" not in request.url else None
    )
    choose(page, "data.json")
    shown(page, "a")
    toggle = page.get_by_role("button", name="Show differences")
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

    # Pages are drawn larger on both sides, and one can be laid over the other.
    choose(page, "paper.pdf")
    for side in ("a", "b"):
        shown(page, side)
    frames = [page.frame_locator(f".pane[data-side={side}] iframe.front") for side in "ab"]
    sheets = [frame.locator(".sheet").first for frame in frames]
    width = "(sheet) => sheet.getBoundingClientRect().width"
    expect(sheets[0].locator("img.second")).to_be_attached()
    before = [sheet.evaluate(width) for sheet in sheets]
    zoom(page, "a", "Larger")
    for sheet, was in zip(sheets, before, strict=True):
        assert sheet.evaluate(width) == pytest.approx(was * 1.25, rel=0.05)
    # The words that differ stand behind the pages.
    page.get_by_role("button", name="Next change").click()
    for frame, mark in zip(frames, ("del", "ins"), strict=True):
        expect(frame.locator(f"p.other {mark}").first).to_be_visible()

    page.keyboard.press("d")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".pane[data-side=a] iframe.front")).to_have_attribute("data-mode", "view")
    for sheet in sheets:
        # The words of a line are neither wider than the line nor pulled apart to fill it.
        assert sheet.locator(".layer span").first.evaluate(
            "(line) => { line.style.textAlignLast = 'left'; const range = document.createRange();"
            " range.selectNodeContents(line); return range.getBoundingClientRect().width / line.offsetWidth; }"
        ) == pytest.approx(1, abs=0.05)
    assert not foreign
