"""What is to be seen on the pages of a document: where words stand, and which colours are where."""

from typing import NamedTuple

import pypdfium2
from PIL import Image, ImageChops

_SCALE = 2.0


class Place(NamedTuple):
    """A box on a page in points, from the page's upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Half way between left and right."""
        return (self.left + self.right) / 2


class Seen:
    """The pages of a PDF, read and drawn."""

    def __init__(self, data: bytes) -> None:
        self._pdf = pypdfium2.PdfDocument(data)
        self.sizes = [page.get_size() for page in self._pdf]
        self.pages = len(self._pdf)
        self._pictures: dict[int, Image.Image] = {}

    def words(self, page: int = 0) -> str:
        """All words of a page in their order, white space made plain."""
        return " ".join(self._pdf[page].get_textpage().get_text_bounded().split())

    def all_words(self) -> str:
        """Those of all pages."""
        return " ".join(self.words(page) for page in range(self.pages))

    def place(self, words: str, page: int = 0) -> Place:
        """Where these words stand for the first time."""
        text = self._pdf[page].get_textpage()
        found = text.search(words, match_case=True).get_next()
        assert found is not None, f"{words!r} is not on the page: {self.words(page)!r}"
        boxes = [text.get_charbox(at) for at in range(found[0], found[0] + found[1])]
        height = self.sizes[page][1]
        return Place(
            min(box[0] for box in boxes),
            height - max(box[3] for box in boxes),
            max(box[2] for box in boxes),
            height - min(box[1] for box in boxes),
        )

    def colour(self, x: float, y: float, page: int = 0) -> tuple[int, ...]:
        """The colour at a place, in points from the upper left corner."""
        pixel = self._picture(page).getpixel((int(x * _SCALE), int(y * _SCALE)))
        assert isinstance(pixel, tuple)
        return pixel

    def extent(self, colour: tuple[int, int, int], page: int = 0) -> Place:
        """The box around all that is of this colour, a little more or less."""
        picture = self._picture(page)
        apart = ImageChops.difference(picture, Image.new("RGB", picture.size, colour)).split()
        near = [band.point([255] * 24 + [0] * 232) for band in apart]
        mask = ImageChops.darker(ImageChops.darker(near[0], near[1]), near[2])
        found = mask.getbbox()
        assert found is not None, f"nothing is of the colour {colour}"
        return Place(*(side / _SCALE for side in found))

    def _picture(self, page: int) -> Image.Image:
        if page not in self._pictures:
            self._pictures[page] = self._pdf[page].render(scale=_SCALE).to_pil().convert("RGB")
        return self._pictures[page]
