"""A font of a few bytes whose letters are boxes: what is set in it cannot be taken for any other font."""

import struct

_GLYPHS = {" ": 0, **{chr(code): 200 + 37 * (code % 13) for code in range(33, 127)}}
"""Characters by the height of their box in thousandths of the line."""


def tiny_font() -> bytes:
    """The font as a TrueType file."""
    heights = [700, *_GLYPHS.values()]
    glyphs = [_box(height) for height in heights]
    places = [0]
    for glyph in glyphs:
        places.append(places[-1] + len(glyph))
    count = len(glyphs)
    tables = {
        b"OS/2": _os2(),
        b"cmap": _cmap(),
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh",
            0x10000,
            0x10000,
            0,
            0x5F0F3CF5,
            11,
            1000,
            0,
            0,
            0,
            0,
            600,
            800,
            0,
            8,
            2,
            1,
            0,
        ),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, 800, -200, 0, 600, 0, 0, 600, 1, *[0] * 7, count),
        b"hmtx": struct.pack(">Hh", 600, 0) * count,
        b"loca": struct.pack(f">{count + 1}I", *places),
        b"maxp": struct.pack(">IH13H", 0x10000, count, 4, 1, 0, 0, 1, *[0] * 8),
        b"name": struct.pack(">HHH", 0, 0, 6),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    head = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    at = len(head) + 16 * len(tables)
    index, body = b"", b""
    for tag, data in tables.items():
        padded = data + b"\0" * (-len(data) % 4)
        check = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        index += struct.pack(">4sIII", tag, check, at + len(body), len(data))
        body += padded
    return head + index + body


def _box(height: int) -> bytes:
    if not height:
        return b""
    outline = struct.pack(">hhhhhHH", 1, 50, 0, 550, height, 3, 0)
    return (
        outline
        + b"\x01" * 4
        + struct.pack(">hhhh", 50, 0, 500, 0)
        + struct.pack(">hhhh", 0, height, 0, -height)
    )


def _cmap() -> bytes:
    first, last = 32, 126
    body = struct.pack(">HHHH", 4, 4, 1, 0) + struct.pack(">HH", last, 0xFFFF) + b"\0\0"
    body += struct.pack(">HH", first, 0xFFFF) + struct.pack(">hh", 1 - first, 1) + struct.pack(">HH", 0, 0)
    table = struct.pack(">HHH", 4, len(body) + 6, 0) + body
    return struct.pack(">HHHHI", 0, 1, 3, 1, 12) + table


def _os2() -> bytes:
    return struct.pack(
        ">HhHHHhhhhhhhhhhh10s4I4sHHHhhhHH2IhhHHH",
        *(
            4,
            600,
            400,
            5,
            0,
            650,
            600,
            0,
            75,
            650,
            600,
            0,
            350,
            50,
            300,
            0,
            b"\0" * 10,
            1,
            0,
            0,
            0,
            b"BOXF",
            64,
            32,
            126,
        ),
        *(800, -200, 0, 800, 200, 1, 0, 500, 700, 0, 32, 1),
    )
