"""The set-up and the gate do what they promise: locks, bans, licences, the Makefile, Chromium, the wheel."""

import ast
import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import Distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import chromium, licences

LOCKS = ("requirements/run.txt", "requirements/dev.txt")


def _run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.fspath(part) for part in command],
        cwd=cwd, env=env, capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip


# --- locks ----------------------------------------------------------------------------------------------------------


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
        assert all(requirement.specifier.contains(version) for version in versions), line


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


# --- lint -----------------------------------------------------------------------------------------------------------


def _lint(source: str, *, module: str, repository: Path) -> subprocess.CompletedProcess[str]:
    options = ("--no-cache", "--output-format=concise", "--stdin-filename", module)
    return subprocess.run(
        [sys.executable, "-m", "ruff", "check", *options, "-"],
        cwd=repository, input=source, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("module", "line", "rule"),
    [
        ("comparator/ui/planted.py", "st.markdown('x')", "TID251"),
        ("comparator/ui/planted.py", "st.write('x')", "TID251"),
        ("comparator/ui/planted.py", "st.html('x')", "TID251"),
        ("comparator/ui/planted.py", "st.components.v1.html('x')", "TID251"),
        ("pages/planted.py", "st.markdown('x')", "TID251"),
        ("app.py", "st.write('x')", "TID251"),
        ("comparator/ui/planted.py", "from streamlit import markdown", "ICN003"),
        ("comparator/ui/planted.py", "import streamlit as other", "ICN001"),
        ("comparator/outputs/planted.py", "import xml.etree.ElementTree", "TID251"),
        ("comparator/store/planted.py", "import pickle", "TID251"),
        ("comparator/store/planted.py", "print('x')", "T201"),
        ("comparator/workflow/planted.py", "import datetime\nnow = datetime.datetime.now()", "DTZ005"),
        ("comparator/workflow/planted.py", "try:\n    pass\nexcept Exception:\n    pass", "BLE001"),
        ("comparator/workflow/planted.py", "from . import sibling", "TID252"),
        ("comparator/workflow/planted.py", "x = 1  # noqa", "PGH004"),
    ],
)
def test_the_linter_finds_what_is_banned(repository: Path, module: str, line: str, rule: str) -> None:
    source = f'"""Planted."""\n\nimport streamlit as st\n\n{line}\n'

    done = _lint(source, module=module, repository=repository)

    assert done.returncode == 1
    assert f": {rule} " in done.stdout


def test_the_one_module_that_escapes_may_use_markdown(repository: Path) -> None:
    source = '"""Planted."""\n\nimport streamlit as st\n\nst.markdown("x")\n'

    done = _lint(source, module="comparator/ui/safe.py", repository=repository)

    assert done.returncode == 0, done.stdout


# --- licences -------------------------------------------------------------------------------------------------------


class _Installed(Distribution):
    """A distribution that is nothing but its metadata."""

    def __init__(self, *lines: str) -> None:
        self._metadata = "\n".join(["Metadata-Version: 2.4", "Version: 1.0", *lines, ""])

    def read_text(self, filename: str) -> str | None:
        return self._metadata if filename == "METADATA" else None

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(path)


@pytest.mark.parametrize(
    ("metadata", "fits"),
    [
        (("Name: one", "License-Expression: MIT"), True),
        (("Name: one", "License-Expression: GPL-3.0-only OR MIT"), True),
        (("Name: one", "License-Expression: BSD-3-Clause AND MPL-2.0"), True),
        (("Name: one", "License-Expression: MIT AND GPL-3.0-only"), False),
        (("Name: one", "License-Expression: AGPL-3.0-or-later", "License: MIT"), False),
        (("Name: one", "License-Expression: LGPL-3.0-only"), False),
        (("Name: psycopg", "License-Expression: LGPL-3.0-only"), True),
        (("Name: Psycopg_Binary", "License-Expression: LGPL-3.0-only"), True),
        (("Name: one", "Classifier: License :: OSI Approved :: BSD License"), True),
        (
            ("Name: one", "Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)"),
            False,
        ),
        (
            (
                "Name: one",
                "Classifier: License :: OSI Approved :: MIT License",
                "Classifier: License :: Other/Proprietary License",
            ),
            False,
        ),
        (("Name: one", "License: Apache-2.0"), True),
        (("Name: one", "License: Ask the author"), False),
        (("Name: one", "License: "), False),
        (("Name: one",), False),
    ],
)
def test_only_licences_that_we_may_build_on_pass(metadata: tuple[str, ...], fits: bool) -> None:
    installed = _Installed(*metadata)

    found = licences.licence(installed)

    assert licences.accepted(found, name=installed.metadata["Name"]) is fits


