"""The outputs in a result file of promptfoo, from either version: test, prompt and name of each."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comparator.interop.imported import LeftOut, key_of_prompt
from comparator.interop.read.gradings import Assertion, assertions_in
from comparator.interop.read.text import (
    AS_TABLE,
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    kind_of,
    list_rows,
    parse_json,
    parse_yaml,
    read_text,
)


@dataclass(frozen=True, eq=False)
class Cell:
    """One output of one test, from either version."""

    number: int
    test: int
    row: dict[str, Any]

    @property
    def prompt_index(self) -> int | None:
        """Which of the file's prompts it answers, from 0."""
        return count_in(self.row, "promptIdx")

    @property
    def provider(self) -> str:
        """Its provider, as a text to compare with others."""
        return json.dumps(self.row.get("provider"))

    @property
    def prompt(self) -> str:
        """The prompt as it was sent; empty if unknown."""
        prompt = self.row.get("prompt")
        raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
        return raw if isinstance(raw, str) and raw.strip() else ""

    @property
    def label(self) -> str:
        """The name of its prompt; empty if it has none."""
        prompt = self.row.get("prompt")
        label = prompt.get("label") if isinstance(prompt, dict) else ""
        return label.strip() if isinstance(label, str) and label != self.prompt else ""

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        """What its test asserts, with the test's variables put in."""
        variables = self.row.get("vars")
        return tuple(
            assertions_in(self.row.get("testCase"), variables if isinstance(variables, dict) else {})
        )


def cells_in(path: Path, left_out: list[LeftOut]) -> list[Cell]:
    """The outputs of one document in JSON or YAML, or of JSON lines, a row each. Raises UnreadableImport.

    Rows that cannot be used are added to `left_out`.
    """
    return _tests_apart(list(_cells(path, left_out)))


