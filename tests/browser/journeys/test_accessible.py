"""Every page with data in it, checked by axe in both themes and at four widths: no serious and no critical finding."""

import os
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

from comparator.bootstrap import open_services
from comparator.domain.project import ReviewMode
from comparator.settings import Settings
from comparator.workflow.projects.settings import change_settings
from tests.browser.servers.real_app import WAIT, App
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.full_house import Builder, House

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
THEMES = (("light", "255"), ("dark", "18"))
"""Each with the red of its background."""
WIDTHS = (1600, 1280, 820, 390)


class Place(NamedTuple):
    """The running app, what is in it, and a window on it."""

    app: App
    house: House
    page: Page


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Place]:
    app = App(tmp_path_factory.mktemp("accessible"))
    services = open_services(Settings(home=app.home))
    with LoopbackServer() as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_BASE_URL", model.base_url)
        patch.setenv("ANTHROPIC_API_KEY", "any-key")
        house = Builder(services, app.home / "work").build()
    services.close()
    with app:
        # The house comes first: beside a browser's event loop nothing can be judged.
        browser: Browser = request.getfixturevalue("browser")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT)
        yield Place(app, house, page)


def at(name: str, *, settled: bool = False, wait_for: str = "h1, h3") -> Callable[[Place], None]:
    """Open a page on the project under review, or on the settled one."""

    def show(place: Place) -> None:
        project = "Settled" if settled else "Running"
        place.page.goto(f"{place.app.url}/{name}{'&' if '?' in name else '?'}project={project}")
        place.page.locator(wait_for).first.wait_for()

    return show


def review(mode: ReviewMode = ReviewMode.JUDGE_FIRST, *keys: str) -> Callable[[Place], None]:
    """Open a pair that nobody began, in this mode, and press these keys."""

    def show(place: Place) -> None:
        house = place.house
        services = open_services(Settings(home=place.app.home))
        change_settings(services.by(house.lead), house.open, mode=mode)
        services.close()
        place.page.goto(f"{place.app.url}/review?c={house.comparisons[3]}&project=Running")
        place.page.locator(".bar .actions").wait_for()
        place.page.locator("iframe.front").first.wait_for()
        for key in keys:
            place.page.keyboard.press(key)

    return show


def tab(label: str, wait_for: str) -> Callable[[Place], None]:
    """One tab of the page Panel."""

    def show(place: Place) -> None:
        at("panel")(place)
        place.page.get_by_role("tab", name=label).click()
        place.page.get_by_text(wait_for).first.wait_for()

    return show


VIEWS: dict[str, Callable[[Place], None]] = {
    "queue": at("", wait_for=".st-key-queue_start"),
    "review": review(ReviewMode.JUDGE_FIRST, "i", "1", "y"),
    "review, keys": review(ReviewMode.JUDGE_FIRST, "?"),
    "review, files": review(ReviewMode.JUDGE_FIRST, "f"),
    "review, differences": review(ReviewMode.JUDGE_FIRST, "d", "q"),
    "review, blind first": review(ReviewMode.BLIND_FIRST),
    "review, preference": review(ReviewMode.PREFERENCE_FIRST),
    "new": at("new"),
    "import": at("import"),
    "batches": at("batches"),
    "panel": at("panel", wait_for="[data-testid=stDataFrame]"),
    "panel, ruling": tab("Settle", "The last column is your verdict"),
    "panel, closing": tab("Close and reveal", "Closing ends review"),
    "history": at("history", settled=True),
    "dashboards": at("dashboards?part=Why", settled=True, wait_for=".js-plotly-plot .main-svg"),
    "dashboards, open": at("dashboards"),
    "judge": at("judge", settled=True, wait_for="h3, [data-testid=stDataFrame]"),
    "settings": at("settings"),
}


