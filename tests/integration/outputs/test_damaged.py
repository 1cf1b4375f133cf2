"""A damaged picture is handed on as bytes, without what its maker wrote beside it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from comparator.outputs.view.damaged import without_metadata
from tests.worlds.files.outputs import World


def telling(kind: str) -> bytes:
    """A picture in which program, person and day of its making stand."""
    about = Image.Exif()
    about[0x131], about[0x132], about[0x13B] = "maker 7", "2026:01:02 03:04:05", "Anna"
    words = PngInfo()
    words.add_text("parameters", "maker 7")
    options = {"pnginfo": words} if kind == "PNG" else {"comment": b"by Anna"}
    out = io.BytesIO()
    Image.effect_noise((90, 90), 60).convert("RGB").save(out, kind, exif=about, **options)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_picture_that_was_cut_off_tells_no_more_than_a_whole_one(kind: str, tmp_path: Path) -> None:
    data = telling(kind)[:-900]
    told = (b"maker", b"Anna", b"2026")

    copy = World(tmp_path).copy(f"picture.{kind.lower()}", data)

    assert [word in data for word in told] == [True] * 3
    assert [word in copy for word in told] == [False] * 3
    assert len(copy) == len(data)
    assert copy[-2_000:] == data[-2_000:]


@given(st.binary(max_size=200), st.sampled_from([b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"]))
def test_whatever_stands_in_a_damaged_picture_it_keeps_its_length(data: bytes, head: bytes) -> None:
    assert len(without_metadata(head + data)) == len(head + data)
