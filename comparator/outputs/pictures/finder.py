"""Finds the programs that make pictures, Chromium and LibreOffice, and says which fonts this machine lacks."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from comparator.domain.errors import SettingsError

_CHROMIUMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
OFF = "off"
"""Instead of a path: no pictures are taken."""
_PLAYWRIGHT = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class Machine:
    """What programs of this machine may know of our environment, without keys, and where Playwright keeps browsers."""

    passed_on: tuple[tuple[str, str], ...] = ()
    browsers: str = ""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Machine:
        """The machine by the environment of a process."""
        known = tuple((name, environment[name]) for name in _PASSED_ON if name in environment)
        return cls(known, environment.get("PLAYWRIGHT_BROWSERS_PATH", ""))

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to start, and nothing else of ours."""
        return dict(self.passed_on)


NOTHING_KNOWN = Machine()
"""Programs are started without any environment."""


@lru_cache(maxsize=8)
def find_chromium(named: str = "", machine: Machine = NOTHING_KNOWN) -> str | None:
    """The path of a Chromium that starts; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return _found(named, (*_CHROMIUMS, *_playwrights_own(machine.browsers)), machine, "COMPARATOR_CHROMIUM")


def _found(named: str, names: Sequence[str], machine: Machine, setting: str) -> str | None:
    """The path of the named program, else of the first of these names or paths that starts."""
    if named == OFF:
        return None
    paths = filter(None, map(shutil.which, [named] if named else names))
    path = next((path for path in paths if version_of(path, machine)), None)
    if named and path is None:
        raise SettingsError(
            f"{setting} names {named}, which does not start. Correct it, unset it, or set it to off."
        )
    return path


def _playwrights_own(named: str) -> list[str]:
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    folder = Path(named) if named else cache / "ms-playwright"
    return sorted((str(path) for part in _PLAYWRIGHT for path in folder.glob(part)), reverse=True)


_OFFICES = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
WANTED_FONTS = {
    "Carlito": "fonts-crosextra-carlito",
    "Caladea": "fonts-crosextra-caladea",
    "Liberation Sans": "fonts-liberation",
    "Noto Color Emoji": "fonts-noto-color-emoji",
    "Noto Sans CJK SC": "fonts-noto-cjk",
}
"""Fonts that stand in for those of common Office programs, each with its Debian package."""
PACKAGES = ("libreoffice-writer-nogui", "libreoffice-impress-nogui", "libreoffice-calc-nogui")
"""LibreOffice without windows, as Debian calls it."""


@lru_cache(maxsize=8)
def find_soffice(named: str = "", machine: Machine = NOTHING_KNOWN) -> str | None:
    """The path of a LibreOffice that starts; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return _found(named, _OFFICES, machine, "COMPARATOR_SOFFICE")


@lru_cache(maxsize=8)
def version_of(path: str, machine: Machine = NOTHING_KNOWN) -> str:
    """What the program calls itself, with its version; empty where it does not start."""
    return _printed_by([path, "--version"], machine)


@lru_cache(maxsize=8)
def font_families(machine: Machine = NOTHING_KNOWN) -> frozenset[str]:
    """The families of all fonts on this machine; none where fontconfig is missing."""
    names = (
        name.strip()
        for line in _printed_by(["fc-list", ":", "family"], machine).splitlines()
        for name in line.split(",")
    )
    return frozenset(name for name in names if name)


def missing_fonts(machine: Machine = NOTHING_KNOWN) -> tuple[str, ...]:
    """The wanted fonts that this machine lacks."""
    return tuple(name for name in WANTED_FONTS if name not in font_families(machine))


@lru_cache(maxsize=8)
def identity_of(path: str, machine: Machine = NOTHING_KNOWN) -> str:
    """A digest of the converter's version and of the machine's fonts: what pages depend on besides the file."""
    fonts = "\n".join(
        sorted(_printed_by(["fc-list", ":", "family", "style", "fontversion"], machine).splitlines())
    )
    return hashlib.sha256(f"{version_of(path, machine)}\n{fonts}".encode()).hexdigest()


def _printed_by(command: list[str], machine: Machine) -> str:
    """What a program prints; empty where it fails. It gets no keys."""
    environment = {**machine.environment, "HOME": "/nonexistent"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
