"""Clicks on charts lead to the pairs behind them, and back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.servers.planted_home import planted_app
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.histories.experiment import Experiment

HEIGHT = 4000
"""Of the window: pages scroll inside, so that what is below would be in no picture."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, Experiment]]:
    """The app with the experiment."""
    with planted_app(tmp_path_factory.mktemp("apart")) as place:
        yield place


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
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
