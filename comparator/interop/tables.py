"""Tables of pairs: CSV, JSON lines and Parquet in our own columns, in mapped ones, or in those of a published set."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count, islice, zip_longest
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from comparator.domain.pair.chat import as_chat
from comparator.interop.imported import Findings, Format
from comparator.interop.pair_rows import (
    RUN_COLUMNS,
    RUN_NUMBERS,
    WITHOUT_LABEL,
    PairsOfRows,
    side_of,
    word_of,
)
from comparator.interop.sets import Beside, KnownSet, as_plain, known_set
from comparator.interop.text import LARGEST, ReadRow, UnreadableImport, read_text, rows_of
from comparator.outputs.tables.delimited import Delimited

COLUMNS = (
    "prompt",
    "output_a",
    "output_b",
    "expectations",
    "candidate_a",
    "candidate_b",
    "task_id",
    "tags",
    "label",
    "label_author",
    "label_kind",
    "label_blind",
    "reference",
)
REQUIRED = COLUMNS[:3]
MORE_COLUMNS = (
    *("title", "task_version"),
    *(f"{name}_{side}" for name in (*RUN_COLUMNS, *RUN_NUMBERS) for side in "ab"),
)
"""Columns that can be mapped too, and that few tables have."""
TABLES = (Format.CSV, Format.JSONL, Format.PARQUET)
_LONGEST_HEADER = 100_000
"""Characters of the first line; the names of columns are shorter by far."""
_CHOSEN = {"output_a": "chosen", "output_b": "rejected"}
"""What preference sets call the two outputs: the first of them won."""
_BARE_NUMBERS = (
    "labels that are bare numbers were left out. Say what they mean, for example with "
    '--label-values "1=B,0=tie,-1=A" on the command line, or under Labels on the page Import'
)
_LOOKED_AT = 20
_PROMPTFOO_COLUMN = re.compile(r"\[[^\]]+\] \S")
"""What promptfoo calls a column with outputs in CSV: provider and prompt."""


def columns_of(mapping: Mapping[str, str], columns: Collection[str]) -> dict[str, str]:
    """Our columns with the names that the table has for them: by the `mapping`, else by our own name in any case.

    Where a table has `chosen` and `rejected` and no outputs, these are the outputs.
    """
    folded: dict[str, str] = {}
    for name in columns:
        folded.setdefault(_fold_name(name), name)
    named: dict[str, str] = {}
    for ours in (*COLUMNS, *MORE_COLUMNS):
        column = mapping.get(ours, ours)
        known = column if column in columns else folded.get(_fold_name(column))
        if known is not None or ours in mapping:
            named[ours] = known or column
    both = [folded.get(name) for name in _CHOSEN.values()]
    if not set(_CHOSEN) & set(named) and None not in both:
        named |= {ours: str(name) for ours, name in zip(_CHOSEN, both, strict=True)}
    return named


def missing_columns(named: Mapping[str, str], there: Collection[str]) -> tuple[str, ...]:
    """The needed columns that the table does not have; chats may hold the prompt themselves."""
    needed = REQUIRED[1:] if _is_chosen(named) else REQUIRED
    return tuple(ours for ours in needed if named.get(ours) not in there)


def _is_chosen(named: Mapping[str, str]) -> bool:
    """Whether the outputs are those of a preference set, the first of which was chosen."""
    return all(_fold_name(named.get(ours, "")) == name for ours, name in _CHOSEN.items())


def _fold_name(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _named_side(label: Any, fields: Mapping[str, Any], named: Mapping[str, str]) -> str | None:
    """The side that a label means if it is the name of an output column or of a candidate.

    Raises UnreadableImport where it could mean either.
    """
    word = _fold_name(word_of(label))
    columns, candidates = (
        [_fold_name(named.get(f"output_{side}", "")) for side in "ab"],
        [_fold_name(str(fields.get(f"candidate_{side}") or "")) for side in "ab"],
    )
    if word and columns.count(word) == 1:
        return "AB"[columns.index(word)]
    if not word or candidates.count(word) != 1:
        return None
    side = "AB"[candidates.index(word)]
    if side_of(word) not in (None, side):
        raise UnreadableImport(
            f"its label {str(label)[:40]!r} names one side, but is also the name of the other side's candidate"
        )
    return side


# ---- rows


def csv_header(text: str) -> tuple[str, ...]:
    """The names in the first row; empty where there are none. Raises UnreadableImport where it is none of a table."""
    match = re.search(r"[\r\n]", text)
    if (length := match.start() if match else len(text)) > _LONGEST_HEADER:
        raise UnreadableImport(f"its first line has {length:,} characters; no table has such a header")
    cells = Delimited(text[: 2 * _LONGEST_HEADER].encode("utf-8", "replace")).heading()
    return tuple(cell.strip() for cell in cells)


def rows_in(path: Path, format: Format) -> Iterator[ReadRow]:  # noqa: A002  # what it is
    """The rows of a table, read as they are asked for. Raises UnreadableImport where two columns have one name."""
    if is_parquet(path) or format is Format.PARQUET:
        return _parquet_rows(path)
    text = read_text(path)
    return _csv_rows(text) if format is Format.CSV else rows_of(text)


def _csv_rows(text: str) -> Iterator[ReadRow]:
    """The rows below the header; a row with cells too many is told. Raises UnreadableImport as `csv_header`."""
    if not (header := csv_header(text)):
        return
    _refuse_twins(header)
    table = Delimited(text.encode("utf-8", "replace"))
    for number, cells in enumerate(islice(table.rows(), 1, None), start=1):
        if table.open_quote is not None and number + 1 >= table.open_quote:
            yield ReadRow(number, None, "the rest cannot be read: it begins a quote that is never closed")
            return
        if not any(cell.strip() for cell in cells):
            continue
        if any(cells[len(header) :]):
            yield ReadRow(number, None, f"it has {len(cells)} cells, the header has {len(header)}")
            continue
        # A spreadsheet writes no empty cells at a row's end, or too many; a cell that is not there holds nothing.
        named = zip_longest(header, cells[: len(header)])
        yield ReadRow(number, {name: cell for name, cell in named if cell or name})


def _refuse_twins(names: Collection[str]) -> None:
    if twice := [name for name, times in Counter(names).items() if name and times > 1]:
        raise UnreadableImport(f"it has several columns called {twice[0]}; rename all but one")


def column_names(path: Path, format: Format) -> tuple[str, ...]:  # noqa: A002  # what it is
    """The columns that the first rows of a table have. Raises UnreadableImport as `rows_in`."""
    rows = islice((row.value for row in rows_in(path, format) if row.value is not None), _LOOKED_AT)
    return tuple(dict.fromkeys(name for row in rows for name in row))


def read_table(
    path: Path, kind: Format, columns: Mapping[str, str], label_values: Mapping[str, str]
) -> Findings:
    """Pairs of a table, or of a published set, whose format the findings then name.

    Raises UnreadableImport where it is damaged, has no rows, lacks columns, or is not the set that `kind` says.
    """
    rows = list(rows_in(path, kind))
    mappable = (*COLUMNS, *MORE_COLUMNS)
    if unknown := sorted(set(columns) - set(mappable)):
        raise UnreadableImport(f"there is no column {unknown[0]} to map; there are {', '.join(mappable)}")
    if not rows:
        raise UnreadableImport("it has no rows")
    values = [row.value for row in rows if row.value is not None]
    seen = tuple(dict.fromkeys(name for row in values for name in row))
    known = _known(values)
    # Whoever says which columns are prompt and outputs, or where another label stands, means a table.
    if known is not None and (
        {"prompt", "output_a", "output_b"} & set(columns) or columns.get("label", known.label) != known.label
    ):
        known = None
    if values and kind not in TABLES and (known is None or known.format is not kind):
        raise UnreadableImport(f"it lacks the columns of {kind}; its columns are {_some(seen)}")
    named = columns_of(columns, seen)
    absent = () if known else missing_columns(named, seen)
    if not (known or absent or "prompt" in named) and not any(
        as_chat(row.get(named["output_a"]), role="assistant") for row in values
    ):
        absent = ("prompt",)
    if absent and values:
        raise _without(absent[0], named, seen)
    pairs = PairsOfRows(path, format=known.format if known and known.format not in TABLES else kind)
    beside = Beside(path)
    # Objects in one file may write their names differently.
    heads = lru_cache(maxsize=256)(lambda names: columns_of(columns, names))
    numbers = 0

    def take(row: dict[str, Any]) -> None:
        nonlocal numbers
        if known is not None:
            for pair_row in known.rows(row, beside):
                mapped = {ours: pair_row.get(theirs) for ours, theirs in columns.items() if ours != "label"}
                plain = as_plain(pair_row, known, label_values) | mapped
                pairs.take(plain, plain)
                if problem := plain.get("label_problem"):
                    pairs.note(f"{problem}; {WITHOUT_LABEL}")
            return
        named = heads(tuple(row))
        fields = {ours: row[name] for ours, name in named.items() if name in row}
        if _is_chosen(named) and fields.get("label") is None:
            fields["label"] = "A"
        label, is_number = fields.get("label"), False
        if label is not None:
            try:
                label = label_values.get(word_of(label)) or _named_side(label, fields, named) or label
            except UnreadableImport as error:
                pairs.note(f"{error}; {WITHOUT_LABEL}")
                label = ""
            is_number = re.fullmatch(r"[-+]?\d+(?:\.\d+)?", word_of(label)) is not None
            fields["label"] = None if is_number else label
        pairs.take(fields, row)
        numbers += is_number

    pairs.read(rows, take)
    if numbers:
        pairs.notes.add(_BARE_NUMBERS)
    findings = pairs.findings()
    return findings.copy_with(left_out=(*beside.left_out, *findings.left_out))


def _without(column: str, named: Mapping[str, str], there: Collection[str]) -> UnreadableImport:
    """That a table lacks this column of ours, and what to do; some tables are known to make no pairs."""
    if any(map(_PROMPTFOO_COLUMN.match, there)):
        return UnreadableImport(
            "it is promptfoo's table, which does not say what was asked of which model. Export the results as JSON "
            "(promptfoo export eval ID -o results.json), and import that file"
        )
    if {"prompt", "response", "helpfulness"} <= set(there):
        return UnreadableImport(
            "it rates single answers, which make no pairs. Import the preferences of the same set (for HelpSteer2: "
            "preference/preference.jsonl.gz), or a table with both answers in a row"
        )
    return UnreadableImport(
        f"it has no column {named.get(column, column)}; there are {_some(there)}. Say which one it is: "
        f"--column {column}=NAME on the command line, or under Columns on the page Import"
    )


def _some(columns: Collection[str]) -> str:
    return ", ".join(sorted(columns)[:12])


def _known(rows: Iterable[dict[str, Any]]) -> KnownSet | None:
    """The set of the first row that is one of a known set or has our own columns."""
    # Most rows of a file have the same columns.
    for columns in dict.fromkeys(map(tuple, rows)):
        known = known_set(columns)
        if known is not None or not missing_columns(columns_of({}, columns), columns):
            return known
    return None


_PARQUET = b"PAR1"
_MOST_ROWS = 2_000_000


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, whatever its name. Raises UnreadableImport where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(4) == _PARQUET
    except OSError as error:
        raise UnreadableImport(f"it cannot be read ({error.strerror})") from error


def _parquet_rows(path: Path) -> Iterator[ReadRow]:
    """The rows, as many as memory has room for. Raises UnreadableImport where it is damaged or holds too much.

    A small file may say the same long text, or nothing at all, many million times.
    """
    size, numbers = 0, count(1)
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            _refuse_twins(file.schema_arrow.names)
            if file.metadata.num_rows > _MOST_ROWS:
                raise UnreadableImport(f"it has more than {_MOST_ROWS:,} rows")
            for batch in file.iter_batches(batch_size=64):
                # Arrow's own measure first: a list of nothing takes room once it is a list of Python's.
                size += sum(map(_bytes_in, batch.columns))
                if size > LARGEST:
                    raise UnreadableImport(f"it holds more than {LARGEST:,} bytes of values")
                for value in batch.to_pylist():
                    yield ReadRow(next(numbers), value)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableImport("it is not a Parquet file that can be read") from error


def _bytes_in(column: pyarrow.Array) -> int:
    """What the values of a column take, however deep: texts by their length, and eight bytes for each value."""
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pyarrow.types.is_struct(column.type):
        return sum(map(_bytes_in, column.flatten()))
    if pyarrow.types.is_nested(column.type):
        inner = column.flatten()
        return 8 * len(inner) + _bytes_in(inner)
    return int(column.get_total_buffer_size() if len(column) == 0 else column.nbytes)
