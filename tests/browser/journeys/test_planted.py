"""Each effect that was planted in 32 iterations is counted, and read on its tab."""

import re
import time
from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.servers.planted_home import planted_app
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.histories.experiment import RECURS, REGRESSED, REVERSED, Experiment

QUESTIONS = (
    ("better, and since when", "", r"rose at 20, .*fell at \d\d"),
    (
        "void runs, and whether they count",
        "",
        r"Left out: 3 pairs whose output is unusable",
    ),
    ("where it is the other way round", "part=Where", rf"loses on {REVERSED}"),
    ("the same by topic", "part=Where&by=Topic", rf"loses on {REVERSED}"),
    ("by which criterion it is", "part=Why", r"without_skill leads on Wording \(structure\)"),
    ("what got worse, and when", "part=Over%20time", f"{len(REGRESSED)} tasks regressed since 27"),
    (
        "what keeps changing",
        "part=Over%20time",
        r"improved, \d+ tasks regressed since 27, \d+ keeps? changing",
    ),
    (
        "by which criterion the winner wins",
        "part=Why",
        r"Root Cause \(content\) decides most",
    ),
    ("which expectations say nothing", "part=Why", r"1 never fails.*Nobody meets 1"),
    (
        "whether length matters",
        "part=How%20they%20differ",
        r"with_skill nearly always has more .*cannot be told apart from the candidate",
    ),
)
"""Each question, the tab that answers it, and what is read there; below, the one for which a model is asked."""
COMMON = "what the reasons have in common"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, Experiment]]:
    """The app with the experiment, put into tables at once, and read for themes."""
    with planted_app(tmp_path_factory.mktemp("planted")) as place:
        yield place


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A window."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT)
    return page


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_each_planted_effect_is_read_on_its_tab(
    place: tuple[App, Experiment], page: Page, record_property: Callable[[str, object], None]
) -> None:
    app, experiment = place
    page.goto(f"{app.url}/dashboards?project={experiment.world.project.name}")
    expect(page.get_by_role("heading", name="rose at 20")).to_be_visible(timeout=WAIT)

    # Of 300 pairs, which chance draws.
    themes = (
        COMMON,
        "part=Why",
        rf"“Speaks of {RECURS}” recurs most often: for with_skill in 1\d\d pairs, for the other in 1\d\d",
    )

    took = found(page, app.url, experiment.world.project.name, (*QUESTIONS, themes))

    for question, seconds in took.items():
        record_property(question, round(seconds, 2))


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_box_across_the_picture_filters_the_list(place: tuple[App, Experiment], page: Page) -> None:
    app, experiment = place
    page.goto(f"{app.url}/history?project={experiment.world.project.name}")
    plot = page.locator(".js-plotly-plot .nsewdrag").first
    plot.scroll_into_view_if_needed()
    expect(page.get_by_text("1,280 comparisons")).to_be_visible()
    page.locator(".js-plotly-plot").first.hover()
    page.locator(".modebar-btn[data-title='Box Select']").first.click()
    box = plot.bounding_box()
    assert box is not None

    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.99, box["y"] + 80, steps=10)
    page.mouse.up()

    page.wait_for_url(re.compile(r"iteration=32"))
    span = re.findall(r"iteration=(\d+)", page.url)
    expect(page.get_by_text(f"{40 * len(span)} comparisons")).to_be_visible()
    assert span == [str(n) for n in range(33 - len(span), 33)]
    # The span stands in the address: who is sent it sees the same list.
    page.reload()
    expect(page.get_by_text(f"{40 * len(span)} comparisons")).to_be_visible()

    page.get_by_role("button", name="Clear filters").click()

    expect(page.get_by_text("1,280 comparisons")).to_be_visible()


def found(page: Page, url: str, project: str, questions: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """How many seconds each answer took to be read, from opening its tab."""
    took = {}
    for question, part, read in questions:
        began = time.monotonic()
        page.goto(f"{url}/dashboards?project={project}&scope=All&{part}")
        page.wait_for_function(
            "([read]) => new RegExp(read, 's').test(document.body.innerText + ' ' + "
            "[...document.querySelectorAll('.js-plotly-plot text')].map((each) => each.textContent).join(' '))",
            arg=[read],
        )
        took[question] = time.monotonic() - began
    return took


HEIGHT = 4000
"""Of the window: pages scroll inside, so that what is below would be in no picture."""


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Page:
    """A window."""
    page = browser.new_page(viewport={"width": 820, "height": HEIGHT})
    page.set_default_timeout(WAIT)
    return page


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_tab_stands_in_the_address_and_is_there_on_the_way_back_from_another_page(
    place: tuple[App, Experiment], browser: Browser
) -> None:
    app, experiment = place
    page = browser.new_page()
    page.goto(f"{app.url}/dashboards?project={experiment.world.project.name}&within=tag:network")
    chosen = page.locator("[data-testid=stButtonGroup] [aria-checked=true]")
    expect(chosen.filter(has_text="Overview")).to_be_visible(timeout=WAIT)
    for name in ("Where", "Cost"):
        page.get_by_role("radio", name=name, exact=True).click()
        page.wait_for_url(f"**part={name}**", timeout=WAIT)

    page.get_by_role("link", name="Help", exact=True).click()
    page.wait_for_url("**/help**")
    page.get_by_role("link", name="Dashboards", exact=True).click()

    expect(chosen.filter(has_text="Cost")).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("button", name="Tag: network")).to_be_visible()
    page.close()
