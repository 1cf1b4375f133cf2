"""Each effect that was planted in 32 iterations is counted, and read on its tab."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from comparator.bootstrap import open_services
from comparator.settings import Settings
from tests.browser.servers.real_app import WAIT, App
from tests.loopback.server import LoopbackServer
from tests.worlds.histories.experiment import RECURS, REGRESSED, REVERSED, Experiment
from tests.worlds.histories.pairs import World
from tests.worlds.histories.themed import read_reasons

QUESTIONS = (
    ("better, and since when", "", r"rose at iteration 20, .*fell at \d\d"),
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
        r"with_skill leads on Layout \(structure\) in \d+ pairs, without_skill in 0",
    ),
    ("which expectations say nothing", "part=Why", r"Always met: .*Never met: "),
    (
        "whether length matters",
        "part=How%20they%20differ",
        r"with_skill nearly always has more .*cannot be told apart from the candidate",
    ),
    # Of 300 pairs, which chance draws.
    (
        "what the reasons have in common",
        "part=Why",
        rf"“Speaks of {RECURS}” recurs most often: for with_skill in 1\d\d pairs, for the other in 1\d\d",
    ),
)
"""Each question, the tab that answers it, and what is read there."""
READ = """([read]) => new RegExp(read, "s").test(document.body.innerText + " " +
    [...document.querySelectorAll(".js-plotly-plot text")].map((each) => each.textContent).join(" "))"""
"""Whether the window has words of this pattern, charts included."""


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_each_planted_effect_is_read_on_its_tab(
    tmp_path: Path, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    with closing(open_services(Settings(home=tmp_path))) as services:
        experiment = Experiment(World(services.database, services.blobs)).build()
        with LoopbackServer(remember=False) as model:
            asked = {"ANTHROPIC_BASE_URL": model.base_url, "ANTHROPIC_API_KEY": "any-key"}
            read_reasons(replace(services, environment=asked), experiment.project)
    # Only now: beside Playwright no other loop can run.
    browser: Browser = request.getfixturevalue("browser")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT)
    with App(tmp_path) as app:
        for question, part, read in QUESTIONS:
            began = time.monotonic()
            page.goto(f"{app.url}/dashboards?project={experiment.world.project.name}&scope=All&{part}")
            page.wait_for_function(READ, arg=[read])
            record_property(question, round(time.monotonic() - began, 2))
