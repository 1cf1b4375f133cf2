"""Differences of two pictures: how much of them differs, and where."""

from __future__ import annotations

import io
import warnings
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from comparator.outputs.differences.model import OTHER_FILE, Both, ChangedPart, FileComparison
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


def compare_pictures(a: bytes, b: bytes) -> FileComparison:
    """Two pictures with a frame around what differs, and the other laid over where wanted."""
    seen = compare_pixels(a, b)
    (width, height), (other_width, other_height) = seen.sizes
    notes: tuple[str, ...] = ()
    if seen.sizes[0] != seen.sizes[1]:
        sizes = f"{width} × {height} pixels in A, {other_width} × {other_height} in B"
        notes = (f"The sizes differ: {sizes}; B was drawn to the size of A to be compared.",)
    frame = ""
    if seen.box is not None:
        style = ";".join(f"{name}:{part:.2f}%" for name, part in seen.box._asdict().items())
        frame = f'<i class="frame" data-change="1" style="{style}"></i>'
    changes = int(seen.box is not None or bool(notes))
    # Each side loads its own picture first, so that both documents read alike.
    body = (
        '<p class="facts" data-skip><label><input type="checkbox" id="over1"> Overlay the other picture '
        "(identical areas turn black)</label></p>"
        '<div class="over"><img alt="This output" src="../../image">'
        f'<img class="second" alt="" src="{OTHER_FILE}/image">{frame}</div>'
    )
    part = ChangedPart(1, changes, Both(body, body))
    return FileComparison(changes, seen.percent, "the picture", notes, (part,))


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
