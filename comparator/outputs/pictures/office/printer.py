"""Pages of Office files, each made once: cleaned, converted by a LibreOffice that is shut off, and kept."""

import hashlib
import json
import threading
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import cast

from comparator.domain.errors import OutputRefused
from comparator.outputs.families import MODERN, older_office_kind
from comparator.outputs.file_cache import FileCache
from comparator.outputs.isolated.messages import Cleaned, Pages
from comparator.outputs.isolated.process import Bounds, Isolated, Stopped, Wanted, always
from comparator.outputs.limits import ConvertLimits
from comparator.outputs.member_names import in_words
from comparator.outputs.pictures.finder import find_soffice, identity_of
from comparator.outputs.view.redacting import Redactor

PDF = "pdf"
ONE_PAGE_A_SHEET = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}'
HIDDEN_SLIDES_TOO = 'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
_SET: tuple[tuple[str, str, str], ...] = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Common/Security/Scripting", "DisableOLEAutomation", "true"),
    ("Office.Common/Security/LoadTimeCheck", "DisableDDE", "true"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Common/Save/Document", "AutoSave", "false"),
    ("Office.Common/Cache/GraphicManager", "TotalCacheSize", "67108864"),
    ("Office.Writer/Content/Update", "Link", "2"),
    ("Office.Writer/Content/Update", "Field", "false"),
    ("Office.WriterWeb/Content/Update", "Link", "2"),
    ("Office.Calc/Content/Update", "Link", "2"),
    ("Office.Java/VirtualMachine", "Enable", "false"),
    ("Setup/L10N", "ooSetupSystemLocale", "en-US"),
)
"""No macros, no links, no active content, no name of a person."""


class NotConverted(OutputRefused):
    """A document was not converted; the message is a plain sentence without anything from inside the document."""


class Converter:
    """Converts documents with one LibreOffice, each in a process, profile and folder of its own. Safe in threads."""

    def __init__(self, soffice: str, *, limits: ConvertLimits | None = None, alone: bool = True) -> None:
        """`alone` is whether walls are tried, which keep the converter from all other files and every network."""
        binary = Path(soffice).resolve().with_name("soffice.bin")
        self._program = str(binary if binary.is_file() else Path(soffice).resolve())
        self._soffice = soffice
        self._limits = limits or ConvertLimits()
        self._alone = alone
        self._free = threading.BoundedSemaphore(2)

    @property
    def identity(self) -> str:
        """A digest of all that pages depend on besides the document."""
        return identity_of(self._soffice)

    def convert(
        self, data: bytes, kind: str, *, to: str = PDF, harmless: bool = False, wanted: Wanted = always
    ) -> bytes:
        """The document of this `kind` (as "docx") in the format `to`. Raises NotConverted, or Stopped.

        Where the system does not let the converter be shut off, only a `harmless` document is converted: one out of
        which everything was taken that reaches beyond it.
        """
        if len(data) > self._limits.sent:
            raise NotConverted(f"It is larger than {in_words(self._limits.sent)}.")
        with self._free:
            if not wanted():
                raise Stopped
            if self._alone:
                result = self._once(data, kind, to, alone=True, wanted=wanted)
                if result is not None:
                    return result
                # It will not be allowed the next time either.
                self._alone = False
            if not harmless:
                raise NotConverted("This system does not let the converter be shut off from other files.")
            result = self._once(data, kind, to, alone=False, wanted=wanted)
            if result is None:
                raise NotConverted("The converter does not start.")
            return result

    def _once(self, data: bytes, kind: str, to: str, *, alone: bool, wanted: Wanted) -> bytes | None:
        """The result of one process; None where it could not be shut off, or not be started."""
        limits = self._limits
        bounds = Bounds(limits.memory, limits.answer, "Converting it", programs=True)
        try:
            with Isolated(bounds=bounds) as process:
                return process.call(
                    "office convert",
                    # Types of nothing but None cannot be named otherwise.
                    cast("type[bytes | None]", bytes | None),
                    seconds=limits.seconds,
                    wanted=wanted,
                    data=data,
                    kind=kind,
                    to=to,
                    program=self._program,
                    profile=_profile(),
                    alone=alone,
                    most=limits.answer,
                )
        except OutputRefused as error:
            raise NotConverted(str(error)) from error


def _profile() -> str:
    """The settings of a new profile."""
    rows = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop>'
        "</item>\n"
        for path, name, value in _SET
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f"{rows}</oor:items>\n"
    )


RECIPE = "5"
"""Version of how pages are made; raise it when they come out differently."""
MOST_BYTES = 1024 * 1024 * 1024
_MOST_PICTURES = 20
"""Pages of a document that are pictures by themselves."""
_EXPORTS = {"xlsx": ONE_PAGE_A_SHEET, "pptx": HIDDEN_SLIDES_TOO}


class Printer:
    """Makes pages with the LibreOffice of this machine. Safe to use from several threads."""

    def __init__(self, folder: Path, *, soffice: str = "", converter: Converter | None = None) -> None:
        """`soffice` is a path, empty for the one on this machine, or "off"."""
        self._kept = FileCache(folder, most=MOST_BYTES)
        self._named = soffice
        if converter is not None:
            self.converter = converter

    @cached_property
    def converter(self) -> Converter | None:
        """The converter; None without LibreOffice. Raises SettingsError where the named one does not start."""
        path = find_soffice(self._named)
        return None if path is None else Converter(path)

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
        return self._kept.get(
            self._key(f"modern/{kind}", data),
            lambda: converter.convert(data, kind, to=MODERN[kind], wanted=wanted),
        )

    def pages(self, name: str, data: bytes, redactor: Redactor, *, wanted: Wanted = always) -> Pages:
        """The pages of a document, its words made neutral. Raises NotConverted, or Stopped once not `wanted`."""
        converter = self.converter
        if converter is None:
            raise NotConverted("There is no LibreOffice.")
        rules = json.dumps(redactor.rules, sort_keys=True)
        # A name is known by its ending, and all that pages depend on is part of what they are kept by.
        ending = PurePosixPath(name).suffix.lower()
        key = self._key(f"pages/{ending}/{rules}", data)
        return self._kept.value(key, Pages, lambda: self._made(name, data, redactor, converter, wanted))

    def _made(
        self, name: str, data: bytes, redactor: Redactor, converter: Converter, wanted: Wanted
    ) -> Pages:
        package = self.modern(name, data, wanted=wanted)
        try:
            with Isolated() as child:
                clean = child.call("office package", Cleaned, data=package)
                export = _EXPORTS.get(clean.kind, PDF)
                pdf = converter.convert(clean.data, clean.kind, to=export, harmless=True, wanted=wanted)
                pages = child.call(
                    "office pages",
                    Pages,
                    data=pdf,
                    rules=redactor.rules,
                    names=clean.pages,
                    most=_MOST_PICTURES,
                )
        except NotConverted:
            raise
        except OutputRefused as error:
            raise NotConverted(str(error)) from error
        return pages._replace(notes=tuple(redactor.text(note) for note in clean.notes))

    def _key(self, what: str, data: bytes) -> str:
        """By what is kept that was made of this document by this converter."""
        identity = self.converter.identity if self.converter else ""
        return "\n".join((RECIPE, identity, what, hashlib.sha256(data).hexdigest()))
