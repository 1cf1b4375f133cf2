"""Measures of code: syntax, tests, documentation, and the length and nesting of functions."""

from __future__ import annotations

import json
import re

from comparator.domain.view import Family, TextBlock, ViewedFile
from comparator.judges.offline.python_source import Function, read_python
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share
from comparator.judges.offline.words import LiteralKind, literals

_PYTHON = (".py", ".pyi")
_BRACES = (
    ".js",
    ".ts",
    ".tsx",
    ".jsx",
    ".java",
    ".c",
    ".h",
    ".cpp",
    ".go",
    ".rs",
    ".css",
    ".php",
    ".cs",
    ".kt",
)
_TEST_NAME = re.compile(r"(^|/)(tests?/|test_|.*[._-](test|spec)\.)", re.IGNORECASE)
_STRINGS = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*(?:`|\Z)",
    re.DOTALL,
)
_LONG_FUNCTION = 60
_LONG_LINE = 120


def syntax(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether each code file parses (Python by its grammar, others by balanced brackets)."""
    signals = []
    for file in _code(subject)[:40]:
        if _cut(file):
            continue
        problem = _problem(file)
        signals.append(
            Signal(
                f"{file.name} {'does not parse: ' + problem if problem else 'parses'}",
                0.0 if problem else 1.0,
            )
        )
    if not signals:
        return None
    broken = [s for s in signals if not s.value]
    if broken:
        return (
            *broken,
            Signal(f"{len(signals) - len(broken)} other files parse", 1.0, len(signals) - len(broken) or 0.1),
        )
    return (Signal(f"all {len(signals)} code files parse", 1.0),)


def tests_present(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether there are tests, and how many of the names that the prompt asks for they use."""
    files = _code(subject)
    if not files:
        return None
    tests = [file for file in files if _TEST_NAME.search(file.name)]
    if not tests:
        return (Signal("no test files", 0.1),)
    text = "\n".join(file.text for file in tests)
    count = len(re.findall(r"^\s*(?:async )?def test\w*|\b(?:it|test)\(\s*[\"'`]", text, re.MULTILINE))
    checks = len(re.findall(r"\bassert\w*\b|\bexpect\(|\.raises\(", text))
    signals = [
        Signal(
            f"{count} tests with {checks} checks in {len(tests)} files",
            min(1.0, 0.3 + count / 10 + checks / 40),
        ),
    ]
    names = [x.text.removesuffix("()") for x in literals(around.task.prompt) if x.kind is LiteralKind.NAME]
    names += re.findall(r"\b([a-z_]\w+)\(", around.task.prompt)
    names = list(dict.fromkeys(names))
    if names:
        hits = [n for n in names if re.search(rf"\b{re.escape(n)}\b", text)]
        signals.append(
            Signal(
                f"{len(hits)} of {len(names)} names of the prompt are used in tests",
                share(len(hits), len(names)),
            )
        )
    return tuple(signals)


def documentation(subject: Subject, _around: Surroundings) -> Reading | None:
    """Docstrings of public Python functions, and a README with an example."""
    files = _code(subject)
    if not files:
        return None
    signals = []
    functions = [
        f for file in files if not _TEST_NAME.search(file.name) for f in _functions(file) if f.public
    ]
    if functions:
        documented = sum(f.documented for f in functions)
        signals.append(
            Signal(
                f"{documented} of {len(functions)} public functions have a docstring",
                share(documented, len(functions)),
            )
        )
    readme = [file for file in subject.view.files if "readme" in file.name.casefold()]
    if readme:
        example = any("```" in file.text or "    " in file.text for file in readme)
        signals.append(
            Signal(
                "README with an example" if example else "README without an example", 1.0 if example else 0.6
            )
        )
    else:
        signals.append(Signal("no README", 0.3, 0.7))
    return tuple(signals)


def organisation(subject: Subject, _around: Surroundings) -> Reading | None:
    """Length of files, functions and lines."""
    files = _code(subject)
    if not files:
        return None
    lines = [line for file in files for line in file.text.splitlines()]
    if not lines:
        return (Signal("the code files are empty", 0.0),)
    long_lines = sum(len(line) > _LONG_LINE for line in lines)
    largest = max(files, key=lambda file: file.text.count("\n"))
    signals = [
        Signal(
            f"{long_lines} of {len(lines)} lines are longer than {_LONG_LINE} characters",
            1 - min(1.0, share(long_lines, len(lines)) * 5),
            good=f"{len(lines) - long_lines} of {len(lines)} lines have at most {_LONG_LINE} characters",
        ),
        Signal(
            f"{len(files)} code files, the longest {largest.name} with {largest.text.count(chr(10)) + 1} lines",
            1.0 if largest.text.count("\n") < 400 else 0.5,
        ),
    ]
    functions = [f for file in files for f in _functions(file)]
    if functions:
        long = [f for f in functions if f.lines > _LONG_FUNCTION]
        signals.append(
            Signal(
                f"{len(long)} of {len(functions)} functions are longer than {_LONG_FUNCTION} lines",
                1 - share(len(long), len(functions)),
                good=f"{len(functions) - len(long)} of {len(functions)} functions have at most {_LONG_FUNCTION} lines",
            )
        )
    return tuple(signals)


def _code(subject: Subject) -> list[ViewedFile]:
    return [
        file
        for file in subject.view.files
        if file.family in (Family.CODE, Family.NOTEBOOK) and file.text.strip()
    ]


def _cut(file: ViewedFile) -> bool:
    return file.family is Family.NOTEBOOK or any(b.omitted for b in file.blocks if isinstance(b, TextBlock))


def _problem(file: ViewedFile) -> str | None:
    if file.name.endswith(_PYTHON):
        return read_python(file.text).problem
    if file.name.endswith(".json"):
        try:
            json.loads(file.text)
        except (ValueError, RecursionError) as error:
            return str(error)[:100]
        return None
    if file.name.endswith(_BRACES):
        return _unbalanced(_STRINGS.sub("", file.text))
    return None


def _unbalanced(text: str) -> str | None:
    closing = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    for character in text:
        if character in "([{":
            stack.append(character)
        elif character in closing and (not stack or stack.pop() != closing[character]):
            return f"a closing “{character}” without its opening"
    return f"{len(stack)} brackets are never closed" if stack else None


def _functions(file: ViewedFile) -> list[Function]:
    if not file.name.endswith(_PYTHON):
        return []
    return list(read_python(file.text).functions)
