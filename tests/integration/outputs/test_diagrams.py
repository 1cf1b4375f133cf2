"""Diagrams are drawn by the Mermaid that comes with Streamlit, in the locked-down browser."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from comparator.outputs.pictures.camera import Camera
from comparator.outputs.pictures.diagrams import drawn
from comparator.web.streamlit_parts import MERMAID


@pytest.mark.slow
def test_each_diagram_is_drawn_by_itself_and_one_that_mermaid_refuses_is_left_out(chromium_path: str) -> None:
    sources = ("graph LR; Sow-->Water-->Harvest", "graph ((", "graph TD; Sow-->Water-->Harvest")

    wide, refused, tall = drawn(sources, scripts=MERMAID, photograph=Camera(chromium_path).take)

    assert refused is None
    assert wide is not None
    assert tall is not None
    across, down = (Image.open(io.BytesIO(picture)) for picture in (wide, tall))
    assert across.width > across.height
    assert down.height > down.width
