"""Installs one lock file and the project itself into the environment that runs this, showing how far it is."""

import os
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSTALLER = ROOT / "requirements" / "installer.txt"
PIP = (
    sys.executable,
    "-m",
    "pip",
    "install",
    "--no-input",
    "--disable-pip-version-check",
    "--progress-bar",
    "off",
)
SETTLED = ("Collecting ", "Requirement already satisfied: ")


def locked(lock: Path) -> int:
    """How many distributions the lock file names, those for other platforms included."""
    return sum(
        "==" in line and not line.startswith(" ") for line in lock.read_text(encoding="utf-8").splitlines()
    )


def show(text: str, *, last: bool = False) -> None:
    """Write a progress line: over the one before on a terminal, else as a line of its own."""
    print(f"\r\033[K{text}" if sys.stdout.isatty() else text, end="\n" if last else "", flush=True)


def install(lock: Path) -> int:
    """Install what the lock names, each file checked against its hash. Returns pip's exit code."""
    total, settled, tail = locked(lock), 0, deque[str](maxlen=30)
    command = (*PIP, "--require-hashes", "-r", str(lock))
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as pip:
        for line in pip.stdout or ():
            tail.append(line)
            if line.startswith("Ignoring "):
                total -= 1
            elif line.startswith(SETTLED):
                settled += 1
                if sys.stdout.isatty() or settled % 25 == 0:
                    show(f"  {settled} of {total} packages", last=not sys.stdout.isatty())
            elif line.startswith("Installing collected packages"):
                show(f"  {settled} of {total} packages; unpacking", last=not sys.stdout.isatty())
    if pip.returncode:
        show("".join(tail), last=True)
    return pip.returncode


def main() -> int:
    """Returns 0, or the exit code of what failed."""
    lock = ROOT / sys.argv[1]
    started = time.monotonic()
    show(f"Installing {sys.argv[1]} (the first time takes about a minute)", last=True)
    # What installs is to be current itself: a new environment has the pip that its Python was released with.
    failed = install(lock) or install(INSTALLER)
    if not failed:
        own = (*PIP, "--quiet", "--no-deps", "--no-build-isolation", "--editable", os.fspath(ROOT))
        failed = subprocess.run(own, check=False).returncode
    if failed:
        print(
            "The installation failed; pip's last lines are above. Run the same command to try again.",
            file=sys.stderr,
        )
    else:
        show(f"Installed in {time.monotonic() - started:.0f} s", last=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
