"""Our view of a web page looks as the page does in a browser, wide and narrow, for pages of eight styles."""

import json
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from tests.browser.outputs.fidelity import Camera, Likeness, keep, likeness
from tests.browser.servers.panes_files import Shelf
from tests.browser.servers.panes_page import Served, running
from tests.worlds.files.outputs import World
from tests.worlds.files.web_pages import COUNT, WebPage, web_pages

GATE = 25
TRIES = 3
"""The browser now and then draws a part of a tall picture too late, of a file as well as of our view."""
ALLOWED = 3
"""Pages of all that may look otherwise, for a limit of browsers."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Served]:
    """The app over the blinded copies of the pages; the pages themselves lie beside, as files."""
    folder = tmp_path_factory.mktemp("fidelity")
    pages = web_pages(request.param)
    shelf, world = Shelf(folder), World(folder / "blobs")
    built = world.single(world.uploads({page.name: page.data for page in pages}))
    copies = {copy.name: world.blobs.get(copy.blob) for copy in built.copies}
    for page in pages:
        shelf.add("pages", "A", page.name, "html", copies[page.name], "text/html")
        (folder / page.name).write_bytes(page.data)
    shelf.close()
    with running(folder, shelf.sets) as served:
        yield served


class TakesPictures(Protocol):
    """A browser without scripts, in which nothing moves."""

    def pictures(self, address: str) -> tuple[Image.Image, ...]:
        """The page at the address, a picture for each width."""


def compared(
    camera: TakesPictures, served: Served, folder: Path, pages: Sequence[WebPage]
) -> dict[str, tuple[Likeness, ...]]:
    """How alike each page is as a file and as our view, by width; those that differ are kept as pictures."""
    found = {}
    for page in pages:
        asked = f"{served.url}outputs/{served.id_of('pages', 'A', page.name)}/page?scripts=0"
        with urllib.request.urlopen(asked) as answer:
            place = json.load(answer)["address"].lstrip("/")
        addresses = ((folder / page.name).as_uri(), f"{served.url}{place}{page.name}")
        pairs: list[tuple[Image.Image, Image.Image]] = []
        for _ in range(TRIES):
            here, ours = (camera.pictures(address) for address in addresses)
            pairs = list(zip(here, ours, strict=True))
            found[page.name] = tuple(likeness(*pair) for pair in pairs)
            if all(alike.is_enough for alike in found[page.name]):
                break
        else:
            for number, (one, other) in enumerate(pairs, 1):
                name = f"{page.name}-{number}"
                keep({f"{name}-file": one, f"{name}-view": other}, folder / "differ")
    return found


def differing(found: dict[str, tuple[Likeness, ...]], folder: Path) -> dict[str, str]:
    """The pages that look otherwise, each with its figures; written down beside their pictures."""
    rows = {
        name: "; ".join(
            f"{alike.overall:.4f} overall and {alike.worst:.4f} in the worst window" for alike in widths
        )
        for name, widths in found.items()
        if not all(alike.is_enough for alike in widths)
    }
    (folder / "table.txt").write_text("".join(f"{name}: {row}\n" for name, row in rows.items()), "utf-8")
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("served", [GATE], indirect=True)
def test_pages_look_in_our_view_as_they_look_as_files(browser: Browser, served: Served) -> None:
    with Camera(browser) as camera:
        found = compared(camera, served, served.folder, web_pages(GATE))

    assert differing(found, served.folder) == {}, served.folder


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("served", [COUNT], indirect=True)
def test_all_pages_but_three_look_in_our_view_as_they_look_as_files(browser: Browser, served: Served) -> None:
    with Camera(browser) as camera:
        found = compared(camera, served, served.folder, web_pages())

    assert len(found) == COUNT
    others = differing(found, served.folder)
    assert len(others) <= ALLOWED, (others, served.folder)


def test_the_comparison_sees_one_changed_word_and_one_changed_colour() -> None:
    one = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(one).text((20, 20), "Some words that stand here", fill="black")
    word, colour = one.copy(), one.copy()
    ImageDraw.Draw(word).text((20, 60), "a", fill="black")
    ImageDraw.Draw(colour).rectangle((100, 100, 140, 140), fill="#ffe0e0")

    assert likeness(one, one.copy()) == (1, 1)
    for other in (word, colour, one.crop((0, 0, 400, 280))):
        assert not likeness(one, other).is_enough
