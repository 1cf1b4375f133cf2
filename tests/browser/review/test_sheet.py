import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from comparator.domain.labels import Winner
from comparator.domain.scoring.review import Change, ChangeKind, Touch, fold
from tests.browser.servers.real_app import WAIT
from tests.browser.servers.serving import Server
from tests.worlds.histories.sheet import HOSTILE, SheetWorld

DEAF = 1600
"""Milliseconds for which keys are taken for words, after one that was not meant."""
CORRECTNESS, COMPLETENESS = "content.correctness", "content.completeness"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SheetWorld]:
    world = SheetWorld(tmp_path_factory.mktemp("sheet"))
    yield world
    world.close()


@pytest.fixture(scope="module")
def server(world: SheetWorld) -> Iterator[Server]:
    with Server("sheet_server.py", environment=world.environment, log=world.home / "log") as server:
        yield server


class Sheet:
    """The sheet as a reviewer uses it, and what the server has stored of it."""

    def __init__(self, page: Page, *, url: str, world: SheetWorld, scenario: str) -> None:
        self.page, self.url, self.world = page, url, world
        self.comparison = world.pair(scenario)
        self.trouble: list[str] = []
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.open()

    def open(self) -> None:
        self.page.goto(f"{self.url}?c={self.comparison}")
        self.page.locator(".bar .who").first.wait_for(timeout=WAIT)
        # Where no model judged, the scores are a second step.
        if not self.page.locator(".sheet").is_visible():
            self.key("p")
        self.page.locator(".scores").first.wait_for()

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.world.changes(self.comparison)

    def row(self, row: str) -> Locator:
        return self.page.locator(f'[data-row="{row}"]')

    def step(self, row: str, label: str, score: int) -> Locator:
        return self.row(row).locator(f"td.you.{label} [role=radio]").nth(score - 1)

    def field(self, address: str) -> Locator:
        return self.page.locator(f'[data-reason="{address}"]')

    def foot(self, dimension: int, label: str) -> Locator:
        return self.page.locator(".scores tbody .foot").nth(dimension).locator(f"td.you.{label}")

    def command(self, name: str) -> Locator:
        return self.page.locator(f'.bar [data-command="{name}"]')

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def saved(self) -> None:
        self.page.locator('.saved[data-waiting="0"]').wait_for(state="attached")

    def findings(self) -> list[str]:
        """The names of what stands above the outputs."""
        return self.page.locator(".finding").all_inner_texts()

    def own_summary(self) -> Locator:
        return self.page.locator(".bar .who").nth(1)


@pytest.fixture(scope="module")
def window(browser: Browser) -> Page:
    """One window for all tests: what it has loaded and compiled once need not be loaded again.

    What a test answers itself it routes before the sheet is opened: a request that follows too soon can get past it.
    """
    return browser.new_page(viewport={"width": 1280, "height": 800})


@pytest.fixture
def open_sheet(server: Server, world: SheetWorld, window: Page) -> Iterator[Any]:
    sheets: list[Sheet] = []

    def opened(scenario: str = "plain") -> Sheet:
        sheets.append(Sheet(window, url=server.url, world=world, scenario=scenario))
        return sheets[-1]

    yield opened
    # A page of the same place that runs nothing: what one test left unsent is nothing to the next one.
    window.unroute_all()
    window.goto(f"{server.url}/_stcore/health")
    window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    for sheet in sheets:
        assert not sheet.trouble


