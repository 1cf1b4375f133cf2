"""Which format a path holds, told by content and not by name; and reading it."""

from collections.abc import Callable, Collection, Mapping
from itertools import islice
from pathlib import Path

from comparator.domain.errors import InputError
from comparator.interop.imported import Findings, Format, LeftOut
from comparator.interop.llm_comparator import read_llm_comparator
from comparator.interop.promptfoo import read_promptfoo
from comparator.interop.sets import known_set
from comparator.interop.skill_creator.workspace import read_workspace
from comparator.interop.tables import columns_of, csv_header, is_parquet, missing_columns, read_table
from comparator.interop.text import (
    AS_TABLE,
    UnreadableImport,
    json_rows,
    parse_json,
    part,
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
            raise InputError(f"{path} is a folder; {chosen} is read from a file. Give the file.")
        if chosen in _FILES:
            if columns or label_values:
                raise InputError(
                    f"{path} is read as {chosen}, which has no columns to map and no labels to explain. "
                    "Leave --column and --label-values out, or say which table it is: --format jsonl."
                )
            findings = _FILES[chosen](path)
        else:
            findings = read_table(path, chosen, columns, label_values)
        return _with_encoding(path, findings)
    except UnreadableImport as error:
        kind = f" as {format}" if format else ""
        raise InputError(f"{path} cannot be imported{kind}: {error}.") from error


def _with_encoding(path: Path, findings: Findings) -> Findings:
    """With a line that says so where the encoding of the text was guessed."""
    if is_parquet(path) or not (text := text_of(path)).guessed or text.encoding.startswith("utf-16"):
        return findings
    note = LeftOut(file=str(path), reason=f"it does not say its encoding; it was read as {text.encoding}")
    return findings.copy_with(left_out=(note, *findings.left_out))


def recognise(path: Path, columns: Mapping[str, str] = NO_COLUMNS) -> Format:
    """The format of a file or folder. Raises InputError where it cannot be told or it is damaged."""
    if path.is_dir():
        return Format.SKILL_CREATOR
    if is_parquet(path):
        return Format.PARQUET
    text = read_text(path)
    if not text.strip():
        raise UnreadableImport("it is empty")
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if text.lstrip()[0] in "[{" or suffix in (".jsonl", ".ndjson"):
        return _of_json(text, columns, by_lines=suffix in (".jsonl", ".ndjson"))
    if suffix in (".yaml", ".yml"):
        raise UnreadableImport(
            f"it is YAML. Export promptfoo's results as JSON (-o results.json). {AS_TABLE}"
        )
    if suffix in (".csv", ".tsv", ".xlsx", ".xls", ".ods") or _is_table(csv_header(text), columns):
        return Format.CSV
    raise _unknown_format(())


def _of_json(text: str, columns: Mapping[str, str], *, by_lines: bool) -> Format:
    """The format of a JSON text; `by_lines` says that the file's name tells of JSON lines.

    Raises UnreadableImport where it is broken, and where its rows are a list inside an object.
    """
    try:
        value = parse_json(text)
    except UnreadableImport:
        # JSON lines, or one broken JSON text of which a few lines happen to be objects.
        first = list(islice(json_rows(text), _ROWS_LOOKED_AT))
        rows = [row.value for row in first if row.value is not None]
        if not rows or not (by_lines or 2 * len(rows) >= len(first)):
            raise
        return _of_rows(rows, columns) or Format.JSONL
    document = value if isinstance(value, dict) else {}
    if isinstance(document.get("examples"), list) and isinstance(document.get("models"), list):
        return Format.LLM_COMPARATOR
    if not {"results", "table"}.isdisjoint(part(document, "results", dict)):
        return Format.PROMPTFOO
    rows = [row.value for row in islice(rows_of(text), _ROWS_LOOKED_AT) if row.value is not None]
    if kind := _of_rows(rows, columns):
        return kind
    for name, inside in document.items():
        entry = part(inside, "0", dict) if isinstance(inside, list) else {}
        if "row" in entry:
            raise UnreadableImport(
                "it is an answer of Hugging Face's dataset viewer, which has only some of the rows. Download the data "
                "set as Parquet or JSON lines, and import that"
            )
        if entry and (len(document) == 1 or _of_rows([entry], columns)):
            raise UnreadableImport(
                f"its rows are in a list under {name}. Save that list alone as JSON, and import that"
            )
    raise _unknown_format(dict.fromkeys(name for row in rows for name in row))


def _of_rows(rows: Collection[Collection[str]], columns: Mapping[str, str]) -> Format | None:
    """A table where a row has its columns, or promptfoo's rows; None where it is neither.

    Whoever says which column is which means a table, whatever else it looks like.
    """
    is_table = any(_is_table(row, columns) for row in rows)
    if not (columns and is_table) and any(set(row) >= _PROMPTFOO_ROW for row in rows):
        return Format.PROMPTFOO
    return Format.JSONL if is_table else None


def _unknown_format(names: Collection[str]) -> UnreadableImport:
    there = f" There are: {', '.join(list(names)[:12])}." if names else ""
    return UnreadableImport(
        f"its format was not recognised.{there} Choose it: --format on the command line, or Format on the page Import. "
        "For a table, also map its columns: --column prompt=question, or under Columns"
    )


def _is_table(names: Collection[str], columns: Mapping[str, str]) -> bool:
    """Whether these columns are those of a table of pairs or of a known set."""
    return not missing_columns(columns_of(columns, names), names) or known_set(names) is not None
