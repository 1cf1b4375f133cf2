"""Which format a path holds, told by content and not by name; and reading it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format, LeftOut
from comparator.interop.llm_comparator import read_llm_comparator
from comparator.interop.promptfoo import read_promptfoo
from comparator.interop.sets import known_set
from comparator.interop.skill_creator.workspace import read_workspace
from comparator.interop.tables import csv_header, is_parquet, lacking, read_table, resolved
from comparator.interop.text import (
    AS_TABLE,
    UnreadableImport,
    json_rows,
    list_rows,
    parse_json,
    read_text,
    rows_of,
    text_of,
)

NO_COLUMNS: Mapping[str, str] = {}
_ROWS_LOOKED_AT = 20
_FILES: Mapping[Format, Callable[[Path], Findings]] = {
    Format.PROMPTFOO: read_promptfoo,
    Format.LLM_COMPARATOR: read_llm_comparator,
}
_PROMPTFOO_ROW = frozenset({"testIdx", "promptIdx", "provider"})


def read(
    path: Path,
    *,
    format: Format | None,  # noqa: A002  # the option's name
    columns: Mapping[str, str] = NO_COLUMNS,
    label_values: Mapping[str, str] = NO_COLUMNS,
) -> Findings:
    """Everything at this path; `columns` maps our names of columns to the file's, for tables, and `label_values` what
    their labels say to A, B or tie.

    Raises InputError where the path does not exist, the format cannot be told, or nothing in it can be used.
    """
    if not path.exists():
        raise InputError(f"There is no file or folder at {path}. Check the path.")
    try:
        chosen = format or recognise(path, columns)
        if chosen is Format.SKILL_CREATOR:
            if not path.is_dir():
                raise InputError(f"{path} is a file; a skill-creator workspace is a folder. Give the folder.")
            return read_workspace(path)
        if path.is_dir():
            raise InputError(f"{path} is a folder; {chosen.value} is read from a file. Give the file.")
        if chosen in _FILES:
            if columns or label_values:
                raise InputError(
                    f"{path} is read as {chosen.value}, which has no columns to map and no labels to explain. "
                    "Leave --column and --label-values out, or say which table it is: --format jsonl."
                )
            findings = _FILES[chosen](path)
        else:
            findings = read_table(path, chosen, columns, label_values)
        return _with_encoding(path, findings)
    except UnreadableImport as error:
        kind = f" as {format.value}" if format else ""
        raise InputError(f"{path} cannot be imported{kind}: {error}.") from error


def _with_encoding(path: Path, findings: Findings) -> Findings:
    """With a line that says so where the encoding of the text was guessed."""
    if is_parquet(path) or not (text := text_of(path)).guessed or text.encoding.startswith("utf-16"):
        return findings
    note = LeftOut(file=str(path), reason=f"it does not say its encoding; it was read as {text.encoding}")
    return findings.model_copy(update={"left_out": (note, *findings.left_out)})


def recognise(path: Path, columns: Mapping[str, str] = NO_COLUMNS) -> Format:
    """The format of a file or folder. Raises InputError where it cannot be told or it is damaged."""
    if path.is_dir():
        return Format.SKILL_CREATOR
    if is_parquet(path):
        return Format.PARQUET
    text = read_text(path)
    start = text.lstrip()[:1]
    if not start:
        raise UnreadableImport("it is empty")
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    by_lines = suffix in (".jsonl", ".ndjson")
    kind, rows = None, list[dict[str, Any]]()
    if start in "[{" or by_lines:
        kind, rows = _of_json(text, columns, by_lines=by_lines)
    elif suffix in (".csv", ".tsv", ".xlsx", ".xls", ".ods") or _of_rows(
        [dict.fromkeys(csv_header(text))], columns
    ):
        kind = Format.CSV
    if kind is None and suffix in (".yaml", ".yml"):
        raise UnreadableImport(
            f"it is YAML. Export promptfoo's results as JSON (-o results.json). {AS_TABLE}"
        )
    if kind is None:
        names = ", ".join(list(dict.fromkeys(name for row in rows for name in row))[:12])
        there = f" There are: {names}." if names else ""
        raise InputError(
            f"The format of {path} was not recognised. Choose it: --format on the command line, or Format on the "
            f"page Import. For a table, also map its columns: --column prompt=question, or under Columns.{there}"
        )
    return kind


def _of_json(
    text: str, columns: Mapping[str, str], *, by_lines: bool
) -> tuple[Format | None, list[dict[str, Any]]]:
    """The format of a JSON text, and its first rows; `by_lines` says that the file's name tells of JSON lines.

    Raises UnreadableImport where it is broken, and where its rows are a list inside an object.
    """
    value: Any = None
    broken: UnreadableImport | None = None
    try:
        value = parse_json(text)
    except UnreadableImport as error:
        broken = error
    if isinstance(value, dict):
        results = value.get("results")
        if isinstance(value.get("examples"), list) and isinstance(value.get("models"), list):
            return Format.LLM_COMPARATOR, []
        if isinstance(results, dict) and ("results" in results or "table" in results):
            return Format.PROMPTFOO, []
    given = list_rows(value) if isinstance(value, list) else json_rows(text) if broken else rows_of(text)
    first = list(islice(given, _ROWS_LOOKED_AT))
    rows = [row.value for row in first if row.value is not None]
    known = _of_rows(rows, columns)
    if broken is not None:
        # Or single lines of one broken JSON text.
        of_lines = bool(rows) and "\n" in text.strip()
        if not (of_lines and (known or by_lines or 2 * len(rows) >= len(first))):
            raise broken
        return known or Format.JSONL, rows
    for name, inside in value.items() if known is None and isinstance(value, dict) else ():
        if not inside or not isinstance(inside, list) or not isinstance(inside[0], dict):
            continue
        if isinstance(inside[0].get("row"), dict):
            raise UnreadableImport(
                "it is an answer of Hugging Face's dataset viewer, which has only some of the rows. Download the data "
                "set as Parquet or JSON lines, and import that"
            )
        if len(value) == 1 or _of_rows(inside[:1], columns):
            raise UnreadableImport(
                f"its rows are in a list under {name}. Save that list alone as JSON, and import that"
            )
    return known, rows


def _of_rows(rows: list[dict[str, Any]], columns: Mapping[str, str]) -> Format | None:
    # Whoever says which column is which means a table, whatever else it looks like.
    tables = [row for row in rows if not lacking(resolved(columns, tuple(row)), tuple(row))]
    if not (columns and tables) and any(set(row) >= _PROMPTFOO_ROW for row in rows):
        return Format.PROMPTFOO
    return Format.JSONL if tables or any(map(known_set, rows)) else None
