"""The main job in the browser, on the real app: from lists, uploads and folders to a result; and the docs' pictures."""

import os
import re
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from comparator.domain.project import LOOK_ONCE, DecisionPlan
from comparator.domain.scoring.result import ComparisonResult
from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from comparator.store.core.sql import Unit, new_id
from comparator.store.people import projects
from tests.browser.outputs.film import Film
from tests.browser.servers.real_app import WAIT, App, open_scores
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.history import History
from tests.worlds.histories.pairs import World
from tests.worlds.workbench import GOOD, POOR, TASK

EXAMPLES = ("booking-form", "incident-report", "invoice-extraction")
STILL = "() => !document.querySelector('[data-testid=stSkeleton], [data-testid=stStatusWidget]')"
"""Whether all of the page is there."""


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


def test_a_pair_opens_by_one_message_and_back_leads_to_the_same_list(app: App, browser: Browser) -> None:
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

    # Wherever the row is pressed.
    rows.first.locator("td.status .chip").click()

    page.locator(".pane[data-side=a] iframe.front").wait_for()
    # One run of the page that is gone to, and none of the list that is left.
    assert len(sent) == before + 1
    assert href in page.url
    page.go_back()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("outage")
    expect(rows).to_have_count(1)
    # No step forward is tried: a run of the review that answers late writes its address over it, in Streamlit.
    page.wait_for_url(re.compile(r"/history\?q=outage&project=Examples$"))
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
def test_nothing_is_asked_of_another_machine(app: App, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text) if "Policy" in message.text else None)

    for name in ("", "new", "history", "settings"):
        page.goto(f"{app.url}/{name}")
        expect(page.get_by_role("combobox", name="Project", exact=True).first).to_be_visible()

    assert [url for url in asked if not url.startswith((app.url, "data:", "blob:"))] == []
    assert refused == []


def test_the_examples_are_there_to_review_at_once(app: App, page: Page) -> None:
    page.goto(app.url)
    page.get_by_role("button", name=re.compile("(Start|Continue) reviewing")).click()
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


def folders(where: Path) -> tuple[Path, Path]:
    for name, text in (("with_skill", GOOD), ("without_skill", POOR)):
        (where / name).mkdir(parents=True)
        (where / name / "report.md").write_text(text)
    return where / "with_skill", where / "without_skill"


def step(page: Page, row: str, label: str, score: int) -> Locator:
    return page.locator(f'[data-row="{row}"] td.you.{label} [role=radio]').nth(score - 1)


def saved(page: Page) -> None:
    page.locator('.saved[data-waiting="0"]').wait_for()
    expect(page.locator(".saved")).to_have_text(re.compile(r"^saved"))


