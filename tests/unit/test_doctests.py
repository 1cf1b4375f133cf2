"""The worked examples in docstrings hold."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("comparator", "tools")
    for path in (ROOT / room).rglob("*.py")
    if ">>>" in path.read_text(encoding="utf-8")
)


def test_there_are_worked_examples() -> None:
    assert len(MODULES) > 20


@pytest.mark.parametrize("module", MODULES)
def test_the_worked_examples_of_a_module_hold(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module))

    assert tried > 0
    assert failed == 0
