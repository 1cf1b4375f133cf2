"""Whether every locked package has a wheel for each Python and machine that we support: a start compiles nothing.

`python tools/wheels.py --write PYLOCK` takes the tags from a pylock.toml that uv wrote; without it the kept tags are
checked, offline.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.markers import Marker
from packaging.tags import Tag, parse_tag
from packaging.utils import parse_wheel_filename

KEPT = Path(__file__).resolve().parent.parent / "requirements" / "wheels.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MACHINES = {
    "Linux x86_64": ("linux", "x86_64", r"(manylinux|linux).*_x86_64$"),
    "Linux ARM64": ("linux", "aarch64", r"(manylinux|linux).*_aarch64$"),
    "macOS x86_64": ("darwin", "x86_64", r"macosx_.*_(x86_64|universal2|intel)$"),
    "macOS ARM64": ("darwin", "arm64", r"macosx_.*_(arm64|universal2)$"),
}
"""What markers call the system and the machine, and which platform tags run there."""
COMPILED = {("turbohtml", "macOS x86_64")}
"""Packages that are compiled on a machine, since there is no wheel for it; the README says what that takes."""
HEAD = "# Wheel tags of the locked packages, written by `make lock`: name==version; marker | tags\n"


def write(pylock: Path) -> None:
    """Keep the tags of all wheels that the lock names."""
    packages = tomllib.loads(pylock.read_text(encoding="utf-8"))["packages"]
    lines = []
    for package in packages:
        tags: set[str] = set()
        for wheel in package.get("wheels", ()):
            tags |= _needed(parse_wheel_filename(wheel.get("name") or wheel["url"].rpartition("/")[2])[3])
        marker = f"; {package['marker']}" if "marker" in package else ""
        lines.append(f"{package['name']}=={package['version']}{marker} | {' '.join(sorted(tags))}")
    KEPT.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _needed(tags: frozenset[Tag]) -> set[str]:
    """The tags that a supported Python or machine could take."""
    platforms = [pattern for _, _, pattern in MACHINES.values()]
    return {
        str(tag)
        for tag in tags
        if (tag.platform == "any" or any(re.match(pattern, tag.platform) for pattern in platforms))
        and any(_runs_on(tag, python) for python in PYTHONS)
    }


def _runs_on(tag: Tag, python: str) -> bool:
    """Whether this Python takes the tag: made for it, for any, or against the stable ABI of an older one."""
    own = f"cp{python.replace('.', '')}"
    if tag.abi == "none":
        return tag.interpreter in ("py3", "py2.py3", own, f"py{python.replace('.', '')}") or (
            tag.interpreter.startswith("cp3") and tag.interpreter == own
        )
    if tag.abi == "abi3":
        return tag.interpreter.startswith("cp3") and int(tag.interpreter[3:]) <= int(own[3:])
    return (tag.interpreter, tag.abi) == (own, own)


def missing(text: str) -> Iterator[str]:
    """One sentence for each package and place without a wheel."""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        package, _, tags = line.partition(" | ")
        name, _, marker = package.partition("; ")
        wheel_tags = [tag for tag_set in tags.split() for tag in parse_tag(tag_set)]
        for python in PYTHONS:
            for machine, (system, processor, pattern) in MACHINES.items():
                place = {
                    "python_version": python,
                    "python_full_version": f"{python}.0",
                    "sys_platform": system,
                    "platform_system": "Linux" if system == "linux" else "Darwin",
                    "platform_machine": processor,
                    "os_name": "posix",
                    "implementation_name": "cpython",
                    "platform_python_implementation": "CPython",
                }
                if marker and not Marker(marker).evaluate(place):
                    continue
                if (name.partition("==")[0], machine) in COMPILED:
                    continue
                fits = (t for t in wheel_tags if t.platform == "any" or re.match(pattern, t.platform))
                if not any(_runs_on(tag, python) for tag in fits):
                    yield f"{name} has no wheel for Python {python} on {machine}"


def main() -> int:
    """Returns 0, or 1 where a wheel is missing."""
    if sys.argv[1:2] == ["--write"]:
        write(Path(sys.argv[2]))
    lines = list(missing(KEPT.read_text(encoding="utf-8")))
    print("\n".join(lines) or "Every locked package has its wheels, or is named as compiled.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
