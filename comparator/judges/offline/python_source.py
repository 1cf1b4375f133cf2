"""What the baseline measures of a Python file, read by a child process.

Python's own parser can be brought to its limits by hostile code, and on Python 3.11 it fails when two threads parse at
once; the app's page scripts are parsed in threads.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from comparator.domain.labels import Frozen

_CHILD = Path(__file__).with_name("python_child.py")
_SECONDS = 12.0
_MOST_KNOWN = 10_000


class Function(Frozen):
    """A Python function as far as it is measured."""

    name: str
    lines: int
    documented: bool

    @property
    def public(self) -> bool:
        """Whether its name is meant for others."""
        return not self.name.startswith("_")


class PythonSource(Frozen):
    """Why a file does not parse (None if it does), and its functions."""

    problem: str | None
    functions: tuple[Function, ...] = ()


_known: dict[bytes, PythonSource] = {}


def read_python(text: str) -> PythonSource:
    """The file's syntax problem and functions; read once, though several measures and both readings ask for them."""
    data = text.encode("utf-8", "replace")
    key = hashlib.sha256(data).digest()
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        found = _known[key] = _read(data)
    return found


def _read(data: bytes) -> PythonSource:
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(_CHILD)],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            env={"LANG": "C.UTF-8"},
            check=True,
        )
        answer = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError):
        return PythonSource(problem="cannot be read as Python")
    return PythonSource(
        problem=answer["problem"],
        functions=tuple(Function(name=n, lines=lines, documented=d) for n, lines, d in answer["functions"]),
    )
