"""Our view of a web page looks as the page does in a browser, wide and narrow."""

# ruff: noqa: E501 - markup is easier to read in one piece

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from tests.browser.outputs.fidelity import Camera, Likeness, keep, likeness
from tests.browser.servers.panes_files import Shelf
from tests.browser.servers.panes_page import Served, running
from tests.worlds.files.outputs import World

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "repair-cafe-page"
PARTS = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252"><TITLE>Café</TITLE>
<link href="https://fonts.example.com/css2?family=Inter&display=swap" rel="stylesheet"><style>
@import url('https://fonts.example.com/css2?family=Inter:wght@400');@import url("data:text/css,.imp%20%7B%20background%3A%20%23fdebd0%20%7D") layer(imp);
label:has(input:checked) { font-weight: 700; background: gold } p:not(:has(em)):is(.said) { opacity: .6 }
.tick { background: #fff url('data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10"><path d="M1 5 L4 8 L9 1" stroke="green" fill="none"/></svg>') no-repeat 4px center; padding-left: 20px }
details[open] > summary { color: #b30 } my-card:not(:defined) { background: #f2fff2 } x-star::before { content: '★★★'; color: goldenrod }
a[href^='http']:not([href*='here.example.com']) { border-bottom: 2px dotted #c33 } a[href$='.pdf' i]::after { content: ' (PDF)' } a[href^='#'] { color: #a50 }
.js-only { display: none } script + p { color: #070 } .md\\:flex { display: block } @media (min-width: 768px) { .md\\:flex { display: flex; gap: 1rem } }
@media (orientation: portrait) { .slide { background: #ccf } } .slide { container-type: inline-size; padding: 4% } .slide h2 { font-size: clamp(16px, 4cqi, 40px) }
</style></HEAD><BODY BGCOLOR="#FFFFF4" LINK="#0000EE"><CENTER><FONT FACE="Arial" SIZE=5 COLOR=navy>Résumé – “naïve” €5</FONT></CENTER><HR WIDTH="60%" NOSHADE>
<p class=imp>Harbour ledger <em>orchard</em>.<p class=said>Signal copper.<p class=tick>Meadow lantern.<label><input type=checkbox checked> River</label>
<details open><summary>Winter</summary><p>Engine garden</p></details><details><summary>Market</summary><p>hidden</p></details>
<my-card><template shadowrootmode=open><style>:host { font-family: serif } ::slotted(b) { color: crimson }</style><h4 part=head>Bridge</h4><slot></slot></template><b>Paper</b> <x-star></x-star></my-card>
<nav class="md:flex"><a href='https://example.com/a?b=1&c=2'>Stone</a><a href=#top>Window</a><a>Letter</a><a href='https://example.com/plan.PDF#page=2'>Morning</a><a href='javascript:void(0)'>Valley</a></nav>
<svg viewBox="0 0 260 60" width="420"><defs><linearGradient id="fade" x2="0" y2="1"><stop stop-color="#58c"/><stop offset="1" stop-color="#8ce"/></linearGradient><symbol id="pin" viewBox="0 0 10 10"><path d="M5 0 L10 10 L0 10z"/></symbol></defs><rect width="80" height="50" fill="url(#fade)"/><use href="#pin" x="90" width="30" height="30"/><foreignObject x="180" width="80" height="30"><div xmlns="http://www.w3.org/1999/xhtml">Figure</div></foreignObject></svg>
<form action=/send method=post><input type=range min=0 max=1 step=0.05 value=0.35><input type=email required value=wrong><input type=date value=2024-05-03><select><option>a<option selected>b</select><progress max=10 value=7></progress></form>
<script>document.body.innerHTML = 'gone'</script><p>Shelter</p><noscript><p>Silver <b>without scripts</b></p></noscript><div class=js-only>never</div><button onclick="alert(1)">Island</button>
<div class=slide><h2>Number</h2></div><table width=100%><tr><td width=200 style="font-size:small">Quirks<td><img src="missing.png" alt="gone" width=120 height=40></table></BODY></HTML>"""
"""What pages have of old and of modern CSS and HTML."""
PAGES = {
    "a.html": (EXAMPLES / "a" / "index.html").read_bytes(),
    "b.html": (EXAMPLES / "b" / "index.html").read_bytes(),
    "parts.html": PARTS.encode("windows-1252", "xmlcharrefreplace"),
    "fragment.html": b"<style>h1 { color: teal }</style><h1>A fragment</h1><p style='font-family:\"Courier New\"'>Words",
}
TRIES = 3
"""The browser now and then draws a part of a tall picture too late, of a file as well as of our view."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over the blinded copies of the pages; the pages themselves lie beside, as files."""
    folder = tmp_path_factory.mktemp("fidelity")
    shelf, world = Shelf(folder), World(folder / "blobs")
    built = world.single(world.uploads(dict(PAGES)))
    copies = {copy.name: world.blobs.get(copy.blob) for copy in built.copies}
    for name, data in PAGES.items():
        shelf.add("pages", "A", name, "html", copies[name], "text/html")
        (folder / name).write_bytes(data)
    shelf.close()
    with running(folder, shelf.sets) as served:
        yield served


def compared(camera: Camera, served: Served) -> dict[str, tuple[Likeness, ...]]:
    """How alike each page is as a file and as our view, by width; those that differ are kept as pictures."""
    found = {}
    for page in PAGES:
        asked = f"{served.url}outputs/{served.id_of('pages', 'A', page)}/page?scripts=0"
        with urllib.request.urlopen(asked) as answer:
            place = json.load(answer)["address"].lstrip("/")
        addresses = ((served.folder / page).as_uri(), f"{served.url}{place}{page}")
        pairs: list[tuple[Image.Image, Image.Image]] = []
        for _ in range(TRIES):
            here, ours = (camera.pictures(address) for address in addresses)
            pairs = list(zip(here, ours, strict=True))
            found[page] = tuple(likeness(*pair) for pair in pairs)
            if all(alike.is_enough for alike in found[page]):
                break
        else:
            for number, (one, other) in enumerate(pairs, 1):
                name = f"{page}-{number}"
                keep({f"{name}-file": one, f"{name}-view": other}, served.folder / "differ")
    return found


@pytest.mark.slow
def test_pages_look_in_our_view_as_they_look_as_files(browser: Browser, served: Served) -> None:
    with Camera(browser) as camera:
        found = compared(camera, served)

    assert not {page: alike for page, alike in found.items() if not all(each.is_enough for each in alike)}


def test_the_comparison_sees_one_changed_word_and_one_changed_colour() -> None:
    one = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(one).text((20, 20), "Some words that stand here", fill="black")
    word, colour = one.copy(), one.copy()
    ImageDraw.Draw(word).text((20, 60), "a", fill="black")
    ImageDraw.Draw(colour).rectangle((100, 100, 140, 140), fill="#ffe0e0")

    assert likeness(one, one.copy()) == (1, 1)
    for other in (word, colour, one.crop((0, 0, 400, 280))):
        assert not likeness(one, other).is_enough
