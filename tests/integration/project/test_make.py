"""make chooses a Python, installs once and fetches a Chromium; what is missing is named."""

import os
import re
import shutil
import stat
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.conftest import LONGEST, part_of
from tests.worlds.process import run
from tools import chromium


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


def _plant(machine: Path, *, name: str, script: str) -> None:
    command = machine / "bin" / name
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(command.stat().st_mode | stat.S_IXUSR)


def test_without_a_python_make_run_says_what_to_install(bare_machine: Path) -> None:
    done = _make("run", machine=bare_machine)

    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == "No Python from 3.11 to 3.14 was found: install one, with venv."


def test_a_python_that_is_too_old_or_does_not_run_is_passed_over(bare_machine: Path) -> None:
    _plant(bare_machine, name="python3.12", script="echo 'command not found' >&2; exit 127")
    _plant(bare_machine, name="python3", script="exit 1")

    done = _make("run", machine=bare_machine)

    assert done.stderr.splitlines()[0] == "No Python from 3.11 to 3.14 was found: install one, with venv."


def test_a_python_without_venv_is_named(bare_machine: Path) -> None:
    _plant(bare_machine, name="python3.11", script='case "$2" in *ensurepip*) exit 1;; esac; exit 0')

    done = _make("run", machine=bare_machine)

    assert done.returncode != 0
    assert done.stderr.startswith("python3.11 cannot create a virtual environment: install venv")


def test_the_newest_python_that_the_lock_covers_is_taken_and_named(bare_machine: Path) -> None:
    for version in ("3.11", "3.13", "3.14", "3.15"):
        script = f'case "$1" in --version) echo "Python {version}.1";; -m) /bin/mkdir -p .venv;; esac; exit 0'
        _plant(bare_machine, name=f"python{version}", script=script)

    done = _make(".venv/.created", machine=bare_machine)

    assert (done.returncode, done.stdout) == (0, "Creating .venv with Python 3.14.1\n")


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


@pytest.mark.parametrize("target", ["run", "test"])
def test_the_app_and_the_tests_need_no_node(bare_machine: Path, target: str) -> None:
    (bare_machine / ".venv").mkdir()
    for stamp in (".created", ".run", ".dev"):
        (bare_machine / ".venv" / stamp).touch()

    planned = _make(target, machine=bare_machine, dry=True).stdout

    assert planned
    assert "npm" not in planned


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


@pytest.mark.parametrize("part", ["0/8", "9/8", "1/0", "1", "one/8", ""])
def test_a_part_that_does_not_exist_is_refused(part: str) -> None:
    with pytest.raises(pytest.UsageError, match="write 2/5 for the second of five parts"):
        part_of({}, part)


def _collected(folder: Path, *arguments: str, repository: Path) -> CompletedProcess[str]:
    """What pytest says of the tests in a folder, with what all our tests share."""
    env = {**os.environ, "PYTHONPATH": os.fspath(repository)}
    options = (
        "-p",
        "tests.conftest",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
        "--collect-only",
        "-q",
    )
    return run(sys.executable, "-m", "pytest", *options, *arguments, cwd=folder, env=env)


def _write(folder: Path, name: str, *limits: int) -> None:
    """A file with one test for each limit, in seconds."""
    tests = (
        f"@pytest.mark.timeout({limit})\ndef test_{number}() -> None: ...\n"
        for number, limit in enumerate(limits, 1)
    )
    (folder / name).write_text("import pytest\n\n" + "\n".join(tests), encoding="utf-8")


def test_a_test_that_no_part_has_time_for_is_refused_by_name(tmp_path: Path, repository: Path) -> None:
    _write(tmp_path, "test_longer.py", 60, LONGEST + 1)
    _write(tmp_path, "test_without_end.py", LONGEST, 0)

    done = _collected(tmp_path, repository=repository)

    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "A test may take at most 900 s. Split test_longer.py::test_2\n" in done.stdout
    assert "A test may take at most 900 s. Split test_without_end.py::test_2\n" in done.stdout
    assert "::test_1" not in done.stdout
