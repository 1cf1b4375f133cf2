"""Scores are saved while an output keeps its pane from being drawn, on the real app."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from comparator.store.reviewing import reviews
from comparator.workflow.services import Services
from tests.browser.hostile.test_page_locks import PUT_AWAY, SPANS
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.judging.judges import SlowJudge
from tests.worlds.process import wait_until
from tests.worlds.workbench import Workbench

WORDS = "It does not load."
SAVED = '.saved[data-waiting="0"]'


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = open_services(Settings(home=tmp_path_factory.mktemp("stalled")))
    yield services
    services.close()


@pytest.fixture(scope="module")
def comparison_id(services: Services) -> str:
    folder = services.settings.home / "outputs"
    workbench = Workbench(services.database, services.blobs, folder, services.settings)
    workbench.file("a/table.html", SPANS)
    # On both sides at once, and a page that is fine for after that.
    workbench.file("b/table.html", f"{SPANS}<p>")
    workbench.file("a/zz.html", "<h1>Fine</h1>")
    workbench.file("b/zz.html", "<h1>Fine too</h1>")
    found = workbench.submitted(
        PerOutput[Path](A=folder / "a", B=folder / "b"), task=TaskText(prompt="Make a table.")
    )
    judge = SlowJudge()
    judge.gate.set()
    workbench.judged(found, judge)
    return found


@pytest.fixture(scope="module")
def app(services: Services, comparison_id: str) -> Iterator[App]:
    assert comparison_id
    app = App(services.settings.home)
    with app:
        yield app


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_pair_is_scored_flagged_and_skipped_while_neither_pane_answers_and_after_both_were_put_away(
    app: App, browser: Browser, services: Services, comparison_id: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(WAIT)
    page.add_init_script(PATIENT)
    page.goto(f"{app.url}/review?c={comparison_id}")
    # Side by side, each in a process of its own.
    wait_until(lambda: page.evaluate("() => began") == 2)

    for side, step in (("A", 1), ("B", 3)):
        score(page, side, step)
    say(page, "menu", "2")
    wait_until(lambda: page.evaluate(THERE, ".banners .banner") is not None)
    assert page.evaluate(THERE, ".veil.told") is None

    page.evaluate("() => { for (let n = 0; n < 17; n += 1) beats.forEach((beat) => beat()); }")
    for side in ("a", "b"):
        page.locator(f".pane[data-side={side}]").get_by_text(PUT_AWAY).wait_for()
    score(page, "A", 2)
    say(page, "skip")
    # It was the only pair, so that its sheet goes, often before it says what was skipped.
    page.get_by_text("You skipped the remaining pairs").wait_for()
    with services.database.read() as connection:
        (review,) = reviews.of_comparison(connection, comparison_id)
        said = [change.value for change in reviews.changes(connection, review.id)]
    assert len(said) == 3
    page.close()


def say(page: Page, question: str, *keys: str) -> None:
    """Answer a question of the bar in words."""
    ask = f'[data-ask="{question}"]'
    page.mouse.click(*page.evaluate(THERE, ask))
    wait_until(lambda: page.evaluate(THERE, f'{ask}[aria-expanded="true"]') is not None)
    for key in keys:
        page.keyboard.press(key)
    wait_until(lambda: page.evaluate(THERE, "[data-say]:focus") is not None)
    page.keyboard.insert_text(WORDS)
    wait_until(lambda: page.evaluate(SAID) == WORDS)
    page.keyboard.press("Enter")


def score(page: Page, side: str, step: int) -> None:
    """Press a score with the mouse, and wait until the server has it."""
    # Playwright's own waiting asks every frame, also one that hangs.
    steps = f".scores td.you.{side} [role=radio]:nth-of-type({step})"
    # Where no model judged, the scores are a second step.
    wait_until(lambda: page.evaluate(THERE, "[data-toggle=scores]") is not None)
    if (folded := page.evaluate(THERE, "[data-toggle=scores][aria-expanded=false]")) is not None:
        page.mouse.click(*folded)
    wait_until(lambda: page.evaluate(THERE, steps) is not None)
    page.mouse.click(*page.evaluate(THERE, steps))
    wait_until(lambda: page.evaluate(THERE, f"{steps}[aria-checked=true]") is not None)
    wait_until(lambda: page.evaluate(THERE, SAVED) is not None)


# The 5 seconds are over when the test says so, since a busy machine may need more for what is done meanwhile.
PATIENT = """(() => {
    const { setInterval, clearInterval } = window;
    window.beats = new Map();
    window.began = 0;
    addEventListener("message", ({ data }) => { began += data?.comparator?.is === "began"; }, true);
    let count = 0;
    window.setInterval = (act, time, ...more) => {
        if (time !== 1000) return setInterval(act, time, ...more);
        count -= 1;
        beats.set(count, act);
        return count;
    };
    window.clearInterval = (id) => beats.delete(id) || clearInterval(id);
})();"""
SAID = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.value;
}"""
THERE = """(selector) => {
    const roots = (root) => [...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
    const find = (root) => root.querySelector(selector) ?? roots(root).map(find).find(Boolean);
    const found = find(document);
    found?.scrollIntoView({ block: "center", behavior: "instant" });
    const box = found?.getBoundingClientRect();
    return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
}"""
