"""Each import contract bites: a violation planted in a copy of the package breaks it."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from tests.worlds.process import run

ROOMS = (
    *("domain", "stats", "outputs", "judges", "store", "interop", "reporting", "workflow", "jobs", "web"),
    *("ui/frame", "ui/new"),
)

PLANTED = (
    ("domain/one.py", "import comparator.outputs.limits", "layers"),
    ("helpers.py", "", "layers"),
    ("ui/frame/one.py", "from comparator.ui.new import inside as other", "pages"),
    ("ui/another/__init__.py", "", "pages"),
    ("stats/beside.py", "from comparator.stats import inside", "circles"),
    ("stats/inside.py", "from comparator.stats import beside", "circles"),
    ("domain/two.py", "import yaml", "pure-domain"),
    ("domain/three.py", "def later():\n    import pandas", "pure-domain"),
    ("workflow/one.py", "from comparator.outputs import extract", "outputs"),
    ("workflow/two.py", "import streamlit as st", "streamlit"),
    ("outputs/one.py", "from anthropic.types import Message", "anthropic"),
    ("workflow/three.py", "from sqlalchemy import select", "database"),
)
"""A module, a line that breaks a contract, and which."""


@pytest.mark.slow
def test_each_planted_violation_breaks_its_contract_and_none_is_broken_without(
    repository: Path, tmp_path: Path
) -> None:
    shutil.copy(repository / "pyproject.toml", tmp_path)
    shutil.copytree(repository / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "comparator"
    for room in (*ROOMS, "outputs/extract"):
        (package / room).mkdir(parents=True)
        for module in ("__init__.py", "inside.py"):
            (package / room / module).touch()
    for module in ("__init__.py", "cli.py", "settings.py", "ui/__init__.py", "outputs/limits.py"):
        (package / module).touch()
    settings = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    names = {contract["id"]: contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}
    script = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"

    def lint() -> tuple[set[str], str]:
        done = run(sys.executable, "-c", script, "--no-cache", "--no-logo", cwd=tmp_path)
        return set(re.findall(r"^(.*\S)\s+BROKEN$", done.stdout, re.MULTILINE)), done.stdout

    assert lint()[0] == set()
    for module, line, _ in PLANTED:
        (package / module).parent.mkdir(exist_ok=True)
        (package / module).write_text(f"{line}\n", encoding="utf-8")
    broken, report = lint()
    assert broken == {names[contract] for *_, contract in PLANTED} == set(names.values())
    for module, _, contract in PLANTED:
        name = f"comparator.{module.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"
        assert contract == "circles" or name in report, module


def test_one_module_reads_the_environment_for_all_others(repository: Path) -> None:
    package = repository / "comparator"
    reading = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if re.search(r"\bos\.(environ|getenv)\b|from os import .*(environ|getenv)", path.read_text("utf-8"))
    }

    assert reading == {"bootstrap.py"}