def fill(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Control+Enter" if field.evaluate("e => e.tagName") == "TEXTAREA" else "Enter")


def test_the_buttons_of_new_stay_in_place_and_one_click_right_after_typing_opens_the_review(
    app: App, page: Page
) -> None:
    page.goto(f"{app.url}/new")
    button, prompt = (
        page.locator(".st-key-new_judge_now button"),
        page.get_by_label("Prompt", exact=True),
    )
    button.wait_for()
    before = button.bounding_box()
    for box in ("First output", "Second output"):
        page.get_by_role("textbox", name=box, exact=True).fill("The same text")
    prompt.fill("Write the report of last week.")
    prompt.blur()
    page.get_by_text("Both outputs are identical").wait_for()
    page.get_by_text("No words were found").wait_for()
    assert button.bounding_box() == before

    page.get_by_role("textbox", name="First output", exact=True).fill(GOOD)
    prompt.click()
    page.keyboard.type("In short. ")
    button.click()

    page.wait_for_url(re.compile(r"/review\?c="))


def test_from_two_folders_to_a_downloaded_result(app: App, page: Page, tmp_path: Path) -> None:
    first, second = folders(tmp_path)
    page.goto(f"{app.url}/new")
    fill(page, "Prompt", TASK.prompt)
    page.get_by_text("More", exact=True).click()
    fill(page, "Expectations, one per line", "\n".join(TASK.expectations))
    paths = page.get_by_label("File or folder on this machine")
    for index, folder in enumerate((first, second)):
        page.locator(f".st-key-new_{('first', 'second')[index]}_way").get_by_text("Path", exact=True).click()
        paths.nth(index).fill(str(folder))
        paths.nth(index).press("Enter")
        page.get_by_text("report.md").nth(index).wait_for()

    page.locator(".st-key-new_judge_now button").click()
    page.wait_for_url(re.compile(r"/review\?c="))
    # The outputs are there at once; what the check says comes when it is made.
    page.locator(".bar .who").first.wait_for()
    page.locator("span.step").wait_for(state="hidden")
    open_scores(page)

    rows = page.locator("[data-row^='content.'], [data-row^='structure.']")
    rows.first.wait_for()
    every = [str(rows.nth(i).get_attribute("data-row")) for i in range(rows.count())]
    # comparison.json needs a score in each dimension.
    names = [next(name for name in every if name.startswith(part)) for part in ("content", "structure")]
    step(page, names[0], "A", 2).click()
    page.locator(f'[data-reason="score:A:{names[0]}"]').fill("The total is missing a field")
    step(page, names[1], "B", 4).click()
    page.locator(f'[data-reason="score:B:{names[1]}"]').fill("Usable as it is")
    page.locator(f'[data-reason="score:B:{names[1]}"]').blur()
    # A criterion or expectation counts only with a value for both outputs.
    step(page, names[0], "B", 3).click()
    step(page, names[1], "A", 3).click()
    for label in "AB":
        page.locator(f'[data-row="expectation.0"] td.you.{label} [role=radio]').first.click()
    saved(page)

    app.kill()
    app.start()
    page.reload()
    open_scores(page)
    expect(step(page, names[0], "A", 2)).to_have_attribute("aria-checked", "true")
    expect(page.locator(f'[data-reason="score:A:{names[0]}"]')).to_have_value("The total is missing a field")
    expect(step(page, names[1], "B", 4)).to_have_attribute("aria-checked", "true")

    page.locator("[data-reason=winner]").fill("Looked at both; the scores say which is better.")
    page.locator("[data-reason=winner]").blur()
    saved(page)
    expect(page.get_by_text("Sides are hidden; you know the candidates")).to_be_visible()
    page.locator("[data-command='finalise']").click()
    with page.expect_download(timeout=WAIT) as download:
        page.locator("[data-command='export']").click()
    text = Path(download.value.path()).read_text("utf-8")

    result = ComparisonResult.from_json(text)
    assert result.to_json() == text
    assert result.expectation_results is not None
    assert result.expectation_results.A.total == 1
    assert result.rubric.A.content[names[0].split(".")[1]] == 2
    assert result.rubric.B.structure[names[1].split(".")[1]] == 4
    assert result.reasoning == "Looked at both; the scores say which is better."
    page.locator("[data-ask='reveal']").click()
    page.keyboard.press("1")
    expect(page.get_by_text("Candidates revealed")).to_be_visible()


@pytest.fixture(scope="module")
def project(app: App) -> str:
    """A project of the app in which v32 met v31 in 24 tasks, reviewed and revealed, with a plan."""
    database = Database.open(f"sqlite:///{app.home / 'comparator.db'}")
    history = History(World(database, BlobStore.at((app.home / "blobs").as_uri())))
    for number in range(24):
        history.task(f"Invoice {417 + number}: line items to JSON")
        new, old = (5, 3) if number < 15 else (4, 4) if number < 18 else (3, 4)
        pair = history.pair(new, old, names=("v32", "v31"))
        history.review(pair, new, old if number % 5 else old + 1)
    plan = DecisionPlan(
        smallest_difference=0.05, reviews=24, stop_rule=LOOK_ONCE, fixed_at=history.world.now()
    )
    with database.write() as connection:
        settings = projects.get(connection, history.project).settings.with_plan(plan)
        projects.save_settings(
            Unit(connection, at=history.world.now(), new_id=new_id), history.project, settings
        )
    history.reveal()
    database.close()
    return history.world.project.name


@pytest.mark.slow
def test_a_click_on_a_bar_lists_the_pairs_behind_it(app: App, page: Page, project: str) -> None:
    page.goto(f"{app.url}/dashboards?project={project}&part=Why")
    bar = page.locator(".js-plotly-plot").first.locator(".bars .point").first
    bar.wait_for()
    box = bar.bounding_box()
    assert box

    page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)

    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile(": led by v32$", re.IGNORECASE))).to_be_visible()
    expect(dialog).to_contain_text("v32 against v31: 15 pairs.")
    rows = dialog.locator("canvas").first
    rows.wait_for()

    # A click on a word of the second row opens it, and its mark goes on with the buttons.
    rows.click(position={"x": 150, "y": 84}, force=True)

    expect(dialog).to_contain_text("Pair 2 of 15")
    expect(dialog.get_by_text(re.compile("^Verdict by"))).to_be_visible()
    dialog.get_by_role("button", name="Next").click()
    expect(dialog).to_contain_text("Pair 3 of 15")
    expect(dialog.locator("[role=row][aria-rowindex='4'][aria-selected=true]")).to_have_count(1)


