"""Finds the Chromium that takes pictures of pages: a named one, the machine's own, or Playwright's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from comparator.domain.errors import SettingsError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFF = "off"
"""Instead of a path: no pictures are taken."""
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
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
    return first_that_starts(
        named,
        (*NAMES, _MAC),
        starts=lambda path: _starts(path, machine),
        setting="COMPARATOR_CHROMIUM",
        more=lambda: _playwrights_own(machine.browsers),
    )


def first_that_starts(
    named: str,
    names: Sequence[str],
    *,
    starts: Callable[[str], bool],
    setting: str,
    more: Callable[[], Sequence[str]] = tuple,
) -> str | None:
    """The path of the named program, or the first of several names or `more` paths that `starts`; None where none does.

    None as well where `named` is "off". Raises SettingsError, naming the setting, where the named one does not start.
    """
    if named == OFF:
        return None
    if named:
        path = shutil.which(named)
        if path is None or not starts(path):
            raise SettingsError(
                f"{setting} names {named}, which does not start. Correct it, unset it, or set it to off."
            )
        return path
    candidates = (path for path in (*map(shutil.which, names), *more()) if path)
    return next((path for path in candidates if starts(path)), None)


def _playwrights_own(named: str) -> list[str]:
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    folder = Path(named) if named else cache / "ms-playwright"
    return sorted((str(path) for part in _PLAYWRIGHT for path in folder.glob(part)), reverse=True)


def _starts(path: str, machine: Machine) -> bool:
    try:
        # What it is has yet to be found out.
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=30, check=False, env=machine.environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
