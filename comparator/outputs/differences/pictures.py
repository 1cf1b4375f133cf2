"""Differences of two pictures: how much of them differs, and where."""

from __future__ import annotations

import io
import warnings
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from comparator.outputs.differences.model import Both, ChangedPart, FileComparison
from comparator.outputs.preview.document import NotShown

_SIDE = 1_200
_UNLIKE = 24
"""A pixel differs where one of its colours does by more than this, of 255; less is what compression leaves."""
_MOST_PIXELS = 60_000_000


class Box(NamedTuple):
    """Where pictures differ, in hundredths of their width and height."""

    left: float
    top: float
    width: float
    height: float


class Addresses(NamedTuple):
    """Where a document finds the picture of its own side, and that of the other."""

    own: str
    other: str


class PictureDifference(NamedTuple):
    """The box around all that differs, if anything does, and how many of hundred pixels are the same."""

    box: Box | None
    percent: int
    sizes: tuple[tuple[int, int], tuple[int, int]]


def compare_pixels(a: bytes, b: bytes) -> PictureDifference:
    """Two pictures, the second drawn to the size of the first. Raises NotShown."""
    first, second = _opened(a), _opened(b)
    sizes = first.size, second.size
    scale = min(1.0, _SIDE / max(first.size))
    size = max(1, round(first.width * scale)), max(1, round(first.height * scale))
    own, other = (np.asarray(_on_white(image).resize(size), dtype=np.int16) for image in (first, second))
    unlike = np.abs(own - other).max(axis=2) > _UNLIKE
    share = float(unlike.mean())
    percent = 100 if not unlike.any() and sizes[0] == sizes[1] else min(99, round(100 * (1 - share)))
    return PictureDifference(_box(unlike), percent, sizes)


def compare_pictures(a: bytes, b: bytes, *, address: Addresses) -> FileComparison:
    """Two pictures with a frame around what differs, and the other laid over where wanted; addresses as each side
    loads them."""
    seen = compare_pixels(a, b)
    notes = (
        ()
        if seen.sizes[0] == seen.sizes[1]
        else (
            "The sizes differ: {} × {} pixels in A, {} × {} in B; B was drawn to the size of A to be compared.".format(
                *seen.sizes[0], *seen.sizes[1]
            ),
        )
    )
    frame = ""
    if seen.box is not None:
        left, top, width, height = (f"{part:.2f}%" for part in seen.box)
        frame = f'<i class="frame" data-change="1" style="left:{left};top:{top};width:{width};height:{height}"></i>'
    changes = int(seen.box is not None or bool(notes))
    # Each side loads its own picture first, so that both documents read alike.
    body = _overlay(address, frame)
    return FileComparison(
        changes, seen.percent, "the picture", notes, (ChangedPart(1, changes, Both(body, body)),)
    )


def _overlay(address: Addresses, frame: str) -> str:
    """A picture with the other one laid over it where a box is ticked: what is the same turns black."""
    return (
        '<p class="facts" data-skip><label><input type="checkbox" id="over1"> Lay the other over it '
        "(what is the same turns black)</label></p>"
        f'<div class="over"><img alt="This output" src="{address.own}">'
        f'<img class="second" alt="" src="{address.other}">{frame}</div>'
    )


def _opened(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP"))
            if image.width * image.height > _MOST_PIXELS:
                raise NotShown("These pictures are too large to be compared.")
            return ImageOps.exif_transpose(image)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NotShown("These pictures cannot be compared: one of them cannot be read.") from error


def _on_white(image: Image.Image) -> Image.Image:
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image.convert("RGBA"))
    return white.convert("RGB")


def _box(unlike: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Box | None:
    ys, xs = np.nonzero(unlike)
    if not len(ys):
        return None
    height, width = unlike.shape
    left, top = 100 * xs.min() / width, 100 * ys.min() / height
    return Box(left, top, 100 * (xs.max() + 1) / width - left, 100 * (ys.max() + 1) / height - top)
