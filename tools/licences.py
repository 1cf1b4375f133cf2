"""Checks that every distribution of a lock file carries a licence that we may build on.

Permissive licences and MPL-2.0 are accepted from anyone, the LGPL only from psycopg, which is used unmodified. What is
looked at is the distribution as installed: its SPDX expression, else its classifiers, else its licence field.
"""

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PERMISSIVE = frozenset(
    {
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "PSF-2.0",
        "Unlicense",
        "Zlib",
    }
)
ACCEPTED = PERMISSIVE | {"MPL-2.0"}
ACCEPTED_FROM = {"psycopg": {"LGPL-3.0-only"}, "psycopg-binary": {"LGPL-3.0-only"}}

# The words of metadata written before SPDX, in lower case, and what they stand for.
SPOKEN = {
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "3-clause bsd license": "BSD-3-Clause",
    "2-clause bsd": "BSD-2-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
}

# Distributions whose metadata no rule can read, with what their licence files say.
READ_BY_HAND = {
    "pypdfium2": "BSD-3-Clause AND Apache-2.0",  # and PDFium with its libraries, all permissive
}


def requirements(lock: Path) -> list[Requirement]:
    """The lock file's requirements that this platform installs."""
    joined = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (re.sub(r"\s--hash=\S+", "", line).strip() for line in joined.splitlines())
    named = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return [
        requirement for requirement in named if requirement.marker is None or requirement.marker.evaluate()
    ]


def licence(installed: Distribution) -> str:
    """The SPDX expression that the distribution's metadata amounts to; its own words where they amount to none."""
    metadata = installed.metadata.json
    name = canonicalize_name(str(metadata["name"]))
    if name in READ_BY_HAND:
        return READ_BY_HAND[name]
    if expression := metadata.get("license_expression"):
        return str(expression)
    classifiers = [line for line in metadata.get("classifier", ()) if line.startswith("License ::")]
    plain = str(metadata.get("license", "no licence given")).strip().splitlines()[:1]
    words = [line.rpartition("::")[2].strip() for line in classifiers] or plain
    return " AND ".join(SPOKEN.get(word.lower(), word) for word in words)


def accepted(expression: str, *, name: str) -> bool:
    """Whether the licence expression is one that we take from the distribution of that name."""
    allowed = ACCEPTED | ACCEPTED_FROM.get(canonicalize_name(name), set())
    return any(all(part in allowed for part in choice.split(" AND ")) for choice in expression.split(" OR "))


def main() -> int:
    """Print what may not be used and return 1, or a count and 0."""
    faults = []
    wanted = requirements(Path(sys.argv[1]))
    for requirement in wanted:
        try:
            found = licence(distribution(requirement.name))
        except PackageNotFoundError:
            faults.append(f"{requirement.name} is locked but not installed, so its licence is not known.")
            continue
        if not accepted(found, name=requirement.name):
            faults.append(f"{requirement.name}: {found} is not a licence that we may build on.")
    print(*faults or [f"{len(wanted)} distributions, each permissive, MPL-2.0, or psycopg's LGPL"], sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
