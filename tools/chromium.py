"""Finds the Chromium that the browser tests drive, and installs one where there is none.

Prints its path. Looked for in this order: $CHROMIUM, the machine's own on PATH, Playwright's own. With --install,
a missing one is fetched: Playwright's own, else, for root on a Debian-like system, the distribution's package.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSERS = Path(__file__).resolve().parent.parent / ".cache" / "browsers"
MISSING = (
    "No Chromium was found, and the browser tests need one. Run `make test`, which installs it, or install chromium "
    "or google-chrome yourself, or set CHROMIUM to the path of one."
)
REFUSED = (
    "No Chromium could be had: none is on PATH, Playwright's own could not be downloaded, and {why}. "
    "Install chromium or google-chrome, or set CHROMIUM to the path of one."
)


class NoChromium(Exception):
    """There is no Chromium that starts."""


def starts(path: str) -> bool:
    """Whether the program at path runs: a name on PATH may be a wrapper around nothing."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwright_environment() -> dict[str, str]:
    return {"PLAYWRIGHT_BROWSERS_PATH": os.fspath(BROWSERS)} | os.environ


def _playwrights_own() -> str | None:
    """Where Playwright keeps its Chromium, whether it is there or not; None without Playwright."""
    script = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=_playwright_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or None


def find() -> str:
    """The path of a Chromium that starts. Raises NoChromium."""
    if named := os.environ.get("CHROMIUM"):
        if starts(named):
            return named
        raise NoChromium(f"CHROMIUM names {named}, which does not start. Correct it, or unset it.")
    for name in NAMES:
        if (path := shutil.which(name)) and starts(path):
            return path
    if (path := _playwrights_own()) and starts(path):
        return path
    raise NoChromium(MISSING)


def _run(*command: str) -> bool:
    """Run a command with its output on our standard error; whether it succeeded."""
    print("$", *command, file=sys.stderr, flush=True)
    try:
        return (
            subprocess.run(command, env=_playwright_environment(), stdout=sys.stderr, check=False).returncode
            == 0
        )
    except OSError:
        return False


def install() -> str:
    """The path of a Chromium that starts, fetched where there is none. Raises NoChromium."""
    try:
        return find()
    except NoChromium:
        if os.environ.get("CHROMIUM"):
            raise
    print("Chromium for the browser tests is missing; fetching it", file=sys.stderr)
    if _run(sys.executable, "-m", "playwright", "install", "chromium"):
        try:
            return find()
        except NoChromium:
            print("Playwright's Chromium does not start here, perhaps for want of libraries", file=sys.stderr)
    if os.geteuid() != 0:
        raise NoChromium(REFUSED.format(why="only root could install the distribution's package"))
    if shutil.which("apt-get") is None:
        raise NoChromium(REFUSED.format(why="there is no apt-get to install the distribution's package with"))
    os.environ.setdefault("DEBIAN_FRONTEND", "noninteractive")
    _run("apt-get", "update", "-qq")
    # Fonts come with the package only as a recommendation, and a page without them is drawn as boxes.
    _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation")
    try:
        return find()
    except NoChromium:
        raise NoChromium(REFUSED.format(why="apt-get install chromium failed")) from None


def main() -> int:
    """Print the path and return 0, or the reason and 1."""
    try:
        print(install() if "--install" in sys.argv[1:] else find())
    except NoChromium as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
