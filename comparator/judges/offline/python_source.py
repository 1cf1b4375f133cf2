"""What the baseline measures of a Python file, read by a child process.

Python's own parser can be brought to its limits by hostile code, and on Python 3.11 it fails when two threads parse at
once; the app's page scripts are parsed in threads.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from comparator.domain.labels import Frozen

_CHILD = Path(__file__).with_name("python_child.py")
_SECONDS = 12.0


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


@lru_cache(maxsize=256)
def read_python(text: str) -> PythonSource:
    """The file's syntax problem and functions."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(_CHILD)],
            input=text.encode("utf-8", "replace"),
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