def test_a_click_scores_totals_follow_undo_takes_it_back_and_a_reason_is_asked_for(open_sheet: Any) -> None:
    sheet = open_sheet()
    sheet.step(CORRECTNESS, "A", 2).click()
    expect(sheet.step(CORRECTNESS, "A", 2)).to_have_attribute("aria-checked", "true")
    expect(sheet.foot(0, "A")).to_have_text("3.5")
    sheet.saved()

    verdict = sheet.world.sheet(sheet.comparison).verdict
    assert verdict is not None
    expect(sheet.foot(0, "A")).to_have_text(str(verdict.totals.A.content_score))
    overall = sheet.page.locator(".scores thead .foot td.you.A")
    expect(overall).to_have_text(str(verdict.totals.A.overall_score))
    expect(sheet.own_summary()).to_contain_text(f"A wins {verdict.totals.A.overall_score} to 5.7")
    expect(sheet.page.locator(".bar .who").first).to_contain_text(
        "A wins 8.8 to 5.7, same in both orders, 8 of 16 quotes found, stated confidence 80%"
    )

    sheet.step(CORRECTNESS, "A", 1).click()
    expect(sheet.foot(0, "A")).to_have_text("3.2")
    # Out of the reason that the click led to.
    sheet.key("Escape", "Control+z")
    expect(sheet.foot(0, "A")).to_have_text("3.5")
    sheet.key("z")
    expect(sheet.foot(0, "A")).to_have_text("4.5")
    expect(sheet.command("undo")).to_be_disabled()
    sheet.page.locator(".scores .row").last.scroll_into_view_if_needed()
    expect(sheet.page.locator(".scores thead .foot")).to_be_in_viewport(ratio=1)

    # A click that changes a judge's score leads to its reason; by keys the next digit is the next score.
    sheet.row(CORRECTNESS).locator("th").click()
    sheet.key("2", "3")
    expect(sheet.step(CORRECTNESS, "A", 3)).to_have_attribute("aria-checked", "true")
    sheet.step(CORRECTNESS, "A", 1).click()
    expect(sheet.field(f"score:A:{CORRECTNESS}")).to_be_focused()
    sheet.page.keyboard.type("2 totals are wrong")
    sheet.key("Enter", "2")
    sheet.saved()
    change = fold(sheet.changes)[f"score:A:{CORRECTNESS}"]
    assert (change.value, change.reason) == (2, "2 totals are wrong")

    # After a reason, arrows move between rows.
    sheet.key("b")
    sheet.page.keyboard.type("B is complete")
    sheet.key("Escape", "1", "ArrowDown", "4")
    sheet.saved()
    values = {str(target): change.value for target, change in fold(sheet.changes).items()}
    assert (values[f"score:A:{CORRECTNESS}"], values[f"score:A:{COMPLETENESS}"]) == (1, 4)


def test_keys_score_confirm_move_and_toggle_and_quick_changes_are_all_stored(open_sheet: Any) -> None:
    sheet = open_sheet()
    sheet.key("2", "6", "j")
    expect(sheet.row(COMPLETENESS)).to_have_class(re.compile("here"))
    sheet.key("Enter")
    expect(sheet.row("content.accuracy")).to_have_class(re.compile("here"))
    sheet.key("Shift+4")
    sheet.saved()

    state = fold(sheet.changes)
    assert {address: (entry.touch, entry.value) for address, entry in state.items()} == {
        f"score:A:{CORRECTNESS}": (Touch.CHANGED, 2),
        f"score:B:{CORRECTNESS}": (Touch.CHANGED, 1),
        f"score:A:{COMPLETENESS}": (Touch.CONFIRMED, pytest.approx(4.5)),
        f"score:B:{COMPLETENESS}": (Touch.CONFIRMED, 2),
        "score:B:content.accuracy": (Touch.CONFIRMED, 4),
    }
    sheet.key("Control+s")
    expect(sheet.page.locator(".bar .note")).to_contain_text("Changes save themselves")

    sheet.key("c")
    sheet.saved()
    expect(sheet.own_summary()).to_contain_text("2 changed, 16 confirmed")
    assert [change.kind for change in sheet.changes].count(ChangeKind.CONFIRM_REST) == 13
    sheet.key("z")
    expect(sheet.page.locator(".bar .note")).to_have_text("Undone: confirm 13 values")

    sheet.row("expectation.0").locator("th").click()
    sheet.key(" ", "Shift+ ")
    sheet.saved()

    state = fold(sheet.changes)
    assert [state[f"expectation:{label}:0"].value for label in "AB"] == [False, True]
    named = "Expectation 1, output B, your answer, changed by you"
    expect(sheet.page.get_by_role("radiogroup", name=named)).to_be_visible()

    sheet.page.evaluate(
        """() => {
            const root = document.querySelector("[data-testid=stBidiComponentIsolated]").shadowRoot;
            const steps = (row) => root.querySelectorAll(`[data-row="${row}"] td.you.A [role=radio]`);
            steps("content.correctness")[0].click();
            steps("content.completeness")[0].click();
            steps("content.completeness")[2].click();
        }"""
    )
    sheet.saved()
    sheet.field(f"score:A:{CORRECTNESS}").fill("Two totals are wrong")
    sheet.page.get_by_label("Another field").click()
    sheet.saved()

    assert [(str(c.target), c.value, c.reason) for c in sheet.changes[-4:]] == [
        (f"score:A:{CORRECTNESS}", 1, ""),
        (f"score:A:{COMPLETENESS}", 1, ""),
        (f"score:A:{COMPLETENESS}", 3, ""),
        (f"score:A:{CORRECTNESS}", 1, "Two totals are wrong"),
    ]


