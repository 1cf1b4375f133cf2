"""Sound and film lose their tags and keep their stream; names in unknown bytes are overwritten in place."""

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparator.domain.blinding.redaction import Decision, Redaction
from comparator.outputs.child.process import limits_for
from comparator.outputs.extract.media import read
from comparator.outputs.limits import Limits
from comparator.outputs.view.blinding.names_in_bytes import overwritten

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


def page(*packets: bytes, serial: int, first: bool = False) -> bytes:
    """An Ogg page of whole packets."""
    lengths = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    head = (
        b"OggS\0" + bytes([2 * first]) + bytes(8) + struct.pack("<III", serial, 0, 0) + bytes([len(lengths)])
    )
    own = head + lengths + b"".join(packets)
    return own[:22] + struct.pack("<I", page_sum(own)) + own[26:]


def page_sum(own: bytes) -> int:
    """The sum of a page bit by bit, as the format describes it."""
    value = 0
    for byte in own[:22] + bytes(4) + own[26:]:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value >> 31 else 0)) & 0xFFFFFFFF
    return value


@pytest.mark.parametrize(
    ("opening", "tags", "end"),
    [
        (b"\x01vorbis", b"\x03vorbis", b"\1"),
        (b"OpusHead", b"OpusTags", b""),
        (b"\x80theora", b"\x81theora", b""),
    ],
)
def test_an_ogg_keeps_its_pages_and_its_tags_become_nothing(opening: bytes, tags: bytes, end: bytes) -> None:
    comment = tags + struct.pack("<I", len(NAME)) + NAME + struct.pack("<II", 1, len(NAME)) + NAME + b"\1"
    first, rest = page(opening + b"..", serial=7, first=True), page(b"sound", serial=7)
    kind, copy = cleared(first + page(comment, serial=7) + rest)
    emptied = page(tags + bytes(8) + end.ljust(len(comment) - len(tags) - 8, b"\0"), serial=7)
    assert copy == first + emptied + rest
    assert kind == ("video/ogg" if b"theora" in tags else "audio/ogg")


def element(id: int, *inner: bytes, endless: bool = False) -> bytes:
    """A part of a WebM."""
    body = b"".join(inner)
    size = b"\x01" + b"\xff" * 7 if endless else struct.pack(">I", len(body) | 1 << 28)
    return id.to_bytes((id.bit_length() + 7) // 8, "big") + size + body


def webm(*, endless: bool, private: bytes = b"") -> bytes:
    """A film of one picture, or with the `private` words of a decoder a sound, with a name wherever one may stand."""
    codec = element(0x86, b"A_VORBIS" if private else b"V_VP8")
    picture = element(0x63A2, private) if private else element(0xE0, element(0xB0, b"\1"))
    track = element(0xAE, element(0xD7, b"\1"), codec, element(0x536E, NAME), picture)
    return element(0x1A45DFA3, element(0x4282, b"webm"), element(0xEC, NAME)) + element(
        0x18538067,
        element(0x1549A966, element(0x2AD7B1, b"\x0f\x42\x40"), element(0x7BA9, NAME), element(0x4D80, NAME)),
        element(0x1654AE6B, track),
        element(
            0x1F43B675,
            element(0xE7, b"\0"),
            element(0xA3, b"a picture"),
            element(0xEC, NAME),
            endless=endless,
        ),
        element(0x1254C367, element(0x7373, NAME)),
        element(0x1941A469, NAME * 20),
        element(0x1F43B675, element(0xA3, b"another"), endless=endless),
        endless=endless,
    )


@pytest.mark.parametrize("endless", [False, True])
def test_a_webm_keeps_every_place_while_its_tags_become_nothing(endless: bool) -> None:
    data = webm(endless=endless)
    kind, copy = cleared(data)
    assert kind == "video/webm"
    assert len(copy) == len(data)
    assert NAME not in copy
    for kept in (b"V_VP8", b"a picture", b"another", b"\x0f\x42\x40"):
        assert copy.index(kept) == data.index(kept)
    # What is clear stays as it is.
    assert cleared(copy) == (kind, copy)


def test_the_tags_within_a_webms_sound_become_nothing() -> None:
    tags = b"\x03vorbis" + struct.pack("<I", len(NAME)) + NAME + bytes(4) + b"\1"
    private = bytes([2, 4, len(tags)]) + b"\x01vor" + tags + b"\x05rest"
    kind, copy = cleared(webm(endless=False, private=private))
    assert kind == "audio/webm"
    assert NAME not in copy
    assert b"\x03vorbis" + bytes(8) + b"\1" in copy
    assert b"\x05rest" in copy


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
    st.sampled_from(
        [
            *(
                b"ID3",
                b"fLaC",
                b"RIFF....WAVE",
                b"....ftypisom....",
                b"\xff\xfb",
                b"OggS\0\2",
                b"\x1aE\xdf\xa3",
            ),
            *(page(b"OpusHead", serial=0, first=True), element(0x1A45DFA3) + b"\x18\x53\x80\x67"),
        ]
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
    sought = [Redaction(pattern=name, decision=Decision.REDACT)]
    for text in written:
        data = text.encode("utf-16-le" if wide else "ascii")
        for beside in every:
            around = beside + b"\0" * wide
            found = overwritten(b"\0\0" + around + data + around + b"\0\0", sought)
            assert b"quillwort" not in found.replace(b"\0", b"").lower(), (text, beside)
