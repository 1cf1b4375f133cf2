"""Each import contract bites: a violation planted in a copy of the package breaks it, and it alone."""

import re
import shutil
import sys
import tomllib
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.worlds.process import run

ROOMS = (
    *("domain", "stats", "outputs", "judges", "store", "interop", "reporting", "workflow", "jobs", "web"),
    *("ui/frame", "ui/new"),
)

CIRCLE = "from comparator.stats import beside"
"""With the module beside it, which imports this one."""


def _lint_imports(folder: Path) -> CompletedProcess[str]:
    """Run import-linter on the package in the folder, by the folder's own pyproject.toml."""
    script = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    return run(sys.executable, "-c", script, "--no-cache", "--no-logo", cwd=folder)


def _contracts(repository: Path) -> dict[str, str]:
    settings = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["id"]: contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}


@pytest.fixture
def skeleton(repository: Path, tmp_path: Path) -> Path:
    """A package that has every room, each with one module, under the project's own contracts."""
    shutil.copy(repository / "pyproject.toml", tmp_path)
    shutil.copytree(repository / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "comparator"
    for room in ROOMS:
        (package / room).mkdir(parents=True)
        (package / room / "__init__.py").touch()
        (package / room / "inside.py").write_text('"""One module."""\n', encoding="utf-8")
        (package / room / "beside.py").write_text('"""One more."""\n', encoding="utf-8")
    (package / "ui/__init__.py").touch()
    (package / "outputs/extract").mkdir()
    (package / "outputs/extract/__init__.py").touch()
    (package / "outputs/limits.py").touch()
    for module in ("__init__.py", "cli.py", "settings.py"):
        (package / module).touch()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("domain/inside.py", "import comparator.outputs.limits", "layers"),
        ("store/inside.py", "from comparator.reporting import inside as other", "layers"),
        ("workflow/inside.py", "def later():\n    from comparator.jobs import inside as other", "layers"),
        ("settings.py", "import comparator.workflow", "layers"),
        ("helpers.py", "", "layers"),
        ("web/inside.py", "from comparator.ui.frame import inside as other", "layers"),
        ("ui/frame/inside.py", "from comparator.ui.new import inside as other", "pages"),
        ("ui/another/__init__.py", "", "pages"),
        ("stats/inside.py", CIRCLE, "circles"),
        ("domain/inside.py", "import yaml", "pure-domain"),
        ("domain/inside.py", "def later():\n    import pandas", "pure-domain"),
        ("workflow/inside.py", "from comparator.outputs import extract", "outputs"),
        ("web/inside.py", "from comparator.outputs import inside as other", "outputs"),
        ("workflow/inside.py", "import streamlit as st", "streamlit"),
        ("outputs/inside.py", "from anthropic.types import Message", "anthropic"),
        ("workflow/inside.py", "from sqlalchemy import select", "database"),
        ("ui/frame/inside.py", "import sqlite3", "database"),
    ],
)
def test_a_violation_breaks(repository: Path, skeleton: Path, module: str, line: str, contract: str) -> None:
    planted = skeleton / "comparator" / module
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f"{line}\n", encoding="utf-8")
    (skeleton / "comparator/stats/beside.py").write_text(
        "from comparator.stats import inside\n", encoding="utf-8"
    )

    done = _lint_imports(skeleton)

    assert done.returncode == 1, done.stdout + done.stderr
    broken = re.findall(r"^(.*\S)\s+BROKEN$", done.stdout, re.MULTILINE)
    assert broken == [_contracts(repository)[contract]]


def test_no_contract_is_without_a_planted_violation(repository: Path) -> None:
    marks = test_a_violation_breaks.pytestmark  # type: ignore[attr-defined]  # set by the decorator
    planted = {contract for _, _, contract in marks[0].args[1]}

    assert planted == _contracts(repository).keys()


def test_one_module_reads_the_environment_for_all_others(repository: Path) -> None:
    package = repository / "comparator"
    reading = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\bos\.(environ|getenv)\b|from os import .*(environ|getenv)", path.read_text("utf-8"))
    }

    assert reading == {"bootstrap.py"}
