"""Runs a command as a user would, and waits for what it does."""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

from typer.testing import CliRunner, Result

from comparator.cli import app

PATIENCE = 90.0


def run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The finished command with its exit code and output."""
    return subprocess.run(
        [os.fspath(part) for part in command],
        cwd=cwd, env=env, input=stdin, capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip


def invoke(*arguments: str, stdin: str = "") -> Result:
    """The same of a command of ours, in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def command(folder: Path, *arguments: str, home: str = "home") -> tuple[int, str]:
    """Exit code and all output of a command of ours, run in this folder with this home and no model."""
    environment = {"COMPARATOR_HOME": str(folder / home), "COMPARATOR_JUDGE": "offline"}
    with contextlib.chdir(folder):
        done = CliRunner().invoke(app, list(arguments), env=environment)
    return done.exit_code, done.stdout + done.stderr


def wait_until(condition: Callable[[], bool], *, what: str = "it did not happen") -> None:
    """Look again until it holds. Raises AssertionError once the time is over."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"in {PATIENCE} s: {what}"
        Event().wait(0.02)


def own_megabytes() -> int:
    """Of this process, since it began to run its program; Linux only."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert peak is not None
    return int(peak[1]) // 1024
