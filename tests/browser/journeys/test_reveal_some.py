"""A lead who reveals some sets does not stand before the button that reveals the rest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from comparator.store.core.blobs import BlobStore
from comparator.store.core.database import Database
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.histories.experiment import Experiment
from tests.worlds.histories.pairs import World

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[App, Experiment]]:
    """The app with three sets, none of them revealed."""
    home = tmp_path_factory.mktemp("reveal")
    database = Database.open(f"sqlite:///{home / 'comparator.db'}")
    world = World(database, BlobStore.at((home / "blobs").as_uri()))
    experiment = Experiment(world, iterations=3, tasks_of=2).build(reveal=False)
    database.close()
    app = App(home)
    app.start()
    yield app, experiment
    app.kill()


def test_the_popover_closes_after_a_reveal_of_some_sets(
    place: tuple[App, Experiment], browser: Browser
) -> None:
    app, experiment = place
    page = browser.new_page()
    page.set_default_timeout(WAIT / 2)
    page.goto(f"{app.url}/dashboards?project={experiment.project}")
    page.get_by_role("button", name="Reveal", exact=True).click()
    page.get_by_role("combobox", name="Candidates to reveal").click()
    page.get_by_role("option", name="Candidate 1 and candidate 2").click()
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Reveal 2 pairs").click()

    page.get_by_text("4 of 6 comparisons not revealed yet").wait_for()
    expect(page.get_by_role("button", name="Reveal 4 pairs")).to_have_count(0)
    page.get_by_text("4 of 6 comparisons not revealed yet").click()
    # While the box unfolds, a list that opens in it closes again.
    page.wait_for_timeout(800)
    page.get_by_role("button", name="Reveal", exact=True).click()
    expect(page.get_by_role("button", name="Reveal 4 pairs")).to_be_visible()
