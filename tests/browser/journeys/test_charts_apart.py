"""No label of a chart runs into another or is cut: every tab, in both themes, at three widths, and on paper."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdfium2 import PdfDocument, PdfPage
from pypdfium2.raw import FPDFText_GetUnicode

from comparator.bootstrap import open_services
from comparator.settings import Settings
from comparator.ui.dashboards.tabs.trust import PARTS as TRUST
from tests.browser.servers.planted_home import planted_app
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

WIDTHS = (820, 1280, 1600)
PARTS = ("why", "where", "differ", "time", "trust", "cost", "plan")
VIEWS = {
    "history": "history?",
    **{part: f"dashboards?part={part}&scope=all&" for part in PARTS},
    **{f"trust-{about}": f"dashboards?part=trust&trust={about}&" for about in TRUST if about != "agreement"},
    "newest": "dashboards?scope=this&",
    "newest-where": "dashboards?part=where&scope=this&",
}
BOXES = {"trust-bias": "flips", "trust-corrections": "corrections", "trust-reviewers": "reviewers"}
"""What stands first where a part of a tab was asked for."""
HEIGHT = 4000
"""Of the window: pages scroll inside, so that what is below would be in no picture."""
SHOTS = os.environ.get("CHARTS_SHOTS", "")
"""A folder for pictures of each page, to be looked at."""
ICONS = "[data-testid=stIconMaterial], [role=img][aria-label$=' icon']"
DRAWN = "() => !document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]')"
CLASHES = """() => {
    const LEAST = 1.5;
    const shown = (element) => {
        for (let each = element; each && each.nodeType === 1; each = each.parentElement) {
            const style = getComputedStyle(each);
            if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return false;
        }
        return true;
    };
    // The four corners of a text, turned as it is, a little within its box.
    const corners = (text) => {
        const box = text.getBBox(), at = text.getScreenCTM();
        const less = Math.min(LEAST, box.width / 4, box.height / 4), top = box.height * 0.15;
        const sides = [[box.x + less, box.y + top], [box.x + box.width - less, box.y + top],
            [box.x + box.width - less, box.y + box.height - top], [box.x + less, box.y + box.height - top]];
        return sides.map(([x, y]) => [at.a * x + at.c * y + at.e, at.b * x + at.d * y + at.f]);
    };
    const apart = (one, two) => [one, two].some((shape) => shape.some((corner, n) => {
        const next = shape[(n + 1) % 4], axis = [corner[1] - next[1], next[0] - corner[0]];
        const span = (of) => of.map(([x, y]) => x * axis[0] + y * axis[1]);
        const [a, b] = [span(one), span(two)];
        return Math.max(...a) <= Math.min(...b) || Math.max(...b) <= Math.min(...a);
    }));
    const inside = (shape, [x, y]) => shape.every((corner, n) => {
        const next = shape[(n + 1) % 4];
        return (next[0] - corner[0]) * (y - corner[1]) - (next[1] - corner[1]) * (x - corner[0]) > 0;
    });
    const found = [];
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
        const svg = plot.querySelector(".main-svg").getBoundingClientRect();
        if (!svg.width) continue;
        const texts = [...plot.querySelectorAll("svg.main-svg text")].filter((text) =>
            !text.closest(".hoverlayer, .modebar, .annotation-text-g .cursor-pointer") &&
            text.textContent.trim() !== "" && shown(text));
        const placed = texts.map((text) => ({ words: text.textContent, shape: corners(text) }));
        placed.forEach((one, n) => {
            for (const [x, y] of one.shape)
                if (x < svg.left - 2 || x > svg.right + 2 || y < svg.top - 2 || y > svg.bottom + 2) {
                    found.push(`cut: ${one.words}`);
                    break;
                }
            for (const two of placed.slice(n + 1))
                if (!apart(one.shape, two.shape)) found.push(`${one.words} / ${two.words}`);
        });
        const crossed = new Set();
        for (const line of plot.querySelectorAll(".scatterlayer .js-line")) {
            if (!shown(line) || parseFloat(getComputedStyle(line).strokeWidth) === 0) continue;
            const at = line.getScreenCTM(), length = line.getTotalLength();
            for (let along = 0; along <= length; along += LEAST) {
                const { x, y } = line.getPointAtLength(along);
                const point = [at.a * x + at.c * y + at.e, at.b * x + at.d * y + at.f];
                for (const text of placed) if (inside(text.shape, point)) crossed.add(text.words);
            }
        }
        for (const words of crossed) found.push(`a line goes through ${words}`);
        const legend = plot.querySelector(".legend .bg")?.getBoundingClientRect();
        const bars = legend ? [...plot.querySelectorAll(".barlayer .point path")] : [];
        if (bars.map((bar) => bar.getBoundingClientRect()).some((bar) => bar.width > 2 &&
            bar.top < legend.bottom - 2 && bar.bottom > legend.top + 2 &&
            bar.left < legend.right - 2 && bar.right > legend.left + 2)) found.push("the legend lies on a bar");
    }
    for (const each of document.querySelectorAll(
        "[data-testid=stMetricValue], [data-testid=stMetricLabel] p, [data-testid=stHeading] *, button p, .stBadge")) {
        const style = getComputedStyle(each);
        if (each.scrollWidth > each.clientWidth + 1 && style.overflowX !== "visible" && style.display !== "inline")
            found.push(`cut: ${each.textContent}`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) found.push("wider than the window");
    return found;
}"""
"""Pairs of labels of one chart that overlap, lines through labels, legends on bars, what a chart or box cuts, and a
page that is too wide."""
PAPER = 703
"""CSS pixels across A4 within the margins of a print."""
BEYOND_PAPER = """() => [...document.querySelectorAll("[data-testid=stMainBlockContainer] *")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && box.height && box.right > innerWidth + 1;
}).map((each) => each.dataset.testid || each.className.toString() || each.tagName)"""
"""What a print would cut at its right edge."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, Experiment]]:
    """The app with the experiment."""
    with planted_app(tmp_path_factory.mktemp("apart")) as place:
        yield place


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, Experiment]]:
    """The app with 60 tasks in 35 iterations."""
    with _app_of(tmp_path_factory.mktemp("large"), iterations=35, tasks_of=60) as place:
        yield place