def test_scores_that_are_finalised_untouched_are_said_to_be_accepted(open_sheet: Any) -> None:
    sheet = open_sheet()
    sheet.key("z")
    expect(sheet.page.locator(".bar .note")).to_contain_text("or History opens a final pair")
    expect(sheet.own_summary()).to_contain_text("finalising accepts the judge's scores")
    # Not before anybody can have looked at what came just now.
    sheet.page.locator(".review").evaluate("({ review }) => { review.judgedAt = Date.now(); }")
    sheet.key("Control+Enter")
    expect(sheet.page.locator(".bar .note")).to_have_text("Look at it first.")
    sheet.page.wait_for_timeout(DEAF)
    sheet.key("Control+Enter")
    accepted = "Accepted as judged: A wins, decided by the scores"
    expect(sheet.page.locator(".decided")).to_have_text(f"{accepted}.")
    expect(sheet.page.locator(".history li")).to_contain_text(accepted)
    sheet.key("Control+z")
    expect(sheet.page.locator(".bar .note")).to_contain_text("This review is finalised. Reopen it")


def test_one_text_says_why_in_the_bar_in_the_sheet_and_in_the_file(open_sheet: Any) -> None:
    sheet = open_sheet()
    why, exported = sheet.field("winner"), sheet.page.locator("p.reasoning")
    judges = exported.inner_text()
    sheet.key("t")
    sheet.page.keyboard.type("A adds up")
    expect(exported).to_have_text("A adds up")

    # A winner takes the words along, and clearing them holds.
    sheet.key("Escape", "a")
    sheet.saved()
    expect(why).to_have_value("A adds up")
    expect(exported).to_have_text("A adds up")
    why.fill("")
    sheet.saved()
    expect(exported).to_have_text(judges)
    sheet.open()
    expect(why).to_have_value("")
    assert set(fold(sheet.changes)) == {"winner"}


def test_hidden_scores_tell_no_verdict_and_take_no_key(open_sheet: Any) -> None:
    sheet = open_sheet()
    expect(sheet.own_summary()).to_contain_text("nothing changed yet")
    bar = sheet.page.locator(".bar")
    expect(bar).to_contain_text("A wins 8.8 to 5.7")
    sheet.key("p")
    expect(bar).to_contain_text("hidden with the scores")
    expect(bar.locator(".summary")).not_to_contain_text("wins")

    sheet.key("1")
    expect(bar).to_contain_text("The scores are hidden")
    expect(sheet.page.locator(".sheet")).to_be_hidden()
    sheet.page.wait_for_timeout(DEAF)
    sheet.key("b")
    sheet.saved()
    expect(sheet.own_summary()).to_contain_text("you B wins ·")
    assert [str(change.target) for change in sheet.changes] == ["winner"]
    sheet.key("Enter", "p")
    expect(sheet.own_summary()).to_contain_text("you B wins, against the scores 5.7 to 8.8")


