"""Sound and film lose their tags and keep their stream; names in unknown bytes are overwritten in place."""

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding.redaction import PatternDecision, Redaction
from comparator.outputs.child.process import limits_for
from comparator.outputs.extract.media import read
from comparator.outputs.limits import Limits
from comparator.outputs.view.blinding.names_in_bytes import overwritten

LIMITS = limits_for(Limits())
NAME = b"gpt-maker-7"
REDACTIONS = (Redaction(pattern="gpt-maker-7", decision=PatternDecision.REDACT),)


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
    lyrics = b"LYRICSBEGIN" + NAME + b"%06dLYRICS200" % (11 + len(NAME))
    behind = b"TAG" + NAME.ljust(125, b"\0")
    assert cleared(before + before + frames + ape + lyrics + behind) == ("audio/mpeg", frames)


def test_a_flac_keeps_its_length_and_its_stream() -> None:
    info = b"\0" + (34).to_bytes(3, "big") + bytes(34)
    tags = b"\x84" + len(NAME).to_bytes(3, "big") + NAME
    kind, copy = cleared(b"fLaC" + info + tags + b"\xff\xf8rest")
    assert kind == "audio/flac"
    assert NAME not in copy
    assert copy.endswith(b"\xff\xf8rest")
    assert len(copy) == len(b"fLaC" + info + tags + b"\xff\xf8rest")
    behind = b"TAG" + NAME.ljust(125, b"\0")
    assert cleared(b"fLaC" + info + tags + b"\xff\xf8rest" + behind) == (kind, copy)


def test_an_mp4_keeps_every_place_while_its_tags_become_nothing() -> None:
    handler = box(b"hdlr", bytes(24), NAME)
    filmed = box(
        b"stsd", b"\0\0\0\0\0\0\0\1", box(b"avc1", bytes(42), NAME.ljust(32, b"\0"), b"\0\x18\xff\xff")
    )
    moov = box(
        b"moov",
        box(b"mvhd", b"\0" * 4 + b"made" * 2 + b"\1" * 8),
        box(b"trak", box(b"tkhd", b"\1\0\0\0" + b"made" * 4 + b"\2" * 8)),
        box(b"trak", box(b"mdia", box(b"minf", box(b"stbl", filmed)))),
        box(b"trak", box(b"mdia", handler, box(b"\xa9nam", NAME)), box(b"udta", NAME), box(b"Xtra", NAME)),
        box(b"moof", box(b"traf", box(b"tfhd", b"kept"), box(b"made", NAME))),
        box(b"meta", NAME),
    )
    data = box(b"ftyp", b"isom") + moov + box(b"uuid", NAME) + box(b"mdat", b"stream")
    kind, copy = cleared(data)
    assert kind == "video/mp4"
    assert len(copy) == len(data)
    assert NAME not in copy
    assert copy.index(b"stream") == data.index(b"stream")
    assert b"tfhdkept" in copy
    assert b"mvhd" + bytes(12) + b"\1" * 8 in copy
    assert b"tkhd\1" + bytes(19) + b"\2" * 8 in copy
    assert b"made" not in copy
    assert b"\0\x18\xff\xff" in copy


@pytest.mark.parametrize(
    "data",
    [b"OggS\0\2OpusHead", b"\x1aE\xdf\xa3", b"RIFF\0\0\0\0WAVE", b"\0\0\0\x18ftypisom", b"ID3", b"fLaC"],
    ids=["Ogg", "WebM", "WAV", "MP4", "MP3", "FLAC"],
)
def test_what_cannot_be_cleared_is_not_played_and_nothing_of_it_is_read(data: bytes) -> None:
    extraction = read(data + NAME * 200, LIMITS)
    assert (extraction.copyable, extraction.copy, extraction.text) == (False, None, "")
    (said,) = [note for note in extraction.notes if "It is not played (2.2 KB)" in note]
    assert "convert it to MP4, MP3, WAV or FLAC" in said
    assert NAME.decode() not in " ".join(extraction.notes)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [b"ID3", b"fLaC", b"RIFF....WAVE", b"....ftypisom....", b"\xff\xfb", b"OggS\0\2", b"\x1aE\xdf\xa3"]
    ),
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


@pytest.mark.parametrize("name", ["Quillwort", "Quillwort V31", "quillwort-v31"])
@pytest.mark.parametrize("wide", [False, True], ids=["one byte a letter", "two"])
def test_a_name_beside_any_byte_and_glued_to_letters_is_overwritten(name: str, *, wide: bool) -> None:
    written = [
        name,
        name.replace(" ", "").replace("-", ""),
        f"run{name.title().replace(' ', '').replace('-', '')}",
    ]
    # A further digit makes it another name: V315 is not V31.
    every = [bytes((byte,)) for byte in range(256) if not (name[-1].isdigit() and chr(byte) in "0123456789")]
    sought = [Redaction(pattern=name, decision=PatternDecision.REDACT)]
    for text in written:
        data = text.encode("utf-16-le" if wide else "ascii")
        for beside in every:
            around = beside + b"\0" * wide
            found = overwritten(b"\0\0" + around + data + around + b"\0\0", sought)
            assert b"quillwort" not in found.replace(b"\0", b"").lower(), (text, beside)
