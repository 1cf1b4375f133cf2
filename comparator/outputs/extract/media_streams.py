"""Ogg and WebM without what their makers wrote into them: what tells is overwritten in place, so that nothing moves."""

from __future__ import annotations

from typing import NamedTuple

from comparator.outputs.child.extraction import Unreadable

_PAGE = b"OggS"
_PAGE_HEAD = 27
_MOST_PAGES = 400_000
_COMMENTS = {b"\x01vorbis": b"\x03vorbis", b"OpusHead": b"OpusTags", b"\x80theora": b"\x81theora"}
"""How a stream begins that is understood, and how its second packet does, which holds the tags."""
_NO_TAGS = bytes(8)
"""A maker's name of no letters and no tags."""

_VOID = 0xEC
_EBML, _SEGMENT, _CLUSTER, _SEEK_HEAD = 0x1A45DFA3, 0x18538067, 0x1F43B675, 0x114D9B74
_INFO, _TRACKS, _TRACK, _CUES = 0x1549A966, 0x1654AE6B, 0xAE, 0x1C53BB6B
_CODEC, _PRIVATE, _VIDEO, _AUDIO = 0x86, 0x63A2, 0xE0, 0xE1
_SIMPLE_BLOCK, _GROUP, _BLOCK, _SEEK, _CUE, _CUE_PLACE = 0xA3, 0xA0, 0xA1, 0x4DBB, 0xBB, 0xB7
_KEPT: dict[int, frozenset[int]] = {
    0: frozenset({_EBML, _SEGMENT}),
    _EBML: frozenset({0x4286, 0x42F7, 0x42F2, 0x42F3, 0x4282, 0x4287, 0x4285}),
    _SEGMENT: frozenset({_SEEK_HEAD, _INFO, _TRACKS, _CLUSTER, _CUES}),
    _SEEK_HEAD: frozenset({_SEEK}),
    _SEEK: frozenset({0x53AB, 0x53AC}),
    _INFO: frozenset({0x2AD7B1, 0x4489}),
    _TRACKS: frozenset({_TRACK}),
    _TRACK: frozenset({0xD7, 0x73C5, 0x83, 0xB9, 0x88, 0x55AA, 0x9C, 0x6DE7, 0x6DF8, 0x23E383, 0x23314F, 0x55EE})
    | {_CODEC, _PRIVATE, 0x56AA, 0x56BB, _VIDEO, _AUDIO},
    _VIDEO: frozenset({0xB0, 0xBA, 0x9A, 0x9D, 0x53B8, 0x53C0, 0x54AA, 0x54BB, 0x54CC, 0x54DD, 0x54B0, 0x54BA})
    | {0x54B2, 0x54B3, 0x55B0},
    _AUDIO: frozenset({0xB5, 0x78B5, 0x9F, 0x6264}),
    _CLUSTER: frozenset({0xE7, 0xA7, 0xAB, _SIMPLE_BLOCK, _GROUP}),
    _GROUP: frozenset({_BLOCK, 0x9B, 0xFA, 0xFB, 0xA4, 0x75A2, 0x75A1}),
    _CUES: frozenset({_CUE}),
    _CUE: frozenset({0xB3, _CUE_PLACE}),
    _CUE_PLACE: frozenset({0xF7, 0xF1, 0xF0, 0xB2, 0x5378, 0xEA}),
}  # fmt: skip
"""The elements that stay within each that is looked into: what a player needs, and nothing with words of its own."""
_LONG = frozenset({_PRIVATE, _SIMPLE_BLOCK, _BLOCK, 0x75A1})
_LONGEST = 64
"""Bytes of a kept element that is neither sound nor picture nor for the decoder."""
_ENDLESS = frozenset({_SEGMENT, _CLUSTER})
"""What may have no size: a recording that was written as it went."""
_BEHIND_A_CLUSTER = _KEPT[_SEGMENT] | {0x1254C367, 0x1941A469, 0x1043A770}
_MOST_ELEMENTS = 400_000


def ogg(data: bytes) -> tuple[str, bytes]:
    """Its type and the file without tags. Raises Unreadable for a damaged one, or streams that are not understood."""
    out = bytearray(data)
    streams: dict[bytes, _Stream] = {}
    at, film = 0, False
    for _ in range(_MOST_PAGES):
        if at == len(out):
            break
        page = _page(out, at)
        if page.first:
            streams[page.serial] = _Stream()
            film |= bytes(out[page.body : page.body + 7]) == b"\x80theora"
        stream = streams.get(page.serial)
        if stream is None:
            raise Unreadable("It is damaged.")
        stream.take(out, page)
        if stream.emptied:
            out[at + 22 : at + 26] = bytes(4)
            out[at + 22 : at + 26] = _sum(out[at : page.end]).to_bytes(4, "little")
        at = page.end
    if at != len(out) or not streams or any(stream.packets < 2 for stream in streams.values()):
        raise Unreadable("It is damaged.")
    return ("video/ogg" if film else "audio/ogg"), bytes(out)


class _Page(NamedTuple):
    serial: bytes
    first: bool
    lengths: bytes
    body: int
    end: int


def _page(data: bytearray, at: int) -> _Page:
    if data[at : at + 4] != _PAGE or data[at + 4] != 0:
        raise Unreadable("It is damaged.")
    count = data[at + 26]
    body = at + _PAGE_HEAD + count
    lengths = bytes(data[at + _PAGE_HEAD : body])
    end = body + sum(lengths)
    if end > len(data):
        raise Unreadable("It is damaged.")
    return _Page(bytes(data[at + 14 : at + 18]), bool(data[at + 5] & 2), lengths, body, end)


