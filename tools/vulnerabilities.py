"""Looks the locked packages up in a file of known vulnerabilities in the OSV format, which $COMPARATOR_OSV names.

The file is one record, a list of them, lines of them, or a zip archive of them, as the OSV database hands out for a
whole ecosystem. Without one nothing is checked, and that is said: this project loads no such file by itself.
"""

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

SETTING = "COMPARATOR_OSV"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


class Fault(Exception):
    """The file cannot be used."""


class Found(NamedTuple):
    """A locked package that a record concerns."""

    name: str
    version: str
    record: str
    summary: str


def locked(locks: Iterable[Path]) -> dict[str, set[str]]:
    """The locked versions of each package by its canonical name; those for other platforms are among them."""
    out: dict[str, set[str]] = {}
    for lock in locks:
        for name, version in _LOCKED.findall(lock.read_text(encoding="utf-8")):
            out.setdefault(canonicalize_name(name), set()).add(version)
    return out


def records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The records of the file. Raises Fault."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    if name.endswith(".json"):
                        yield from _records(archive.read(name).decode())
        else:
            yield from _records(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise Fault(
            f"{SETTING} names {path}, which cannot be read: {error}. Correct it, or unset it."
        ) from error


def _records(text: str) -> Iterator[Mapping[str, Any]]:
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            raise Fault(f"What {SETTING} names holds no OSV records: {error}.") from error
    if isinstance(found, dict):
        found = found.get("vulns", [found])
    if not isinstance(found, list) or not all(isinstance(each, dict) and "id" in each for each in found):
        raise Fault(f"What {SETTING} names holds no OSV records: they are objects with an id.")
    yield from found


def concerned(record: Mapping[str, Any], wanted: Mapping[str, set[str]]) -> Iterator[Found]:
    """The locked packages that a record concerns; a withdrawn one concerns none."""
    if record.get("withdrawn"):
        return
    for affected in record.get("affected", ()):
        package = affected.get("package", {})
        if str(package.get("ecosystem", "")).partition(":")[0] != "PyPI":
            continue
        name = canonicalize_name(str(package.get("name", "")))
        for version in sorted(wanted.get(name, ())):
            if _affects(affected, version):
                yield Found(name, version, str(record["id"]), str(record.get("summary", "")).strip())


def _affects(affected: Mapping[str, Any], version: str) -> bool:
    listed = affected.get("versions", ())
    if version in listed:
        return True
    try:
        own = Version(version)
        if any(Version(each) == own for each in listed if _is_version(each)):
            return True
        ranges = [each for each in affected.get("ranges", ()) if each.get("type") in ("ECOSYSTEM", "SEMVER")]
        return any(_within(own, each.get("events", ())) for each in ranges)
    except InvalidVersion:
        # What cannot be told apart is looked at by a person.
        return True


def _within(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    """Whether the last event up to the version begins being vulnerable."""
    moments: list[tuple[Version, str]] = []
    for event in events:
        for kind, at in event.items():
            if kind in ("introduced", "fixed", "last_affected"):
                moments.append((Version("0.dev0") if at == "0" else Version(at), kind))
    inside = False
    for moment, kind in sorted(moments, key=lambda pair: pair[0]):
        if kind == "last_affected":
            inside = inside and version <= moment
        elif version >= moment:
            inside = kind == "introduced"
    return inside


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def main() -> int:
    """Print what is vulnerable and return 1, or what was checked, or that nothing was, and 0."""
    named = os.environ.get(SETTING, "")
    if not named:
        print(f"not checked: {SETTING} names no OSV file")
        return 0
    wanted = locked(Path(each) for each in sys.argv[1:])
    count = 0
    found: set[Found] = set()
    try:
        for record in records(Path(named)):
            count += 1
            found.update(concerned(record, wanted))
    except Fault as fault:
        print(fault)
        return 1
    for each in sorted(found):
        print(f"{each.name} {each.version}: {each.record} {each.summary}".rstrip())
    if found:
        print(f"{len(found)} found. Lock newer versions: make lock UPGRADE=--upgrade")
        return 1
    print(f"none of {sum(map(len, wanted.values()))} locked packages is in {count:,} records")
    return 0


if __name__ == "__main__":
    sys.exit(main())
