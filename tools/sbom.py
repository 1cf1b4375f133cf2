"""The software bill of materials of a release, in CycloneDX: each locked package with its hashes and licence."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.licences import licence

_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def bill_of_materials(lock: Path, *, version: str = "") -> str:
    """The text of the CycloneDX 1.6 file. Distributions of other platforms are in it, without a licence."""
    name = {"type": "application", "name": "blind-comparator", **({"version": version} if version else {})}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": name},
        "components": [_component(line) for line in _lines(lock)],
    }
    return json.dumps(bill, indent=1) + "\n"


def _lines(lock: Path) -> list[str]:
    joined = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in joined.splitlines() if line and not line.startswith(("#", "-"))]


def _component(line: str) -> dict[str, Any]:
    wanted = Requirement(_HASH.sub("", line).strip())
    name = canonicalize_name(wanted.name)
    (version,) = (each.version for each in wanted.specifier)
    found = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "properties": [
            {"name": "blind-comparator:sha256-of-a-file", "value": digest} for digest in _HASH.findall(line)
        ],
    }
    try:
        return {**found, "licenses": [{"expression": licence(distribution(name))}]}
    except PackageNotFoundError:
        return found


if __name__ == "__main__":
    print(bill_of_materials(Path(sys.argv[1])), end="")
