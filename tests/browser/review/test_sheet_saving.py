"""What a reviewer typed outlives a reload, a second tab, and a server that was killed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from comparator.domain.scoring.review import Change
from tests.browser.servers.real_app import WAIT
from tests.browser.servers.serving import Server
from tests.worlds.histories.sheet import SheetWorld

pytestmark = pytest.mark.slow

ADDRESS = "score:A:content.correctness"
STEPS = '[data-row="content.correctness"] td.you.A [role=radio]'
REASON = f'[data-reason="{ADDRESS}"]'


@pytest.fixture(scope="module")
def one_context(browser: Browser) -> BrowserContext:
    """In which the page is loaded and compiled once; what it keeps it keeps for one pair."""
    return browser.new_context(viewport={"width": 1280, "height": 800})


@pytest.fixture
def context(one_context: BrowserContext) -> Iterator[BrowserContext]:
    yield one_context
    for page in one_context.pages:
        page.close()


class SheetServer(Server):
    """The server of all tests; each has a pair of its own there."""

    def __init__(self, world: SheetWorld) -> None:
        super().__init__("sheet_server.py", environment=world.environment, log=world.home / "log")
        self.world, self.comparison = world, ""

    @property
    def page(self) -> str:
        return f"{self.url}?c={self.comparison}"

    def stored(self) -> tuple[Change, ...]:
        return self.world.changes(self.comparison)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SheetServer]:
    world = SheetWorld(tmp_path_factory.mktemp("saving"))
    with SheetServer(world) as server:
        yield server
    world.close()


@pytest.fixture
def server(running: SheetServer) -> SheetServer:
    if not running.runs:
        running.start()
    running.comparison = running.world.pair("plain")
    return running


def open_page(context: BrowserContext, server: SheetServer) -> Page:
    page = context.new_page()
    page.goto(server.page)
    page.locator(".scores").first.wait_for(timeout=WAIT)
    return page


def saved(page: Page) -> None:
    page.locator('.saved[data-waiting="0"]').wait_for(timeout=WAIT)


def test_a_reload_while_typing_keeps_the_last_letter(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    page.locator(STEPS).nth(1).click()
    page.locator(REASON).press_sequentially("Half a sent")
    page.reload()
    page.locator(".scores").first.wait_for()

    expect(page.locator(REASON)).to_have_value("Half a sent")
    saved(page)
    assert server.stored()[-1].reason == "Half a sent"


def test_a_killed_server_loses_nothing(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    page.locator(STEPS).nth(1).click()
    saved(page)
    server.kill()
    page.locator(STEPS).nth(0).click()
    page.locator(REASON).fill("Written while nobody listened")
    expect(page.locator(".saved")).to_have_text("not saved yet, will be sent again", timeout=WAIT)
    assert server.stored()[-1].value == 2

    server.start()
    page.reload()
    page.locator(".scores").first.wait_for(timeout=WAIT)
    saved(page)

    expect(page.locator(REASON)).to_have_value("Written while nobody listened")
    expect(page.locator(".saved")).to_contain_text("saved")
    last = server.stored()[-1]
    assert (last.value, last.reason) == (1, "Written while nobody listened")
    assert len({change.id for change in server.stored()}) == len(server.stored())


@pytest.mark.soak
def test_a_page_left_open_sends_again_by_itself(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    server.kill()
    page.locator(STEPS).nth(2).click()
    expect(page.locator(".saved")).to_have_text("not saved yet, will be sent again", timeout=WAIT)
    server.start()
    saved(page)

    assert [change.value for change in server.stored()] == [3]


def test_a_command_without_a_server_does_nothing(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    server.kill()
    # As if it had been looked at for long enough.
    page.locator(".review").evaluate("({ review }) => { review.judgedAt = 0; }")
    page.locator('[data-command="finalise"]').click()

    expect(page.locator(".note")).to_contain_text("nothing was done", timeout=WAIT)
    page.locator('[data-ask="skip"]').click()
    page.keyboard.type("Too long for today")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_contain_text("nothing was done")
    expect(page.locator("[data-say]")).to_have_value("Too long for today")


def test_a_page_left_open_goes_on_with_a_new_server(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    page.evaluate("() => { window.before = true; }")
    server.kill()
    server.start()
    page.locator(STEPS).nth(1).click()
    saved(page)
    page.locator('[data-command="finalise"]').click()

    expect(page.locator('[data-command="reopen"]')).to_be_visible(timeout=WAIT)
    assert page.evaluate("() => window.before") is True
    assert [change.value for change in server.stored()] == [2]


def test_two_tabs_do_not_lose_each_others_changes(context: BrowserContext, server: SheetServer) -> None:
    first, second = open_page(context, server), open_page(context, server)
    first.locator(STEPS).nth(1).click()
    second.locator('[data-row="content.accuracy"] td.you.A [role=radio]').nth(0).click()
    saved(first)
    saved(second)
    second.reload()
    second.locator(".scores").first.wait_for()

    expect(second.locator(STEPS).nth(1)).to_have_attribute("aria-checked", "true")
    assert {change.target.key for change in server.stored()} == {"content.correctness", "content.accuracy"}


def test_a_spoiled_draft_is_refused_in_words(context: BrowserContext, server: SheetServer) -> None:
    page = open_page(context, server)
    page.evaluate(
        """(box) => {
            const put = (id, change) => localStorage.setItem(box + id,
                JSON.stringify({id, made: Date.now(), reason: "", code: "", ...change}));
            put("one", {target: "score:A:content.nothing", kind: "set", value: 3});
            put("two", {target: "nonsense", kind: "set", value: 3});
            put("three", {target: "score:A:content.accuracy", kind: "set", value: 99});
            put("four", {target: "score:A:content.accuracy", kind: "set", value: 1});
            localStorage.setItem(box + "five", "{broken");
        }""",
        f"comparator:outbox:{server.comparison}:{server.world.person}:",
    )
    page.reload()
    page.locator(".scores").first.wait_for()
    saved(page)

    expect(page.get_by_role("alert")).to_have_count(3)
    runs = page.get_by_text("Run ", exact=False).first
    before = runs.inner_text()
    expect(page.get_by_text("The rubric has no criterion 'content.nothing'.")).to_be_visible()
    page.get_by_role("button", name="Dismiss").first.click()
    expect(page.get_by_role("alert")).to_have_count(2)
    assert runs.inner_text() == before, "the page runs again and again"
    assert [change.id for change in server.stored()] == ["four"]
    assert (
        page.evaluate(
            "Object.keys(localStorage).filter((name) => name.startsWith('comparator:outbox')"
            " && JSON.parse(localStorage[name]).do !== 'look')"
        )
        == []
    )


def test_a_pair_finalised_in_another_window_says_so_and_keeps_unsaved_words(
    context: BrowserContext, server: SheetServer
) -> None:
    first, second = open_page(context, server), open_page(context, server)
    why = '.bar [data-reason="winner"]'
    first.keyboard.press("a")
    first.keyboard.type("A adds up")
    saved(first)
    # Whoever comes back to a window sees what was said in the other.
    second.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(second.locator(why)).to_have_value("A adds up")

    second.route("**/changes", lambda route: route.abort())
    second.locator(why).fill("Said too late")
    first.locator('[data-command="finalise"]').click()
    first.locator('[data-command="reopen"]').wait_for()
    second.unroute("**/changes")
    expect(second.locator(".note")).to_have_text("Finalised in another window.")
    expect(second.locator(".bar").get_by_role("alert")).to_contain_text("Said too late")
    expect(second.locator(".given")).to_have_text("A adds up")
