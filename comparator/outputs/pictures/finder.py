"""Finds the Chromium that takes pictures of pages: a named one, the machine's own, or Playwright's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from comparator.domain.errors import SettingsError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OFF = "off"
"""Instead of a path: no pictures are taken."""
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
_PLAYWRIGHT = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
_PASSED_ON = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")


@lru_cache(maxsize=8)
def find_chromium(named: str = "") -> str | None:
    """The path of a Chromium that starts; None where there is none, or `named` is "off".

    Raises SettingsError where `named` is a path that does not start.
    """
    return first_that_starts(
        named, (*NAMES, _MAC), starts=_starts, setting="COMPARATOR_CHROMIUM", more=_playwrights_own
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


def environment_without_keys() -> dict[str, str]:
    """What a program of the machine needs to start, and nothing else of this process's environment."""
    return {name: value for name in _PASSED_ON if (value := os.environ.get(name)) is not None}


def _playwrights_own() -> list[str]:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    folder = Path(named) if named else cache / "ms-playwright"
    return sorted((str(path) for part in _PLAYWRIGHT for path in folder.glob(part)), reverse=True)


def _starts(path: str) -> bool:
    try:
        # What it is has yet to be found out.
        done = subprocess.run(
            [path, "--version"], capture_output=True, timeout=30, check=False, env=environment_without_keys()
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
