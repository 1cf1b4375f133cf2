"""A PDF written anew from what its pages draw: allow-listed entries, pictures and colours without metadata."""

from __future__ import annotations

import struct
from typing import Any

from comparator.outputs.extract.pdf.content import cleaned
from comparator.outputs.extract.pdf.objects import Document, Name, Raw, Ref, Stream, write

_PAGE_WORDS = """
    Type Resources MediaBox CropBox Rotate UserUnit Contents Group
"""
_PAGE = frozenset(_PAGE_WORDS.split())
_RESOURCES_WORDS = """
    Font XObject ExtGState ColorSpace Pattern Shading ProcSet
"""
_RESOURCES = frozenset(_RESOURCES_WORDS.split())
_FORM_WORDS = """
    Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms
"""
_FORM = frozenset(_FORM_WORDS.split())
_IMAGE_WORDS = """
    Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask
    SMaskInData Matte Filter DecodeParms
"""
_IMAGE = frozenset(_IMAGE_WORDS.split())
_NEVER_WORDS = """
    Metadata PieceInfo LastModified Info StructParent StructParents StructTreeRoot Properties ActualText
    Alt E Lang AF OC OCProperties Annots AA A Dest Names Outlines EmbeddedFiles EF Thumb B Tabs ID OPI
    Measure PtData
"""
_NEVER = frozenset(_NEVER_WORDS.split())
_BY_COMPONENTS = {1: Name("DeviceGray"), 3: Name("DeviceRGB"), 4: Name("DeviceCMYK")}
_KEPT_BOXES = (b"jP  ", b"ftyp", b"jp2h", b"jp2c")
_ADOBE = 0xEE
_DEEPEST = 60


def stripped(data: bytes, *, largest: int) -> bytes:
    """A PDF from PDFium, written anew with nothing but what its pages draw. Raises Unreadable."""
    rebuilder = _Rebuilder(Document(data), largest)
    return write(rebuilder.pages(), rebuilder.resolve)


class _Rebuilder:
    def __init__(self, document: Document, largest: int) -> None:
        self._document = document
        self._largest = largest
        self._content: set[int] = set()

    def pages(self) -> list[dict[str, Any]]:
        catalog = self._document.get(self._document.trailer["Root"])
        kids = self._document.get(self._document.get(catalog["Pages"])["Kids"])
        return [self._page(self._document.get(kid)) for kid in kids]

    def resolve(self, ref: Ref) -> Any:
        value = self._document.get(ref)
        if isinstance(value, Stream) and ref.number in self._content:
            kept = {key: item for key, item in value.head.items() if key in ("Filter", "DecodeParms")}
            return cleaned(Stream(kept, value.body), largest=self._largest)
        return self._value(value)

    def _page(self, page: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in page.items() if key in _PAGE}
        contents = self._document.get(kept.get("Contents"))
        streams = contents if isinstance(contents, list) else [kept.get("Contents")]
        refs = [ref for ref in streams if isinstance(ref, Ref)]
        self._content.update(ref.number for ref in refs)
        kept["Contents"] = refs
        if "Resources" in kept:
            kept["Resources"] = self._resources(kept["Resources"])
        return {key: self._value(value) for key, value in kept.items()}

    def _resources(self, value: Any) -> dict[str, Any]:
        resources = self._document.get(value)
        if not isinstance(resources, dict):
            return {}
        return {key: item for key, item in resources.items() if key in _RESOURCES}

    def _value(self, value: Any, depth: int = 0) -> Any:
        if depth > _DEEPEST:
            return Raw(b"null")
        if isinstance(value, Stream):
            return self._stream(value)
        if isinstance(value, list):
            return self._colour(value) or [self._value(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return self._dictionary(value, depth)
        return value

    def _dictionary(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        kept = {key: item for key, item in value.items() if key not in _NEVER}
        if isinstance(kept.get("Resources"), dict | Ref):
            kept["Resources"] = self._resources(kept["Resources"])
        return {key: self._value(item, depth + 1) for key, item in kept.items()}

    def _stream(self, stream: Stream) -> Stream:
        match stream.head.get("Subtype"):
            case "Form":
                head = {key: item for key, item in stream.head.items() if key in _FORM}
                return cleaned(Stream(self._dictionary(head, 0), stream.body), largest=self._largest)
            case "Image":
                head = {key: item for key, item in stream.head.items() if key in _IMAGE}
                return Stream(self._dictionary(head, 0), self._pixels(stream))
            case _:
                return Stream(self._dictionary(stream.head, 0), stream.body)

    def _pixels(self, stream: Stream) -> bytes:
        packing = self._document.get(stream.head.get("Filter"))
        match packing[0] if isinstance(packing, list) and len(packing) == 1 else packing:
            case "DCTDecode":
                return bare_jpeg(stream.body)
            case "JPXDecode":
                return bare_jpeg_2000(stream.body)
            case _:
                return stream.body

    def _colour(self, value: list[Any]) -> Any:
        """A device colour space in place of a colour profile, which carries names and copyright lines."""
        if len(value) != 2 or value[0] != "ICCBased":
            return None
        profile = self._document.get(value[1])
        count = profile.head.get("N") if isinstance(profile, Stream) else None
        try:
            return _BY_COMPONENTS.get(int(self._document.get(count)), Name("DeviceRGB"))
        except (TypeError, ValueError):
            return Name("DeviceRGB")


def bare_jpeg(data: bytes) -> bytes:
    """A JPEG without application data (EXIF, XMP, profiles; only Adobe's colour mark stays), comments and trailer."""
    if not data.startswith(b"\xff\xd8"):
        return data
    output, position = bytearray(b"\xff\xd8"), 2
    while position + 4 <= len(data) and data[position] == 0xFF:
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
            continue
        if marker == 0xDA:
            end = data.rfind(b"\xff\xd9")
            return bytes(output + data[position : end + 2 if end > position else len(data)])
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        segment = data[position : position + 2 + length]
        position += 2 + length
        if marker == _ADOBE and segment[4:9] == b"Adobe":
            output += b"\xff\xee\x00\x0e" + segment[4:16]
        elif not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            output += segment
    return bytes(output + data[position:])


def bare_jpeg_2000(data: bytes) -> bytes:
    """A JPEG 2000 file without its XML, UUID and other boxes that draw nothing."""
    if data[4:8] != b"jP  ":
        return data
    output, position = bytearray(), 0
    while position + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        if length == 0 or length == 1:
            length = (
                len(data) - position
                if length == 0
                else int.from_bytes(data[position + 8 : position + 16], "big")
            )
        if length < 8:
            break
        if kind in _KEPT_BOXES:
            output += data[position : position + length]
        position += length
    return bytes(output)