def _cells(path: Path, left_out: list[LeftOut]) -> Iterator[Cell]:
    text = read_text(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        document = parse_yaml(text)
        if not _holds_results(document):
            raise UnreadableImport(f"it holds no results of promptfoo, and no other YAML is read. {AS_TABLE}")
    else:
        notes: list[str] = []
        try:
            document = parse_json(text, note=notes.append)
        except UnreadableImport:
            lines = list(json_rows(text))
            if not _numbered([line.value for line in lines]):
                raise
            yield from _rows(lines, path, left_out)
            return
        left_out += [LeftOut(file=str(path), reason=reason) for reason in notes]
    if isinstance(document, dict) and _numbered([document]):
        # JSON lines with one line.
        document = [document]
    if isinstance(document, list):
        yield from _rows(list_rows(document), path, left_out)
        return
    if not isinstance(document, dict):
        raise UnreadableImport(f"it holds {kind_of(document)} where an object is expected")
    results = document.get("results")
    results = results if isinstance(results, dict) else {}
    rows, table = results.get("results"), results.get("table")
    # Version 2 says the same in rows that have no number of their test, and in the table.
    if isinstance(rows, list) and (_numbered(rows) or not isinstance(table, dict)):
        yield from _rows(list_rows(rows), path, left_out)
    elif isinstance(table, dict):
        yield from _rows(_rows_of_table(table, path, left_out), path, left_out)
    else:
        raise UnreadableImport("it has neither results.results nor results.table")


def _holds_results(document: Any) -> bool:
    if isinstance(document, dict):
        return isinstance(document.get("results"), dict) or _numbered([document])
    return isinstance(document, list) and _numbered(document)


def _numbered(rows: list[Any]) -> bool:
    return any(isinstance(row, dict) and "testIdx" in row for row in rows)


def _rows(rows: Iterable[ReadRow], path: Path, left_out: list[LeftOut]) -> Iterator[Cell]:
    for row in rows:
        test = count_in(row.value, "testIdx") if row.value is not None else None
        reasons = row.notes
        if row.value is None or test is None:
            reasons += (row.problem or "it has no testIdx",)
        else:
            yield Cell(row.number, test, row.value)
        left_out += [LeftOut(file=f"{path}, row {row.number}", reason=reason) for reason in reasons]


def _rows_of_table(table: dict[str, Any], path: Path, left_out: list[LeftOut]) -> Iterator[ReadRow]:
    """The outputs of version 2 as rows of version 3."""
    head = table.get("head")
    prompts = head.get("prompts") if isinstance(head, dict) else None
    names = head.get("vars") if isinstance(head, dict) else None
    body = table.get("body")
    if not isinstance(body, list):
        raise UnreadableImport("its table has no list of rows")
    for row in list_rows(body):
        where = f"{path}, row {row.number}"
        outputs = (row.value or {}).get("outputs")
        if row.value is None or not isinstance(outputs, list):
            left_out.append(LeftOut(file=where, reason=row.problem or "it has no list of outputs"))
            continue
        values = row.value.get("vars")
        variables = (
            dict(zip(map(str, names), values, strict=False))
            if isinstance(names, list) and isinstance(values, list)
            else {}
        )
        for index, output in enumerate(outputs):
            if not isinstance(output, dict):
                left_out.append(
                    LeftOut(
                        file=f"{where}, output {index + 1}", reason=f"it is {kind_of(output)}, not an object"
                    )
                )
                continue
            prompt = prompts[index] if isinstance(prompts, list) and index < len(prompts) else {}
            prompt = prompt if isinstance(prompt, dict) else {"raw": str(prompt)}
            yield ReadRow(
                row.number,
                {
                    **output,
                    "testIdx": row.number - 1,
                    "promptIdx": index,
                    "provider": output.get("provider") or prompt.get("provider"),
                    "prompt": {
                        "raw": output.get("prompt") or prompt.get("raw"),
                        "label": prompt.get("label"),
                    },
                    "vars": variables,
                    "response": {"output": output.get("text", output.get("output"))},
                    "success": output.get("pass"),
                    "testCase": row.value.get("test") or {},
                },
            )


def _tests_apart(cells: list[Cell]) -> list[Cell]:
    """Tests that share a number, as in result files that were put together, under numbers of their own.

    They are told by one side that was asked different things under one number; the variables say which is which.
    """
    asked: defaultdict[tuple[int, int, str], set[str]] = defaultdict(set)
    for cell in cells:
        if cell.prompt_index is not None:
            asked[cell.test, cell.prompt_index, cell.provider].add(cell.prompt)
    shared = {test for (test, _, _), prompts in asked.items() if len(prompts) > 1}
    numbers: dict[tuple[int, str], int] = {}
    start = max((cell.test for cell in cells), default=0) + 1

    def number(cell: Cell) -> int:
        key = (cell.test, json.dumps(cell.row.get("vars")))
        return numbers.setdefault(key, start + len(numbers)) if cell.test in shared else cell.test

    return [replace(cell, test=number(cell)) for cell in cells]


def prompts_of(cells: list[Cell]) -> dict[int, str]:
    """What was asked in each test: the prompt where all sides had one, else the variables that they shared."""
    wordings: defaultdict[int, dict[str, None]] = defaultdict(dict)
    variables: dict[int, str] = {}
    for cell in cells:
        if cell.prompt:
            wordings[cell.test][cell.prompt] = None
        given = cell.row.get("vars")
        if isinstance(given, dict) and given:
            lines = (f"{name}: {v if isinstance(v, str) else json.dumps(v)}" for name, v in given.items())
            variables.setdefault(cell.test, "\n\n".join(lines))
    # Where prompts differ between the sides, what is compared is how well they serve the same input.
    return {
        cell.test: (len(own := sorted(wordings[cell.test])) != 1 and variables.get(cell.test))
        or "\n\n".join(own)
        for cell in cells
    }


def prompt_names(cells: Sequence[Cell]) -> dict[Cell, str]:
    """What the prompt of each output is called: its label, else its number among those of the provider.

    What was asked is no name: the same prompt reads otherwise in each test.
    """
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        if cell.prompt_index is not None:
            labels[cell.provider].setdefault(cell.prompt_index, cell.label)
    named: dict[Cell, str] = {}
    for cell in cells:
        own, index = labels[cell.provider], cell.prompt_index
        if index is None or (all(own.values()) and len(set(own.values())) == len(own)):
            text = " ".join((cell.label or cell.prompt).split())
            named[cell] = text if len(text) <= 60 else f"prompt {key_of_prompt(text)[-8:]}"
        else:
            named[cell] = f"prompt {sorted(own).index(index) + 1}" if len(own) > 1 else ""
    return named