@contextmanager
def _app_of(home: Path, *, iterations: int, tasks_of: int) -> Iterator[tuple[App, Experiment]]:
    services = open_services(Settings(home=home))
    experiment = Experiment(
        World(services.database, services.blobs), iterations=iterations, tasks_of=tasks_of, reviewed=False
    ).build()
    services.close()
    app = App(home)
    try:
        app.start()
        yield app, experiment
    finally:
        app.kill()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A window."""
    page = browser.new_page(viewport={"width": WIDTHS[0], "height": HEIGHT})
    page.set_default_timeout(WAIT)
    return page


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_label_runs_into_another_or_is_cut(
    place: tuple[App, Experiment], page: Page, view: str, theme: Any, tmp_path: Path
) -> None:
    app, experiment = place
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    page.emulate_media(media="screen", color_scheme=theme)
    page.goto(f"{app.url}/{VIEWS[view]}project={experiment.project}")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=WAIT)
    if view in BOXES:
        expect(page.locator(f".st-key-box_{BOXES[view]}")).to_be_visible(timeout=WAIT)
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[f"{width}"] = clashes(page, f"{view}-{theme}-{width}")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_timeout(800)
    page.emulate_media(media="null", color_scheme=theme)  # else the screen's style is printed
    printed = Path(SHOTS or tmp_path) / f"{view}-{theme}.pdf"
    # An icon is written by its name; the letters of that have boxes that nobody sees.
    page.add_style_tag(content=f"{ICONS} {{ visibility: hidden !important; }}")
    page.pdf(path=printed, prefer_css_page_size=True)
    found["print"] = overprinted(printed)
    page.emulate_media(media="print", color_scheme=theme)
    page.set_viewport_size({"width": PAPER, "height": HEIGHT})
    # Charts take the paper's width one after the other.
    for _ in range(10):
        page.wait_for_timeout(800)
        found["paper"] = page.evaluate(BEYOND_PAPER)
        if not found["paper"]:
            break

    assert found == {name: [] for name in found}


def test_words_that_run_into_each_other_on_paper_are_found(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    found = []
    for apart in (0, 40):
        page.set_content(
            "<p style='position: absolute; top: 100px'>Network</p>"
            f"<p style='position: absolute; top: {100 + apart}px'>Billing</p>"
        )
        page.pdf(path=tmp_path / "printed.pdf")
        found.append(overprinted(tmp_path / "printed.pdf"))
    page.close()

    assert found == [["page 1: Network / Billing"], []]


def test_a_line_through_a_label_is_found(browser: Browser) -> None:
    page = browser.new_page()
    found = []
    for turned in (0, -90):
        for at, width in ((50, 2), (90, 2), (50, 0)):
            page.set_content(
                "<div class='js-plotly-plot'><svg class='main-svg' width='400' height='200'>"
                f"<text x='100' y='55' transform='rotate({turned} 120 50)'>67%</text><g class='scatterlayer'>"
                f"<path class='js-line' d='M10,{at}L390,{at}' stroke='black' stroke-width='{width}' fill='none'/>"
                "</g></svg></div>"
            )
            found.append(page.evaluate(CLASHES))
    page.close()

    assert found == [["a line goes through 67%"], [], []] * 2


FIRST_SQUARE = "() => document.querySelector('.st-key-box_grid .js-plotly-plot').data[0].customdata[0]"
"""The words of the first square of the grid."""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_click_on_a_cell_of_the_history_lists_its_pairs(place: tuple[App, Experiment], page: Page) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    page.emulate_media(media="screen", color_scheme="light")
    page.goto(f"{app.url}/history?project={experiment.project}")
    cell = page.locator(".st-key-box_grid .point").first
    expect(cell).to_be_visible(timeout=WAIT)
    page.wait_for_function(DRAWN)
    box = cell.bounding_box()
    assert box is not None

    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.click(x, y)

    page.wait_for_url(re.compile(r"iteration=\d+"))
    expect(page.get_by_text("1 comparison", exact=True)).to_be_visible(timeout=WAIT)
    assert "task=" in page.url


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_click_on_a_square_of_the_dashboards_lists_its_pairs(
    place: tuple[App, Experiment], page: Page
) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    page.emulate_media(media="screen", color_scheme="light")
    received: list[object] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(frame)))
    page.goto(f"{app.url}/dashboards?part=time&project={experiment.project}")
    square = page.locator(".st-key-box_grid .point").first
    expect(square).to_be_visible(timeout=WAIT)
    page.wait_for_function(DRAWN)
    box = square.bounding_box()
    assert box is not None

    # The same square again, once its list was closed.
    for closed in (1, 2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        told = page.get_by_role("dialog")
        expect(told.get_by_text(re.compile(r"Counted pairs, .*: 1 pair"))).to_be_visible(timeout=WAIT)
        expect(told.get_by_text(re.compile("task “"))).to_be_visible()
        page.keyboard.press("Escape")
        expect(told).to_have_count(0)
        expect(page.locator(f".st-key-box_grid .st-key-chart_grid_{closed} .point").first).to_be_visible()

    # In another order, which draws the grid alone, the same place is another task's.
    orders = [page.evaluate(FIRST_SQUARE)]
    whole_page = len(received)
    for order in ("Worst", "Name"):
        received.clear()
        page.get_by_role("radio", name=order, exact=True).click()
        page.wait_for_url(f"**rows={order.lower()}**")
        page.wait_for_function(f"before => ({FIRST_SQUARE})() !== before", arg=orders[-1])
        orders.append(page.evaluate(FIRST_SQUARE))
        assert 0 < len(received) < min(30, whole_page / 3)
    title = page.evaluate(FIRST_SQUARE).split(",")[0].split(" ", 1)[1]
    page.locator(".st-key-box_grid .point").first.scroll_into_view_if_needed()
    box = page.locator(".st-key-box_grid .point").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    told = page.get_by_role("dialog")
    expect(told.get_by_text(re.compile(f"task “{title}”.*: 1 pair"))).to_be_visible(timeout=WAIT)
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    for before in orders[-2::-1]:
        page.go_back()
        page.wait_for_function(f"before => ({FIRST_SQUARE})() === before", arg=before)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_label_of_sixty_tasks_by_35_iterations_runs_into_another_or_is_cut(
    large: tuple[App, Experiment], page: Page, theme: Any
) -> None:
    app, experiment = large
    page.emulate_media(media="screen", color_scheme=theme)
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    page.goto(f"{app.url}/dashboards?part=time&scope=all&project={experiment.project}")
    expect(page.locator(".st-key-box_grid .point").first).to_be_visible(timeout=WAIT)
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found[width] = clashes(page, f"large-{theme}-{width}")

    assert page.locator(".st-key-box_grid .ytick").count() == 60
    assert found == {width: [] for width in WIDTHS}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_each_click_is_one_step_for_the_browsers_back(
    place: tuple[App, Experiment], browser: Browser
) -> None:
    app, experiment = place
    page = browser.new_page()
    page.goto(f"{app.url}/dashboards?project={experiment.project}")
    chosen = page.locator("[data-testid=stButtonGroup] [aria-checked=true]")
    expect(chosen.filter(has_text="Why")).to_be_visible(timeout=WAIT)
    for name in ("Where", "Cost"):
        page.get_by_role("radio", name=name, exact=True).click()
        page.wait_for_url(f"**part={name.lower()}**", timeout=WAIT)

    for name in ("Where", "Why"):
        page.go_back()
        expect(chosen.filter(has_text=name)).to_be_visible(timeout=WAIT)
    assert "part=" not in page.url
    page.go_forward()
    expect(chosen.filter(has_text="Where")).to_be_visible(timeout=WAIT)
    page.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_first_line_below_the_tabs_is_seen_without_scrolling(
    place: tuple[App, Experiment], page: Page
) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 1280, "height": 800})
    for part in ("why", "where"):
        page.goto(f"{app.url}/dashboards?part={part}&project={experiment.project}")
        tabs = page.get_by_role("radiogroup").filter(has_text="Plan and report")
        below = page.get_by_role("radiogroup").filter(has_text="Topic") if part == "where" else None
        first = below or page.locator("[class*=st-key-box_] h3").first
        expect(first).to_be_visible(timeout=WAIT)
        page.wait_for_function(DRAWN)
        for seen in (tabs, first):
            expect(seen).to_be_in_viewport(ratio=1, timeout=WAIT)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_part_of_few_tasks_has_a_dot_that_opens_its_pairs(
    place: tuple[App, Experiment], page: Page
) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 820, "height": HEIGHT})
    page.goto(f"{app.url}/dashboards?part=where&by=tag&scope=all&project={experiment.project}")
    square = page.locator(".st-key-box_where .point").first
    expect(square).to_be_visible(timeout=WAIT)
    page.wait_for_function(DRAWN)
    box = square.bounding_box()
    assert box is not None

    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    told = page.get_by_role("dialog")
    expect(told.get_by_text(re.compile(r".* against .*tag “network”"))).to_be_visible(timeout=WAIT)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_sentence_on_pairs_left_out_leads_to_them(place: tuple[App, Experiment], page: Page) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app.url}/dashboards?scope=all&project={experiment.project}")
    link = page.get_by_role("link", name=re.compile("an unusable, cut-off or superseded output"))
    expect(link).to_be_visible(timeout=WAIT)

    with page.expect_popup() as opened:
        link.click()

    left = sum(not each.valid for each in experiment.pairs)
    told = re.compile(rf"Left out of the result, .* against .*: {left} pairs\.")
    expect(opened.value.get_by_text(told)).to_be_visible(timeout=WAIT)
    opened.value.close()


class _Letter(NamedTuple):
    """A letter on paper: its box, and the word that it is part of, with its place in the text."""

    left: float
    bottom: float
    right: float
    top: float
    word: tuple[int, str]

    def covers(self, other: _Letter) -> bool:
        """Whether both lie on each other by more than a third of the smaller one."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return min(width, height) > 0 and width * height > min(self.area, other.area) / 3

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)