@pytest.fixture(scope="module")
def answers(app: App) -> str:
    """A project of the app with four iterations of six tasks, revealed."""
    database = Database.open(f"sqlite:///{app.home / 'comparator.db'}")
    world = World(database, BlobStore.at((app.home / "blobs").as_uri()), project="Answers")
    Experiment(world, iterations=4, tasks_of=6).build()
    database.close()
    return world.project.name


@pytest.mark.slow
def test_a_click_on_a_point_or_a_box_across_the_picture_lists_the_pairs(
    app: App, page: Page, answers: str
) -> None:
    page.goto(f"{app.url}/history?project={answers}")
    point = page.locator(".js-plotly-plot .scatterlayer .point").nth(2)
    point.wait_for()
    expect(page.get_by_text("24 comparisons")).to_be_visible()
    box = point.bounding_box()
    assert box

    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    page.wait_for_url(re.compile("iteration=3"))
    expect(page.get_by_text("6 comparisons", exact=True)).to_be_visible()

    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_text("24 comparisons")).to_be_visible()
    plot = page.locator(".js-plotly-plot .nsewdrag").first
    page.locator(".js-plotly-plot").first.hover()
    page.locator(".modebar-btn[data-title='Box Select']").first.click()
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.99, box["y"] + 60, steps=10)
    page.mouse.up()

    page.wait_for_url(re.compile(r"iteration=3&iteration=4"))
    # The span stands in the address: who is sent it sees the same list.
    page.reload()
    expect(page.get_by_text("12 comparisons")).to_be_visible()


@pytest.mark.slow
def test_a_tab_stands_in_the_address_and_is_there_on_the_way_back_from_another_page(
    app: App, page: Page, answers: str
) -> None:
    page.goto(f"{app.url}/dashboards?project={answers}&within=tag:network")
    chosen = page.locator("[data-testid=stButtonGroup] [aria-checked=true]")
    expect(chosen.filter(has_text="Overview")).to_be_visible(timeout=WAIT)
    for name in ("Where", "Cost"):
        page.get_by_role("radio", name=name, exact=True).click()
        page.wait_for_url(f"**part={name}**", timeout=WAIT)
        expect(chosen.filter(has_text=name)).to_be_visible(timeout=WAIT)
        page.wait_for_function(STILL)

    page.get_by_role("link", name="Help", exact=True).click()
    page.wait_for_url("**/help**")
    page.get_by_role("link", name="Dashboards", exact=True).click()

    expect(chosen.filter(has_text="Cost")).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("button", name="Tag: network")).to_be_visible()


