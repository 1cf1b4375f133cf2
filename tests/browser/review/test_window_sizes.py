"""The review page at the sizes of real windows: what stands where, how high, and what is reached by one key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from tests.browser.servers.real_app import WAIT, App, load, open_scores
from tests.worlds.files.outputs_office import docx

BAR = ".bar[role=region]"
SIZES = {1600: 1000, 1280: 800, 820: 1180, 390: 844}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    app = App(tmp_path_factory.mktemp("app"))
    load(app.home, "incident-report", "invoice-extraction")
    app.start()
    yield app
    app.kill()


@pytest.fixture(scope="module")
def window(app: App, browser: Browser) -> Page:
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    return page


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
    page.evaluate("localStorage.clear()")
    page.goto(address)
    open_scores(page)
    page.locator(".pane[data-side=a] iframe.front").wait_for()
    return page


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


@pytest.mark.parametrize(("width", "share"), [(1280, 0.60), pytest.param(1600, 0.70, marks=pytest.mark.slow)])
def test_outputs_and_scores_are_in_view_together(first: str, window: Page, width: int, share: float) -> None:
    page = review(first, window, width)
    stage, rail, bar = box(page, ".pane[data-side=a] .stage"), box(page, ".sheet"), box(page, BAR)

    assert stage["height"] / SIZES[width] >= share
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


@pytest.mark.parametrize("width", [820, pytest.param(390, marks=pytest.mark.slow)])
def test_on_a_narrow_window_the_drawer_pushes_the_outputs_and_covers_none(
    first: str, window: Page, width: int
) -> None:
    page = review(first, window, width)
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


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "width",
    [
        pytest.param(1600, marks=pytest.mark.slow),
        1280,
        pytest.param(820, marks=pytest.mark.slow),
        390,
    ],
)
def test_nothing_of_a_review_is_cut_or_wider_than_the_window(
    first: str, window: Page, width: int, theme: str
) -> None:
    page = review(first, window, width, theme)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.evaluate(
        """(width) => {
            const found = [];
            const shown = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
            const walk = (root) => {
                for (const e of root.querySelectorAll("button, h2, h3, [role=radio], .name, .figure")) {
                    // What scrolls sideways by itself may be longer.
                    if (!shown(e) || e.closest(".spoken, .files, .findings .summary")) continue;
                    const { left, right, top, bottom } = e.getBoundingClientRect();
                    const inView = bottom > 0 && top < innerHeight && left < width && right > 0;
                    if (inView && right > width + 1) found.push(e.outerHTML.slice(0, 90));
                }
                for (const e of root.querySelectorAll("*")) if (e.shadowRoot) walk(e.shadowRoot);
            };
            walk(document);
            return found;
        }""",
        width,
    )
    assert cut == []
    title = box(page, "h3")
    unfold = box(page, "[data-testid=stExpandSidebarButton]")
    beside = title["x"] >= unfold["x"] + unfold["width"] or title["y"] >= unfold["y"] + unfold["height"] - 1
    assert beside, (title, unfold)


def test_one_key_says_which_output_is_better_and_leads_to_its_reason(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    for key, name in (("a", "A wins"), ("b", "B wins"), ("=", "Tie")):
        page.keyboard.press(key)
        expect(page.get_by_role("radio", name=name, exact=True)).to_have_attribute("aria-checked", "true")
        expect(page.locator('[data-reason="winner"]')).to_be_focused()
        # The reason has the width that the choices leave.
        assert box(page, '[data-reason="winner"]')["width"] >= 700
        page.keyboard.press("Escape")
    page.get_by_role("radio", name="By the scores").click()
    page.locator('.saved[data-waiting="0"]').wait_for()


def test_on_a_phone_the_bar_takes_a_quarter_at_most_and_no_word_is_broken(first: str, window: Page) -> None:
    page = review(first, window, 390)
    page.keyboard.press("b")
    expect(page.locator('[data-reason="winner"]')).to_be_focused()
    page.keyboard.type("B is complete, and says more")
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
    page.get_by_role("radio", name="By the scores").click()


@pytest.mark.slow
def test_a_given_score_is_filled_and_one_that_nobody_gave_is_an_outline(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    page.locator("[data-row^='content.'] td.you.A [role=radio]").nth(2).click()
    page.locator('.saved[data-waiting="0"]').wait_for()
    fills = page.locator(".value.own:not(.check)").evaluate_all(
        """(values) => values.map((value) => ({
            figure: value.querySelector(".figure").textContent,
            filled: [...value.querySelectorAll(".step i")]
                .filter((i) => getComputedStyle(i).backgroundColor !== "rgba(0, 0, 0, 0)").length,
        }))"""
    )
    assert {each["figure"] for each in fills} > {"–"}
    assert all(each["filled"] == (0 if each["figure"] == "–" else int(each["figure"])) for each in fills)


@pytest.mark.slow
def test_a_score_of_some_rows_only_says_of_how_many(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    for label in "AB":
        page.locator("[data-row^='content.']").first.locator(f"td.you.{label} [role=radio]").nth(2).click()
    feet = page.locator(".scores .foot th")
    expect(feet.first).to_have_text(re.compile(r"^Content score from [1-9] of [1-9] rows$"))
    expect(page.locator(".scores .overall .foot th")).to_have_text("Overall of 10")


@pytest.mark.slow
def test_a_pair_opens_without_what_streamlit_loads_for_code(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    page.reload()
    page.locator(".pane[data-side=a] iframe.front").wait_for()
    page.locator(".bar .who").first.wait_for()
    page.get_by_text("About the judgment").wait_for()

    loaded = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")

    assert any("BidiComponent" in name for name in loaded)
    assert not any("SyntaxHighlighter" in name for name in loaded)


WIDTHS = """() => {
    window.seen = new Set();
    const below = (root, wanted) => [...root.querySelectorAll(wanted)];
    const inside = (root) => [...below(root, "iframe.front"),
        ...below(root, "*").filter((node) => node.shadowRoot).flatMap((node) => inside(node.shadowRoot))];
    const look = () => {
        for (const frame of inside(document)) window.seen.add(frame.clientWidth);
        requestAnimationFrame(look);
    };
    look();
}"""


def test_outputs_have_their_width_before_the_scores_are_there(app: App, first: str, window: Page) -> None:
    page = review(first, window, 1280)
    page.goto(f"{app.url}/history")
    page.locator("a.open").first.wait_for()
    page.evaluate(WIDTHS)

    page.locator("a.open").first.click()

    open_scores(page)
    # Neither the navigation, which folds away, nor the scores that come move them.
    assert page.evaluate("[...window.seen]") == [box(page, ".pane[data-side=a] iframe.front")["width"]]


def test_the_open_navigation_reaches_down_beside_the_drawer_and_the_files_keep_their_room(
    first: str, window: Page
) -> None:
    page = review(first, window, 820)
    if not page.locator(".sheet").is_visible():
        page.keyboard.press("p")
    expect(page.locator(".sheet")).to_be_visible()

    page.locator("[data-testid=stExpandSidebarButton]").click()

    page.wait_for_function(
        "(left) => [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.sheet'))"
        ".some((sheet) => sheet && sheet.getBoundingClientRect().left > left)",
        arg=200,
    )
    menu = box(page, "[data-testid=stSidebar]")
    assert menu["y"] + menu["height"] >= SIZES[820]
    assert box(page, ".files")["width"] >= 140
    page.locator("[data-testid=stSidebarCollapseButton] button").click()


@pytest.mark.slow
def test_a_score_where_the_judge_gave_none_shows_no_difference(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    row = page.locator(".row").filter(has=page.locator("td.judge.A .absent")).first
    row.locator("td.you.A [role=radio]").nth(4).click()
    expect(row.locator("td.you.A .mark")).to_have_text("•")
    row.locator("td.you.A .mark").click()
    page.locator('.saved[data-waiting="0"]').wait_for()


def test_what_is_to_be_known_of_the_pair_stands_in_one_line_above_the_panes(first: str, window: Page) -> None:
    page = review(first, window, 1280)
    chip = page.get_by_role("button", name=re.compile("Offline check: "))
    about = page.locator(".findings .about")
    expect(about).to_be_hidden()

    chip.click()

    expect(about).to_contain_text("It looks at form only")
    assert box(page, ".findings .chips")["height"] <= 32
    chip.click()


@pytest.mark.parametrize(
    ("width", "folds"), [(1280, False), pytest.param(820, True, marks=pytest.mark.slow), (390, True)]
)
def test_the_navigation_folds_by_itself_where_the_window_is_narrow(
    app: App, window: Page, width: int, folds: bool
) -> None:
    window.set_viewport_size({"width": width, "height": SIZES[width]})
    window.goto(f"{app.url}/queue")
    window.get_by_role("button", name=re.compile("reviewing")).wait_for()
    menu = window.get_by_test_id("stSidebar")
    expect(menu).to_have_attribute("data-collapsed", str(folds).lower())
    if folds:
        window.get_by_test_id("stExpandSidebarButton").click()
        menu.get_by_role("link", name="History", exact=True).click()
        if width == 390:
            # What was chosen is in view.
            expect(menu).to_have_attribute("data-collapsed", "true")
        else:
            window.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
        # The filters of what was chosen stand in one row.
        window.locator("a.open").first.wait_for()
        assert box(window, ".st-key-history_filters")["height"] <= 90


@pytest.mark.slow
def test_the_navigation_is_back_on_the_list_that_one_comes_back_to_and_folds_again(
    app: App, window: Page
) -> None:
    window.set_viewport_size({"width": 1280, "height": 800})
    # Streamlit keeps what an earlier test folded.
    window.goto(f"{app.url}/_stcore/health")
    window.evaluate("localStorage.clear()")
    window.goto(f"{app.url}/history")
    title = window.locator("a.open").first
    title.click()
    expect(window.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    window.locator(".bar .who").first.wait_for()

    window.go_back()

    title.wait_for()
    menu = window.get_by_test_id("stSidebar")
    expect(menu.get_by_role("link", name="History")).to_be_in_viewport()

    title.click()

    window.locator(".bar .who").first.wait_for()
    expect(menu).to_have_attribute("data-collapsed", "true")


def test_hints_lead_through_the_first_pair_and_one_click_dismisses_them_for_good(
    first: str, window: Page
) -> None:
    page = review(first, window, 1280)
    hint = page.locator(f"{BAR} .hint")
    expect(hint).to_contain_text("1 of 4: Read")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(hint).to_contain_text("2 of 4: Decide")

    hint.get_by_role("button", name="Don't show hints again").click()

    expect(hint).to_have_count(0)
    page.reload()
    page.locator(f"{BAR} .who").first.wait_for()
    expect(hint).to_have_count(0)


@pytest.mark.slow
def test_an_entry_of_a_folder_is_picked_into_the_path_box(app: App, window: Page, tmp_path: Path) -> None:
    (tmp_path / "run-31").mkdir()
    (tmp_path / "run-31" / "report.md").write_text("Done.")
    # So high that a click need not scroll: scrolling closes an open list, also when it is seen only after the click.
    window.set_viewport_size({"width": 1280, "height": 2000})
    window.goto(f"{app.url}/new")
    window.locator(".st-key-new_first_way").get_by_text("Path", exact=True).click()
    box = window.get_by_label("File or folder on this machine").first
    box.fill(str(tmp_path))
    box.press("Enter")
    window.get_by_text("report.md").first.wait_for()
    # A list that was opened on the folder before closes once this one's is there.
    there = re.compile(f"^In .*{re.escape(tmp_path.name[-8:])}$")
    window.get_by_placeholder(there).or_(window.get_by_text(there)).first.wait_for()

    # Those of inputs and reference are folded away.
    window.get_by_label("Browse").locator("visible=true").first.click()
    window.get_by_role("option", name="run-31/").click()

    expect(box).to_have_value(str(tmp_path / "run-31"))
    window.get_by_text("report.md").first.wait_for()


@pytest.mark.parametrize("width", [1280, pytest.param(1600, marks=pytest.mark.slow)])
def test_the_task_opens_by_a_click_beside_the_title(first: str, window: Page, width: int) -> None:
    page = review(first, window, width)

    page.get_by_role("button", name="Task", exact=True).click()

    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    page.keyboard.press("Escape")


def test_emoji_and_chinese_show_in_a_pane(first: str, window: Page) -> None:
    page = review(first, window, 1280)

    drawn = page.locator(".pane[data-side=a] iframe.front").evaluate(
        """(pane) => {
            const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
            const brush = canvas.getContext("2d", { willReadFrequently: true });
            const draw = (text) => {
                brush.clearRect(0, 0, 64, 64);
                brush.font = `40px ${getComputedStyle(pane.contentDocument.body).fontFamily}`;
                brush.fillText(text, 4, 48);
                return [...brush.getImageData(0, 0, 64, 64).data];
            };
            const [box, chinese, emoji] = ["\\u{2FFFE}", "\\u6625", "\\u{1F600}"].map(draw);
            return {
                chinese: chinese.join() !== box.join(),
                emoji: emoji.join() !== box.join(),
            };
        }"""
    )

    assert drawn == {"chinese": True, "emoji": True}


@pytest.mark.slow
@pytest.mark.usefixtures("soffice_path")
def test_the_pages_of_office_files_come_by_themselves(app: App, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 2000}).new_page()
    page.set_default_timeout(WAIT)
    page.goto(f"{app.url}/new")
    page.get_by_label("What was asked").fill("Write a report on the harvest.")
    for number, words in enumerate(("It was good.", "It was poor.")):
        (tmp_path / f"report-{number}.docx").write_bytes(docx(words))
        slot = ("first", "second")[number]
        page.locator(f".st-key-new_{slot}_way").get_by_text("Path", exact=True).click()
        box = page.get_by_label("File or folder on this machine").nth(number)
        box.fill(str(tmp_path / f"report-{number}.docx"))
        box.press("Enter")
        page.get_by_text("report-").nth(number).wait_for()
    page.get_by_role("button", name="Judge and review").click()

    page.wait_for_url(re.compile(r"/review\?c="))
    for side in ("a", "b"):
        printed = page.locator(f".pane[data-side={side}] iframe.front")
        expect(printed.content_frame.locator("img").first).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("are not made yet")).to_have_count(0)
    page.context.close()
