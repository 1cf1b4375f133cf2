"""The lists and the uploads in the browser: links that open a review, files that are saved, folders that are read."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from comparator.domain.scoring.result import ComparisonResult
from tests.browser.servers.real_app import WAIT, App, load

EXAMPLES = ("booking-form", "incident-report")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app with two of its examples."""
    app = App(tmp_path_factory.mktemp("lists"))
    load(app.home, *EXAMPLES)
    with app:
        yield app


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """Every address that the window has asked for since it was opened."""
    return []


@pytest.fixture(scope="module")
def page(browser: Browser, asked: list[str]) -> Page:
    """One window for all tests: what it has loaded and compiled once need not be loaded again."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.set_default_timeout(WAIT)
    return page


def test_a_row_of_the_history_saves_its_result_once(app: App, page: Page) -> None:
    page.goto(f"{app.url}/history")
    row = page.locator("tbody tr").filter(has=page.locator("td.winner .letter")).first
    # Beside all the usual columns there is room for a few words of the title.
    title = row.locator("a.open").bounding_box()
    assert title is not None
    assert title["width"] >= 100

    with page.expect_download() as result:
        row.get_by_role("button", name="Export").click()
    told = page.get_by_test_id("stToast").filter(has_text=result.value.suggested_filename)
    expect(told).to_contain_text("was downloaded")
    saved = ComparisonResult.from_json(Path(result.value.path()).read_text(encoding="utf-8"))
    # Both scores stand in the row, the winner's first.
    first, second = (
        (saved.rubric.B, saved.rubric.A) if saved.winner == "B" else (saved.rubric.A, saved.rubric.B)
    )
    figures = f"{first.overall_score:.1f} to {second.overall_score:.1f}"
    expect(row.locator("td.winner .figures")).to_have_text(figures)
    # What stands beside the title stands there whole, or not at all.
    parts = row.locator(".about span").evaluate_all(
        """(parts) => parts.map((part) => {
            const [own, place] = [part, part.parentElement].map((at) => at.getBoundingClientRect());
            return own.top >= place.bottom - 1 || own.right <= place.right + 1;
        })"""
    )
    assert parts
    assert all(parts)
    # Twenty rows on a screen.
    box = row.bounding_box()
    assert box is not None
    assert box["height"] <= 34


def test_a_pair_opens_by_one_message_and_the_way_back_leads_to_the_list_as_it_was_left(
    app: App, browser: Browser
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT)
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(text)))
    page.goto(f"{app.url}/history?q=outage&project=Examples")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    title = rows.first.locator("a.open")
    href = str(title.get_attribute("href"))
    before = len(sent)

    title.click()

    page.locator(".pane[data-side=a] iframe.front").wait_for()
    # One run of the page that is gone to, and none of the list that is left.
    assert len(sent) == before + 1
    assert href in page.url
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("outage")
    expect(rows).to_have_count(1)
    page.wait_for_url(re.compile(r"/history\?q=outage&project=Examples$"))
    page.go_forward()
    page.locator(".pane[data-side=a] iframe.front").wait_for()
    page.close()


def test_a_folder_is_uploaded_with_everything_in_it(app: App, page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "report.md").write_text("# Report\n")
    (folder / "deep" / "er" / "items.csv").write_text("a,b\n1,2\n")
    page.goto(f"{app.url}/new")
    page.locator(".st-key-new_first_way").get_by_text("Upload a folder").click()

    page.locator(".st-key-new_first_folder input[type=file]").set_input_files(folder)

    expect(page.get_by_text("2 files read")).to_be_visible()
    expect(page.get_by_text("1 CSV, 1 Markdown")).to_be_visible()


@pytest.mark.slow
def test_nothing_is_asked_of_another_machine(app: App, page: Page, asked: list[str]) -> None:
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Policy" in message.text else None)

    for name in ("", "new", "history", "settings"):
        page.goto(f"{app.url}/{name}")
        expect(page.get_by_role("combobox", name="Project", exact=True).first).to_be_visible()

    assert [url for url in asked if not url.startswith((app.url, "data:", "blob:"))] == []
    assert refused == []


def test_the_examples_are_there_to_review_at_once(app: App, page: Page) -> None:
    page.goto(app.url)
    page.get_by_role("button", name="Start reviewing").click()
    page.wait_for_url(re.compile(r"/review\?c="))

    page.locator(".bar .who").first.wait_for()
    # While this pair is read, what comes first in the next one is loaded; nobody sees or reaches it.
    next_ones = page.locator("iframe[data-file]:not(.front)")
    expect(next_ones).to_have_count(2, timeout=WAIT)
    for frame in next_ones.all():
        expect(frame).to_be_hidden()
        assert not frame.evaluate("(one) => { one.focus(); return one.matches(':focus'); }")

    expect(page.get_by_text("Output A", exact=True).first).to_be_visible()
    expect(page.locator(".scores .judged").first).to_be_attached()

    # The next pair is shown in these very frames.
    files = next_ones.evaluate_all("(all) => all.map((one) => (one.marked = true, one.dataset.file))")
    page.locator(".bar [data-ask='skip']").click()
    page.locator(".asking [data-command='skip']").click()
    for side, file in zip("ab", files, strict=True):
        shown = page.locator(f".pane[data-side={side}] iframe.front[data-file='{file}']")
        expect(shown).to_be_visible(timeout=WAIT)
        assert shown.evaluate("(one) => one.marked")