def overprinted(path: Path) -> list[str]:
    """Pairs of words of a PDF that lie on each other."""
    found = []
    with PdfDocument(path) as document:
        for number, page in enumerate(document, start=1):
            letters = sorted(_letters(page))
            for at, one in enumerate(letters):
                for other in itertools.islice(letters, at + 1, None):
                    if other.left >= one.right:
                        break
                    if one.word != other.word and one.covers(other):
                        first, second = sorted((one.word, other.word))
                        found.append(f"page {number}: {first[1]} / {second[1]}")
    return list(dict.fromkeys(found))


def _letters(page: PdfPage) -> Iterator[_Letter]:
    text = page.get_textpage()
    written = "".join(chr(FPDFText_GetUnicode(text, at)) for at in range(text.count_chars()))
    for word in re.finditer(r"\S+", written):
        for at in range(*word.span()):
            left, bottom, right, top = text.get_charbox(at)
            yield _Letter(left, bottom, right, top, (word.start(), word[0]))


def clashes(page: Page, name: str) -> list[str]:
    """What runs into each other, once the charts have the width of the window."""
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(800)  # charts follow a new width a little later
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")
    return list(page.evaluate(CLASHES))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_label_of_the_report_runs_into_another_or_is_cut(
    place: tuple[App, Experiment], browser: Browser, page: Page, tmp_path: Path
) -> None:
    app, experiment = place
    page.set_viewport_size({"width": 1280, "height": HEIGHT})
    page.emulate_media(media="screen", color_scheme="light")
    page.goto(f"{app.url}/dashboards?part=plan&project={experiment.project}&scope=all")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Report with all charts (HTML)").click()
    report = tmp_path / "report.html"
    saved.value.save_as(report)
    found = {}
    window = browser.new_page()
    sizes: tuple[tuple[Literal["screen", "print"], int], ...] = (
        ("screen", 1280),
        ("screen", 820),
        ("print", 740),
    )
    for media, width in sizes:
        window.set_viewport_size({"width": width, "height": HEIGHT})
        window.emulate_media(media=media)
        window.goto(report.as_uri())
        window.wait_for_selector(".js-plotly-plot .main-svg")
        window.wait_for_timeout(1500)
        if SHOTS:
            window.screenshot(path=Path(SHOTS) / f"report-{media}-{width}.png", full_page=True)
        found[f"{media} {width}"] = window.evaluate(CLASHES)
    if SHOTS:
        window.emulate_media(media="null")
        window.pdf(path=Path(SHOTS) / "report.pdf")
    window.close()

    assert found == {name: [] for name in found}