def test_the_licence_check_fails_on_a_planted_licence_and_on_what_is_not_installed(
    repository: Path, tmp_path: Path
) -> None:
    info = tmp_path / "site" / "copyleft-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: copyleft\nVersion: 1.0\nLicense-Expression: GPL-3.0-only\n"
    )
    lock = tmp_path / "run.txt"
    lock.write_text(
        "copyleft==1.0 \\\n    --hash=sha256:00\nnot-there==1.0 \\\n    --hash=sha256:00\n"
        "elsewhere==1.0 ; sys_platform == 'none' \\\n    --hash=sha256:00\n"
    )

    done = _run(
        sys.executable, repository / "tools/licences.py", lock,
        cwd=repository, env={**os.environ, "PYTHONPATH": os.fspath(tmp_path / "site")},
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "copyleft: GPL-3.0-only is not a licence that we may build on.",
        "not-there is locked but not installed, so its licence is not known.",
    ]


# --- make -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def bare_machine(repository: Path, tmp_path: Path) -> Path:
    """A folder with the Makefile, and bin/ with make and the plain tools: no Python at all."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("make", "sh", "touch", "sed", "expand"):
        found = shutil.which(name)
        assert found, f"these tests need {name}"
        (tools / name).symlink_to(found)
    shutil.copy(repository / "Makefile", tmp_path)
    shutil.copy(repository / "pyproject.toml", tmp_path)
    shutil.copytree(repository / "requirements", tmp_path / "requirements")
    return tmp_path


def _make(target: str, *, machine: Path, dry: bool = False) -> subprocess.CompletedProcess[str]:
    tools = machine / "bin"
    options = ("-n",) if dry else ()
    shell = f"SHELL={tools / 'sh'}"
    return _run(tools / "make", shell, *options, target, cwd=machine, env={"PATH": os.fspath(tools)})


def _plant_python(machine: Path, *, name: str, script: str) -> None:
    python = machine / "bin" / name
    python.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)


def test_without_a_python_make_run_says_what_to_install(bare_machine: Path) -> None:
    done = _make("run", machine=bare_machine)

    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == "No Python 3.11 or newer was found: install one, with venv."


def test_a_python_that_is_too_old_or_does_not_run_is_passed_over(bare_machine: Path) -> None:
    _plant_python(bare_machine, name="python3.12", script="echo 'command not found' >&2; exit 127")
    _plant_python(bare_machine, name="python3", script="exit 1")

    done = _make("run", machine=bare_machine)

    assert done.stderr.splitlines()[0] == "No Python 3.11 or newer was found: install one, with venv."


def test_a_python_without_venv_is_named(bare_machine: Path) -> None:
    _plant_python(bare_machine, name="python3.11", script='case "$2" in *ensurepip*) exit 1;; esac; exit 0')

    done = _make("run", machine=bare_machine)

    assert done.returncode != 0
    assert done.stderr.startswith("python3.11 cannot create a virtual environment: install venv")


def test_the_first_python_that_can_is_taken(bare_machine: Path) -> None:
    _plant_python(bare_machine, name="python3.13", script="exit 127")
    _plant_python(bare_machine, name="python3.12", script='case "$2" in *ensurepip*) exit 1;; esac; exit 0')
    _plant_python(
        bare_machine,
        name="python3.11",
        script='[ "$1" != -m ] || { /bin/mkdir -p .venv; echo "$@" > .venv/made; }; exit 0',
    )

    done = _make(".venv/.created", machine=bare_machine)

    assert done.returncode == 0, done.stderr
    assert (bare_machine / ".venv/made").read_text(encoding="utf-8") == "-m venv --clear .venv\n"


def test_a_second_start_installs_nothing_until_a_lock_changes(bare_machine: Path) -> None:
    environment = bare_machine / ".venv"
    environment.mkdir()
    for stamp in (".created", ".run", ".dev"):
        (environment / stamp).touch()

    again = {target: _make(target, machine=bare_machine, dry=True).stdout for target in ("run", "test")}
    later = (environment / ".run").stat().st_mtime + 10
    os.utime(bare_machine / "requirements/run.txt", (later, later))
    changed = _make("run", machine=bare_machine, dry=True).stdout

    assert "install.py" not in again["run"]
    assert "comparator serve" in again["run"]
    assert "install.py" not in again["test"]
    assert "tools/install.py requirements/run.txt" in changed


def test_the_gate_runs_the_tests_as_the_readme_does(bare_machine: Path, repository: Path) -> None:
    environment = bare_machine / ".venv"
    environment.mkdir()
    for stamp in (".created", ".run", ".dev"):
        (environment / stamp).touch()

    planned = _make("check", machine=bare_machine, dry=True).stdout

    for part in (
        "ruff format --check",
        "ruff check",
        "mypy",
        "lint-imports",
        "licences.py",
        "chromium.py --install",
    ):
        assert part in planned
    assert planned.rstrip().splitlines()[-1].split()[1:3] == ["-m", "pytest"]
    assert re.search(r"^make check$", (repository / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)


# --- Chromium -------------------------------------------------------------------------------------------------------


def test_without_any_chromium_the_search_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", os.fspath(tmp_path / "browsers"))

    with pytest.raises(chromium.NoChromium, match="make test"):
        chromium.find()


def test_a_chromium_that_is_named_must_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHROMIUM", os.fspath(tmp_path / "absent"))

    with pytest.raises(chromium.NoChromium, match="absent, which does not start"):
        chromium.install()


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that fetching a Chromium runs on a machine where none is, as root; none of them is really run."""
    commands: list[str] = []

    def find() -> str:
        if not any(command.startswith("apt-get install") for command in commands):
            raise chromium.NoChromium("none")
        return "/usr/bin/chromium"

    def run(*command: str) -> bool:
        commands.append(" ".join(command))
        return command[0] == "apt-get"

    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "find", find)
    monkeypatch.setattr(chromium, "_run", run)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return commands


