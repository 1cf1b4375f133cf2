"""The lock files carry hashes, no address and no licence that we may not build on, and fit what is asked for."""

import ast
import json
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
from tools import wheels

LOCKS = ("requirements/run.txt", "requirements/dev.txt")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_hashes_and_no_address(repository: Path, lock: str) -> None:
    entries = (repository / lock).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()

    assert len(entries) > 50
    for entry in entries:
        assert re.fullmatch(
            r"[a-z0-9-]+==[^ ]+( ; [^:]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", entry.rstrip()
        ), entry


def test_the_lock_of_javascript_names_hashes_and_no_address(repository: Path) -> None:
    text = (repository / "package-lock.json").read_text(encoding="utf-8")
    packages = [entry for path, entry in json.loads(text)["packages"].items() if path]

    assert len(packages) > 10
    assert all(entry["integrity"].startswith("sha512-") for entry in packages)
    assert "://" not in text, "npm has written an address: run make lock"


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


def test_tests_run_with_the_very_versions_that_users_get(repository: Path) -> None:
    run, dev = (_locked(repository / lock) for lock in LOCKS)

    assert {name: dev.get(name) for name in run} == run


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


def test_every_locked_package_of_the_run_list_has_wheels_wherever_we_support_it(repository: Path) -> None:
    kept = (repository / "requirements/wheels.txt").read_text(encoding="utf-8")
    named = {line.partition(";")[0].partition(" |")[0].strip() for line in kept.splitlines()[1:]}
    run_list = (repository / "requirements/run.txt").read_text(encoding="utf-8")
    versions = {match.group() for match in re.finditer(r"^[a-z0-9-]+==[^ \n]+", run_list, re.MULTILINE)}

    assert list(wheels.missing(kept)) == []
    assert named == versions


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("made-up==1.0 | cp311-cp311-manylinux_2_28_x86_64", "no wheel for Python 3.12 on Linux x86_64"),
        ("made-up==1.0 | ", "no wheel for Python 3.14 on macOS ARM64"),
        ("made-up==1.0; sys_platform == 'darwin' | ", "no wheel for Python 3.11 on macOS x86_64"),
    ],
)  # fmt: skip
def test_a_missing_wheel_is_named_with_its_place(line: str, said: str) -> None:
    assert f"made-up==1.0 has {said}" in list(wheels.missing(line))


def test_wheels_for_any_place_and_for_the_stable_abi_count() -> None:
    assert list(wheels.missing("made-up==1.0 | py3-none-any")) == []
    assert list(wheels.missing("made-up==1.0; sys_platform == 'win32' | ")) == []
    stable = (
        "cp39-abi3-manylinux_2_28_x86_64 cp39-abi3-manylinux_2_28_aarch64 cp39-abi3-macosx_11_0_universal2"
    )
    assert list(wheels.missing(f"made-up==1.0 | {stable}")) == []
