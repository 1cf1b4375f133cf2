"""Measures of data files: whether they parse, their columns and keys, the types of their values."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import defusedxml.ElementTree
import yaml

from comparator.domain.view import Family, TextBlock, ViewedFile
from comparator.judges.offline.sheets import workbook_of, workbook_signals
from comparator.judges.offline.signals import Reading, Signal, Subject, Surroundings, share
from comparator.judges.offline.words import content_words, stem

DATA = frozenset({Family.JSON, Family.YAML, Family.TOML, Family.XML, Family.CSV, Family.XLSX, Family.PARQUET})
_PARSED = frozenset({Family.JSON, Family.YAML, Family.TOML, Family.XML, Family.CSV})
_NUMERIC = re.compile(r"^[-+]?\d{1,3}(,\d{3})*(\.\d+)?$|^[-+]?\d+(\.\d+)?$")
_ISO_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}")
_OTHER_DATE = re.compile(r"^\d{1,2}[./]\d{1,2}[./]\d{2,4}$")
_KEY_WORD = re.compile(r"[A-Za-z]+")
_LEAD = re.compile(r"^.*\b(?:columns?|fields?|keys?|properties|attributes)\b", re.IGNORECASE)
_DEEPEST = 60
_LONGEST_YAML = 100_000
_MOST_NODES = 200_000


@dataclass(frozen=True)
class Parsed:
    """One data file, read: its value, or the problem in plain words; `rows` for tables."""

    file: ViewedFile
    value: Any = None
    rows: tuple[tuple[str, ...], ...] = ()
    problem: str | None = None


def parse(file: ViewedFile) -> Parsed | None:
    """The file's content as data, or None for a file that is cut or not of a family that is parsed here."""
    if file.family not in _PARSED or any(b.omitted for b in file.blocks if isinstance(b, TextBlock)):
        return None
    text = file.text
    if file.family is Family.YAML and len(text) > _LONGEST_YAML:
        return None
    try:
        match file.family:
            case Family.JSON:
                return Parsed(file, _json(text))
            case Family.YAML:
                return Parsed(file, _yaml(text))
            case Family.TOML:
                return Parsed(file, tomllib.loads(text))
            case Family.XML:
                return Parsed(file, {e.tag: e.text for e in defusedxml.ElementTree.fromstring(text).iter()})
            case _:
                return _table(file)
    except RecursionError:
        return Parsed(file, problem="nested too deeply")
    except (ValueError, yaml.YAMLError, SyntaxError, csv.Error, OverflowError) as error:
        return Parsed(file, problem=str(error).partition("\n")[0][:120] or type(error).__name__)


