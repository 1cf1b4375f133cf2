"""Finds LibreOffice and the fonts of this machine, and says which of them are missing."""

from __future__ import annotations

import hashlib
import subprocess
from functools import lru_cache

from comparator.outputs.pictures.finder import environment_without_keys, first_that_starts

NAMES = ("soffice", "libreoffice")
WANTED_FONTS = {
    "Carlito": "fonts-crosextra-carlito",
    "Caladea": "fonts-crosextra-caladea",
    "Liberation Sans": "fonts-liberation",
    "Noto Color Emoji": "fonts-noto-color-emoji",
    "Noto Sans CJK SC": "fonts-noto-cjk",
}
"""Fonts that stand in for those of common Office programs, each with its Debian package."""
_CHARACTERS = {"Noto Color Emoji": ":charset=1f600", "Noto Sans CJK SC": ":charset=6625"}
"""What such a font has to have, as fontconfig asks for it."""
PACKAGES = ("libreoffice-writer-nogui", "libreoffice-impress-nogui", "libreoffice-calc-nogui")
"""LibreOffice without windows, as Debian calls it."""
_MAC = "/Applications/LibreOffice.app/Contents/MacOS/soffice"


@lru_cache(maxsize=8)
def find_soffice(named: str = "") -> str | None:
    """The path of a LibreOffice that starts; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return first_that_starts(
        named, (*NAMES, _MAC), starts=lambda path: bool(version_of(path)), setting="COMPARATOR_SOFFICE"
    )


@lru_cache(maxsize=8)
def version_of(path: str) -> str:
    """What the program calls itself, with its version; empty where it does not start."""
    done = _printed_by([path, "--version"])
    return done if "office" in done.lower() else ""


@lru_cache(maxsize=1)
def font_families() -> frozenset[str]:
    """The families of all fonts on this machine; none where fontconfig is missing."""
    names = (
        name.strip()
        for line in _printed_by(["fc-list", ":", "family"]).splitlines()
        for name in line.split(",")
    )
    return frozenset(name for name in names if name)


def missing_fonts() -> tuple[str, ...]:
    """Which of the wanted fonts are not on this machine."""
    return tuple(name for name in WANTED_FONTS if name not in font_families())


def fonts_for_unseen() -> tuple[str, ...]:
    """Fonts that would show the emoji or Chinese characters which no font here has.

    None where fontconfig is missing: browsers find fonts of their own there.
    """
    if not font_families():
        return ()
    return tuple(
        name for name, asked in _CHARACTERS.items() if not _printed_by(["fc-list", asked, "family"]).strip()
    )


@lru_cache(maxsize=1024)
def substitute_for(family: str) -> str | None:
    """The family that is drawn instead of this one; None where the machine has it, or cannot tell."""
    if not font_families() or family.casefold() in {name.casefold() for name in font_families()}:
        return None
    return _printed_by(["fc-match", "-f", "%{family[0]}", family.replace(":", " ").replace("-", " ")]) or None


@lru_cache(maxsize=8)
def identity_of(path: str) -> str:
    """A digest of the converter's version and of the machine's fonts: what pages depend on besides the file."""
    fonts = "\n".join(sorted(_printed_by(["fc-list", ":", "family", "style", "fontversion"]).splitlines()))
    return hashlib.sha256(f"{version_of(path)}\n{fonts}".encode()).hexdigest()


def _printed_by(command: list[str]) -> str:
    """What a program prints; empty where it fails. It gets no keys."""
    environment = {**environment_without_keys(), "HOME": "/nonexistent"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=environment)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
