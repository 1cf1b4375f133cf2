"""Finds the Chromium that takes pictures of pages: a named one, the machine's own, or Playwright's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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
    if named == OFF:
        return None
    if named:
        path = shutil.which(named)
        if path is None or not _starts(path):
            raise SettingsError(
                f"COMPARATOR_CHROMIUM names {named}, which does not start. Correct it, unset it, or set it to off."
            )
        return path
    candidates = [found for name in NAMES if (found := shutil.which(name))]
    candidates += [_MAC] if Path(_MAC).is_file() else []
    candidates += _playwrights_own()
    return next((path for path in candidates if _starts(path)), None)


def _playwrights_own() -> list[str]:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    folder = Path(named) if named else cache / "ms-playwright"
    return sorted((str(path) for part in _PLAYWRIGHT for path in folder.glob(part)), reverse=True)


def _starts(path: str) -> bool:
    try:
        # What it is has yet to be found out: it gets no keys.
        bare = {name: value for name in _PASSED_ON if (value := os.environ.get(name)) is not None}
        done = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False, env=bare)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
