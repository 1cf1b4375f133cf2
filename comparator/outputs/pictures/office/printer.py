"""Pages of Office files, each made once: cleaned, converted, read again, and kept by content, words and converter."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from comparator.domain.errors import OutputRefused
from comparator.outputs.families import older_office_kind
from comparator.outputs.file_cache import FileCache
from comparator.outputs.isolated.messages import Malformed, packed, unpacked
from comparator.outputs.isolated.process import Isolated, Wanted, always
from comparator.outputs.isolated.results import Cleaned, PageImage, Pages
from comparator.outputs.limits import Limits
from comparator.outputs.pictures.finder import NOTHING_KNOWN, Machine, find_soffice
from comparator.outputs.pictures.office import RECIPE
from comparator.outputs.pictures.office.converter import (
    HIDDEN_SLIDES_TOO,
    ONE_PAGE_A_SHEET,
    PDF,
    Converter,
    NotConverted,
)
from comparator.outputs.view.blinding.redacting import Redactor

__all__ = ["PageImage", "Pages", "Printer"]

MOST_BYTES = 1024 * 1024 * 1024
_MODERN = {
    **dict.fromkeys(("doc", "dot", "rtf", "odt", "ott"), "docx"),
    **dict.fromkeys(("ppt", "pps", "odp", "otp"), "pptx"),
    **dict.fromkeys(("xls", "xlsb", "ods", "ots"), "xlsx"),
}
"""Older and open formats, and into which they are converted before anything in them is looked at."""
_EXPORTS = {"xlsx": ONE_PAGE_A_SHEET, "pptx": HIDDEN_SLIDES_TOO}


class Printer:
    """Makes pages with the LibreOffice of this machine. Safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        *,
        soffice: str = "",
        machine: Machine = NOTHING_KNOWN,
        converter: Converter | None = None,
        limits: Limits | None = None,
        pictures: int = 20,
    ) -> None:
        """`soffice` is a path, empty for the one on this machine, or "off"; `pictures` is how many are made at most."""
        self._kept = FileCache(folder, most=MOST_BYTES)
        self._named, self._machine = soffice, machine
        self._converter = converter
        self._limits = limits or Limits()
        self._pictures = pictures
        self._lock = threading.Lock()

    @property
    def converter(self) -> Converter | None:
        """The converter; None without LibreOffice. Raises SettingsError where the named one does not start."""
        with self._lock:
            if self._converter is None and (path := find_soffice(self._named, self._machine)) is not None:
                self._converter = Converter(path, machine=self._machine)
            return self._converter

    def modern(self, name: str, data: bytes, *, wanted: Wanted = always) -> bytes:
        """An older document in the format of today, to be read; others as they are. Raises NotConverted or Stopped."""
        kind = older_office_kind(name, data)
        if kind is None:
            return data
        converter = self.converter
        if converter is None:
            raise NotConverted(
                "It is in an older or open Office format: install LibreOffice to have it read."
            )
        return self._kept_bytes(
            f"modern/{kind}", data, lambda: converter.convert(data, kind, to=_MODERN[kind], wanted=wanted)
        )

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        """The pages of a document, its words made neutral. Raises NotConverted, or Stopped once not `wanted`."""
        converter = self.converter
        if converter is None:
            raise NotConverted("There is no LibreOffice.")
        rules = json.dumps(redactor.rules, sort_keys=True)

        def make() -> bytes:
            return packed("pages", self._made(name, data, redactor, converter, wanted))

        # A name is known by its ending, and all that pages depend on is part of what they are kept by.
        ending = PurePosixPath(name).suffix.lower()
        stored = self._kept_bytes(f"pages/{self._pictures}/{ending}/{rules}", data, make)
        try:
            return unpacked(stored, Pages)
        except Malformed as error:
            raise NotConverted("What was kept of it is damaged.") from error

    def _made(
        self, name: str, data: bytes, redactor: Redactor, converter: Converter, wanted: Wanted
    ) -> Pages:
        package = self.modern(name, data, wanted=wanted)
        try:
            with Isolated(limits=self._limits) as child:
                clean = child.call("office package", Cleaned, data=package)
                export = _EXPORTS.get(clean.kind, PDF)
                pdf = converter.convert(clean.data, clean.kind, to=export, harmless=True, wanted=wanted)
                pages = child.call(
                    "office pages",
                    Pages,
                    data=pdf,
                    rules=redactor.rules,
                    names=clean.pages,
                    most=self._pictures,
                )
        except NotConverted:
            raise
        except OutputRefused as error:
            raise NotConverted(str(error)) from error
        return replace(pages, notes=tuple(redactor.text(note) for note in clean.notes))

    def _kept_bytes(self, what: str, data: bytes, make: Callable[[], bytes]) -> bytes:
        """Bytes that were made before from the same document by the same converter, or are made now."""
        identity = self.converter.identity if self.converter else ""
        return self._kept.get("\n".join((RECIPE, identity, what, hashlib.sha256(data).hexdigest())), make)
