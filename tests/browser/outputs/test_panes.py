"""The panes in a real browser, on a real server, with real files."""

import contextlib
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.browser.servers.panes_page import (
    Served,
    choose,
    inside,
    opened,
    scrolled,
    served,
    shown,
    wheel,
    window,
    words,
    zoom,
)
from tests.worlds.process import wait_until

__all__ = ("opened", "served", "window")


@pytest.mark.slow
def test_both_sides_of_each_pair_are_shown(opened: Callable[..., Page]) -> None:
    page = opened("families")
    for name, a, b in (
        ("invoice.json", "invoice_number", "invoice_number"),
        ("items.csv", "Copy paper A4", "Copy paper A4"),
        ("src/add.py", "Adds A.", "Adds B."),
        ("budget.xlsx", "Sheet of A", "=2*6.25"),
        ("work.ipynb", "printed A", "printed B"),
        ("page.html", "A", "B"),
        ("report-a.md", "☑ done", "Other words."),
    ):
        choose(page, name)
        assert a in words(page, "a"), name
        assert b in words(page, "b"), name


def test_the_app_loads_without_a_complaint_asks_no_other_host_and_lists_folders_by_their_whole_names(
    opened: Callable[..., Page], window: Page, served: Served
) -> None:
    complaints: list[str] = []
    hosts: set[str] = set()
    window.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    window.on("request", lambda request: hosts.add(request.url.split("/")[2] if "//" in request.url else ""))
    page = opened("families")
    assert complaints == []
    assert hosts - {""} == {served.url.split("/")[2]}

    page.keyboard.press("f")
    head = page.locator(".list .head").first
    head.wait_for()
    inner, outer = head.locator(".name").bounding_box(), head.bounding_box()
    assert inner
    assert outer
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_a_page_is_told_that_it_is_on_white_paper_whatever_the_browser_prefers(
    browser: Browser, served: Served, chromium_path: str
) -> None:
    # What a test emulates holds for all frames; what the browser prefers does not.
    dark = browser.browser_type.launch(
        executable_path=chromium_path, args=["--no-sandbox", "--blink-settings=preferredColorScheme=0"]
    )
    page = dark.new_context(color_scheme="null").new_page()
    page.goto(f"{served.url}?set=families")
    prefers_dark = "() => matchMedia('(prefers-color-scheme: dark)').matches"
    choose(page, "page.html")
    shown(page, "a")
    assert page.evaluate(prefers_dark)
    assert not inside(page, "a").locator("body").evaluate(prefers_dark)
    dark.close()


def test_both_sides_scroll_together_until_unlinked(opened: Callable[..., Page]) -> None:
    page = opened("long")
    for name in ("plain.txt", "paper.pdf", "table.csv"):
        choose(page, name)
        shown(page, "a")
        shown(page, "b")
        wheel(page, "a", 900)
        wait_until(
            lambda: scrolled(page, "a") > 0.01 and abs(scrolled(page, "a") - scrolled(page, "b")) < 0.02
        )
    page.get_by_role("button", name="Which outputs are shown").click()
    page.get_by_role("button", name="Scroll both outputs together").click()
    page.keyboard.press("Escape")
    before = scrolled(page, "a")
    wheel(page, "b", 1500)
    wait_until(lambda: scrolled(page, "b") > before + 0.01)
    assert scrolled(page, "a") == pytest.approx(before, abs=0.001)


@pytest.mark.slow
def test_both_sides_zoom_together_until_unlinked(opened: Callable[..., Page]) -> None:
    page = opened("long")
    width = "(sheet) => sheet.getBoundingClientRect().width"

    def widths() -> list[float]:
        frames = [page.frame_locator(f".pane[data-side={side}] iframe.front") for side in ("a", "b")]
        return [float(frame.locator(".sheet").first.evaluate(width)) for frame in frames]

    choose(page, "paper.pdf")
    shown(page, "a")
    shown(page, "b")
    before = widths()
    zoom(page, "a", "Larger")
    wider = [pytest.approx(each * 1.25, rel=0.05) for each in before]
    wait_until(lambda: widths() == wider)
    page.keyboard.press("l")
    zoom(page, "b", "Fit to the width")
    wait_until(
        lambda: widths() == [pytest.approx(before[0] * 1.25, rel=0.05), pytest.approx(before[1], rel=0.01)]
    )
    page.get_by_role("button", name="Which outputs are shown").click()
    page.get_by_role("button", name="Scroll both outputs together").click()
    choose(page, "report.md")
    page.get_by_role("button", name="More of Output A").click()
    page.locator(".pane[data-side=a] a.save").wait_for()
    assert page.locator(".pane[data-side=a] .zoom").is_hidden()


def test_on_a_narrow_screen_the_outputs_are_tabs(opened: Callable[..., Page]) -> None:
    page = opened("families", width=1000)
    assert page.locator(".pane[data-side=b]").is_hidden()
    page.get_by_role("button", name="Output B in full width").click()
    shown(page, "b")
    assert page.locator(".pane[data-side=a]").is_hidden()


@pytest.mark.slow
def test_a_key_leads_into_an_output_which_is_then_scrolled_by_keys(opened: Callable[..., Page]) -> None:
    page = opened("long")
    choose(page, "plain.txt")
    shown(page, "b")
    page.locator("body").press("Shift+G")
    page.keyboard.press("PageDown")
    wait_until(lambda: scrolled(page, "b") > 0)