FORM = "Room booking form"
"""An example that comes with a judgment."""
PAGES = {
    "queue": ("", "tbody tr a.open"),
    "new": ("new", ".st-key-new_judge_now button"),
    "import": ("import", ".st-key-import_find button"),
    "batches": ("batches", "h1"),
    "panel": ("panel", "[data-testid=stMetric]"),
    "judge": ("judge", "[data-testid=stBadge], h1"),
    "settings": ("settings?project=Examples", "[data-testid=stExpander]"),
    "help": ("help", "h1"),
}
"""What else the docs show: the address, and what is there once the page stands."""


def open_form(app: App, page: Page) -> None:
    """The review of the judged example, without the hints of a first start."""
    page.add_init_script("localStorage.setItem('comparator:hints', 'true')")
    page.goto(app.url)
    page.locator("a.open").filter(has_text=FORM).first.click()
    open_scores(page)
    page.locator(".pane[data-side=b] iframe.front").wait_for()
    for label in "ab":
        page.frame_locator(f".pane[data-side={label}] iframe.front").locator(".sheet img").first.wait_for()
    expect(page.locator(".veil:not([hidden])")).to_have_count(0)
    page.locator(".bar .actions").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screenshot_of_each_page_for_the_docs(
    app: App, page: Page, project: str, scheme: Literal["light", "dark"]
) -> None:
    folder = Path(os.environ.get("SCREENSHOTS") or app.home)
    ending = ".png" if scheme == "light" else "-dark.png"
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme=scheme)
    open_form(app, page)
    page.screenshot(path=folder / f"review{ending}")
    page.goto(f"{app.url}/dashboards?project={project}&part=Why")
    page.locator(".js-plotly-plot .bars").first.wait_for()
    page.screenshot(path=folder / f"dashboards{ending}")
    if "SCREENSHOTS" in os.environ:
        page.set_viewport_size({"width": 1280, "height": 1000})
        page.goto(f"{app.url}/dashboards?project={project}&part=Plan%20and%20report")
        page.get_by_role("button", name="Report as PDF").wait_for()
        page.wait_for_function(STILL)
        page.screenshot(path=folder / f"decision{ending}")
        page.goto(f"{app.url}/history?project={project}")
        page.locator("tbody tr a.open").first.wait_for()
        page.wait_for_function(STILL)
        page.screenshot(path=folder / f"history{ending}")
        page.set_viewport_size({"width": 1280, "height": 800})
        for name, (address, there) in PAGES.items():
            page.goto(f"{app.url}/{address}" + (f"?project={project}" if name in ("panel", "judge") else ""))
            page.locator(there).first.wait_for()
            page.wait_for_function(STILL)
            page.screenshot(path=folder / f"{name}{ending}")
    assert (folder / f"dashboards{ending}").stat().st_size > 20_000
    assert (folder / f"review{ending}").stat().st_size > 20_000


@pytest.mark.soak
def test_a_moving_picture_leads_from_queue_to_dashboards(app: App, page: Page, project: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    film = Film(page)

    page.goto(app.url)
    page.get_by_text(FORM).first.wait_for()
    film.take(2)
    open_form(app, page)
    film.take(3)
    page.get_by_role("button", name="Evening talk").first.click()
    page.wait_for_function(
        "(pane) => pane.contentWindow.CSS.highlights.size > 0",
        arg=page.locator(".pane[data-side=a] iframe.front").element_handle(),
    )
    film.take(3)
    page.locator("td.you.A [role=radio]").nth(0).click()
    saved(page)
    film.take(3)
    page.locator("[data-command='finalise_next']").click()
    page.get_by_role("button", name="Back to it").wait_for()
    film.take(3)
    page.goto(f"{app.url}/dashboards?project={project}&part=Why")
    page.locator(".js-plotly-plot .bars").first.wait_for()
    film.take(4)
    page.goto(f"{app.url}/dashboards?project={project}&part=Plan%20and%20report")
    page.get_by_role("button", name="Report as PDF").scroll_into_view_if_needed()
    film.take(3)

    target = Path(os.environ.get("SCREENSHOTS") or app.home) / "tour.webp"
    film.save(target)
    assert target.stat().st_size < 3_000_000
    # Pictures that do not differ would be one.
    with Image.open(target) as made:
        assert getattr(made, "n_frames", 1) == len(film.frames)
