"""Hostile web pages in the rendered view send nothing, lead nowhere and open nothing in Firefox either."""

import json
from collections.abc import Iterator

import pytest

from tests.attack.marionette import Firefox
from tests.browser.hostile.hostile_pages import Canary
from tests.browser.hostile.test_page_locks import EVIL, group_of, locked
from tests.browser.servers.panes_page import Served

__all__ = ["locked"]

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]
NAMES = ("look-ups", "links", "addresses", "refresh", "nested", "own-origin", "clobber", "forged")
FIND = """
const roots = (root) => [...root.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
const all = (root, selector) =>
    [...root.querySelectorAll(selector), ...roots(root).flatMap((each) => all(each, selector))];
const [frame] = all(document, ".pane[data-side=a] iframe.front");
"""
CHOOSE = """
const tab = all(document, "[role=tab]").find((each) => each.textContent.includes(NAME));
tab?.click();
return !!tab;
"""
RENDERED = """
const [own] = all(document, ".pane[data-side=a] button[aria-label='Show as rendered']");
own?.click();
return own && frame?.dataset.mode === "view" && all(document, ".pane[data-side=a] .veil")[0].hidden;
"""
PLACES = """
const box = frame.getBoundingClientRect();
return [...Array(40).keys()].map((n) => [box.left + 20 + 60 * (n % 5), box.top + 12 + 22 * Math.floor(n / 5)]);
"""


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory, canary: Canary) -> Iterator[Firefox]:
    # The canary is the proxy for every address but this machine's own.
    proxy = {f"network__proxy__{kind}": "127.0.0.1" for kind in ("http", "ssl")}
    ports = {f"network__proxy__{kind}_port": canary.port for kind in ("http", "ssl")}
    with Firefox(tmp_path_factory.mktemp("fox"), network__proxy__type=1, **proxy, **ports) as fox:
        yield fox


def heard(canary: Canary) -> list[str]:
    """What was asked of the foreign server; Firefox's own look-ups are not ours."""
    return [line for line in canary.heard if "evil.invalid" in line]


def test_the_canary_hears_who_calls_from_firefox(fox: Firefox, canary: Canary) -> None:
    with pytest.raises(AssertionError):
        fox.opens(f"{EVIL}/called")
    assert heard(canary)
    canary.heard.clear()


def test_no_page_connects_or_opens_anything_in_firefox(fox: Firefox, canary: Canary, locked: Served) -> None:
    pressed, there = 0, ""
    for name in NAMES:
        group = group_of(name)
        if group != there:
            fox.opens(f"{locked.url}?set={group}")
            there = group
        fox.waits(FIND + CHOOSE.replace("NAME", json.dumps(f"{name}.html")))
        # Its picture comes first.
        fox.waits(FIND + RENDERED)
        for x, y in fox.runs(FIND + PLACES):
            for button in (0, 1):
                fox.clicks(x, y, button=button)
                pressed += 1
    assert pressed > 10
    assert [line[:60] for line in heard(canary)] == []
    assert len(fox.asks("WebDriver:GetWindowHandles")) == 1