def test_a_reload_keeps_file_view_and_place(opened: Callable[..., Page]) -> None:
    page = opened("long")
    choose(page, "plain.txt")
    shown(page, "a")
    wheel(page, "a", 1200)
    wait_until(lambda: scrolled(page, "a") > 0.05)
    before = scrolled(page, "a")
    page.wait_for_timeout(300)
    page.reload()
    assert "Paragraph" in words(page, "a")
    assert page.get_by_role("tab", selected=True).inner_text().startswith("plain.txt")
    wait_until(lambda: abs(scrolled(page, "a") - before) < 0.01)


def test_large_files_are_paged(opened: Callable[..., Page]) -> None:
    page = opened("long")
    choose(page, "huge.log")
    assert "line 0 of" in words(page, "a")
    page.locator(".pane[data-side=a]").get_by_role("button", name="Next part").click()
    text = words(page, "a")
    assert "line 0 of" not in text
    # Linked panes page together.
    assert words(page, "b").splitlines()[3].replace("side B", "side A") in text


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nothing_hostile_runs_loads_leaves_or_submits(opened: Callable[..., Page], served: Served) -> None:
    page = opened("hostile")
    _assert_quiet(page, served, lambda: _provoke_all(page, served))


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_nothing_hostile_runs_at_its_own_address(opened: Callable[..., Page], served: Served) -> None:
    page = opened("families")

    def visit() -> None:
        for row in served.sets["hostile"]:
            for part in ("view", "source"):
                page.goto(f"{served.url}outputs/{row['id']}/{part}", wait_until="commit")
                assert page.evaluate("() => window.owned") is None, row["name"]
            own = page.request.get(f"{served.url}outputs/{row['id']}/page").json()
            if own:
                page.goto(f"{served.url}{own['address'].lstrip('/')}", wait_until="commit")
            image = f"{served.url}outputs/{row['id']}/image"
            if row["family"] == "svg" and page.request.get(image).ok:
                with page.expect_download(), contextlib.suppress(Error):
                    page.goto(image)

    _assert_quiet(page, served, visit)


def _assert_quiet(page: Page, served: Served, act: Callable[[], None]) -> None:
    sent: list[str] = []
    windows: list[Page] = []
    # What the policy of the page forbids is announced, and never sent; nor what may only come from the same origin.
    page.context.on(
        "requestfailed",
        lambda request: sent.append(request.url) if request.failure not in ("csp", "origin") else None,
    )
    page.context.on("requestfinished", lambda request: sent.append(request.url))
    page.context.on("page", lambda window: windows.append(window))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    act()
    page.wait_for_timeout(300)
    assert [url for url in sent if not url.startswith((served.url, "data:", "blob:"))] == []
    assert [url for url in sent if "auth/" in url or "health" in url] == []
    assert windows == []


def _provoke_all(page: Page, served: Served) -> None:
    title = page.title()
    count = len(served.sets["hostile"])
    assert page.locator(".strip .at").inner_text() == f"1 / {count}"
    names = {row["id"]: row["name"] for row in served.sets["hostile"]}
    tab = page.get_by_role("tab")
    for index in range(count):
        if index:
            page.get_by_role("button", name="Next file").click()
        shown(page, "a").focus()
        _click_everything(page)
        shown(page, "a")  # A click on the head of a table has it ordered, which loads it again.
        owned, now, search, sandbox, path, file_id = page.locator(".pane[data-side=a] iframe.front").evaluate(
            """(frame) => [window.owned ?? null, document.title, location.search, frame.getAttribute('sandbox'),
                frame.contentDocument?.location.pathname ?? null, frame.dataset.file]"""
        )
        assert (owned, now, search) == (None, title, "?set=hostile"), tab.inner_text()
        own = sandbox == "allow-scripts allow-forms"
        place = f"/outputs/{file_id}/view"
        assert (sandbox, path) == ((sandbox, None) if own else ("allow-same-origin", place)), names[file_id]
        assert own or not names[file_id].endswith(".html")


def _click_everything(page: Page) -> None:
    """Real clicks and keys on what could be clicked, and synthetic ones on the rest."""
    frame = page.locator(".pane[data-side=a] iframe.front")
    try:
        places = inside(page, "a").locator(":root").evaluate(PRESS, timeout=2_000)
    except Error:
        # It went away, or its own scripts keep it busy.
        places = []
    for x, y, link in places:
        for button in BUTTONS[: 1 + link]:
            # While a form that was refused replaces the document, Chromium may never answer a click.
            with contextlib.suppress(Error):
                frame.click(position={"x": x, "y": y}, button=button, force=True, timeout=2_000)
    page.keyboard.press("Enter")


BUTTONS: list[Literal["left", "middle"]] = ["left", "middle"]

PRESS = """(root) => {
    const all = [...root.querySelectorAll('a, button, input, area, summary, form, [title]')].slice(0, 25);
    for (const node of all) {
        node.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
        node.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
        if (node.tagName === 'FORM') { try { node.requestSubmit(); } catch {} }
    }
    return all.map((node) => [node.getBoundingClientRect(), node.matches('a, area')])
        .filter(([box]) => box.width && box.top >= 0 && box.bottom < innerHeight)
        .map(([box, link]) => [box.left + box.width / 2, box.top + box.height / 2, link]).slice(0, 4);
}"""
