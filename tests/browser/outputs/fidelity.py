"""Pictures of a page as a file and as our view of it, and how much alike they are."""

import base64
import contextlib
import io
import time
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Error
from scipy.ndimage import uniform_filter

WIDTHS = (1280, 390)
TALLEST = 6_000
"""Pixels of a page that are compared."""
ENOUGH = 0.99
_THERE = "document.fonts.status === 'loaded' && [...document.images].every((image) => image.complete)"
_MOST_DRAWN = 40
_WINDOW = 8
_STEADY = (0.01 * 255) ** 2, (0.03 * 255) ** 2
"""The two constants of structural similarity."""


class Likeness(NamedTuple):
    """Structural similarity of two pictures, from 0 to 1: their mean, and that of the window that is least alike."""

    overall: float
    worst: float

    @property
    def is_enough(self) -> bool:
        """Whether nobody would see a difference."""
        return min(self) >= ENOUGH


class Camera:
    """One tab without scripts and without a network but the app's own; what moves stands still at its beginning."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(java_script_enabled=False)
        self._page = self._context.new_page()
        self._devtools = self._context.new_cdp_session(self._page)
        self._devtools.send("Animation.enable")
        self._devtools.send("Animation.setPlaybackRate", {"playbackRate": 0})
        self._devtools.send("Network.enable")
        self._devtools.send("Network.setBlockedURLs", {"urls": ["https://*", "http://*.example.com/*"]})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    def pictures(self, address: str) -> tuple[Image.Image, ...]:
        """The page at the address, a picture for each width."""
        self._metrics(WIDTHS[0], 800)
        self._page.goto(address, wait_until="load")
        return tuple(self._steady(width) for width in WIDTHS)

    def _steady(self, width: int) -> Image.Image:
        """The page at a width, in a window that is as high as the page is in one of 800 pixels.

        Chromium leaves a frame of another origin blank while it is out of sight.
        """
        self._metrics(width, 800)
        self._drawn(width)
        self._metrics(width, self._height())
        return Image.open(io.BytesIO(self._drawn(width))).convert("RGB")

    def _drawn(self, width: int) -> bytes:
        """A PNG of the page once it is drawn twice alike: the first picture of a busy browser may lack parts."""
        shot, last = self._shot(width), b""
        for _ in range(_MOST_DRAWN):
            if shot == last and self._is_there():
                break
            shot, last = self._shot(width), shot
        return shot

    def _height(self) -> int:
        return min(int(self._devtools.send("Page.getLayoutMetrics")["cssContentSize"]["height"]), TALLEST)

    def _shot(self, width: int) -> bytes:
        """A PNG of the page; a busy browser may have none ready at the first try."""
        clip = {"x": 0, "y": 0, "width": width, "height": self._height(), "scale": 1}
        asked = {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True}
        for _ in range(4):
            with contextlib.suppress(Error):
                return base64.b64decode(self._devtools.send("Page.captureScreenshot", asked)["data"])
            time.sleep(0.5)
        return base64.b64decode(self._devtools.send("Page.captureScreenshot", asked)["data"])

    def _is_there(self) -> bool:
        """Whether the pictures and fonts that drawing asks for have come."""
        return bool(self._devtools.send("Runtime.evaluate", {"expression": _THERE})["result"]["value"])

    def _metrics(self, width: int, height: int) -> None:
        self._devtools.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )


def likeness(one: Image.Image, other: Image.Image) -> Likeness:
    """How alike two pictures are; where one is larger, the other is black there."""
    if one.size == other.size and one.tobytes() == other.tobytes():
        return Likeness(1, 1)
    size = (max(one.width, other.width), max(one.height, other.height))
    a, b = (np.asarray(picture.crop((0, 0, *size)), dtype=np.float64) for picture in (one, other))
    similar = _similarity(a, b)
    return Likeness(float(similar.mean()), float(similar.min()))


def _similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Structural similarity around each pixel and channel (Wang et al. 2004, uniform windows)."""

    def mean(values: np.ndarray) -> np.ndarray:
        return np.asarray(uniform_filter(values, size=(_WINDOW, _WINDOW, 1)))

    first, second = _STEADY
    mean_a, mean_b = mean(a), mean(b)
    variance = mean(a * a) - mean_a**2 + mean(b * b) - mean_b**2
    covariance = mean(a * b) - mean_a * mean_b
    similar: np.ndarray = ((2 * mean_a * mean_b + first) * (2 * covariance + second)) / (
        (mean_a**2 + mean_b**2 + first) * (variance + second)
    )
    return similar


def keep(pictures: dict[str, Image.Image], folder: Path) -> None:
    """Write pictures for a person to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        picture.save(folder / f"{name}.png")