class _Stream:
    """Empties the second packet of a stream, which may lie on several pages."""

    def __init__(self) -> None:
        self.packets = 0
        self.emptied = False
        """Whether something of the last page was emptied."""
        self._head = b""
        self._done = 0

    def take(self, out: bytearray, page: _Page) -> None:
        self.emptied = False
        at = page.body
        for length in page.lengths:
            if self.packets == 0:
                self._head += bytes(out[at : at + length])
            elif self.packets == 1:
                self._empty(out, at, at + length)
            at += length
            if length < 255:
                self._end_packet()

    def _empty(self, out: bytearray, at: int, end: int) -> None:
        opening = _COMMENTS[self._kind()]
        # What a player reads of it: its name, nobody's name, no tags, and in Vorbis a bit that ends it.
        wanted = opening + _NO_TAGS + (b"\1" if opening == b"\x03vorbis" else b"")
        for place in range(at, end):
            if self._done < len(opening) and out[place] != opening[self._done]:
                raise Unreadable("It is damaged.")
            out[place] = wanted[self._done] if self._done < len(wanted) else 0
            self._done += 1
        self.emptied = True

    def _kind(self) -> bytes:
        found = next((kind for kind in _COMMENTS if self._head.startswith(kind)), None)
        if found is None:
            raise Unreadable("It holds a stream that is not understood.")
        return found

    def _end_packet(self) -> None:
        self._kind()
        if self.packets == 1 and self._done < len(_COMMENTS[self._kind()]) + len(_NO_TAGS):
            raise Unreadable("It is damaged.")
        self.packets += 1


def _table() -> tuple[int, ...]:
    table = []
    for number in range(256):
        value = number << 24
        for _ in range(8):
            value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
        table.append(value & 0xFFFFFFFF)
    return tuple(table)


_SUMS = _table()


def _sum(page: bytes | bytearray) -> int:
    value = 0
    for byte in page:
        value = (value << 8 & 0xFFFFFFFF) ^ _SUMS[value >> 24 ^ byte]
    return value


def webm(data: bytes) -> tuple[str, bytes]:
    """Its type and the file without tags. Raises Unreadable for a damaged one."""
    out = bytearray(data)
    walk = _Walk(out)
    walk.into(0, 0, len(out))
    if not walk.tracks:
        raise Unreadable("It has no track.")
    return ("video/webm" if walk.film else "audio/webm"), bytes(out)


class _Element(NamedTuple):
    id: int
    body: int
    end: int


class _Walk:
    def __init__(self, out: bytearray) -> None:
        self._out = out
        self._left = _MOST_ELEMENTS
        self._codec = b""
        self._private: _Element | None = None
        self.tracks = 0
        self.film = False

    def into(self, parent: int, at: int, end: int) -> int:
        """Clear what is in an element; where it ends, which a cluster without a size says by what follows."""
        while at < end:
            self._left -= 1
            each = self._element(at, end)
            if self._left < 0:
                raise Unreadable("It has too many parts.")
            if parent == _CLUSTER and each.id in _BEHIND_A_CLUSTER:
                return at
            if each.id in _KEPT[parent] and each.id in _KEPT:
                self.film |= each.id == _VIDEO
                at = self.into(each.id, each.body, each.end)
                if each.id == _TRACK:
                    self._end_track()
                continue
            if each.id in _KEPT[parent] and (each.id in _LONG or each.end - each.body <= _LONGEST):
                self._note(each)
            else:
                self._void(at, each)
            at = each.end
        return end

    def _note(self, each: _Element) -> None:
        if each.id == _CODEC:
            self._codec = bytes(self._out[each.body : each.end])
        elif each.id == _PRIVATE:
            self._private = each

    def _end_track(self) -> None:
        self.tracks += bool(self._codec)
        if self._private is not None and self._codec.startswith(b"A_VORBIS"):
            self._clear_vorbis(self._private)
        self._codec, self._private = b"", None

    def _element(self, at: int, end: int) -> _Element:
        id, body = self._number(at, end, most=4)
        size, start = self._number(body, end, most=8)
        bits = 7 * (start - body)
        size &= (1 << bits) - 1
        if size == (1 << bits) - 1 and id in _ENDLESS:
            return _Element(id, start, end)
        if start + size > end:
            raise Unreadable("It is damaged.")
        return _Element(id, start, start + size)

    def _number(self, at: int, end: int, *, most: int) -> tuple[int, int]:
        """A number with the bit that tells its width, and where it ends."""
        width = 9 - self._out[at].bit_length()
        if width > most or at + width > end:
            raise Unreadable("It is damaged.")
        return int.from_bytes(self._out[at : at + width], "big"), at + width

    def _void(self, start: int, each: _Element) -> None:
        """An element that players pass over, as long as this one was."""
        whole = each.end - start
        head = 2 if whole < 129 else 9
        size = whole - head
        length = bytes([0x80 | size]) if head == 2 else bytes([1]) + size.to_bytes(7, "big")
        self._out[start : each.end] = bytes([_VOID]) + length + bytes(size)

    def _clear_vorbis(self, private: _Element) -> None:
        """The second of the three packets in which a decoder is told how to begin holds the tags."""
        out, at = self._out, private.body
        lengths = []
        if out[at] != 2:
            raise Unreadable("It is damaged.")
        at += 1
        for _ in range(2):
            length = 0
            while out[at] == 255:
                length, at = length + 255, at + 1
            lengths.append(length + out[at])
            at += 1
        start, end = at + lengths[0], at + lengths[0] + lengths[1]
        opening = _COMMENTS[b"\x01vorbis"]
        if (
            end > private.end
            or out[start : start + 7] != opening
            or end - start < len(opening) + len(_NO_TAGS) + 1
        ):
            raise Unreadable("It is damaged.")
        out[start + 7 : end] = (_NO_TAGS + b"\1").ljust(end - start - 7, b"\0")
