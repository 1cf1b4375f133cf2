"""A file that was set aside comes into the panes, and to the judge, at one click."""

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from tests.browser.servers.real_app import WAIT, App
from tests.worlds.workbench import Workbench

pytestmark = pytest.mark.slow


def test_a_file_that_was_set_aside_is_judged_at_a_click(browser: Browser, tmp_path: Path) -> None:
    app = App(tmp_path)
    with closing(open_services(Settings(home=app.home))) as services:
        workbench = Workbench(services.database, services.blobs, app.home / "outputs", services.settings)
        for side in "ab":
            workbench.file(f"{side}/report.md", f"# Harvest\n\nThe total is 420 kg, says {side}.\n")
        workbench.file("a/summary.md", "The subagent ran for 12 turns.\n")
        sides = PerOutput[Path](A=workbench.folder / "a", B=workbench.folder / "b")
        comparison_id = workbench.submitted(sides, task=TaskText(prompt="Report on the harvest."))
    with app:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(WAIT)
        page.goto(f"{app.url}/review?c={comparison_id}")
        page.locator(".pane[data-side=a] .veil").wait_for(state="hidden")
        page.get_by_role("button", name="All files").click()
        page.locator(".list .head", has_text="Set aside, not judged").click()
        page.locator(".list .aside").get_by_role("button", name="Judge this file anyway").click()

        page.get_by_role("tab").filter(has_text="summary.md").wait_for()
        expect(page.locator(".list .head", has_text="Set aside")).to_have_count(0)
        page.close()
