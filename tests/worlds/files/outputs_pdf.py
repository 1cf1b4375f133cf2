"""Small PDFs for tests, written object by object."""

import zlib
from collections.abc import Mapping

Body = bytes | tuple[bytes, bytes]


def pdf(objects: Mapping[int, Body], *, trailer: bytes = b"") -> bytes:
    """A PDF of these objects; a pair is a dictionary's entries and a stream. Object 1 is the catalogue."""
    output = bytearray(b"%PDF-1.7\n")
    offsets: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(output)
        output += b"%d 0 obj\n" % number
        if isinstance(body, tuple):
            entries, stream = body
            output += b"<<" + entries + b" /Length %d>>\nstream\n" % len(stream) + stream + b"\nendstream"
        else:
            output += body
        output += b"\nendobj\n"
    start = len(output)
    size = max(objects) + 1
    output += b"xref\n0 %d\n" % size
    for number in range(size):
        used = number in offsets
        output += b"%010d %05d %c \n" % (offsets.get(number, 0), 0 if used else 65535, b"n" if used else b"f")
    output += b"trailer\n<</Root 1 0 R /Size %d %s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(output)


def flate(data: bytes) -> tuple[bytes, bytes]:
    """Entries and stream of packed bytes."""
    return b"/Filter /FlateDecode", zlib.compress(data)


def pages(*texts: str) -> bytes:
    """A PDF with one line of text on each page."""
    objects: dict[int, Body] = {
        1: b"<</Type /Catalog /Pages 2 0 R>>",
        2: b"<</Type /Pages /Count %d /Kids [%s]>>"
        % (len(texts), b" ".join(b"%d 0 R" % (10 + 2 * index) for index in range(len(texts)))),
        3: b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
    }
    for index, text in enumerate(texts):
        number = 10 + 2 * index
        objects[number] = (
            b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources <</Font <</F 3 0 R>>>> /Contents %d 0 R>>"
            % (number + 1)
        )
        objects[number + 1] = flate(
            b"BT /F 12 Tf 20 100 Td (" + text.encode("latin-1") + b") Tj ET" if text else b""
        )
    return pdf(objects)
