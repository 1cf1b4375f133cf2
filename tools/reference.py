"""Writes docs/reference from the code: every command with its options, every setting, and the exported format."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
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

PROGRAM = Path(__file__).resolve().parent.parent / "comparator"
FOLDER = PROGRAM.parent / "docs" / "reference"
MADE = "<!-- Written by `make docs` from the code. -->"


_ABOUT = """`comparator --help` lists them, and each has `--help`.

Unless a command says otherwise, the exit code is 0 when it is done, 1 for a bug in this program, 2 for wrong input or
set-up, and 3 where a judge gave no complete answer."""


def commands() -> str:
    """The page on the command line."""
    lines = [MADE, "# Commands", "", *_ABOUT.splitlines(), ""]
    for name, command in sorted(_leaves(typer.main.get_command(app), ())):
        lines += [f"## comparator {name}", "", *_prose(command.help), ""]
        listed = (
            item for item in command.params if item.name != "help" and not getattr(item, "hidden", False)
        )
        rows = [_parameter(item) for item in listed]
        if rows:
            lines += ["| argument or option | meaning | default |", "|---|---|---|", *rows, ""]
        lines += [*_prose(command.epilog), ""] if command.epilog else []
    return _text(lines)


def settings_page() -> str:
    """The page on environment variables and on the settings of a project."""
    lines = [MADE, "# Settings", "", "## Environment", "", "[How they are read](../settings.md)", "",
             "| variable | meaning | default |", "|---|---|---|"]  # fmt: skip
    lines += _fields(Settings, inspect.getsource(settings), name=lambda n: PREFIX + n.upper())
    lines += ["", "## Of a project", "", "`comparator projects set NAME SETTING=VALUE` changes one.", "",
              "| setting | meaning | default |", "|---|---|---|"]  # fmt: skip
    lines += _fields(ProjectSettings, inspect.getsource(project), name=str)
    return _text(lines)


def formats() -> str:
    """The page on formats."""
    schema = ComparisonResult.json_schema()
    lines = [MADE, "# Formats", "", "## comparison.json", "", "`comparator schema` prints the JSON Schema.", "",
             "| place | type | always there |", "|---|---|---|", *_places(schema, schema, "")]  # fmt: skip
    lines += ["", "## Read", "", "[What each is](../import.md#formats). `--format` takes:", ""]
    lines += [f"- `{form.value}`" for form in Format]
    lines += ["", "## Written", "", "[What each is](../export.md). `comparator export` takes:", ""]
    lines += [f"- `{form.value}`" for form in ExportFormat]
    return _text(lines)


PAGES = {
    "commands.md": commands,
    "settings.md": settings_page,
    "formats.md": formats,
}


def _leaves(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
        return
    for name, child in inner.items():
        yield from _leaves(child, (*path, name))


def _parameter(item: Any) -> str:
    is_option = item.param_type_name == "option"
    called = (
        ", ".join((*item.opts, *item.secondary_opts)) if is_option else (item.metavar or item.name.upper())
    )
    default = item.default() if callable(item.default) else item.default
    text = "" if default in (None, "", False, (), []) else getattr(default, "value", default)
    needed = " (required)" if item.required else ""
    return f"| `{called}`{needed} | {_cell(getattr(item, 'help', '') or '')} | {_cell(str(text))} |"


def _fields(model: Any, source: str, *, name: Any) -> list[str]:
    said = _docstrings(source, model.__name__)
    rows = []
    for field, about in model.model_fields.items():
        default = about.get_default(call_default_factory=False)
        value = (
            ""
            if default in (None, "", False, ()) or about.default_factory
            else getattr(default, "value", default)
        )
        hidden = "" if "SecretStr" in repr(value) else str(value)
        rows.append(f"| `{name(field)}` | {_cell(said.get(field, ''))} | {_cell(hidden)} |")
    return rows


def _docstrings(source: str, wanted: str) -> dict[str, str]:
    """The texts below the fields of a class."""
    texts: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == wanted:
            for field, text in zip(node.body, node.body[1:], strict=False):
                match field, text:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(said))
                    ):
                        texts[name] = said
    return texts


def _places(schema: dict[str, Any], whole: dict[str, Any], path: str) -> list[str]:
    if reference := schema.get("$ref"):
        schema = whole["$defs"][reference.rpartition("/")[2]]
    rows: list[str] = []
    for name, inner in schema.get("properties", {}).items():
        place = f"{path}.{name}" if path else name
        entry = whole["$defs"][inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner
        kind = ", ".join(entry["enum"]) if "enum" in entry else entry.get("type", "value")
        rows.append(f"| `{place}` | {kind} | {'yes' if name in schema.get('required', ()) else 'no'} |")
        rows += _places(inner.get("items", inner) if kind == "array" else inner, whole, place)
    return rows


def _prose(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").replace("\b", "").strip().splitlines()]


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;").replace("{", "&#123;")


def _text(lines: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def main() -> None:
    """Write the pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
