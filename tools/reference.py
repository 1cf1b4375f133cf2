"""Writes docs/reference from the code: every command with its options, every setting, format, string and module.

python -m tools.reference          writes the pages
python -m tools.reference --check  says which differ from the code, and ends with 1
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import typer.main

from comparator import settings
from comparator.cli import app
from comparator.domain import project
from comparator.domain.project import ProjectSettings
from comparator.domain.scoring.result import ComparisonResult
from comparator.interop.exported import ExportFormat
from comparator.interop.imported import Format
from comparator.settings import PREFIX, Settings
from tools.words import words

PROGRAM = Path(__file__).resolve().parent.parent / "comparator"
FOLDER = PROGRAM.parent / "docs" / "reference"
MADE = "<!-- Written by `make docs` from the code. -->"


_ABOUT = """`comparator --help` lists them, and each has `--help`.

Unless a command says otherwise, the exit code is 0 when it is done, 1 for a bug in this program, 2 for wrong input or
set-up, and 3 where a judge gave no complete answer."""

_ABOUT_WORDS = """Every string that the app shows, by the file it is in, so that all can be read in one go.
`…` stands for a value."""


_ABOUT_MODULES = """Every module, by folder, with the first words of its docstring or comment.
[Architecture](../../ARCHITECTURE.md) says how the rooms hang together and where to add things."""


def commands() -> str:
    """The page on the command line."""
    lines = [MADE, "# Commands", "", *_ABOUT.splitlines(), ""]
    for name, command in sorted(_leaves(typer.main.get_command(app), ())):
        lines += [f"## comparator {name}", "", *_prose(command.help), ""]
        shown = (
            each for each in command.params if each.name != "help" and not getattr(each, "hidden", False)
        )
        rows = [_parameter(each) for each in shown]
        if rows:
            lines += ["| argument or option | meaning | default |", "|---|---|---|", *rows, ""]
        lines += [*_prose(command.epilog), ""] if command.epilog else []
    return _text(lines)


def settings_page() -> str:
    """The page on environment variables and on the settings of a project."""
    lines = [MADE, "# Settings", "", "## Environment", "", "[How they are read](../settings.md)", "",
             "| variable | meaning | default |", "|---|---|---|"]  # fmt: skip
    lines += _fields(Settings, inspect.getsource(settings), name=lambda n: PREFIX + n.upper())
    lines += ["", "## Of a project", "", "`comparator project set NAME SETTING=VALUE` changes one.", "",
              "| setting | meaning | default |", "|---|---|---|"]  # fmt: skip
    lines += _fields(ProjectSettings, inspect.getsource(project), name=str)
    return _text(lines)


def formats() -> str:
    """The page on formats."""
    schema = ComparisonResult.json_schema()
    lines = [MADE, "# Formats", "", "## comparison.json", "", "`comparator schema` prints the JSON Schema.", "",
             "| place | type | always there |", "|---|---|---|", *_places(schema, schema, "")]  # fmt: skip
    lines += ["", "## Read", "", "[What each is](../import.md#formats). `--format` takes:", ""]
    lines += [f"- `{each.value}`" for each in Format]
    lines += ["", "## Written", "", "[What each is](../export.md). `comparator export` takes:", ""]
    lines += [f"- `{each.value}`" for each in ExportFormat]
    return _text(lines)


def every_string() -> str:
    """The page with all strings of the app."""
    lines = [MADE, "# Words", "", *_ABOUT_WORDS.splitlines(), ""]
    for place, strings in words().items():
        lines += [f"## {place}", "", "```text", *strings, "```", ""]
    return _text(lines)


def modules() -> str:
    """The page with all modules of the program."""
    lines = [MADE, "# Modules", "", *_ABOUT_MODULES.splitlines()]
    found: dict[Path, list[str]] = {}
    for path in sorted(each for kind in ("py", "js", "css") for each in PROGRAM.rglob(f"*.{kind}")):
        if path.stem != "__init__" and not path.name.endswith(".bundle.js"):
            row = f"| `{path.name}` | {_cell(_first_words(path))} |"
            found.setdefault(path.parent.relative_to(PROGRAM.parent), []).append(row)
    for folder, rows in sorted(found.items()):
        lines += ["", f"## {folder}", "", "| module | what it is |", "|---|---|", *rows]
    return _text(lines)


def _first_words(path: Path) -> str:
    """The first paragraph of a module's docstring, or the comment that a script or a style sheet begins with."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0]
    if path.suffix == ".css":
        return text.removeprefix("/*").partition("*/")[0] if text.startswith("/*") else ""
    told = takewhile(lambda line: line.startswith("//"), text.splitlines())
    return " ".join(line.removeprefix("//").strip() for line in told if line.strip() != "// @ts-check")


PAGES = {
    "commands.md": commands,
    "settings.md": settings_page,
    "formats.md": formats,
    "words.md": every_string,
    "modules.md": modules,
}


def _leaves(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
        return
    for name, each in inner.items():
        yield from _leaves(each, (*path, name))


def _parameter(each: Any) -> str:
    is_option = each.param_type_name == "option"
    called = (
        ", ".join((*each.opts, *each.secondary_opts)) if is_option else (each.metavar or each.name.upper())
    )
    default = each.default() if callable(each.default) else each.default
    shown = "" if default in (None, "", False, (), []) else getattr(default, "value", default)
    needed = " (required)" if each.required else ""
    return f"| `{called}`{needed} | {_cell(getattr(each, 'help', '') or '')} | {_cell(str(shown))} |"


def _fields(model: Any, source: str, *, name: Any) -> list[str]:
    said = _docstrings(source, model.__name__)
    rows = []
    for field, about in model.model_fields.items():
        default = about.get_default(call_default_factory=False)
        shown = (
            ""
            if default in (None, "", False, ()) or about.default_factory
            else getattr(default, "value", default)
        )
        hidden = "" if "SecretStr" in repr(shown) else str(shown)
        rows.append(f"| `{name(field)}` | {_cell(said.get(field, ''))} | {_cell(hidden)} |")
    return rows


def _docstrings(source: str, wanted: str) -> dict[str, str]:
    """The texts below the fields of a class."""
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == wanted:
            for field, text in zip(node.body, node.body[1:], strict=False):
                match field, text:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(said))
                    ):
                        found[name] = said
    return found


def _places(schema: dict[str, Any], whole: dict[str, Any], path: str) -> list[str]:
    if reference := schema.get("$ref"):
        schema = whole["$defs"][reference.rpartition("/")[2]]
    rows: list[str] = []
    for name, inner in schema.get("properties", {}).items():
        place = f"{path}.{name}" if path else name
        told = whole["$defs"][inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
        kind = ", ".join(told["enum"]) if "enum" in told else told.get("type", "value")
        rows.append(f"| `{place}` | {kind} | {'yes' if name in schema.get('required', ()) else 'no'} |")
        rows += _places(inner.get("items", inner) if kind == "array" else inner, whole, place)
    return rows


def _prose(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").replace("\b", "").strip().splitlines()]


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;").replace("{", "&#123;")


def _text(lines: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def main() -> int:
    """Write the pages, or compare them."""
    stale = [name for name, page in PAGES.items() if not _same(FOLDER / name, page())]
    if "--check" in sys.argv[1:]:
        print(
            *(f"docs/reference/{name} is not what the code says. Run make docs." for name in stale), sep="\n"
        )
        return 1 if stale else 0
    for name in stale:
        (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    return 0


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
