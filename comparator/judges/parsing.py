"""Whether a file opens and parses."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from functools import lru_cache

import defusedxml.ElementTree
import yaml

from comparator.domain.pair.view import Family, ViewedFile

_UNKNOWN = frozenset({Family.ARCHIVE, Family.BINARY, Family.AUDIO, Family.VIDEO})
_DEEPEST = 60
_LONGEST_YAML = 100_000
_MOST_WORDS = 120
_SECONDS = 12.0
# Hostile code brings Python's own parser to its limits, and threads that parse at once make it fail on Python 3.11.
_PYTHON_CHILD = """
import ast, resource, sys, warnings
for limit, value in ((resource.RLIMIT_AS, 512 << 20), (resource.RLIMIT_CPU, 10), (resource.RLIMIT_CORE, 0)):
    try:
        resource.setrlimit(limit, (value, value))
    except (ValueError, OSError):
        pass
warnings.simplefilter("ignore")
try:
    ast.parse(sys.stdin.buffer.read().decode("utf-8", "replace"))
except SyntaxError as error:
    sys.stdout.buffer.write(f"line {error.lineno}: {error.msg}".encode("utf-8", "replace"))
"""


def is_blank(file: ViewedFile) -> bool:
    """Whether there is nothing in a file but white space."""
    is_text = bool(file.blocks) and all(block.kind == "text" for block in file.blocks)
    return file.size == 0 or (is_text and not file.text.strip())


def problem_of(file: ViewedFile) -> tuple[str, str]:
    """What is wrong with a file as `does not open` or `does not parse`, and why; two empty texts where nothing is.

    Nothing is said of a file that was cut, or of a kind that is not looked into.
    """
    if file.family in _UNKNOWN or file.is_cut or is_blank(file):
        return "", ""
    if not file.blocks:
        return "does not open", ""
    try:
        _parse(file)
    except RecursionError:
        return "does not parse", "it is nested too deeply"
    except (ValueError, yaml.YAMLError, SyntaxError, OverflowError) as error:
        return "does not parse", str(error).partition("\n")[0][:_MOST_WORDS].rstrip(".")
    return "", ""


def _parse(file: ViewedFile) -> None:
    match file.family:
        case Family.JSON:
            _parse_json(file.text)
        case Family.YAML:
            _parse_yaml(file.text)
        case Family.TOML:
            tomllib.loads(file.text)
        case Family.XML:
            defusedxml.ElementTree.fromstring(file.text)
        case Family.CODE if file.name.endswith((".py", ".pyi")):
            if problem := _python_problem(file.text):
                raise ValueError(problem)
        case _:
            pass


def _parse_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith(("{", "[")) for line in lines):
            raise
        for line in lines:
            json.loads(line)


def _parse_yaml(text: str) -> None:
    if len(text) > _LONGEST_YAML:
        return
    # The parser takes time in the square of the depth.
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST or "- " * _DEEPEST in text:
        raise ValueError("it is nested too deeply")
    yaml.safe_load(text)


@lru_cache(maxsize=256)
def _python_problem(text: str) -> str:
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PYTHON_CHILD],
            input=text.encode("utf-8", "replace"),
            capture_output=True,
            timeout=_SECONDS,
            env={"LANG": "C.UTF-8"},
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return "it cannot be read as Python"
    return child.stdout.decode("utf-8")
