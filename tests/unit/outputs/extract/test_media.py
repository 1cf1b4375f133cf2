"""A WAV file loses its tags and keeps its sound; of other sound and film nothing is handed on."""

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.outputs.extract.images import read_sound as read

NAME = b"gpt-maker-7"


def cleared(data: bytes) -> tuple[str, bytes]:
    copy = read(data).copy
    assert copy is not None
    return copy.media_type, copy.data


def test_a_wave_keeps_its_sound_and_loses_its_list() -> None:
    own = io.BytesIO()
    with wave.open(own, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\1\2" * 100)
    data = own.getvalue() + b"LIST" + struct.pack("<I", 4 + len(NAME) + 1) + b"INFO" + NAME + b"\0"
    kind, copy = cleared(data)
    assert kind == "audio/wav"
    assert NAME not in copy
    with wave.open(io.BytesIO(copy)) as sound:
        assert sound.readframes(1_000) == b"\1\2" * 100


@pytest.mark.parametrize(
    "data",
    [b"OggS\0\2OpusHead", b"\x1aE\xdf\xa3", b"RIFF\0\0\0\0WAVE", b"\0\0\0\x18ftypisom", b"ID3", b"fLaC"],
    ids=["Ogg", "WebM", "WAV", "MP4", "MP3", "FLAC"],
)
def test_what_cannot_be_cleared_is_not_played_and_nothing_of_it_is_read(data: bytes) -> None:
    extraction = read(data + NAME * 200)
    assert (extraction.copyable, extraction.copy, extraction.text) == (False, None, "")
    (said,) = [note for note in extraction.notes if "It is not played (2.2 KB)" in note]
    assert "convert it to WAV" in said
    assert NAME.decode() not in " ".join(extraction.notes)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [b"ID3", b"fLaC", b"RIFF....WAVE", b"....ftypisom....", b"\xff\xfb", b"OggS\0\2", b"\x1aE\xdf\xa3"]
    ),
)
def test_damaged_media_have_a_copy_or_a_reason(data: bytes, head: bytes) -> None:
    extraction = read(head + data)
    assert extraction.copyable is (extraction.copy is not None)