def test_what_others_settled_is_theirs_until_one_reviews_it_too(open_sheet: Any, world: SheetWorld) -> None:
    sheet = open_sheet("settled")
    world.settle(sheet.comparison, Winner.B, why="A has the wrong total.")
    sheet.open()
    expect(sheet.own_summary()).to_contain_text(
        re.compile(r"^reviewer .*\(B\) wins, against the scores 5\.7 to 8\.8")
    )
    expect(sheet.own_summary()).to_contain_text("A has the wrong total.")
    expect(sheet.step(CORRECTNESS, "A", 2)).to_be_disabled()
    sheet.key("b")
    expect(sheet.page.locator(".note")).to_contain_text("Review it too")
    with sheet.page.expect_download() as download:
        sheet.command("export").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["winner"] == "B"
    assert sheet.changes == ()

    sheet.page.get_by_role("button", name="Review it too").click()
    expect(sheet.own_summary()).to_contain_text("nothing changed yet")
    sheet.step(CORRECTNESS, "A", 2).click()
    sheet.saved()
    assert len(sheet.changes) == 1
    sheet.open()
    expect(sheet.own_summary()).to_contain_text("1 changed")


def test_where_no_judge_has_read_the_sheet_says_nothing_of_one_and_counts_rows(open_sheet: Any) -> None:
    sheet = open_sheet("failed")
    expect(sheet.page.locator(".chosen")).to_be_visible()
    expect(sheet.page.locator(".chosen")).not_to_contain_text("rationale")
    expect(sheet.own_summary()).to_have_text("you no answer yet")


@pytest.mark.slow
def test_keys_of_the_panes_arrive_and_keys_typed_into_fields_do_not(open_sheet: Any) -> None:
    sheet = open_sheet()
    sheet.page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '2', code: 'Digit2', bubbles: true}))"
    )
    sheet.saved()
    sheet.page.get_by_label("Another field").fill("")
    sheet.page.get_by_label("Another field").press_sequentially("345azn")
    sheet.field(f"score:A:{CORRECTNESS}").press_sequentially("1 a z 5?")
    sheet.page.get_by_label("Another field").click()
    sheet.saved()

    assert {str(change.target) for change in sheet.changes} == {f"score:A:{CORRECTNESS}"}
    assert sheet.changes[-1].reason == "1 a z 5?"
    assert sheet.changes[-1].value == 2


def test_every_value_has_a_name_and_what_few_pairs_need_is_one_click_away(
    open_sheet: Any,
) -> None:
    sheet = open_sheet()
    named = sheet.page.get_by_role
    group = named("radiogroup", name="Correctness, output A, your score, not confirmed yet")
    expect(group.get_by_role("radio")).to_have_count(5)
    group.get_by_role("radio", name="3").click()
    group = named("radiogroup", name="Correctness, output A, your score, changed by you")
    expect(group.get_by_role("radio", checked=True)).to_have_accessible_name("3")
    group.get_by_role("radio", name="3").focus()
    sheet.key("ArrowRight")
    expect(group.get_by_role("radio", name="4")).to_be_focused()
    sheet.key("ArrowDown")
    expect(sheet.row(COMPLETENESS).locator(":focus")).to_have_count(1)
    sheet.key("?")
    expect(named("dialog", name="Keys")).to_be_visible()
    expect(named("heading", name="Keys", exact=True)).to_be_in_viewport()
    sheet.key("Escape")

    bar = sheet.page.locator(".bar")
    assert bar.locator(".actions button:visible").all_inner_texts() == ["Undo", "Skip", "…", "Finalise"]
    for name, after in (("Comment", ".notes textarea"), ("Keys", "dialog.keys[open]")):
        bar.get_by_role("button", name="More").click()
        bar.locator(".asking").get_by_role("button", name=name).click()
        expect(sheet.page.locator(after)).to_be_visible()
        sheet.key("Escape")
    sheet.page.locator(".chosen").get_by_role("button", name="Confirm the rest").click()
    expect(bar.locator(".note")).to_contain_text("Confirmed")


