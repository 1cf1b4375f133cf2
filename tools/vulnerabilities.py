"""Looks the locked packages up among known vulnerabilities, with pip-audit.

$COMPARATOR_OSV names a zip archive of records, as the OSV database offers for all of PyPI. Without it, the records come
from the database itself. If that does not answer, nothing is checked, and the output says so.
"""

import json
import os
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import requests
from packaging.utils import canonicalize_name
from pip_audit._audit import Auditor
from pip_audit._dependency_source import RequirementSource
from pip_audit._service import (
    Dependency,
    OsvService,
    ResolvedDependency,
    ServiceError,
    VulnerabilityResult,
    VulnerabilityService,
)

SETTING = "COMPARATOR_OSV"


class OsvArchive(VulnerabilityService):  # type: ignore[misc]  # the package has no types
    """The records of an archive; each lists the versions that it concerns."""

    def __init__(self, path: Path) -> None:
        self._records: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                record = json.loads(archive.read(name))
                for affected in () if record.get("withdrawn") else record.get("affected", ()):
                    for version in affected.get("versions", ()):
                        self._records[canonicalize_name(affected["package"]["name"]), version].append(record)

    def query(self, spec: Dependency) -> tuple[Dependency, list[VulnerabilityResult]]:
        """The records that concern a package."""
        assert isinstance(spec, ResolvedDependency)
        records = self._records[spec.canonical_name, str(spec.version)]
        return spec, [
            VulnerabilityResult.create([record["id"]], record.get("summary", ""), [], None)
            for record in records
        ]


def main() -> int:
    """Print what is vulnerable and return 1, or what was checked, or that nothing was, and 0."""
    named = os.environ.get(SETTING, "")
    locks = RequirementSource([Path(path) for path in sys.argv[1:]], require_hashes=True, disable_pip=True)
    try:
        service = OsvArchive(Path(named)) if named else OsvService()
        results = list(Auditor(service).audit(locks))
    except (requests.RequestException, ServiceError):
        print(f"not checked: the OSV database does not answer, and {SETTING} is not set")
        return 0
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        print(
            f"{SETTING} names {named}, which is not an archive of OSV records: {error!r}. Correct it or unset it."
        )
        return 1
    for package, vulnerabilities in results:
        for advisory in vulnerabilities:
            print(
                f"{package.name} {getattr(package, 'version', '')}: {advisory.id} {advisory.description}".rstrip()
            )
    if any(vulnerabilities for _, vulnerabilities in results):
        print("Lock newer versions: make lock UPGRADE=--upgrade")
        return 1
    print(f"none of {len(results)} locked packages is known to be vulnerable")
    return 0


if __name__ == "__main__":
    sys.exit(main())
