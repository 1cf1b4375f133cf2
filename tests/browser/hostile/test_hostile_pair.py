"""A pair of ninety-one hostile files a side, from submitting to reviewing, on the real app."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from comparator.store.pairs import comparisons, outputs
from comparator.store.reviewing import reviews
from comparator.workflow.services import Services
from tests.browser.hostile.test_stalled_pane import THERE, score
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.files.hostile_pair import COUNT, GOOD, hostile_files
from tests.worlds.judging.judges import SlowJudge
from tests.worlds.process import wait_until
from tests.worlds.workbench import Workbench

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]
MOST_WAITED_FOR = 6
"""Files that are asked for until a good one is shown: the pair that opens first, the good one, and one ahead."""
_FILE = re.compile(r"/outputs/([^/?]+)/")


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = open_services(Settings(home=tmp_path_factory.mktemp("hostile")))
    yield services
    services.close()


@pytest.fixture(scope="module")
def pair(services: Services) -> str:
    folder = services.settings.home / "outputs"
    workbench = Workbench(services.database, services.blobs, folder, services.settings)
    for name, data in {**hostile_files(), **GOOD}.items():
        workbench.file(f"a/{name}", data)
        # The two differ, so that no file is passed over as the same on both sides.
        workbench.file(f"b/{name}", data + b" \n")
    found = workbench.submitted(
        PerOutput[Path](A=folder / "a", B=folder / "b"), task=TaskText(prompt="Write.")
    )
    judge = SlowJudge()
    judge.gate.set()
    workbench.judged(found, judge)
    return found


@pytest.fixture(scope="module")
def app(services: Services, pair: str) -> Iterator[App]:
    assert pair
    app = App(services.settings.home)
    with app:
        yield app


def test_the_review_answers_and_good_files_show_whatever_lies_beside_them(
    app: App, browser: Browser, services: Services, pair: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(WAIT)
    asked: set[str] = set()
    page.on("request", lambda request: asked.update(_FILE.findall(request.url)))
    page.goto(f"{app.url}/review?c={pair}")
    score(page, "A", 1)
    good(page)
    assert len(asked) <= MOST_WAITED_FOR, len(asked)
    for name in ("endless-0.html", "svg-laughs.svg", "sly.html", "spans.html"):
        choose(page, name)
        score(page, "B", 2)
        score(page, "B", 3)
        good(page)
    with services.database.read() as connection:
        # Every hostile file was taken in, and the good ones with them.
        files = outputs.list_files(connection, comparisons.get(connection, pair).view_a)
        assert len(files) == COUNT + len(GOOD)
        assert {*GOOD} <= {file.name for file in files}
        (review,) = reviews.of_comparison(connection, pair)
        assert len(reviews.changes(connection, review.id)) == 9
    page.close()


def choose(page: Page, name: str) -> None:
    """Find the file in the list of all, and open it by keys, as one does among so many."""
    # Playwright's own clicks ask every frame, also one that hangs.
    page.mouse.click(*page.evaluate(THERE, ".strip button.all"))
    wait_until(lambda: page.evaluate(THERE, ".list input[type=search]") is not None)
    page.keyboard.insert_text(name)
    page.keyboard.press("Enter")
    wait_until(lambda: name in str(page.evaluate(CHOSEN)))


def good(page: Page) -> None:
    """Choose the good file, and wait until both sides show it."""
    choose(page, "zz-good.md")
    for side in ("a", "b"):
        frame = page.frame_locator(f".pane[data-side={side}] iframe.front")
        frame.get_by_text("These words are fine").wait_for()


CHOSEN = """() => {
    const roots = (root) => [...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
    const find = (root) => root.querySelector(".files [aria-selected=true]") ?? roots(root).map(find).find(Boolean);
    return find(document)?.textContent ?? "";
}"""
