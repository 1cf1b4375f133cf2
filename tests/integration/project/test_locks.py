"""The lock files carry hashes, no address and no licence that we may not build on, and fit what is asked for."""

import ast
import os
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.worlds.process import run

LOCKS = ("requirements/run.txt", "requirements/dev.txt")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_hashes_and_no_address(repository: Path, lock: str) -> None:
    entries = (repository / lock).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()

    assert len(entries) > 50
    for entry in entries:
        assert re.fullmatch(
            r"[a-z0-9-]+==[^ ]+( ; [^:]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", entry.rstrip()
        ), entry


def _locked(lock: Path) -> dict[str, list[str]]:
    versions: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE):
        versions.setdefault(name, []).append(version)
    return versions


def test_the_locks_satisfy_what_the_project_asks_for(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    run, dev = (_locked(repository / lock) for lock in LOCKS)
    groups = project["dependency-groups"]
    asked = [(run, line) for line in [*project["project"]["dependencies"], *groups["build"]]]
    asked += [(dev, line) for line in [*groups["test"], *groups["check"]]]

    for lock, line in asked:
        requirement = Requirement(line)
        versions = lock.get(canonicalize_name(requirement.name), [])
        assert versions, f"{line} is not locked: run make lock"
        # What is asked for on one platform only has a version of its own there.
        fits = any if requirement.marker else all
        assert fits(requirement.specifier.contains(version) for version in versions), line


def test_everything_that_is_imported_is_asked_for_by_name(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    sources = [
        *repository.glob("comparator/**/*.py"),
        *repository.glob("pages/*.py"),
        *repository.glob("app.py"),
    ]
    imported = {name for path in sources for name in _imports(path)}
    own = sys.stdlib_module_names | {"comparator"}
    distributions = packages_distributions()

    for package in sorted(imported - own):
        carriers = {canonicalize_name(name) for name in distributions.get(package, [])}
        assert carriers & asked, f"{package} is imported, but no dependency of ours brings it"


def _imports(module: Path) -> set[str]:
    """The top-level names that a module imports itself."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize(
    ("licence", "passes"), [("MIT", True), ("GPL-3.0-only", False), ("Ask the author", False)]
)
def test_only_licences_that_we_may_build_on_pass(
    repository: Path, tmp_path: Path, licence: str, *, passes: bool
) -> None:
    info = tmp_path / "planted-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: planted\nVersion: 1.0\nLicense: {licence}\n"
    )

    done = run(
        sys.executable, "-m", "piplicenses", "--format=plain", "--packages", "planted",
        cwd=repository, env={**os.environ, "PYTHONPATH": os.fspath(tmp_path)},
    )  # fmt: skip

    assert (done.returncode == 0) is passes, done.stderr
    assert passes or f"license {licence} not in allow-only" in done.stderr
