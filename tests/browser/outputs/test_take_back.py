"""A file that was set aside comes into the panes, and to the judge, at one click."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from comparator.bootstrap import open_services
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.settings import Settings
from comparator.workflow.people.people import local_person
from comparator.workflow.submit.intake import Submission, read_output
from comparator.workflow.submit.set_up import submit
from tests.browser.servers.real_app import WAIT, App

pytestmark = pytest.mark.slow


def test_a_file_that_was_set_aside_is_judged_at_a_click(browser: Browser, tmp_path: Path) -> None:
    app = App(tmp_path)
    services = open_services(Settings(home=app.home))
    for side in "ab":
        folder = app.home / "outputs" / side
        folder.mkdir(parents=True)
        (folder / "report.md").write_text(f"# Harvest\n\nThe total is 420 kg, says {side}.\n")
    (app.home / "outputs/a/summary.md").write_text("The subagent ran for 12 turns.\n")
    comparison_id = submit(
        services.by(local_person(services).id),
        Submission(
            task=TaskText(prompt="Report on the harvest."),
            outputs=PerOutput(
                A=read_output(services, app.home / "outputs/a"),
                B=read_output(services, app.home / "outputs/b"),
            ),
            candidates=PerOutput(A="zebrafinch-prompt", B="quetzal-prompt"),
            draw=False,
        ),
    ).comparison_id
    services.close()
    app.start()
    try:
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
    finally:
        app.kill()