def test_a_changed_value_without_its_needed_reason_blocks_finalising(open_sheet: Any) -> None:
    sheet = open_sheet("required")
    sheet.step(CORRECTNESS, "A", 2).click()
    sheet.saved()
    sheet.command("finalise").click()
    expect(sheet.page.locator(".problems.pressed")).to_contain_text(
        "This project requires a reason. Give one for: Correctness (A)."
    )
    expect(sheet.page.locator(".decided")).to_have_count(0)

    reason = sheet.field(f"score:A:{CORRECTNESS}")
    expect(reason).to_have_attribute("aria-invalid", "true")
    reason.fill("Two totals are wrong")
    sheet.page.get_by_label("Kind of reason, Correctness, output A").select_option("too lenient")
    sheet.command("finalise").click()
    expect(sheet.page.locator(".decided")).to_have_text(
        "Finalised: A wins, decided by the scores; 1 value changed from the judge's."
    )
    assert (sheet.changes[-1].reason, sheet.changes[-1].code) == ("Two totals are wrong", "too lenient")


def test_finalising_stores_what_was_just_typed_and_closes_the_sheet(open_sheet: Any) -> None:
    sheet = open_sheet()
    sheet.step(CORRECTNESS, "A", 2).click()
    sheet.field(f"score:A:{CORRECTNESS}").press_sequentially("Typed in the last moment")
    # The file that is asked for while the review is being finalised comes once it is.
    with sheet.page.expect_download() as early:
        sheet.page.locator(".review").evaluate(
            """root => ["Enter", "s"].forEach((key) => root.dispatchEvent(
                new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, composed: true })
            ))"""
        )
    assert json.loads(Path(early.value.path()).read_text("utf-8"))["winner"] == "A"
    expect(sheet.page.locator(".decided")).to_contain_text("Finalised: A wins")
    assert sheet.changes[-1].reason == "Typed in the last moment"
    expect(sheet.step(CORRECTNESS, "A", 2)).to_be_disabled()
    # While the sheet says that keys are not taken, none is.
    expect(sheet.page.locator(".note")).to_have_count(0)
    sheet.page.wait_for_timeout(DEAF)
    sheet.key("4")
    expect(sheet.page.locator(".note")).to_have_text("This review is finalised. Reopen it to change a score.")

    with sheet.page.expect_download() as download:
        sheet.command("export").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["winner"] == "A"
    assert re.fullmatch(r"comparison-[a-z0-9-]+\.json", download.value.suggested_filename)

    # Both in one turn of the browser, so that the answer cannot come in between.
    sheet.command("reopen").evaluate(
        """button => {
            button.click();
            button.dispatchEvent(new KeyboardEvent("keydown", { key: "4", bubbles: true, composed: true }));
        }"""
    )
    expect(sheet.step(CORRECTNESS, "A", 2)).to_be_enabled()
    # The key came too early, and scored nothing.
    expect(sheet.step(CORRECTNESS, "A", 4)).to_have_attribute("aria-checked", "false")
    assert sheet.changes[-1].reason == "Typed in the last moment"
    expect(sheet.page.locator(".history li")).to_have_count(1)
    sheet.step(CORRECTNESS, "A", 1).click()
    sheet.saved()
    sheet.command("finalise").click()
    expect(sheet.page.locator(".history li")).to_have_count(2)


def test_after_the_reveal_the_bar_and_the_versions_name_the_winner(open_sheet: Any) -> None:
    sheet = open_sheet("revealed")
    sheet.step(CORRECTNESS, "A", 2).click()
    sheet.field(f"score:A:{CORRECTNESS}").fill("Two totals are wrong")
    sheet.key("Control+Enter")
    expect(sheet.page.locator(".decided")).to_contain_text("Finalised: A wins")

    names = sheet.world.reveal(sheet.comparison)
    sheet.open()

    winner = f"{names.A} (A) wins"
    expect(sheet.page.locator(".decided")).to_contain_text(f"Finalised: {winner}")
    expect(sheet.page.locator(".bar .who").first).to_contain_text(f"{winner} 8.8 to 5.7")
    expect(sheet.page.locator(".history li")).to_contain_text(winner)
    assert sheet.own_summary().get_attribute("title").startswith(winner)
    sheet.command("reopen").click()
    expect(sheet.own_summary()).to_contain_text(winner)