IN_THE_GATE = {"review", "dashboards"}
"""The fullest pages; the others take longer together than a gate may."""
SHOWN = "() => !document.querySelector('[data-testid=stStatusWidget], [data-testid=stSkeleton]')"
STILL = """() => {
    const still = (root) =>
        root.getAnimations().every(
            (each) => each.playState !== "running" || each.effect.getComputedTiming().iterations === Infinity) &&
        [...root.querySelectorAll("*")].every((each) => !each.shadowRoot || still(each.shadowRoot));
    return still(document);
}"""
"""Chromium leaves what moves in a shadow root out of the document's animations."""


def findings(page: Page, axe: Axe) -> list[Any]:
    """What axe finds in windows of all widths, in both themes, once the colours have faded over."""
    found = []
    for (scheme, red), width in product(THEMES, WIDTHS):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(
            "c => getComputedStyle(document.querySelector('.stApp')).backgroundColor.startsWith(`rgb(${c},`)",
            arg=red,
        )
        page.wait_for_function(STILL)
        for violation in axe.run(page, options=RULES).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [(node["html"][:160], node["failureSummary"][:160]) for node in violation["nodes"]]
                found.append((scheme, width, violation["id"], nodes))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_THE_GATE else pytest.mark.soak) for name in VIEWS]
)
def test_no_page_has_a_serious_finding_of_axe_in_either_theme(place: Place, name: str) -> None:
    place.page.set_viewport_size({"width": 1280, "height": 900})
    VIEWS[name](place)
    place.page.wait_for_function(SHOWN)
    if folder := os.environ.get("SCREENSHOTS_AXE"):
        place.page.screenshot(path=f"{folder}/{name.replace(', ', '-')}.png", full_page=True)

    assert findings(place.page, Axe()) == []


LAID_OUT = """() => {
    const all = (root) => [...root.querySelectorAll("*")]
        .flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
    const seen = (each) =>
        each.checkVisibility({opacityProperty: true, visibilityProperty: true}) && each.getClientRects().length;
    const box = (each) => each.getBoundingClientRect();
    const scrolls = (each) => {
        for (let at = each; at; at = at.parentElement ?? at.getRootNode().host)
            if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
        return false;
    };
    const told = (what, each) => `${what}: ${each.tagName} ${each.className} ${each.textContent.trim().slice(0, 40)}`;
    const main = document.querySelector("[data-testid=stMain]");
    const found = main.scrollWidth > main.clientWidth + 1 ? [`scrolls sideways: ${main.scrollWidth}`] : [];
    const opener = document.querySelector("[data-testid=stExpandSidebarButton]");
    for (const each of all(main).filter(seen)) {
        const {left, right, width, height} = box(each);
        // What only a screen reader reads is a pixel large.
        if (width <= 1 && height <= 1) continue;
        const least = each.matches("td.title") ? 100 : each.matches("th") && !each.closest(".sheet thead") ? 8 : 0;
        if (width < least) found.push(told(`${width} pixels wide`, each));
        const outside = left < -1 || right > innerWidth + 1;
        if (each.matches("button, a.open, input") && outside && !scrolls(each)) found.push(told("cut", each));
        const title = each.matches("h1, h2, h3") && !each.closest("dialog, [role=dialog]");
        if (opener && title && each.textContent.trim()) {
            const range = document.createRange();
            range.selectNodeContents(each);
            const [over, words] = [box(opener), range.getBoundingClientRect()];
            const across = words.left < over.right && words.right > over.left;
            if (across && words.top < over.bottom && words.bottom > over.top) found.push(told("overprinted", each));
        }
    }
    return found;
}"""
"""What lies outside of the window, over the button that opens the navigation, or is too narrow."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if ", " in name else ()) for name in VIEWS]
)
def test_nothing_is_cut_overprinted_or_without_width(place: Place, name: str) -> None:
    place.page.emulate_media(color_scheme="light")
    place.page.set_viewport_size({"width": 1280, "height": 900})
    VIEWS[name](place)
    place.page.wait_for_function(SHOWN)
    found = {}
    for width in WIDTHS:
        place.page.set_viewport_size({"width": width, "height": 900})
        place.page.wait_for_function(STILL)
        place.page.wait_for_timeout(250)  # what follows a new width does so a little later
        found[width] = place.page.evaluate(LAID_OUT)

    assert found == {width: [] for width in WIDTHS}
