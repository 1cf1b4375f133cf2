"""What every Office file is checked for before a parser sees it: encryption, bombs, document types."""

from __future__ import annotations

import io
import zipfile
from html import escape

from comparator.outputs.isolated.results import Bomb, ReadLimits, Unreadable

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_XML = (".xml", ".rels", ".vml")
_RATIO_FROM = 1024 * 1024
_MOST_UNPACKED = 400 * 1024 * 1024
_PROLOGUE = 4096


def check(data: bytes, limits: ReadLimits) -> frozenset[str]:
    """The names of the file's parts. Raises Unreadable for what must not reach a parser."""
    if data.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in data:
            raise Unreadable("It is encrypted. Save it without a password to have it read.")
        raise Unreadable(
            "It is in the old binary Office format, which is not read. Save it in the current format."
        )
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        infos = package.infolist()
        if len(infos) > limits.members:
            raise Bomb(f"It has more than {limits.members:,} parts and is not read.")
        unpacked = sum(info.file_size for info in infos)
        if unpacked > _MOST_UNPACKED or (
            unpacked > _RATIO_FROM and unpacked > len(data) * limits.archive_ratio
        ):
            raise Bomb("It unpacks to far more than its size, as a zip bomb does; it is not read.")
        for info in infos:
            if info.flag_bits & 1:
                raise Unreadable("It is encrypted. Save it without a password to have it read.")
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


def html_document(body: str) -> str:
    """A whole page around converted content."""
    return f'<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n{body}\n</body></html>\n'


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
