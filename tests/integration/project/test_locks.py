"""The tools around the code: lock files, licences, known vulnerabilities, make, and the image."""

import ast
import json
import os
import re
import shutil
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.worlds.process import run
from tools import install, vulnerabilities

LOCKS = ("requirements/run.txt", "requirements/dev.txt")


def test_a_lock_names_hashes_and_no_address(repository: Path) -> None:
    hashed = re.compile(r"[a-z0-9-]+==[^ ]+( ; [^:]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*")
    for lock in LOCKS:
        entries = (repository / lock).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()

        assert len(entries) > 50
        assert [entry for entry in entries if not hashed.fullmatch(entry)] == []


def _locked(lock: Path) -> dict[str, list[str]]:
    versions: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE):
        versions.setdefault(name, []).append(version)
    return versions


def test_the_locks_satisfy_what_the_project_asks_for(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    run, dev = (_locked(repository / lock) for lock in LOCKS)
    groups = project["dependency-groups"]
    wanted = [(run, line) for line in [*project["project"]["dependencies"], *groups["build"]]]
    wanted += [(dev, line) for line in [*groups["test"], *groups["check"]]]

    for lock, line in wanted:
        requirement = Requirement(line)
        versions = lock.get(canonicalize_name(requirement.name), [])
        assert versions, f"{line} is not locked: run make lock"
        # What is asked for on one platform only has a version of its own there.
        fits = any if requirement.marker else all
        assert fits(requirement.specifier.contains(version) for version in versions), line


def test_everything_that_is_imported_is_asked_for_by_name(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    sources = [*repository.glob("comparator/**/*.py"), *repository.glob("pages/*.py"), repository / "app.py"]
    imported = {name for path in sources for name in _imports(path)}
    own = sys.stdlib_module_names | {"comparator"}
    distributions = packages_distributions()

    for package in sorted(imported - own):
        carriers = {canonicalize_name(name) for name in distributions.get(package, [])}
        assert carriers & direct, f"{package} is imported, but no dependency of ours brings it"


def _imports(module: Path) -> set[str]:
    """The top-level names that a module imports itself."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_the_gate_fails_on_a_find_and_says_where_nothing_was_checked(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = repository / "requirements/run.txt"
    monkeypatch.setattr(sys, "argv", ["vulnerabilities.py", str(lock)])
    monkeypatch.setenv("HTTPS_PROXY", "socks5://127.0.0.1:9")
    (version,) = re.findall(r"^streamlit==(\S+)", lock.read_text(), re.MULTILINE)

    def check(osv: str) -> tuple[int, str]:
        monkeypatch.setenv(vulnerabilities.SETTING, osv)
        return vulnerabilities.main(), capsys.readouterr().out

    def archive(**record: object) -> str:
        path = tmp_path / "osv.zip"
        with zipfile.ZipFile(path, "w") as out:
            out.writestr("OSV-7.json", json.dumps({"id": "OSV-7", "summary": "Reads too much", **record}))
        return str(path)

    affected = [{"package": {"ecosystem": "PyPI", "name": "Streamlit"}, "versions": ["0.1", version]}]

    assert check("") == (0, "not checked: the OSV database does not answer, and COMPARATOR_OSV is not set\n")
    code, said = check(archive(affected=affected))
    assert code == 1
    assert said.startswith(f"streamlit {version}: OSV-7 Reads too much\n")
    for harmless in (
        archive(affected=affected, withdrawn="2026-01-01T00:00:00Z"),
        archive(affected=[{**affected[0], "versions": ["0.1"]}]),
    ):
        code, said = check(harmless)
        assert (code, said[:8]) == (0, "none of ")
    (tmp_path / "broken").write_text("{")
    for broken in ("broken", "missing"):
        assert check(str(tmp_path / broken))[0] == 1


def test_what_installs_is_locked_as_well(monkeypatch: pytest.MonkeyPatch, repository: Path) -> None:
    locks: list[str] = []

    def failing_at_last(lock: Path) -> int:
        locks.append(lock.name)
        return int(lock == install.INSTALLER)

    monkeypatch.setattr(install, "install", failing_at_last)
    monkeypatch.setattr(sys, "argv", ["install.py", "requirements/run.txt"])
    assert install.main() == 1
    assert locks == ["run.txt", "installer.txt"]
    lock = (repository / "requirements" / "installer.txt").read_text(encoding="utf-8")
    assert {line.partition("==")[0] for line in lock.splitlines() if "==" in line} == {"pip", "setuptools"}
    assert lock.count("--hash=sha256:") >= 2


def test_a_second_start_installs_nothing_until_a_lock_changes(repository: Path, tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "package-lock.json"):
        shutil.copy(repository / name, tmp_path)
    shutil.copytree(repository / "requirements", tmp_path / "requirements")
    (tmp_path / ".venv").mkdir()
    for stamp in (".created", ".run", ".dev"):
        (tmp_path / ".venv" / stamp).touch()

    run_again, test_again = (run("make", "-n", target, cwd=tmp_path).stdout for target in ("run", "test"))
    later = (tmp_path / ".venv/.run").stat().st_mtime + 10
    os.utime(tmp_path / "requirements/run.txt", (later, later))

    assert "install.py" not in run_again + test_again
    # As the only process below make, so that it notices when make ends.
    assert re.search(r"exec \S*comparator serve .*--with-parent", run_again)
    assert "tools/install.py requirements/run.txt" in run("make", "-n", "run", cwd=tmp_path).stdout


def test_the_image_runs_as_a_user_of_its_own_and_its_containers_write_nowhere_else(repository: Path) -> None:
    steps = re.findall(r"^([A-Z]+) (.*)", (repository / "deploy/Dockerfile").read_text("utf-8"), re.MULTILINE)
    services = yaml.safe_load((repository / "deploy/compose.yaml").read_text("utf-8"))["services"]
    ours = [
        service
        for service in services.values()
        if "build" in service or "comparator" in str(service.get("image"))
    ]

    last_run = max(at for at, (name, _) in enumerate(steps) if name == "RUN")
    assert steps.index(("USER", "comparator")) > last_run
    assert all((repository / rest.split()[0]).exists() for name, rest in steps if name == "COPY")
    assert ours
    assert all(service["read_only"] for service in ours)
