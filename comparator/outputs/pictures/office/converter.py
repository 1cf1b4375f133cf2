"""Converts one document: starts LibreOffice shut off from everything, watches its time and memory, reads the result."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from comparator.domain.errors import OutputRefused
from comparator.outputs.member_names import in_words
from comparator.outputs.pictures.finder import NOTHING_KNOWN, Machine
from comparator.outputs.pictures.office.child_main import NOT_ALONE, WORK
from comparator.outputs.pictures.office.finder import identity_of
from comparator.outputs.pictures.office.limits import ConvertLimits
from comparator.outputs.pictures.office.profile import write_profile
from comparator.outputs.pictures.processes import end_all, memory_of

_MAIN = Path(__file__).with_name("child_main.py")
_STEP = 0.02
_LOOK_EVERY = 10
_NOBODY = 65534
PDF = "pdf"
ONE_PAGE_A_SHEET = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}'
HIDDEN_SLIDES_TOO = 'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'


class NotConverted(OutputRefused):
    """A document was not converted; the message is a plain sentence without anything from inside the document."""


class Stopped(Exception):
    """A conversion was ended since nobody wants it any more."""


Wanted = Callable[[], bool]
"""Whether somebody still waits for a conversion; asked all the time while it goes on."""


def always() -> bool:
    """Whatever is converted is wanted until it is through."""
    return True


class Converter:
    """Converts documents with one LibreOffice, each in a process, profile and folder of its own. Safe in threads."""

    def __init__(
        self,
        soffice: str,
        *,
        limits: ConvertLimits | None = None,
        alone: bool = True,
        at_once: int = 2,
        machine: Machine = NOTHING_KNOWN,
    ) -> None:
        """`alone` is whether namespaces are tried, which keep the converter from all other files and every network."""
        binary = Path(soffice).resolve().with_name("soffice.bin")
        self._program = str(binary if binary.is_file() else Path(soffice).resolve())
        self._soffice, self._machine = soffice, machine
        self._limits = limits or ConvertLimits()
        self._alone = alone
        self._free = threading.BoundedSemaphore(at_once)

    @property
    def identity(self) -> str:
        """A digest of all that pages depend on besides the document."""
        return identity_of(self._soffice, self._machine)

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
                found = self._once(data, kind, to, alone=True, wanted=wanted)
                if found is not None:
                    return found
                # It will not be allowed the next time either.
                self._alone = False
            if not harmless:
                raise NotConverted("This system does not let the converter be shut off from other files.")
            found = self._once(data, kind, to, alone=False, wanted=wanted)
            if found is None:
                raise NotConverted("The converter does not start.")
            return found

    def _once(self, data: bytes, kind: str, to: str, *, alone: bool, wanted: Wanted) -> bytes | None:
        """The result of one process; None where it could not be shut off, or not be started."""
        with tempfile.TemporaryDirectory(prefix="comparator-office-", ignore_cleanup_errors=True) as folder:
            home = Path(folder)
            write_profile(home / "profile")
            (home / "in").mkdir()
            (home / "in" / f"document.{kind}").write_bytes(data)
            (home / "out").mkdir()
            if os.geteuid() == 0:
                for path in (home, *home.rglob("*")):
                    os.chown(path, _NOBODY, _NOBODY)
            place = WORK if alone else str(home)
            plan = {
                "home": str(home),
                "alone": alone,
                "answer": self._limits.answer,
                "program": self._program,
                "arguments": [
                    "--headless",
                    "--norestore",
                    "--nologo",
                    "--nodefault",
                    "--nofirststartwizard",
                    "--nolockcheck",
                    f"-env:UserInstallation=file://{place}/profile",
                    "--convert-to",
                    to,
                    "--outdir",
                    f"{place}/out",
                    f"{place}/in/document.{kind}",
                ],
                "environment": _environment(place),
            }
            process = subprocess.Popen(
                [sys.executable, "-I", str(_MAIN), json.dumps(plan)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # No key or token of ours is in reach of the converter.
                env={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"},
                cwd="/",
                close_fds=True,
                start_new_session=True,
            )
            try:
                self._watch(process, wanted)
            finally:
                end_all(process.pid)
                code = process.wait()
            if code == NOT_ALONE:
                return None
            return self._result(home / "out" / f"document.{to.partition(':')[0]}")

    def _watch(self, process: subprocess.Popen[bytes], wanted: Wanted) -> None:
        """Wait until the process is through. Raises NotConverted or Stopped where it has to be ended before."""
        deadline = time.monotonic() + self._limits.seconds
        rounds = 0
        while process.poll() is None:
            rounds += 1
            if rounds % _LOOK_EVERY == 0 and not wanted():
                raise Stopped
            if time.monotonic() > deadline:
                raise NotConverted(f"Converting it took longer than {self._limits.seconds:g} seconds.")
            if rounds % _LOOK_EVERY == 0 and memory_of(process.pid) > self._limits.memory:
                raise NotConverted(f"Converting it took more than {in_words(self._limits.memory)} of memory.")
            time.sleep(_STEP)

    def _result(self, path: Path) -> bytes:
        """What the converter wrote, and not where a link in its place leads. Raises NotConverted."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise NotConverted("LibreOffice made no pages of it.") from error
        with os.fdopen(descriptor, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or not 0 < about.st_size <= self._limits.answer:
                raise NotConverted("LibreOffice made no pages of it.")
            return file.read()


def _environment(place: str) -> dict[str, str]:
    return {
        "HOME": f"{place}/profile",
        "TMPDIR": f"{place}/out",
        "LANG": "en_US.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        "SAL_DISABLE_OPENCL": "1",
        "SAL_DISABLE_SYNCHRONOUS_PRINTER_DETECTION": "1",
    }
