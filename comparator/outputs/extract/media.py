"""Sound and film without what their makers wrote into them: tags are cut out or overwritten, the stream stays."""

from __future__ import annotations

import struct

from comparator.outputs.child.extraction import Copy, Extraction, ReadLimits, Unreadable
from comparator.outputs.member_names import in_words

PLAYED = {
    "audio/mpeg": "MP3",
    "audio/wav": "WAV",
    "audio/flac": "FLAC",
    "audio/mp4": "MP4",
    "video/mp4": "MP4",
}
"""Types of copies that a player is shown for, and what people call them."""

_JUDGED = "A judge is not given it: only its name, type and size."
_CLEARED = "Its tags (title, artist, comments, pictures) are removed."
_DEEPEST = 12
_MOST_BOXES = 20_000
_CONTAINERS = frozenset(
    {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"mvex", b"dinf", b"moof", b"traf"}
)
_DESCRIBING = frozenset(
    b"mvhd tkhd mdhd hdlr elst vmhd smhd nmhd sthd dref stsd stts ctts cslg stsc stsz stz2 stco co64 stss stsh sdtp "
    b"sbgp sgpd padb subs saiz saio tref mehd trex leva mfhd tfhd tfdt trun".split()
)
"""What a player needs to know of the streams; all else within a container may say who made them."""
_TOP = frozenset({b"ftyp", b"styp", b"moov", b"moof", b"mdat", b"sidx", b"mfra"})
_WAVE_PARTS = frozenset({b"fmt ", b"data", b"fact"})
_HANDLER_NAME = 24
_DATED = frozenset({b"mvhd", b"tkhd", b"mdhd"})
_FILMED = frozenset({b"avc1", b"avc3", b"hvc1", b"hev1", b"mp4v", b"vp08", b"vp09", b"av01"})
_ENCODER = slice(50, 82)
"""Where the description of a film's stream names what encoded it."""


def read(data: bytes, _limits: ReadLimits) -> Extraction:
    """The file to be played, without tags; of a kind that cannot be cleared there is no copy."""
    try:
        media_type, own = _cleared(data)
    except (Unreadable, struct.error, IndexError):
        return Extraction(copyable=False, notes=(_unplayed(len(data)), _JUDGED))
    return Extraction(copy=Copy(media_type, own), notes=(_JUDGED, _CLEARED))


def _unplayed(size: int) -> str:
    return (
        f"It is not played ({in_words(size)}): it can carry its maker's name, which cannot be removed. "
        "To play it, convert it to MP4, MP3, WAV or FLAC."
    )


def _cleared(data: bytes) -> tuple[str, bytes]:
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return "audio/wav", _wave(data)
    if data[:4] == b"fLaC":
        return "audio/flac", _flac(data)
    if data[4:8] == b"ftyp":
        return ("audio/mp4" if data[8:11] == b"M4A" else "video/mp4"), _boxes(data)
    return "audio/mpeg", _mpeg(data)


def _wave(data: bytes) -> bytes:
    out, at = bytearray(), 12
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if kind in _WAVE_PARTS:
            part = data[at + 8 : at + 8 + size]
            out += kind + struct.pack("<I", len(part)) + part + b"\0" * (len(part) % 2)
        at += 8 + size + size % 2
    if b"fmt " not in out[:4] or b"data" not in out:
        raise Unreadable("It has no sound.")
    return b"RIFF" + struct.pack("<I", len(out) + 4) + b"WAVE" + bytes(out)


def _flac(data: bytes) -> bytes:
    out, at, last = bytearray(data[: _end_of_sound(data, 0)]), 4, False
    while not last:
        last, kind = bool(out[at] & 0x80), out[at] & 0x7F
        size = int.from_bytes(out[at + 1 : at + 4], "big")
        if at + 4 + size > len(out) or kind == 0x7F:
            raise Unreadable("It is damaged.")
        # Only the description of the stream and its table of places stay; all else becomes padding.
        if kind not in (0, 3):
            out[at] = (0x80 if last else 0) | 1
            out[at + 4 : at + 4 + size] = bytes(size)
        at += 4 + size
    if out[at] != 0xFF:
        raise Unreadable("It is damaged.")
    return bytes(out)


def _mpeg(data: bytes) -> bytes:
    start = 0
    while data[start : start + 3] == b"ID3":
        size = 0
        for byte in data[start + 6 : start + 10]:
            size = size << 7 | byte & 0x7F
        start += 10 + size + (10 if data[start + 5] & 0x10 else 0)
    while start < len(data) and data[start] == 0 and start < 1 << 20:
        start += 1
    end = _end_of_sound(data, start)
    if not (end - start > 4 and data[start] == 0xFF and data[start + 1] & 0xE0 == 0xE0):
        raise Unreadable("It has no sound.")
    return data[start:end]


def _end_of_sound(data: bytes, start: int) -> int:
    """Where the tags begin that programs for sound write behind it, whatever its kind."""
    end = len(data)
    while end > start:
        if data[max(end - 128, start) : end][:3] == b"TAG":
            end -= 128
        elif data[max(end - 227, start) : end][:4] == b"TAG+":
            end -= 227
        elif data[max(end - 32, start) : end][:8] == b"APETAGEX":
            size, _, flags = struct.unpack_from("<III", data, end - 20)
            end -= size + (32 if flags & 1 << 31 else 0)
        elif data[max(end - 9, start) : end] == b"LYRICS200" and data[end - 15 : end - 9].isdigit():
            end -= int(data[end - 15 : end - 9]) + 15
        else:
            return end
    return start


def _boxes(data: bytes) -> bytes:
    out = bytearray(data)
    left = [_MOST_BOXES]
    _clear_boxes(out, 0, len(out), depth=0, left=left)
    return bytes(out)


def _clear_boxes(out: bytearray, at: int, end: int, *, depth: int, left: list[int]) -> None:
    """Rename what tells to `free` and fill it with zeros; nothing moves, so that all places in the file hold."""
    while at + 8 <= end:
        left[0] -= 1
        size, kind = struct.unpack_from(">I4s", out, at)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", out, at + 8)[0], 16
        elif size == 0:
            size = end - at
        if size < head or at + size > end or left[0] < 0 or depth > _DEEPEST:
            raise Unreadable("It is damaged.")
        inner = at + head
        if kind not in (_CONTAINERS | _DESCRIBING if depth else _TOP):
            out[at + 4 : at + 8] = b"free"
            out[inner : at + size] = bytes(at + size - inner)
        elif kind in _CONTAINERS:
            _clear_boxes(out, inner, at + size, depth=depth + 1, left=left)
        elif kind in _DATED:
            # When it was made, and changed; in the later version of the box the two take twice the room.
            times, behind = inner + 4, min(inner + (20 if out[inner] == 1 else 12), at + size)
            out[times:behind] = bytes(max(behind - times, 0))
        elif kind == b"stsd":
            _clear_encoders(out, inner + 8, at + size)
        elif kind == b"hdlr" and size > head + _HANDLER_NAME:
            name = inner + _HANDLER_NAME
            out[name : at + size] = bytes(at + size - name)
        at += size


def _clear_encoders(out: bytearray, at: int, end: int) -> None:
    """Films say by what they were encoded, in each description of a stream."""
    while at + 8 <= end:
        size, kind = struct.unpack_from(">I4s", out, at)
        if size < 8 or at + size > end:
            raise Unreadable("It is damaged.")
        if kind in _FILMED and size >= _ENCODER.stop:
            out[at + _ENCODER.start : at + _ENCODER.stop] = bytes(_ENCODER.stop - _ENCODER.start)
        at += size
