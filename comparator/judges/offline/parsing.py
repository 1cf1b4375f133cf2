"""Whether a file can be opened and parsed: data, code, markup; anything else by whether any of it can be shown."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from html.parser import HTMLParser

import defusedxml.ElementTree
import yaml

from comparator.domain.counted import counted
from comparator.domain.pair.view import Family, ViewedFile
from comparator.judges.offline.finding import CheckInput, CheckResult, finding
from comparator.judges.offline.python_source import python_problem

_BRACES = (
    *(".js", ".ts", ".tsx", ".jsx", ".java", ".c", ".h", ".cpp", ".go", ".rs"),
    *(".css", ".php", ".cs", ".kt"),
)
_STRINGS = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*(?:`|\Z)",
    re.DOTALL,
)
_CELL_ERROR = re.compile(r"#(?:REF!|DIV/0!|VALUE!|NAME\?|N/A|NUM!|NULL!)")
_UNOPENED = frozenset({Family.ARCHIVE, Family.BINARY, Family.AUDIO, Family.VIDEO})
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_OPTIONAL_END = frozenset(
    [
        "p",
        "li",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "colgroup",
        "option",
        "html",
        "head",
        "body",
    ]
)
_DEEPEST = 60
_LONGEST_YAML = 100_000
_MOST_FILES = 200
_MOST_PROBLEM = 120


def soundness(seen: CheckInput) -> CheckResult | None:
    """Which files can be opened and parsed; None where no file is of a kind that is looked into."""
    if not seen.view.files:
        return finding(1, ["There is no file in this output."], praise="")
    faults, looked_at = [], 0
    for file in seen.view.files[:_MOST_FILES]:
        problem = problem_of(file)
        if problem is not None:
            looked_at += 1
            if problem:
                faults.append(f"{file.name} {problem}.")
    praise = "The file is well-formed." if looked_at == 1 else f"All {looked_at} files are well-formed."
    return finding(looked_at, faults, praise=praise)


def problem_of(file: ViewedFile) -> str | None:
    """What is wrong with a file, as the end of a sentence; empty if nothing is, None for what cannot be told."""
    if file.family in _UNOPENED or file.is_cut:
        return None
    if not file.blocks:
        return "cannot be opened"
    text = file.text
    match file.family:
        case Family.JSON | Family.YAML | Family.TOML | Family.XML:
            return _data_problem(file.family, text)
        case Family.CSV:
            return _table_problem(text)
        case Family.XLSX:
            errors = len(_CELL_ERROR.findall(text))
            return f"has {counted(errors, 'cell')} with an error value" if errors else ""
        case Family.CODE:
            return _code_problem(file.name, text)
        case Family.HTML | Family.SVG:
            return _markup_problem(text)
        case _:
            return ""


def _data_problem(family: Family, text: str) -> str | None:
    try:
        match family:
            case Family.JSON:
                _read_json(text)
            case Family.YAML:
                if len(text) > _LONGEST_YAML:
                    return None
                _read_yaml(text)
            case Family.TOML:
                tomllib.loads(text)
            case _:
                defusedxml.ElementTree.fromstring(text)
    except RecursionError:
        return "is nested too deeply to be parsed"
    except (ValueError, yaml.YAMLError, SyntaxError, OverflowError) as error:
        return f"does not parse: {_first_line(error)}"
    return ""


def _read_json(text: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith(("{", "[")) for line in lines):
            raise
        for line in lines:
            json.loads(line)


def _read_yaml(text: str) -> None:
    # The parser takes time in the square of the depth.
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST or "- " * _DEEPEST in text:
        raise ValueError("nested too deeply")
    yaml.safe_load(text)


def _table_problem(text: str) -> str:
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        return f"does not parse: {_first_line(error)}"
    if not rows:
        return "has no rows"
    ragged = sum(len(row) != len(rows[0]) for row in rows)
    return f"has {counted(ragged, 'row')} of another width than its first" if ragged else ""


def _code_problem(name: str, text: str) -> str | None:
    if name.endswith((".py", ".pyi")):
        problem = python_problem(text)
        return f"does not parse: {problem}" if problem else ""
    return _unbalanced(_STRINGS.sub("", text)) if name.endswith(_BRACES) else None


def _unbalanced(text: str) -> str:
    closing = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    for character in text:
        if character in "([{":
            stack.append(character)
        elif character in closing and (not stack or stack.pop() != closing[character]):
            return f"has a closing “{character}” without its opening"
    return f"has {counted(len(stack), 'bracket')} that no other closes" if stack else ""


class _Tags(HTMLParser):
    """Counts the tags that are not closed, and the ends that close nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  the parser's
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing stays open."""

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        # An end without its beginning is looked for no further up than a page can be nested.
        if tag not in self.open[-_DEEPEST:]:
            self.wrong[tag] = None
            return
        while (closed := self.open.pop()) != tag:
            if closed not in _OPTIONAL_END:
                self.wrong[closed] = None

    def unmatched(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.wrong, *(tag for tag in self.open if tag not in _OPTIONAL_END))))


def _markup_problem(text: str) -> str:
    tags = _Tags()
    tags.feed(text)
    wrong = tags.unmatched()
    if not wrong:
        return ""
    tags_shown = ", ".join(f"<{tag[:20]}>" for tag in wrong[:4])
    return f"has tags without their counterpart: {tags_shown}"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:_MOST_PROBLEM].rstrip(".") or type(error).__name__
