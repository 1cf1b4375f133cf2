"""A page's picture shows its frames wherever they stand, also those that Chromium draws only in sight."""

from __future__ import annotations

import io
from urllib.parse import quote

import numpy as np
import pytest
from PIL import Image

from comparator.outputs.pictures.camera import Camera, PageFile

FRAME = "<!doctype html><style>body { background: #ffe9a6 }</style>Some words"
PAGE = (
    '<!doctype html><meta name="viewport" content="width=device-width"><style>p { height: 1300px }</style>'
    '<p>Above</p><iframe width="200" height="60" %s></iframe><p>Below</p>'
)


def taken(chromium: str, frame: str) -> list[np.ndarray]:
    """The pictures of a page with this frame below the window, wide and narrow."""
    page = PageFile("index.html", "text/html; charset=utf-8", (PAGE % frame).encode())
    evidence = Camera(chromium).take("index.html", [page])
    assert not evidence.problem
    return [
        np.concatenate(
            [np.asarray(Image.open(io.BytesIO(tile.data)).convert("RGB")) for tile in picture.tiles]
        )
        for picture in evidence.pictures
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "frame",
    [
        f'sandbox srcdoc="{FRAME}"',
        f'sandbox="allow-scripts" srcdoc="{FRAME}"',
        f'src="data:text/html,{quote(FRAME)}"',
    ],
    ids=["sandboxed", "with scripts", "data address"],
)
def test_a_frame_of_another_origin_below_the_window_is_in_the_picture(chromium_path: str, frame: str) -> None:
    usual = taken(chromium_path, f'srcdoc="{FRAME}"')

    for own, other in zip(taken(chromium_path, frame), usual, strict=True):
        assert (other == (0xFF, 0xE9, 0xA6)).all(axis=2).any()
        assert np.array_equal(own, other)
