"""Reviewing with keys alone in the modes of a project, on the real app."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from comparator.bootstrap import open_services
from comparator.domain.project import ProjectSettings, ReviewMode
from comparator.settings import Settings
from comparator.store.facts import verdicts
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.workflow.exporting.comparison_json import ScoresGiven, result_json
from comparator.workflow.services import Services
from tests.browser.servers.real_app import WAIT, App, open_scores
from tests.loopback.bulk import seed

pytestmark = pytest.mark.slow
EXAMPLES = ("duration-package", "incident-report", "invoice-extraction", "workshop-budget")


@pytest.fixture(scope="module")
def services(app: App) -> Iterator[Services]:
    services = open_services(Settings(home=app.home))
    yield services
    services.close()


def put(services: Services, **settings: Any) -> None:
    with services.write() as unit:
        (project,) = projects.all_projects(unit.connection)
        projects.save_settings(unit, project.id, project.settings.model_copy(update=settings))


def begin(page: Page, app: App) -> str:
    """Open the next pair; its id."""
    page.goto(app.url)
    page.get_by_role("button", name=re.compile("reviewing")).click()
    page.wait_for_url(re.compile(r"/review\?.*c="))
    page.locator(".bar .actions").wait_for()
    return current(page)


def current(page: Page) -> str:
    found = re.search(r"[?&]c=(\w+)", page.url)
    assert found
    return found[1]


def onward(page: Page, comparison_id: str) -> None:
    page.wait_for_function("id => !location.search.includes(id)", arg=comparison_id)


def room(page: Page) -> float:
    """Pixels of each output in view above the bar, in a window of 1280 by 720."""
    before = page.viewport_size
    page.set_viewport_size({"width": 1280, "height": 720})
    bar = page.get_by_role("region", name="Decision").bounding_box()
    output = page.locator(".pane .stage").first.bounding_box()
    assert bar
    assert output
    assert before
    page.set_viewport_size(before)
    return min(bar["y"], output["y"] + output["height"]) - output["y"]


def test_blind_scores_open_the_judge_and_the_guess_is_asked_before_finalising(
    page: Page, app: App, services: Services
) -> None:
    put(services, mode=ReviewMode.BLIND_FIRST, ask_guess_share=1.0)
    page.goto(app.url)
    # By its name, whatever the other tests of this file have opened.
    page.get_by_text(re.compile("Invoice 0417")).first.click()
    open_scores(page)
    opens = page.locator('[data-command="open_judge"]')
    expect(opens).not_to_have_class(re.compile("primary"))
    expect(page.locator(".who").first).to_contain_text("hidden until you have answered")
    assert room(page) >= 400
    rows = page.locator('[data-row^="content."], [data-row^="structure."]').count()
    for _ in range(rows):
        for key in ("4", "7", "j"):
            page.keyboard.press(key)
    page.locator('.saved[data-waiting="0"]').wait_for()
    expect(opens).to_have_class(re.compile("primary"))
    page.keyboard.press("Control+Enter")

    expect(opens).to_have_count(0)
    # What the check has not found is not told.
    expect(page.locator(".review")).not_to_contain_text("no difference")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".asking")).to_contain_text("did anything reveal who made which output")
    page.keyboard.press("1")
    # The next pair says what was decided of the one before.
    page.get_by_role("button", name="Back to it").click()
    page.locator('[data-command="reopen"]').wait_for()


@pytest.mark.parametrize("mode", [ReviewMode.JUDGE_FIRST, ReviewMode.BLIND_FIRST])
def test_one_key_one_sentence_and_ctrl_enter_become_the_exported_reasoning(
    page: Page, app: App, services: Services, mode: ReviewMode
) -> None:
    put(services, mode=mode, ask_guess_share=0.0)
    comparison_id = begin(page, app)
    with services.database.read() as connection:
        judged = verdicts.judged(connection, comparison_id)
    assert judged
    assert judged.chosen.judge_kind == verdicts.OFFLINE_KIND

    # Where no model judged, the review is this one question; blind scores come first where the project wants them.
    expect(page.locator(".sheet")).to_be_visible(visible=mode is ReviewMode.BLIND_FIRST)
    page.keyboard.press("b")
    page.keyboard.type("More complete, with 3 of 3 parts; m, q and z are in it")
    page.keyboard.press("Control+Enter")
    onward(page, comparison_id)
    # A key counts for the next pair as soon as that is on the screen.
    shown = page.locator(".review").element_handle()
    page.wait_for_function("([root, id]) => root.review.comparisonId !== id", arg=[shown, comparison_id])
    assert page.evaluate("() => document.activeElement.localName") == "body"
    # The numbers that its file needs are asked for in the bar that is there.
    page.keyboard.press("Control+s")
    page.locator("[data-say]").fill("4,3,2,3")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["winner"] == "B"
    expect(page.locator("[data-say]")).to_have_count(0)
    assert current(page) != comparison_id
    for shows in (mode is not ReviewMode.BLIND_FIRST, mode is ReviewMode.BLIND_FIRST):
        page.keyboard.press("p")
        expect(page.locator(".sheet")).to_be_visible(visible=shows)

    # The file needs scores, which a pair that was decided by its winner alone does not have.
    given = ScoresGiven.read("4,3,2,3")
    result = json.loads(result_json(services, comparison_id, given=given))
    assert result["winner"] == "B"
    assert result["reasoning"] == "More complete, with 3 of 3 parts; m, q and z are in it"
    expect(page.get_by_role("textbox", name="Comment", exact=True)).to_have_count(0)

    # One step back leads out of the review, however many pairs were opened in it.
    page.locator(".bar .who").first.wait_for()
    page.go_back()
    page.get_by_role("button", name=re.compile("reviewing")).wait_for()


def test_a_preference_takes_two_keys(page: Page, app: App, services: Services) -> None:
    put(services, mode=ReviewMode.PREFERENCE_FIRST)
    comparison_id = begin(page, app)
    page.get_by_role("radiogroup", name="Which output does the task better?").wait_for()

    # Beside open scores, too, the digits are those that stand on the buttons.
    for key in ("p", "5", "Control+Enter"):
        page.keyboard.press(key)
    page.locator('[data-command="reopen"]').wait_for()

    with services.database.read() as connection:
        (review,) = reviews.of_comparison(connection, comparison_id)
        (version,) = reviews.events(connection, review.id)
        said = reviews.changes(connection, review.id)[-1]
    assert (version.winner, said.value) == ("B", "B_MUCH")


def test_after_a_project_s_last_pair_its_queue_stays(app: App, browser: Browser, services: Services) -> None:
    (last,) = seed(services, pairs=1, project="One pair").comparison_ids
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.clock.install()
    page.goto(f"{app.url}/?project=One+pair")
    page.locator("a.open").click()
    page.locator('[data-command="finalise_next"]').wait_for()
    page.keyboard.press("b")
    page.keyboard.press("Control+Enter")
    # The last decision stays in sight, with what can be done about it.
    expect(page.locator(".note")).to_contain_text("No more pairs wait for you")
    page.get_by_role("button", name="Export comparison.json…").click()
    page.keyboard.type("good")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_contain_text("not four whole numbers")
    # What was typed stays, to be corrected.
    expect(page.locator('[data-say="export"]')).to_have_value("good")
    expect(page.get_by_role("button", name="Reveal")).to_be_visible()
    assert last in page.url
    page.get_by_role("button", name="To the queue").click()
    page.get_by_text("All pairs are reviewed").first.wait_for()

    addresses: list[str] = []
    page.on("framenavigated", lambda frame: addresses.append(frame.url))
    page.clock.fast_forward(20_000)
    page.get_by_role("link", name="History").click()
    page.get_by_role("heading", name="History").wait_for()
    assert addresses == [f"{app.url}/history?project=One+pair"]
    page.close()


def test_a_blind_pair_that_no_judge_has_read_is_finalised_and_offers_no_scores_to_open(
    page: Page, app: App, services: Services
) -> None:
    made = seed(services, pairs=1, project="Not judged")
    with services.write() as unit:
        blind = ProjectSettings(mode=ReviewMode.BLIND_FIRST, ask_guess_share=0)
        projects.save_settings(unit, made.project_id, blind)

    page.goto(f"{app.url}/review?c={made.comparison_ids[0]}")

    main = page.locator(".actions .primary")
    expect(main).to_have_text(re.compile("^Finalise"))
    expect(page.locator('[data-command="open_judge"]')).to_have_count(0)
    expect(page.locator('[data-command="retry"]')).to_have_text("Judge")
