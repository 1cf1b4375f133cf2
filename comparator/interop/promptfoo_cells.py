"""The outputs in a result file of promptfoo, from either version: test, prompt and name of each."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from comparator.interop.imported import Notes, key_of_prompt
from comparator.interop.text import (
    ReadRow,
    UnreadableImport,
    at,
    count_in,
    json_rows,
    kind_of,
    list_rows,
    parse_json,
    part,
    read_text,
)


@dataclass(frozen=True, eq=False)
class Cell:
    """One output of one test, from either version. `prompt` is as it was sent, `label` its name; both may be empty.

    `index` says which of the file's prompts it answers, from 0; `provider` is a text to compare with others.
    """

    number: int
    test: int
    row: dict[str, Any]
    prompt: str
    label: str
    index: int | None
    provider: str

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of its test."""
        return part(self.row, "vars", dict)


def cells_in(notes: Notes) -> list[Cell]:
    """The outputs of one document in JSON, or of JSON lines, a row each. Raises UnreadableImport.

    Rows that cannot be used are noted.
    """
    cells: list[Cell] = []
    for row in _rows(notes):
        value = row.value or {}
        test = count_in(value, "testIdx")
        if test is None:
            notes.add(row.problem or "it has no testIdx", row=row.number)
        else:
            given = value.get("prompt")
            raw, label = (given.get("raw"), given.get("label")) if isinstance(given, dict) else (given, "")
            prompt = raw if isinstance(raw, str) and raw.strip() else ""
            name = label.strip() if isinstance(label, str) and label != prompt else ""
            provider = json.dumps(value.get("provider"))
            cells.append(Cell(row.number, test, value, prompt, name, count_in(value, "promptIdx"), provider))
    return _tests_apart(cells)


def _rows(notes: Notes) -> Iterable[ReadRow]:
    """The outputs as rows of version 3."""
    text = read_text(notes.path)
    try:
        document = parse_json(text)
    except UnreadableImport:
        lines = list(json_rows(text))
        if not _numbered([line.value for line in lines]):
            raise
        return lines
    if isinstance(document, dict) and "testIdx" in document:
        # JSON lines with one line.
        document = [document]
    if isinstance(document, list):
        return list_rows(document)
    if not isinstance(document, dict):
        raise UnreadableImport(f"it holds {kind_of(document)} where an object is expected")
    results = document.get("results")
    rows, table = (at(results, name) for name in ("results", "table"))
    # Version 2 says the same in rows that have no number of their test, and in the table.
    if isinstance(rows, list) and (_numbered(rows) or not isinstance(table, dict)):
        return list_rows(rows)
    if not isinstance(table, dict):
        raise UnreadableImport("it has neither results.results nor results.table")
    return _rows_of_table(table, notes)


def _numbered(rows: list[Any]) -> bool:
    return any(isinstance(row, dict) and "testIdx" in row for row in rows)


def _rows_of_table(table: dict[str, Any], notes: Notes) -> Iterator[ReadRow]:
    """The outputs of version 2 as rows of version 3."""
    prompts, names = (part(table, f"head.{name}", list) for name in ("prompts", "vars"))
    body = table.get("body")
    if not isinstance(body, list):
        raise UnreadableImport("its table has no list of rows")
    for row in list_rows(body):
        tested = row.value or {}
        outputs = tested.get("outputs")
        if not isinstance(outputs, list):
            notes.add(row.problem or "it has no list of outputs", row=row.number)
            continue
        for index, output in enumerate(outputs):
            if not isinstance(output, dict):
                reason = f"it is {kind_of(output)}, not an object"
                notes.add(reason, row=row.number, part=f", output {index + 1}")
                continue
            prompt = prompts[index] if index < len(prompts) else {}
            prompt = prompt if isinstance(prompt, dict) else {"raw": str(prompt)}
            shared = {
                "testIdx": row.number - 1,
                "promptIdx": index,
                "provider": output.get("provider") or prompt.get("provider"),
                "prompt": {"raw": output.get("prompt") or prompt.get("raw"), "label": prompt.get("label")},
                "vars": dict(zip(map(str, names), part(tested, "vars", list), strict=False)),
                "response": {"output": output.get("text", output.get("output"))},
                "success": output.get("pass"),
                "testCase": tested.get("test") or {},
            }
            yield ReadRow(row.number, output | shared)


def _tests_apart(cells: list[Cell]) -> list[Cell]:
    """Tests that share a number, as in result files that were put together, under numbers of their own.

    They are told by one side that was asked different things under one number; the variables say which is which.
    """
    asked: defaultdict[tuple[int, int, str], set[str]] = defaultdict(set)
    for cell in cells:
        if cell.index is not None:
            asked[cell.test, cell.index, cell.provider].add(cell.prompt)
    shared = {test for (test, _, _), prompts in asked.items() if len(prompts) > 1}
    numbers: dict[tuple[int, str], int] = {}
    start = max((cell.test for cell in cells), default=0) + 1
    return [
        replace(
            cell,
            test=numbers.setdefault((cell.test, json.dumps(cell.row.get("vars"))), start + len(numbers)),
        )
        if cell.test in shared
        else cell
        for cell in cells
    ]


def prompts_of(cells: list[Cell]) -> dict[int, str]:
    """What was asked in each test: the prompt where all sides had one, else the variables that they shared."""
    wordings: defaultdict[int, set[str]] = defaultdict(set)
    variables: dict[int, str] = {}
    for cell in cells:
        wordings[cell.test] |= {cell.prompt} - {""}
        if cell.variables:
            lines = (
                f"{name}: {v if isinstance(v, str) else json.dumps(v)}" for name, v in cell.variables.items()
            )
            variables.setdefault(cell.test, "\n\n".join(lines))
    # Where prompts differ between the sides, what is compared is how well they serve the same input.
    return {
        test: (len(own) != 1 and variables.get(test)) or "\n\n".join(sorted(own))
        for test, own in wordings.items()
    }


def prompt_names(cells: Sequence[Cell]) -> dict[Cell, str]:
    """What the prompt of each output is called: its label, else its number among those of the provider.

    What was asked is no name: the same prompt reads otherwise in each test.
    """
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        if cell.index is not None:
            labels[cell.provider].setdefault(cell.index, cell.label)
    named: dict[Cell, str] = {}
    for cell in cells:
        own = labels[cell.provider]
        if cell.index is None or (all(own.values()) and len(set(own.values())) == len(own)):
            text = " ".join((cell.label or cell.prompt).split())
            named[cell] = text if len(text) <= 60 else f"prompt {key_of_prompt(text)[-8:]}"
        else:
            named[cell] = f"prompt {sorted(own).index(cell.index) + 1}" if len(own) > 1 else ""
    return named
