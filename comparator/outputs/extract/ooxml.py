"""What every Office file is checked for before a parser sees it: encryption, bombs, document types."""

from __future__ import annotations

import base64
import io
import zipfile
from html import escape

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.extract.archive import OLE
from comparator.outputs.extract.images import rebuild
from comparator.outputs.extract.markup import markdown_from
from comparator.outputs.isolated.results import Bomb, Copy, Extraction, Picture, Unreadable
from comparator.outputs.limits import Limits

ENCRYPTED = "It is encrypted. Save it without a password so that it can be read."
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_XML = (".xml", ".rels", ".vml")
_RATIO_FROM = 1024 * 1024
_MOST_UNPACKED = 400 * 1024 * 1024
_PROLOGUE = 4096


def check(data: bytes, limits: Limits, *, may_be_old: bool = False) -> frozenset[str]:
    """The names of the file's parts; none of one in the old format. Raises Unreadable for what no parser may see."""
    if data.startswith(OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise Unreadable(ENCRYPTED)
        if may_be_old:
            return frozenset()
        raise Unreadable(
            "It is in the old binary Office format, which is not supported. Save it in the current format."
        )
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        infos = package.infolist()
        if len(infos) > limits.archive_members:
            raise Bomb(f"It has more than {limits.archive_members:,} parts and is not read.")
        unpacked = sum(info.file_size for info in infos)
        if unpacked > _MOST_UNPACKED or (
            unpacked > _RATIO_FROM and unpacked > len(data) * limits.archive_ratio
        ):
            raise Bomb("It unpacks to far more than its size, as a zip bomb does; it is not read.")
        for info in infos:
            if info.flag_bits & 1:
                raise Unreadable(ENCRYPTED)
            if info.filename.lower().endswith(_XML):
                _check_prologue(package, info)
        return frozenset(info.filename for info in infos)


def part(data: bytes, name: str) -> bytes:
    """The bytes of one part of a checked file; empty if there is none."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        try:
            return package.read(name)
        except KeyError:
            return b""


class Content:
    """The content of a document as HTML: its pictures made anew, and the extraction that comes of it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pictures: list[Picture] = []
        self._unread = 0

    def source_of(self, data: bytes | None, where: str = "") -> str:
        """The data address of a picture; an empty one for a picture that cannot be read."""
        try:
            picture = rebuild(data or b"", self._limits, side=self._limits.picture_side_judged)
        except (Unreadable, OSError):
            self._unread += 1
            return "data:,"
        caption = f"picture {where}" if where else f"picture {len(self._pictures) + 1}"
        self._pictures.append(Picture(picture.media_type, picture.data, caption))
        return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"

    def extraction(self, body: str, *notes: str) -> Extraction:
        """HTML for the reviewer, and Markdown for the judge."""
        if self._unread:
            notes += (NoteKind.PICTURES_UNREAD.text(unread=self._unread),)
        page = f'<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'
        return Extraction(
            text=markdown_from(body),
            pictures=tuple(self._pictures[: self._limits.pictures_per_document]),
            copy=Copy("text/html", page.encode("utf-8", "replace")),
            wordless=bool(self._pictures),
            notes=notes,
        )


def html_text(text: str) -> str:
    """Text as HTML."""
    return escape(text, quote=True)


def _check_prologue(package: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    with package.open(info) as stream:
        start = stream.read(_PROLOGUE)
    # No Office program writes a document type; UTF-16 hides one from a search for its bytes.
    flat = start.replace(b"\0", b"").upper()
    if b"<!DOCTYPE" in flat or b"<!ENTITY" in flat:
        raise Bomb("It declares entities, which can grow without bound; it is not read.")