def test_hostile_text_in_every_field_is_only_text(open_sheet: Any) -> None:
    sheet = open_sheet("hostile")
    asked: list[str] = []
    sheet.page.on("request", lambda request: asked.append(request.url))
    sheet.step(CORRECTNESS, "A", 2).click()
    sheet.field(f"score:A:{CORRECTNESS}").fill(HOSTILE)
    sheet.page.locator(".anchors summary").click()
    sheet.saved()

    shown = HOSTILE.replace("\u202e", "⟨U+202E⟩")
    for place in (".anchors", ".reading", ".quotes", ".expectations th .label"):
        expect(sheet.page.locator(place).first).to_contain_text(shown)
    expect(sheet.page.locator("p.reasoning")).to_contain_text(shown)
    assert "An output addresses the judge" in sheet.findings()
    assert sheet.page.locator(".review :is(img, script, style)").count() == 0
    assert not [url for url in asked if "evil" in url]
    assert sheet.page.title() == "Score sheet"


@pytest.mark.slow
def test_a_change_that_is_turned_away_is_kept_and_sent_again(open_sheet: Any, window: Page) -> None:
    refusal = {"status": 403, "json": {"problem": "Your sign-in has ended."}}
    window.route("**/changes", lambda route: route.fulfill(**refusal))
    sheet = open_sheet()
    sheet.step(CORRECTNESS, "A", 2).click()

    expect(sheet.page.get_by_role("alert")).to_contain_text("Not saved yet. Your sign-in has ended.")
    expect(sheet.page.locator(".saved")).to_have_text("not saved yet, will be sent again")
    assert sheet.changes == ()
    sheet.page.unroute("**/changes")
    sheet.saved()
    expect(sheet.page.get_by_role("alert")).to_have_count(0)
    assert [change.value for change in sheet.changes] == [2]


def test_a_sheet_that_is_made_anew_goes_on_with_what_is_typed(open_sheet: Any, window: Page) -> None:
    sheet = open_sheet()
    sheet.step(CORRECTNESS, "A", 2).click()
    reason = sheet.field(f"score:A:{CORRECTNESS}")
    window.get_by_label("Another field").fill("made anew")
    # Whoever leaves the other field has the page run again, and the element made anew.
    reason.click()
    window.get_by_text("Run 2").wait_for()
    window.wait_for_timeout(500)
    window.keyboard.type("5 of them? No, a few.")

    expect(reason).to_have_value("5 of them? No, a few.")
    expect(sheet.page.locator(".chosen").get_by_text("both orders:").first).to_be_visible()
    expect(sheet.page.get_by_role("img", name="A shown first:").first).to_be_visible()
    sheet.saved()
    assert [(change.value, change.reason) for change in sheet.changes][-1] == (2, "5 of them? No, a few.")


@pytest.mark.slow
def test_changes_made_while_one_is_being_saved_follow_in_one_request(open_sheet: Any, window: Page) -> None:
    held: list[Any] = []
    window.route("**/changes", lambda route: route.continue_() if held else held.append(route))
    sheet = open_sheet()
    with sheet.page.expect_request("**/changes"):
        sheet.key("2")
    sheet.key("7", "j", "2", "7")
    expect(sheet.page.locator(".saved")).to_have_attribute("data-waiting", "4")
    (first,) = held
    with sheet.page.expect_request("**/changes") as following:
        first.continue_()
    sheet.saved()

    assert len(first.request.post_data_json["changes"]) == 1
    assert len(following.value.post_data_json["changes"]) == 3
    assert len({change.id for change in sheet.changes}) == len(sheet.changes) == 4
