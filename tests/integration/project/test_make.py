"""make chooses a Python, installs once and fetches a Chromium; what is missing is named."""

import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.conftest import part_of
from tests.worlds.process import run


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
    shutil.copy(repository / "package-lock.json", tmp_path)
    shutil.copytree(repository / "requirements", tmp_path / "requirements")
    return tmp_path


def _make(target: str, *, machine: Path, dry: bool = False) -> CompletedProcess[str]:
    tools = machine / "bin"
    options = ("-n",) if dry else ()
    shell = f"SHELL={tools / 'sh'}"
    return run(tools / "make", shell, *options, target, cwd=machine, env={"PATH": os.fspath(tools)})


def test_without_a_python_make_run_says_what_to_install(bare_machine: Path) -> None:
    done = _make("run", machine=bare_machine)

    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == "No Python from 3.11 to 3.14 was found: install one, with venv."


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
    # As the only process below make, so that it notices when make ends.
    assert re.search(r"exec \S*comparator serve .*--with-parent", again["run"])
    assert "install.py" not in again["test"]
    assert "tools/install.py requirements/run.txt" in changed


def test_a_failed_installation_shows_why_and_fails(repository: Path, tmp_path: Path) -> None:
    lock = tmp_path / "run.txt"
    lock.write_text(f"not-to-be-found==1.0 \\\n    --hash=sha256:{'0' * 64}\n", encoding="utf-8")

    done = run(
        sys.executable, repository / "tools/install.py", lock,
        cwd=tmp_path, env={**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"},
    )  # fmt: skip

    assert done.returncode != 0
    assert "No matching distribution found for not-to-be-found==1.0" in done.stdout
    assert done.stderr.startswith("The installation failed")


def test_the_parts_of_a_long_run_are_apart_make_the_whole_and_are_as_long() -> None:
    files = {Path(f"test_{number}.py"): number % 23 + 1 for number in range(200)}

    parts = [part_of(files, f"{number}/8") for number in range(1, 9)]

    assert sum(map(len, parts)) == len(files)
    assert set.union(*parts) == set(files)
    weights = [sum(files[file] for file in part) for part in parts]
    assert max(weights) - min(weights) <= 1
