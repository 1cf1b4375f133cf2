"""Finds the programs that make pictures, Chromium and LibreOffice, and says which fonts this machine lacks."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
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
BROWSERS = "PLAYWRIGHT_BROWSERS_PATH"
"""In the environment: the folder in which Playwright keeps browsers."""
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", "HOME": "/nonexistent"}
"""What a program that is tried gets: no keys."""


@lru_cache(maxsize=8)
def find_chromium(named: str = "", browsers: str = "") -> str | None:
    """The path of a Chromium that starts, also of those in `browsers`; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return _find_program(named, (*_CHROMIUMS, *_playwrights_own(browsers)), "COMPARATOR_CHROMIUM")


def _find_program(named: str, names: Sequence[str], setting: str) -> str | None:
    """The path of the named program, else of the first of these names or paths that starts."""
    if named == OFF:
        return None
    paths = filter(None, map(shutil.which, [named] if named else names))
    path = next((path for path in paths if version_of(path)), None)
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
def find_soffice(named: str = "") -> str | None:
    """The path of a LibreOffice that starts; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return _find_program(named, _OFFICES, "COMPARATOR_SOFFICE")


@lru_cache(maxsize=8)
def version_of(path: str) -> str:
    """What the program calls itself, with its version; empty where it does not start."""
    return _output_of([path, "--version"])


@lru_cache(maxsize=8)
def font_families() -> frozenset[str]:
    """The families of all fonts on this machine; none where fontconfig is missing."""
    names = (
        name.strip()
        for line in _output_of(["fc-list", ":", "family"]).splitlines()
        for name in line.split(",")
    )
    return frozenset(name for name in names if name)


def missing_fonts() -> tuple[str, ...]:
    """The wanted fonts that this machine lacks."""
    return tuple(name for name in WANTED_FONTS if name not in font_families())


@lru_cache(maxsize=8)
def identity_of(path: str) -> str:
    """A digest of the converter's version and of the machine's fonts: what pages depend on besides the file."""
    fonts = "\n".join(sorted(_output_of(["fc-list", ":", "family", "style", "fontversion"]).splitlines()))
    return hashlib.sha256(f"{version_of(path)}\n{fonts}".encode()).hexdigest()


def _output_of(command: list[str]) -> str:
    """What a program prints; empty where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=_ENVIRONMENT)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
