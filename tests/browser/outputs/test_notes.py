"""What a reviewer does with files and selected words, on the real app: evidence, comments, pairs, ticks, search."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.judges.offline import OfflineJudge
from comparator.settings import Settings
from tests.browser.hostile.hostile import EVIL, STOP
from tests.browser.servers.panes_page import choose, shown
from tests.browser.servers.real_app import WAIT, App, open_scores
from tests.worlds.process import wait_until
from tests.worlds.workbench import Workbench

pytestmark = pytest.mark.slow

PAYLOAD = f'<img src="{EVIL}/x.png" onerror="{STOP}"><script>{STOP}</script>![x]({EVIL}/y.png)'
FILES = {
    "a": {
        "report.md": f"# Harvest\n\nThe total weight is 420 kg.\n\n{'Filler. ' * 400}\n\nOnce more 420 kg.\n\n"
        f"```\n{PAYLOAD}\n```\n",
        "data/first.txt": "one thing\n",
        "data/second.txt": "420 kg of another\n",
        "summary.md": "The subagent ran for 12 turns.\n",
    },
    "b": {
        "report.md": "# Harvest\n\nAbout 400 kg.\n",
        "data/other.txt": "quite something else, 420 kg\n",
        "data/last.txt": "0123456789\n",
    },
}


class ReviewApp(App):
    """The app with one pair in it, and no examples."""

    review = ""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReviewApp]:
    app = ReviewApp(tmp_path_factory.mktemp("notes"))
    with closing(open_services(Settings(home=app.home))) as services:
        workbench = Workbench(services.database, services.blobs, app.home / "outputs", services.settings)
        for side, files in FILES.items():
            for name, text in files.items():
                workbench.file(f"{side}/{name}", text)
        task = TaskText(prompt="Report on the harvest.", expectations=("It says 420 kg", PAYLOAD))
        sides = PerOutput[Path](A=workbench.folder / "a", B=workbench.folder / "b")
        comparison_id = workbench.submitted(sides, task=task)
        workbench.judged(comparison_id, OfflineJudge())
    app.review = f"{app.url}/review?c={comparison_id}"
    with app:
        yield app


@pytest.fixture(scope="module")
def page(browser: Browser, app: ReviewApp) -> Iterator[Page]:
    """One page for all tests, each of which leaves the pair in a state that the next does not mind."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(WAIT)
    sent: list[str] = []
    page.context.on("request", lambda request: sent.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    opened(page, app)
    yield page
    assert page.evaluate("() => window.owned ?? null") is None
    assert [url for url in sent if not url.startswith((app.url, "data:", "blob:"))] == []
    page.close()


def opened(page: Page, app: ReviewApp) -> None:
    page.goto(app.review)
    shown(page, "a")
    open_scores(page)


def select(page: Page, words: str) -> None:
    """Select words in output A, as dragging over them would."""
    shown(page, "a").evaluate(
        """(frame, words) => {
            const inner = frame.contentDocument;
            const walker = inner.createTreeWalker(inner.body, 4);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(words);
                if (at < 0) continue;
                inner.getSelection().removeAllRanges();
                inner.getSelection().setBaseAndExtent(node, at, node, at + words.length);
                return;
            }
            throw new Error(`no such words: ${words}`);
        }""",
        words,
    )


def marked(page: Page, name: str = "comparator-quote") -> list[str]:
    found: list[str] = page.locator(".pane[data-side=a] iframe.front").evaluate(
        "(frame, name) => [...(frame.contentWindow.CSS.highlights.get(name) ?? [])].map((range) => range.toString())",
        name,
    )
    return found


def files(page: Page) -> Locator:
    page.get_by_role("button", name="All files").click()
    return page.locator(".list")


def test_selected_words_are_evidence_of_a_criterion_until_withdrawn(app: ReviewApp, page: Page) -> None:
    choose(page, "report.md")
    shown(page, "a")
    select(page, "total weight is 420 kg")
    page.get_by_label("Attach as evidence").select_option("It says 420 kg")
    page.get_by_text("Attached to").wait_for()
    # It stands with what the judge says of the row.
    page.locator('[data-row="expectation.0"] th').click()

    page.reload()
    open_scores(page)
    shown(page, "a")
    page.locator('[data-row="expectation.0"] th').click()
    page.locator(".own-evidence .quote").click()
    wait_until(lambda: marked(page) == ["total weight is 420 kg"])

    page.locator(".own-evidence").get_by_role("button", name="Withdraw").click()
    expect(page.locator(".own-evidence")).to_have_count(0)


def test_hostile_words_are_shown_as_words_as_evidence_comment_and_search(app: ReviewApp, page: Page) -> None:
    choose(page, "report.md")
    shown(page, "a")
    select(page, PAYLOAD[:60])
    page.get_by_role("button", name="Comment on this").click()
    page.get_by_label("Comment", exact=True).fill(PAYLOAD)
    page.get_by_role("button", name="Add comment").click()
    threads = page.locator(".threads")
    threads.get_by_text(PAYLOAD).wait_for()
    threads.locator(".quote").click()
    wait_until(lambda: marked(page) == [PAYLOAD[:60]])

    select(page, PAYLOAD[:60])
    page.get_by_label("Attach as evidence").select_option(value="expectation:A:1")
    open_scores(page)
    page.locator('[data-row="expectation.1"] th').click()
    page.locator(".own-evidence").get_by_text(PAYLOAD[:30]).first.wait_for()

    page.locator(".pane[data-side=a] header").click()
    page.keyboard.press("/")
    page.get_by_label("Search names and text of all files").fill(PAYLOAD[:80])
    expect(page.locator(".list .state")).to_have_text(re.compile("1 in the text of 1 file"))
    page.keyboard.press("Enter")
    wait_until(lambda: marked(page, "comparator-search-here") == [PAYLOAD[:80]])
    assert page.locator(".panes img, .notes img, .panes script, .notes script").count() == 0
    page.get_by_role("button", name="Clear the search").click()


def test_words_are_found_in_all_files_and_one_goes_from_hit_to_hit(app: ReviewApp, page: Page) -> None:
    files(page)
    page.get_by_label("Search names and text of all files").fill("420 KG")
    expect(page.locator(".list .state")).to_have_text(re.compile("4 in the text of 3 files"))
    page.locator(".list .line").filter(has_text="report.md").locator(".open").click()
    wait_until(lambda: marked(page, "comparator-search-here") == ["420 kg"])
    said = page.locator(".filebar > .hits .says")
    before = said.inner_text()
    page.get_by_role("button", name="Next hit").click()
    wait_until(lambda: said.inner_text() != before)
    assert len(marked(page, "comparator-search")) == 2
    for _ in range(4):
        now = said.inner_text()
        page.keyboard.press(".")
        expect(said).not_to_have_text(now)
    assert said.inner_text().endswith("of 4 hits")
    page.get_by_role("button", name="Clear the search").click()
    assert marked(page, "comparator-search") == []


def test_a_file_that_was_set_aside_is_judged_at_a_click(app: ReviewApp, page: Page) -> None:
    files(page)
    page.locator(".list .head", has_text="Set aside, not judged").click()
    page.locator(".list .aside").get_by_role("button", name="Judge this file anyway").click()

    page.get_by_role("tab").filter(has_text="summary.md").wait_for()
    expect(page.locator(".list .head", has_text="Set aside")).to_have_count(0)