def well_formedness(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether every data file can be read, tables have rows of one width, and workbooks no errors in their cells."""
    signals = workbook_signals(subject, around)
    for p in _parsed(subject)[:20]:
        if p.problem:
            signals.append(Signal(f"{p.file.name} cannot be read: {p.problem}", 0.0))
        elif p.rows:
            width = len(p.rows[0])
            ragged = sum(len(row) != width for row in p.rows)
            good = f"{p.file.name}: {len(p.rows) - 1} rows of {width} columns"
            signals.append(
                Signal(
                    good + (f", {ragged} rows of another width" if ragged else ""),
                    1 - share(ragged, len(p.rows)),
                    good=good,
                )
            )
        else:
            signals.append(Signal(f"{p.file.name} can be read", 1.0))
    return tuple(signals) or None


def schema_correctness(subject: Subject, around: Surroundings) -> Reading | None:
    """Whether the columns and keys that the prompt names are there, in tables without empty or double columns."""
    keys = _keys(subject)
    if not keys:
        return None
    known = {_folded(key) for key in keys}
    stems = {
        stem(word) for key in keys for word in _KEY_WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key))
    }
    listed = _listed_names(around.task.prompt)
    signals = []
    if listed:
        missing = [
            name for name in listed if _folded(name) not in known and not content_words(name).keys() <= stems
        ]
        good = text = (
            f"{len(listed) - len(missing)} of {len(listed)} columns and keys that the prompt lists are there"
        )
        if missing:
            text += f", not: {', '.join(missing[:5])}"
        signals.append(Signal(text, share(len(listed) - len(missing), len(listed)), 2.0, good=good))
    for p in _parsed(subject):
        if p.rows:
            header = p.rows[0]
            bad = sum(not h.strip() for h in header) + len(header) - len(set(header))
            signals.append(
                Signal(
                    f"{p.file.name}: {bad} empty or double column names",
                    1 - min(1.0, share(bad, len(header))),
                    good=f"{p.file.name}: {len(header) - bad} of {len(header)} columns have a name of their own",
                )
            )
    if around.reference and (expected := _keys(Subject(around.reference.view, around.reference))):
        hits = sum(_folded(key) in known for key in expected)
        signals.append(
            Signal(
                f"{hits} of {len(expected)} keys of the reference are there", share(hits, len(expected)), 2.0
            )
        )
    return tuple(signals) or (Signal(f"{len(keys)} different columns and keys", 0.75),)


def data_types(subject: Subject, _around: Surroundings) -> Reading | None:
    """Whether numbers are numbers, dates have one form, and each column holds one type."""
    parsed = [p for p in _parsed(subject) if not p.problem]
    if not parsed:
        return None
    signals = []
    for p in parsed[:20]:
        if p.rows:
            signals.extend(_column_types(p))
        elif p.file.family in (Family.JSON, Family.YAML, Family.TOML):
            signals.extend(_value_types(p))
    return tuple(signals) or None


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(line.lstrip().startswith(("{", "[")) for line in lines):
            return [json.loads(line, parse_float=Decimal) for line in lines]
        raise


def _yaml(text: str) -> Any:
    # The parser takes time in the square of the depth.
    depth = deepest = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST or "- " * _DEEPEST in text:
        raise ValueError("nested too deeply")
    return yaml.safe_load(text)


def _table(file: ViewedFile) -> Parsed:
    first = file.text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    rows = tuple(tuple(row) for row in csv.reader(io.StringIO(file.text), delimiter=delimiter) if row)
    return Parsed(file, rows=rows) if rows else Parsed(file, problem="no rows")


def _parsed(subject: Subject) -> list[Parsed]:
    return [p for p in map(parse, subject.view.files) if p is not None]


def _keys(subject: Subject) -> tuple[str, ...]:
    keys: dict[str, None] = {}
    for p in _parsed(subject):
        if p.rows:
            keys.update(dict.fromkeys(p.rows[0]))
        for name, _ in _leaves(p.value):
            keys[name] = None
    for file in subject.view.files:
        if book := workbook_of(file):
            keys.update(dict.fromkeys(cell for cell in book.cells if not _NUMERIC.match(cell)))
        elif file.family is Family.PARQUET and file.text.strip():
            for line in file.text.splitlines()[:3]:
                keys.update(
                    dict.fromkeys(cell.strip() for cell in re.split(r"[|\t,;]", line) if cell.strip())
                )
    keys.pop("", None)
    return tuple(keys)


def _leaves(value: Any) -> Iterator[tuple[str, Any]]:
    """Key and value of everything in a tree of mappings and lists, without recursion."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    for _ in range(_MOST_NODES):
        if not stack:
            return
        key, node, depth = stack.pop()
        if depth > _DEEPEST:
            continue
        if isinstance(node, dict):
            stack.extend((str(k), v, depth + 1) for k, v in node.items())
            if key:
                yield key, None
        elif isinstance(node, list):
            stack.extend((key, item, depth + 1) for item in node)
        else:
            yield key, node


def _listed_names(prompt: str) -> tuple[str, ...]:
    """Names after "columns", "fields", "keys" and the like, or in a list after a file name and a colon."""
    found: list[str] = []
    for match in re.finditer(
        r"(?:\b(?:columns?|fields?|keys?|properties|attributes)\b[^:.\n]{0,40}?[: ]\s*"
        r"|\.(?:json|csv|xlsx|yaml|xml):\s*)"
        r"([\w`\"' -]+(?:,\s*(?:and\s+)?[\w`\"' -]+){1,40})",
        prompt,
        re.IGNORECASE,
    ):
        for part in re.split(r",|\band\b", match.group(1)):
            name = _LEAD.sub("", part).strip().strip("`\"'")
            if name and len(name.split()) <= 4:
                found.append(name)
    return tuple(dict.fromkeys(found))


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _column_types(p: Parsed) -> list[Signal]:
    header, body = p.rows[0], [row for row in p.rows[1:] if len(row) == len(p.rows[0])]
    mixed, dates, empty = [], 0, 0
    for index, name in enumerate(header):
        cells = [row[index].strip() for row in body]
        filled = [c for c in cells if c]
        empty += len(cells) - len(filled)
        numeric = sum(bool(_NUMERIC.match(c)) for c in filled)
        if filled and 0 < numeric < len(filled) and numeric * 2 >= len(filled):
            mixed.append(name)
        dates += any(_OTHER_DATE.match(c) for c in filled)
    total = len(header) * max(1, len(body))
    good = f"{p.file.name}: {len(header) - len(mixed)} of {len(header)} columns hold one type"
    signals = [
        Signal(
            good + (f", mixed: {', '.join(mixed[:4])}" if mixed else ""),
            1 - share(len(mixed), len(header)) * 2 if len(mixed) * 2 < len(header) else 0.0,
            2.0,
            good=good,
        ),
        Signal(
            f"{empty} of {total} cells are empty",
            1 - share(empty, total),
            good=f"{total - empty} of {total} cells are filled",
        ),
    ]
    if dates:
        signals.append(Signal(f"{dates} columns with dates that are not written YYYY-MM-DD", 0.4))
    return signals


def _value_types(p: Parsed) -> list[Signal]:
    leaves = [(key, value) for key, value in _leaves(p.value) if value is not None or key == ""]
    strings = [(key, v) for key, v in leaves if isinstance(v, str)]
    numeric_text = [key for key, v in strings if _NUMERIC.match(v.strip()) and not v.strip().startswith("0")]
    real = sum(isinstance(v, int | float | Decimal) and not isinstance(v, bool) for _, v in leaves)
    signals = []
    if numeric_text or real:
        text = f"{p.file.name}: {real} numbers, {len(numeric_text)} numbers written as text"
        if numeric_text:
            text += f" ({', '.join(dict.fromkeys(numeric_text[:4]))})"
        good = f"{p.file.name}: {real} of {real + len(numeric_text)} numbers are written as numbers"
        signals.append(Signal(text, share(real, real + len(numeric_text)), 2.0, good=good))
    iso = sum(bool(_ISO_DATE.match(v)) for _, v in strings)
    other = sum(bool(_OTHER_DATE.match(v)) for _, v in strings)
    if iso or other:
        signals.append(
            Signal(
                f"{iso} dates as YYYY-MM-DD, {other} in another form",
                share(iso, iso + other),
                good=f"{iso} of {iso + other} dates are written YYYY-MM-DD",
            )
        )
    return signals
