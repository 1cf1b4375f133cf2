"""The reviewer's copy of tables: JSON with one row a line, so that any rows of it can be read without the rest.

    {"sheets": [
    {"name": "Data", "merged": ["A1:B1"], "facts": [], "omitted_rows": 0, "count": 2, "width": 2, "rows": [
    ["Item","Sum"]
    ,["Paper",12.5]
    ], "formulas": {

    "B2":"=2*6.25"
    }}
    ]}

A sheet's formulas take as many lines as its rows, one for each row, or none where it has no formulas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

OPENING = b'{"sheets": [\n'
COORDINATE = re.compile(r"([A-Z]{1,4})(\d{1,8})")


def dumped(sheets: Sequence[Mapping[str, Any]]) -> bytes:
    """Sheets with `name`, `rows`, `formulas`, `merged`, `facts` and `omitted_rows` in this form."""
    out = [OPENING.decode()]
    for number, sheet in enumerate(sheets):
        rows: Sequence[Sequence[Any]] = sheet["rows"]
        formulas = _by_row(sheet.get("formulas") or {}, len(rows))
        head = {key: value for key, value in sheet.items() if key not in ("rows", "formulas")}
        head |= {"count": len(rows), "width": max(map(len, rows), default=0), "calculated": bool(formulas)}
        out.append("," * bool(number) + _line(head)[:-1] + ', "rows": [\n')
        out.extend("," * bool(index) + _line(row) + "\n" for index, row in enumerate(rows))
        out.append('], "formulas": {\n')
        first = True
        for own in formulas:
            text = _line(own)[1:-1] if own else ""
            out.append("," * bool(text and not first) + text + "\n")
            first = first and not text
        out.append("}}\n")
    out.append("]}\n")
    return "".join(out).encode("utf-8", "replace")


def is_lines(data: bytes) -> bool:
    """Whether bytes begin as such a copy does; older copies have all in one line."""
    return data.startswith(OPENING)


def rewritten(data: bytes, *, lines: Callable[[str], set[int]], values: Callable[[Any], Any]) -> bytes:
    """The copy with `values` applied to what stands in the lines that `lines` names (counted from 0).

    Lines with escaped characters are always looked at, since words may hide behind an escape.
    """
    text = data.decode("utf-8", "replace")
    concerned = lines(text)
    if not concerned and "\\" not in text:
        return data
    out = text.split("\n")
    for number, line in enumerate(out):
        if number not in concerned and "\\" not in line:
            continue
        comma = "," * line.startswith(",")
        bare = line[len(comma) :]
        if bare.startswith("["):
            out[number] = comma + _line(values(json.loads(bare)))
        elif bare.startswith('{"name"'):
            head = json.loads(bare + "]}")
            head.pop("rows")
            out[number] = comma + _line(values(head))[:-1] + ', "rows": ['
        elif bare.startswith('"') and not bare.startswith('"sheets"'):
            out[number] = comma + _line(values(json.loads("{" + bare + "}")))[1:-1]
    return "\n".join(out).encode("utf-8", "replace")


def row_of(line: bytes) -> list[Any]:
    """The cells that a row's line holds."""
    row = json.loads(line.lstrip(b","))
    return row if isinstance(row, list) else []


def head_of(line: bytes) -> dict[str, Any]:
    """What a sheet's first line says of it."""
    head = json.loads(line.strip().lstrip(b",") + b"]}")
    return head if isinstance(head, dict) else {}


def formulas_of(line: bytes) -> dict[str, str]:
    """The formulas that a line of formulas holds."""
    return {
        str(cell): str(formula)
        for cell, formula in json.loads(b"{" + line.strip().lstrip(b",") + b"}").items()
    }


def column_letters(number: int) -> str:
    """The name of a spreadsheet's column, counted from 1.

    >>> column_letters(1), column_letters(27)
    ('A', 'AA')
    """
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(65 + rest) + out
    return out


def column_number(letters: str) -> int:
    """The number of a spreadsheet's column, counted from 1.

    >>> column_number("A"), column_number("AA")
    (1, 27)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _by_row(formulas: Mapping[str, str], count: int) -> list[dict[str, str]]:
    if not formulas:
        return []
    rows: list[dict[str, str]] = [{} for _ in range(count)]
    for cell, formula in formulas.items():
        match = COORDINATE.fullmatch(cell)
        if match and 1 <= int(match[2]) <= count:
            rows[int(match[2]) - 1][cell] = formula
    return rows
