"""A PDF written anew from what its pages draw: allow-listed entries, pictures and colours without metadata."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from comparator.outputs.child.extraction import Unreadable
from comparator.outputs.extract.pdf.content import instructions_of, written

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
_BY_COMPONENTS: dict[str, Name] = {"1": Name.DeviceGray, "3": Name.DeviceRGB, "4": Name.DeviceCMYK}
_KEPT_BOXES = (b"jP  ", b"ftyp", b"jp2h", b"jp2c")
_ADOBE = 0xEE


def stripped(data: bytes) -> bytes:
    """A PDF from PDFium, written anew with nothing but what its pages draw. Raises Unreadable."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for key in set(pdf.Root.keys()) - {"/Type", "/Pages"}:
                del pdf.Root[key]
            for key in set(pdf.trailer.keys()) - {"/Root", "/Size"}:
                del pdf.trailer[key]
            _Rebuilder(pdf).rebuild()
            return saved(pdf)
    except pikepdf.PdfError as error:
        raise Unreadable("The PDF is damaged and cannot be read.") from error


def saved(pdf: pikepdf.Pdf) -> bytes:
    """The bytes of a PDF, without what nothing in it refers to; the same each time."""
    out = io.BytesIO()
    pdf.save(
        out,
        deterministic_id=True,
        fix_metadata_version=False,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        stream_decode_level=pikepdf.StreamDecodeLevel.none,
    )
    return out.getvalue()


class _Rebuilder:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._waiting: list[Object] = []
        self._seen: set[tuple[int, int]] = set()

    def rebuild(self) -> None:
        for page in self._pdf.pages:
            drawn = written(instructions_of(page))
            _keep(page.obj, _PAGE)
            page.obj.Contents = self._pdf.make_stream(drawn)
            self._seen |= {page.obj.objgen, page.obj.Contents.objgen}
            self._parts(page.obj)
            while self._waiting:
                self._part(self._waiting.pop())

    def _part(self, value: Object) -> None:
        """Leave in a part of the PDF what draws; its own parts wait for the same."""
        if value.is_indirect:
            if value.objgen in self._seen:
                return
            self._seen.add(value.objgen)
        if isinstance(value, Stream):
            self._stream(value)
        elif isinstance(value, Dictionary):
            _drop(value)
            if value.get("/Subtype") == Name.Type3:
                for glyph in value.get("/CharProcs", Dictionary()).values():
                    glyph.write(written(instructions_of(glyph)))
        if isinstance(value, Array | Dictionary | Stream):
            self._parts(value)

    def _parts(self, whole: Object) -> None:
        for key, part in list(_items(whole)):
            if key == "/Parent":
                continue
            if key == "/Resources" and isinstance(part, Dictionary):
                _keep(part, _RESOURCES)
            if (plain := _plain_colour(part)) is not None:
                whole[key] = plain
            elif isinstance(part, Array | Dictionary | Stream):
                self._waiting.append(part)

    def _stream(self, stream: Stream) -> None:
        match stream.get("/Subtype"):
            case Name.Form:
                _keep(stream, _FORM)
                stream.write(written(instructions_of(stream)))
            case Name.Image:
                _keep(stream, _IMAGE)
                _without_marks(stream)
            case _:
                _drop(stream)
                if stream.get("/PatternType") == 1:
                    stream.write(written(instructions_of(stream)))


def _items(whole: Object) -> Iterator[tuple[str | int, Object]]:
    return enumerate(whole) if isinstance(whole, Array) else iter(whole.items())


def _keep(value: Object, names: frozenset[str]) -> None:
    for key in set(value.keys()):
        if key[1:] not in names and key != "/Length":
            del value[key]


def _drop(value: Object) -> None:
    for key in set(value.keys()):
        if key[1:] in _NEVER:
            del value[key]


def _without_marks(image: Stream) -> None:
    """Take what draws nothing out of a packed picture."""
    packing = image.get("/Filter")
    match packing[0] if isinstance(packing, Array) and len(packing) == 1 else packing:
        case Name.DCTDecode:
            bare = bare_jpeg
        case Name.JPXDecode:
            bare = bare_jpeg_2000
        case _:
            return
    data, parameters = bare(image.read_raw_bytes()), image.get("/DecodeParms")
    image.write(data, filter=packing, decode_parms=parameters)  # type: ignore[arg-type] # as they were


def _plain_colour(value: object) -> Name | None:
    """The device colour space for a colour profile, which carries names and copyright lines; None for all else."""
    if not isinstance(value, Array) or len(value) != 2 or value[0] != Name.ICCBased:
        return None
    profile = value[1]
    return _BY_COMPONENTS.get(str(profile.get("/N")) if isinstance(profile, Stream) else "", Name.DeviceRGB)


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
