"""Folders that come from the browser, chosen or dropped, keep their folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.servers.real_app import WAIT, App
from tests.worlds.files.import_files import workspace

DIRECTORIES = "[data-testid=stFileUploader]:has(input[webkitdirectory])"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    app = App(tmp_path_factory.mktemp("app"))
    app.start()
    yield app
    app.kill()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_context().new_page()
    page.set_default_timeout(WAIT)
    yield page
    page.context.close()


def choose(uploader: Locator, folder: Path) -> None:
    uploader.locator("input").set_input_files(folder)


def drop(uploader: Locator, folder: Path) -> None:
    """Drop it as a person does; the browser sees a folder of the system."""
    uploader.scroll_into_view_if_needed()
    box = uploader.bounding_box()
    assert box is not None
    devtools = uploader.page.context.new_cdp_session(uploader.page)
    for event in ("dragEnter", "dragOver", "drop"):
        devtools.send(
            "Input.dispatchDragEvent",
            {
                "type": event,
                "x": box["x"] + box["width"] / 2,
                "y": box["y"] + box["height"] - 20,
                "data": {"items": [], "files": [str(folder)], "dragOperationsMask": 1},
            },
        )


@pytest.mark.slow
@pytest.mark.parametrize("hand_in", [choose, drop], ids=["chosen", "dropped"])
def test_a_workspace_folder_is_handed_in_and_scanned(
    app: App, page: Page, tmp_path: Path, hand_in: object
) -> None:
    assert callable(hand_in)
    root = workspace(tmp_path)
    page.goto(f"{app.url}/import")
    page.get_by_text("Upload a folder").click()
    scan = page.get_by_role("button", name="Scan")
    expect(scan).to_be_disabled()

    hand_in(page.locator(DIRECTORIES), root)
    scan.click()

    expect(page.get_by_text("4 pairs chosen.")).to_be_visible()
    (home,) = (app.home / "cache" / "imports").glob(f"*/{root.name}")
    assert {path.relative_to(home) for path in home.rglob("*") if path.is_file()} == {
        path.relative_to(root) for path in root.rglob("*") if path.is_file()
    }


@pytest.mark.slow
def test_a_folder_that_is_dropped_on_new_keeps_files_of_the_same_name(
    app: App, page: Page, tmp_path: Path
) -> None:
    for name in ("north", "south"):
        (tmp_path / "out" / name).mkdir(parents=True)
        (tmp_path / "out" / name / "report.md").write_text(name)
    page.goto(f"{app.url}/new")
    for number, slot in enumerate(("first", "second"), start=1):
        page.locator(f".st-key-new_{slot}_way").get_by_text("Upload a folder").click()
        # Both listen; the folder arrives at the one it is dropped on, once.
        expect(page.locator(DIRECTORIES)).to_have_count(number)

    drop(page.locator(DIRECTORIES).last, tmp_path / "out")

    expect(page.get_by_text("2 files read")).to_have_count(1)
    expect(page.get_by_text("Not read")).to_have_count(0)
