"""A moving picture of a page, from screenshots."""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

SIZE = (960, 600)


class Film:
    """Pictures of a page, each with the seconds that it is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[tuple[Image.Image, float]] = []

    def take(self, seconds: float) -> None:
        """One more picture, of the page as it is now."""
        with Image.open(io.BytesIO(self.page.screenshot())) as taken:
            self.frames.append((taken.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS), seconds))

    def save(self, path: Path) -> None:
        """Write all of them as one WebP that runs over and over."""
        first, *others = (frame for frame, _ in self.frames)
        first.save(
            path, save_all=True, append_images=others, loop=0, quality=72, method=6,
            duration=[round(1000 * seconds) for _, seconds in self.frames],
        )  # fmt: skip