def test_a_missing_chromium_is_fetched_from_playwright_then_from_the_distribution(fetched: list[str]) -> None:
    assert chromium.install() == "/usr/bin/chromium"

    assert [command.rpartition("/")[2].split(" ")[0] for command in fetched] == [
        Path(sys.executable).name,
        "apt-get",
        "apt-get",
    ]
    assert fetched[0].endswith("-m playwright install chromium")


@pytest.mark.usefixtures("fetched")
def test_who_is_not_root_is_told_why_no_chromium_could_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(chromium.NoChromium, match="only root could install the distribution's package"):
        chromium.install()


# --- installing -----------------------------------------------------------------------------------------------------


def test_a_failed_installation_shows_why_and_fails(repository: Path, tmp_path: Path) -> None:
    lock = tmp_path / "run.txt"
    lock.write_text(f"not-to-be-found==1.0 \\\n    --hash=sha256:{'0' * 64}\n", encoding="utf-8")

    done = _run(
        sys.executable, repository / "tools/install.py", lock,
        cwd=tmp_path, env={**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"},
    )  # fmt: skip

    assert done.returncode != 0
    assert "No matching distribution found for not-to-be-found==1.0" in done.stdout
    assert done.stderr.startswith("The installation failed")


# --- the wheel ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=repository)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_carries_all_that_the_app_needs(repository: Path, wheel: Path) -> None:
    tracked = _run("git", "ls-files", "comparator", "pages", "examples", cwd=repository).stdout.splitlines()
    if not tracked:  # an unpacked source distribution has no history
        tracked = [
            path.relative_to(repository).as_posix()
            for folder in ("comparator", "pages", "examples")
            for path in (repository / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
    wanted = {name if name.startswith("comparator/") else f"comparator/_app/{name}" for name in tracked}
    wanted |= {"comparator/_app/app.py", "comparator/_app/.streamlit/config.toml"}

    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())

    assert wanted <= shipped
    assert not [
        name for name in shipped if name.startswith(("tests/", "tools/", "pages/")) or "__pycache__" in name
    ]
