"""Hostile pages before the camera: nothing leaves the machine, nothing stays, and each costs a bounded time."""

import os

import pytest

from comparator.domain.pair.view import PageEvidence
from comparator.outputs.isolated.process import descendants
from comparator.outputs.limits import PictureLimits
from comparator.outputs.pictures.camera import Camera, PageFile
from tests.browser.hostile import hostile_pages
from tests.browser.hostile.hostile_pages import Canary

LIMITS = PictureLimits(seconds=60, loading=3)


def taken(chromium: str, text: str, *, limits: PictureLimits = LIMITS, cut_off: bool = True) -> PageEvidence:
    page = PageFile("index.html", "text/html; charset=utf-8", text.encode())
    return Camera(chromium, limits=limits, cut_off=cut_off).take("index.html", [page])


@pytest.mark.soak
def test_no_page_sends_anything_where_the_network_is_not_cut_off(chromium_path: str, canary: Canary) -> None:
    # Without the last line of defence, so that those before it are proven.
    evidence = taken(chromium_path, canary.page(hostile_pages.REACHING), cut_off=False)

    assert canary.heard == []
    assert evidence.pictures
    missing = "\n".join(evidence.not_loaded)
    assert f"http://{canary.place}/script.js (script)" in missing
    assert f"http://{canary.place}/sheet.css (style sheet)" in missing
    assert f"http://{canary.place}/font.woff2 (font)" in missing


@pytest.mark.slow
@pytest.mark.timeout(60)  # It would go on for ever.
def test_a_page_that_never_stops_costs_its_seconds_and_leaves_no_process(chromium_path: str) -> None:
    evidence = taken(chromium_path, hostile_pages.LOOP, limits=PictureLimits(seconds=6, loading=2))

    assert evidence.pictures == ()
    assert "kept it busy" in evidence.problem or "longer than 6 seconds" in evidence.problem
    assert _browsers_of_ours() == []


@pytest.mark.soak
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["LOOP_AT_ONCE", "ALERTS", "TALL", "RELOAD", "CONSOLE", "NODES"])
def test_every_other_way_to_stay_is_bounded(chromium_path: str, name: str, canary: Canary) -> None:
    evidence = taken(chromium_path, canary.page(getattr(hostile_pages, name)))

    assert evidence.pictures or evidence.problem
    assert len(evidence.errors) <= LIMITS.messages
    assert all(picture.shown <= LIMITS.height for picture in evidence.pictures)
    assert canary.heard == []
    assert _browsers_of_ours() == []


@pytest.mark.soak
def test_a_page_that_takes_all_memory_is_ended(chromium_path: str) -> None:
    limits = PictureLimits(seconds=20, loading=10, memory=700_000_000)

    evidence = taken(chromium_path, hostile_pages.MEMORY, limits=limits)

    assert "memory" in evidence.problem or "crashed" in evidence.problem
    assert _browsers_of_ours() == []


def _browsers_of_ours() -> list[int]:
    return [pid for pid in descendants(os.getpid()) if "comparator-isolated-" in _command(pid)]


def _command(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123 # it may be gone any moment
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
