"""Sound and film lose their tags and keep their stream; names in unknown bytes are overwritten in place."""

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding import Decision, Redaction
from comparator.outputs.child import limits_for
from comparator.outputs.extract.media import read
from comparator.outputs.limits import Limits
from comparator.outputs.redacting import overwritten

LIMITS = limits_for(Limits())
NAME = b"gpt-maker-7"
REDACTIONS = (Redaction(pattern="gpt-maker-7", decision=Decision.REDACT),)


def cleared(data: bytes) -> tuple[str, bytes]:
    copy = read(data, LIMITS).copy
    assert copy is not None
    return copy.media_type, copy.data


def box(kind: bytes, *inner: bytes) -> bytes:
    body = b"".join(inner)
    return struct.pack(">I4s", len(body) + 8, kind) + body


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


def test_an_mp3_loses_tags_before_and_behind_its_frames() -> None:
    frames = b"\xff\xfb\x90\x00" + b"\x55" * 400
    before = b"ID3\x04\0\0" + bytes([0, 0, 0, len(NAME)]) + NAME
    ape = NAME + b"APETAGEX" + struct.pack("<III", 2_000, len(NAME) + 32, 1) + b"\0" * 12
    behind = b"TAG" + NAME.ljust(125, b"\0")
    assert cleared(before + before + frames + ape + behind) == ("audio/mpeg", frames)


def test_a_flac_keeps_its_length_and_its_stream() -> None:
    info = b"\0" + (34).to_bytes(3, "big") + bytes(34)
    tags = b"\x84" + len(NAME).to_bytes(3, "big") + NAME
    kind, copy = cleared(b"fLaC" + info + tags + b"\xff\xf8rest")
    assert kind == "audio/flac"
    assert NAME not in copy
    assert copy.endswith(b"\xff\xf8rest")
    assert len(copy) == len(b"fLaC" + info + tags + b"\xff\xf8rest")


def test_an_mp4_keeps_every_place_while_its_tags_become_nothing() -> None:
    handler = box(b"hdlr", bytes(24), NAME)
    moov = box(
        b"moov",
        box(b"mvhd", b"\1" * 8),
        box(b"trak", box(b"mdia", handler), box(b"udta", NAME)),
        box(b"meta", NAME),
    )
    data = box(b"ftyp", b"isom") + moov + box(b"uuid", NAME) + box(b"mdat", b"stream")
    kind, copy = cleared(data)
    assert kind == "video/mp4"
    assert len(copy) == len(data)
    assert NAME not in copy
    assert copy.index(b"stream") == data.index(b"stream")
    assert b"mvhd" + b"\1" * 8 in copy


@pytest.mark.parametrize(
    "data",
    [b"OggS" + NAME, b"\x1aE\xdf\xa3" + NAME, b"RIFF\0\0\0\0WAVE", b"\0\0\0\x18ftypisom", b"ID3", b"fLaC"],
)
def test_what_cannot_be_cleared_is_not_played(data: bytes) -> None:
    extraction = read(data, LIMITS)
    assert not extraction.copyable
    assert extraction.copy is None
    assert any("not played while the review is blind" in note for note in extraction.notes)


@given(
    st.binary(max_size=300),
    st.sampled_from([b"ID3", b"fLaC", b"RIFF....WAVE", b"....ftypisom....", b"\xff\xfb"]),
)
def test_damaged_media_have_a_copy_or_a_reason(data: bytes, head: bytes) -> None:
    extraction = read(head + data, LIMITS)
    assert extraction.copyable is (extraction.copy is not None)


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_names_in_bytes_are_overwritten_and_nothing_moves(before: bytes, after: bytes) -> None:
    wide = "GPT-Maker-7".encode("utf-16-le")
    data = before + b" " + NAME + b" " + after + b"\0\0" + wide + b"\0\0"
    own = overwritten(data, REDACTIONS)
    assert len(own) == len(data)
    assert NAME not in own
    assert wide not in own
    assert own.startswith(before)
