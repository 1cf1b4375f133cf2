"""The review page at the sizes of real windows: what stands where, how high, and what is reached by one key."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from comparator.bootstrap import open_services
from comparator.domain.project import ReasonRule
from comparator.settings import Settings
from comparator.workflow.people.people import local_person
from comparator.workflow.projects.settings import change_settings
from comparator.workflow.review.sheet import read_sheet
from tests.browser.journeys.test_accessible import LAID_OUT
from tests.browser.servers.real_app import WAIT, App, open_scores
from tests.worlds.files.outputs_office import docx

EXAMPLES = ("incident-report", "invoice-extraction")
BAR = ".bar[role=region]"
SIZES = {1600: 1000, 1280: 800, 820: 1180, 390: 844}


@pytest.fixture(scope="module")
def first(app: App, window: Page) -> str:
    """The address of the pair that the queue opens first; each later test goes there at once."""
    window.goto(f"{app.url}/queue")
    window.get_by_role("button", name=re.compile("reviewing")).click()
    window.wait_for_url(re.compile(r"/review\?c="))
    return window.url


def review(address: str, page: Page, width: int, theme: Any = "light") -> Page:
    """The pair, open in a window of this width; without what an earlier test kept."""
    page.set_viewport_size({"width": width, "height": SIZES[width]})
    page.emulate_media(color_scheme=theme)
    # A page of the same place that runs nothing, and so keeps nothing when it is left.
    page.goto(urljoin(address, "/_stcore/health"))
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto(address)
    open_scores(page)
    page.locator(".pane[data-side=a] iframe.front").wait_for()
    return page


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


def at_rest(page: Page, *selectors: str) -> list[FloatRect]:
    """The boxes once they no longer move."""
    before: list[FloatRect] = []
    while before != (now := [box(page, selector) for selector in selectors]):
        before = now
        page.wait_for_timeout(100)
    return now


def test_a_missing_reason_is_pointed_at_without_moving_the_page(app: App, first: str, window: Page) -> None:
    with closing(open_services(Settings(home=app.home))) as services:
        me = services.by(local_person(services).id)
        project_id = read_sheet(me, first.partition("c=")[2].partition("&")[0]).project_id
        change_settings(me, project_id, reasons=ReasonRule.REQUIRED)
    page = review(first, window, 1280)
    title = box(page, "h3")

    page.keyboard.press("b")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".problems.pressed")).to_be_visible()
    expect(page.locator('[data-reason="winner"]')).to_be_focused()

    assert box(page, "h3") == title
    with closing(open_services(Settings(home=app.home))) as services:
        change_settings(services.by(me.who), project_id, reasons=ReasonRule.OPTIONAL)
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    page.locator('.saved[data-waiting="0"]').wait_for(state="attached")


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [pytest.param(1600, marks=pytest.mark.slow), 1280, 820, 390])
def test_a_review_fits_its_window(first: str, window: Page, width: int, theme: str) -> None:
    page = review(first, window, width, theme)

    assert page.evaluate(LAID_OUT) == []
    if width >= 1280:
        outputs_and_scores_are_in_view_together(page, width)
        beside_an_open_sidebar_each_name_stays_whole_and_uncovered(page)
    else:
        the_drawer_pushes_the_outputs_and_covers_none(page)
        open_scores(page)
    if width == 390:
        the_bar_takes_a_quarter_at_most_and_no_word_is_broken(page)
    else:
        the_bar_keeps_its_place_while_a_winner_is_chosen(page)


def outputs_and_scores_are_in_view_together(page: Page, width: int) -> None:
    stage, rail, bar = at_rest(page, ".pane[data-side=a] .stage", ".sheet", BAR)
    assert stage["height"] / SIZES[width] >= (0.7 if width == 1600 else 0.6)
    said = page.locator(f"{BAR} .who").evaluate_all(
        "(all) => all.map((who) => who.scrollWidth - who.clientWidth)"
    )
    assert len(said) == 2
    assert max(said) <= 0
    expect(page.locator(f"{BAR} .winner")).to_be_in_viewport()
    assert 320 <= rail["width"] <= 380
    other = box(page, ".pane[data-side=b] .stage")
    assert other["x"] + other["width"] <= rail["x"]
    assert stage["y"] + stage["height"] <= bar["y"]
    assert rail["y"] + rail["height"] == pytest.approx(bar["y"], abs=1)


def the_drawer_pushes_the_outputs_and_covers_none(page: Page) -> None:
    sheet, pane = page.locator(".sheet"), ".pane:visible"
    if sheet.is_visible():
        page.keyboard.press("p")
    expect(sheet).to_be_hidden()
    # Which output is better is asked in the bar, whatever else is shown.
    expect(page.locator(f"{BAR} .winner")).to_be_in_viewport()
    folded = box(page, pane)
    page.keyboard.press("p")
    expect(sheet).to_be_visible()
    page.wait_for_function(
        "(high) => [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.pane:not(.empty)'))"
        ".some((pane) => pane && pane.getBoundingClientRect().height < high)",
        arg=folded["height"],
    )
    opened = box(page, pane)
    assert opened["y"] + opened["height"] <= box(page, ".sheet")["y"] + 0.5
    assert opened["height"] >= 150
    page.keyboard.press("p")


def beside_an_open_sidebar_each_name_stays_whole_and_uncovered(page: Page) -> None:
    page.get_by_test_id("stExpandSidebarButton").click()
    page.wait_for_function("document.querySelector('.stMain').getBoundingClientRect().left > 200")

    for side in "ab":
        head = f".pane[data-side={side}] header"
        # As after a reveal.
        page.locator(f"{head} .badge").evaluate("(badge) => badge.textContent = 'A: without_skill (17)'")
        badge, switch = box(page, f"{head} .badge"), box(page, f"{head} .switch")
        assert page.locator(f"{head} .badge").evaluate("(at) => at.scrollWidth - at.clientWidth") <= 0
        assert badge["x"] + badge["width"] <= switch["x"]
        assert box(page, head)["height"] <= 31
    page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()


def the_bar_keeps_its_place_while_a_winner_is_chosen(page: Page) -> None:
    places = [f"{BAR} {part}" for part in (".winner", ".summary", ".actions", '[data-command="finalise"]')]
    before = [pytest.approx(box(page, place), abs=1) for place in places]

    page.keyboard.press("b")
    assert [box(page, place) for place in places] == before
    page.locator('[data-reason="winner"]').fill("B names the cause")
    page.keyboard.press("Escape")
    page.locator('.saved[data-waiting="0"]').wait_for(state="attached")
    page.keyboard.press("c")
    expect(page.locator(f"{BAR} .note")).to_be_visible()
    assert [box(page, place) for place in places] == before
    page.keyboard.press("Delete")


def the_bar_takes_a_quarter_at_most_and_no_word_is_broken(page: Page) -> None:
    page.keyboard.press("b")
    expect(page.locator('[data-reason="winner"]')).to_be_focused()
    page.locator('[data-reason="winner"]').fill("B is complete, and says more")
    page.keyboard.press("Escape")
    page.locator('.saved[data-waiting="0"]').wait_for(state="attached")

    assert box(page, BAR)["height"] <= SIZES[390] / 4
    broken = page.locator(".review").evaluate(
        """(review) => {
            const found = [];
            const walker = document.createTreeWalker(review, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.parentElement;
                if (!at.getClientRects().length || at.closest(".spoken, textarea, option")) continue;
                for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]{1,16}/gu)) {
                    const range = document.createRange();
                    range.setStart(node, index);
                    range.setEnd(node, index + word.length);
                    const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
                    if (lines.size > 1) found.push(word);
                }
            }
            return found;
        }"""
    )
    assert broken == []
    page.keyboard.press("Delete")


@pytest.mark.slow
@pytest.mark.usefixtures("soffice_path")
def test_the_pages_of_office_files_come_by_themselves(app: App, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 2000}).new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{app.url}/new")
    page.get_by_label("Prompt", exact=True).fill("Write a report on the harvest.")
    for number, words in enumerate(("It was good.", "It was poor.")):
        (tmp_path / f"report-{number}.docx").write_bytes(docx(words))
        slot = ("first", "second")[number]
        page.locator(f".st-key-new_{slot}_way").get_by_text("Path", exact=True).click()
        box = page.get_by_label("File or folder on this machine").nth(number)
        box.fill(str(tmp_path / f"report-{number}.docx"))
        box.press("Enter")
        page.get_by_text("report-").nth(number).wait_for()
    page.locator(".st-key-new_judge_now button").click()

    page.wait_for_url(re.compile(r"/review\?c="))
    for side in ("a", "b"):
        printed = page.locator(f".pane[data-side={side}] iframe.front")
        expect(printed.content_frame.locator("img").first).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("are not made yet")).to_have_count(0)
    page.context.close()
