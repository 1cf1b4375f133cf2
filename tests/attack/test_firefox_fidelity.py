"""Our view of a web page looks in Firefox too as the page does as a file, wide and narrow."""

import base64
import io
from collections.abc import Iterator

import pytest
from PIL import Image

from tests.attack.marionette import Firefox
from tests.browser.outputs.test_fidelity import compared, differing, served
from tests.browser.servers.panes_page import Served
from tests.worlds.files.web_pages import web_pages

__all__ = ["served"]

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]
SAMPLE = 24
"""Three pages of each style."""
WIDTHS = (1280, 500)
"""Firefox has no window that is narrower."""
_STILL = """
for (const each of document.getAnimations()) { each.pause(); each.currentTime = 0; }
return document.fonts.status === "loaded" && [...document.images].every((image) => image.complete);
"""


class FoxCamera:
    """Takes pictures of pages with Firefox."""

    def __init__(self, fox: Firefox) -> None:
        self._fox = fox

    def pictures(self, address: str) -> tuple[Image.Image, ...]:
        """The page at the address, a picture for each width."""
        self._fox.opens(address)
        return tuple(self._picture(width) for width in WIDTHS)

    def _picture(self, width: int) -> Image.Image:
        self._fox.asks("WebDriver:SetWindowRect", width=width, height=800)
        self._fox.waits(_STILL)
        data = base64.b64decode(self._fox.asks("WebDriver:TakeScreenshot", full=True))
        return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    # Without scripts, as in our view, and without a network: nobody listens at the proxy.
    proxy = {f"network__proxy__{kind}": "127.0.0.1" for kind in ("http", "ssl")}
    ports = {f"network__proxy__{kind}_port": 9 for kind in ("http", "ssl")}
    still = {"javascript__enabled": False, "ui__caretBlinkTime": 0}
    with Firefox(tmp_path_factory.mktemp("fox"), network__proxy__type=1, **proxy, **ports, **still) as fox:
        yield fox


@pytest.mark.parametrize("served", [SAMPLE], indirect=True)
def test_pages_look_in_our_view_as_they_look_as_files_in_firefox(fox: Firefox, served: Served) -> None:
    comparisons = compared(FoxCamera(fox), served, served.folder, web_pages(SAMPLE))

    assert len(comparisons) == SAMPLE
    assert differing(comparisons, served.folder) == {}, served.folder
