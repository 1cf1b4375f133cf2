"""Runs a command as a user would, and keeps what it says."""

import os
import subprocess
from pathlib import Path


def run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The finished command with its exit code and output."""
    return subprocess.run(
        [os.fspath(part) for part in command],
        cwd=cwd, env=env, input=stdin, capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip
