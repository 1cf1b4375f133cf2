"""Whether a Python file parses, found out by a child process.

Python's own parser can be brought to its limits by hostile code, and on Python 3.11 it fails when two threads parse at
once; the app's page scripts are parsed in threads.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

_CHILD = Path(__file__).with_name("python_child.py")
_SECONDS = 12.0
_MOST_KNOWN = 10_000
UNREADABLE = "it cannot be read as Python"

_known: dict[bytes, str] = {}


def python_problem(text: str) -> str:
    """Why the file does not parse; empty if it does. A file is read once, though both readings ask for it."""
    data = text.encode("utf-8", "replace")
    key = hashlib.sha256(data).digest()
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[key] = _read(data)
    return found


def _read(data: bytes) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(_CHILD)],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            env={"LANG": "C.UTF-8"},
            check=True,
        )
        return done.stdout.decode("utf-8")
    except (subprocess.SubprocessError, OSError, ValueError):
        return UNREADABLE
