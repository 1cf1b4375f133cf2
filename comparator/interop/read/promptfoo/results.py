"""Result files of promptfoo in JSON, JSON lines and YAML: each test's outputs by provider and prompt."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comparator.domain.pair.chat import is_chat, rendered
from comparator.interop.imported import (
    Attachment,
    Files,
    Findings,
    Format,
    FoundRun,
    LeftOut,
    key_of_prompt,
)
from comparator.interop.read.media import is_data_address, media_of
from comparator.interop.read.preferences.chat import messages_in
from comparator.interop.read.promptfoo.assertions import Assertion, assertions_in
from comparator.interop.read.promptfoo.gradings import CHOICES, claims_in, label_pairs
from comparator.interop.read.rows import PairsOfRows
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    kind_of,
    list_rows,
    number_in,
    parse_json,
    read_text,
)
from comparator.interop.read.yaml_files import parse_yaml


@dataclass(frozen=True, eq=False)
class _Cell:
    """One output of one test, from either version."""

    number: int
    test: int
    row: dict[str, Any]


def read_promptfoo(path: Path) -> Findings:
    """All outputs that can be read. Raises Unreadable where there are no results."""
    left_out: list[LeftOut] = []
    cells = _apart(list(_cells(path, left_out)))
    by_test: defaultdict[int, list[FoundRun]] = defaultdict(list)
    seen: set[tuple[int, str, str]] = set()
    repeated = 0
    left_out += _not_taken(path, cells)
    labels = PairsOfRows(path, format=Format.PROMPTFOO)
    names = _prompt_names(cells)
    several = len(set(names.values())) > 1
    prompts = _prompts(cells)
    for cell in cells:
        try:
            run = _run(path, cell, prompt=prompts[cell.test], label=names[cell], several_prompts=several)
        except UnreadableImport as error:
            left_out.append(LeftOut(file=f"{path}, row {cell.number}", reason=str(error)))
            continue
        same = (cell.test, run.configuration, run.text or "")
        if same in seen:
            repeated += 1
            continue
        seen.add(same)
        before = sum(known.configuration == run.configuration for known in by_test[cell.test])
        run = run.model_copy(update={"repetition": before + 1, "address": f"{run.address}/{before + 1}"})
        by_test[cell.test].append(run)
    label_pairs(by_test, labels)
    return Findings(
        format=Format.PROMPTFOO,
        runs=_repeated(by_test),
        labels=labels.found().labels,
        left_out=tuple(left_out),
        duplicates=repeated,
    )


def _repeated(by_test: dict[int, list[FoundRun]]) -> tuple[FoundRun, ...]:
    """The runs, those of tests that ask the same thing as repetitions of one task: `--repeat` numbers them on as tests.

    The k-th test of a task is everybody's k-th repetition, whoever gave no output in another one.
    """
    tests: defaultdict[str, list[int]] = defaultdict(list)
    for test, runs in sorted(by_test.items()):
        for key in dict.fromkeys(run.task_key for run in runs):
            tests[key].append(test)
    most = {key: max(run.repetition for test in of for run in by_test[test]) for key, of in tests.items()}
    return tuple(
        run.model_copy(
            update={"repetition": tests[run.task_key].index(test) * most[run.task_key] + run.repetition}
        )
        for test, runs in by_test.items()
        for run in runs
    )


def _cells(path: Path, left_out: list[LeftOut]) -> Iterator[_Cell]:
    """The outputs of one document in JSON or YAML, or of JSON lines, a row each. Raises Unreadable."""
    text = read_text(path)
    notes: list[str] = []
    if path.suffix.lower() in (".yaml", ".yml"):
        document = parse_yaml(text)
    else:
        try:
            document = parse_json(text, note=notes.append)
        except UnreadableImport:
            lines = list(json_rows(text))
            if not _numbered([line.value for line in lines]):
                raise
            yield from _rows(lines, path, left_out)
            return
    left_out += [LeftOut(file=str(path), reason=reason) for reason in notes]
    if isinstance(document, list) or (isinstance(document, dict) and _numbered([document])):
        # A list of rows, or JSON lines with one line.
        yield from _rows(list_rows(document if isinstance(document, list) else [document]), path, left_out)
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
        yield from _table(table, path, left_out)
    else:
        raise UnreadableImport("it has neither results.results nor results.table")


def _not_taken(path: Path, cells: list[_Cell]) -> Iterator[LeftOut]:
    """The assertions that the text of an output does not decide, by their types; each test's are counted once."""
    found: Counter[str] = Counter()
    for cell in {cell.test: cell for cell in cells}.values():
        found.update(
            each.kind for each in _assertions(cell.row) if not each.sentence and each.kind not in CHOICES
        )
    for kind, number in sorted(found.items()):
        times = "1 assertion" if number == 1 else f"{number:,} assertions"
        yield LeftOut(
            file=str(path), reason=f"{times} of type {kind[:60]} not taken over: the text does not tell it"
        )


def _assertions(row: dict[str, Any]) -> tuple[Assertion, ...]:
    variables = row.get("vars")
    return tuple(assertions_in(row.get("testCase"), variables if isinstance(variables, dict) else {}))


def _numbered(rows: list[Any]) -> bool:
    return any(isinstance(row, dict) and "testIdx" in row for row in rows)


def _rows(rows: Iterable[ReadRow], path: Path, left_out: list[LeftOut]) -> Iterator[_Cell]:
    for row in rows:
        left_out += [LeftOut(file=f"{path}, row {row.number}", reason=reason) for reason in row.notes]
        if row.value is None:
            left_out.append(LeftOut(file=f"{path}, row {row.number}", reason=row.problem))
            continue
        test = count_in(row.value, "testIdx")
        if test is None:
            left_out.append(LeftOut(file=f"{path}, row {row.number}", reason="it has no testIdx"))
            continue
        yield _Cell(row.number, test, row.value)


def _table(table: dict[str, Any], path: Path, left_out: list[LeftOut]) -> Iterator[_Cell]:
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
                    LeftOut(file=f"{where}, output {index + 1}", reason=f"it is {kind_of(output)}")
                )
                continue
            prompt = prompts[index] if isinstance(prompts, list) and index < len(prompts) else {}
            prompt = prompt if isinstance(prompt, dict) else {"raw": str(prompt)}
            yield _Cell(
                row.number,
                row.number - 1,
                {
                    **output,
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


def _apart(cells: list[_Cell]) -> list[_Cell]:
    """Tests that share a number, as in result files that were put together, under numbers of their own.

    They are told by one side that was asked different things under one number; the variables say which is which.
    """
    asked: defaultdict[tuple[int, int, str], set[str]] = defaultdict(set)
    for cell in cells:
        index = count_in(cell.row, "promptIdx")
        if index is not None:
            asked[cell.test, index, json.dumps(cell.row.get("provider"))].add(_raw_prompt(cell.row))
    shared = {test for (test, _, _), prompts in asked.items() if len(prompts) > 1}
    numbers: dict[tuple[int, str], int] = {}
    start = max((cell.test for cell in cells), default=0) + 1
    return [
        replace(
            cell, test=numbers.setdefault((cell.test, json.dumps(cell.row.get("vars"))), start + len(numbers))
        )
        if cell.test in shared
        else cell
        for cell in cells
    ]


def _prompts(cells: list[_Cell]) -> dict[int, str]:
    """What was asked in each test: the prompt where all sides had one, else the variables that they shared."""
    wordings: defaultdict[int, dict[str, None]] = defaultdict(dict)
    variables: dict[int, str] = {}
    for cell in cells:
        if raw := _raw_prompt(cell.row):
            wordings[cell.test][raw] = None
        given = cell.row.get("vars")
        if isinstance(given, dict) and given:
            lines = (f"{name}: {v if isinstance(v, str) else json.dumps(v)}" for name, v in given.items())
            variables.setdefault(cell.test, "\n\n".join(lines))
    found: dict[int, str] = {}
    for cell in cells:
        own = tuple(wordings[cell.test])
        if len(own) == 1:
            found[cell.test] = own[0]
        else:
            # The prompts differ between the sides: what is compared is how well they serve the same input.
            found[cell.test] = variables.get(cell.test) or "\n\n".join(sorted(own))
    return found


def _run(path: Path, cell: _Cell, *, prompt: str, label: str, several_prompts: bool) -> FoundRun:
    row = cell.row
    if not prompt.strip():
        raise UnreadableImport("it has no prompt")
    provider = row.get("provider")
    if isinstance(provider, dict):
        name, model = provider.get("label") or provider.get("id"), provider.get("id")
    else:
        name = model = provider
    if not isinstance(name, str) or not name.strip():
        raise UnreadableImport("it has no provider")
    response = row.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    error = row.get("error") or (response.get("error") if isinstance(response, dict) else None)
    void = ""
    media, missing = media_of(response, output)
    if missing:
        void = f"a part of the output is not in the file: {missing[0][:120]}"
    if is_data_address(output) or (output is None and media):
        output = ""
    if isinstance(output, list) and is_chat(output):
        output = rendered(messages_in(output), alone="assistant")
    if output is None:
        if not isinstance(error, str) or not error.strip():
            raise UnreadableImport("it has neither an output nor an error")
        void, output = f"it ended with an error: {error[:200]}", error
    text = output if isinstance(output, str) else json.dumps(output, indent=2, ensure_ascii=False)
    tokens = response.get("tokenUsage") if isinstance(response, dict) else None
    tokens = tokens if isinstance(tokens, dict) else {}
    milliseconds = number_in(row, "latencyMs")
    grading = row.get("gradingResult")
    test = row.get("testCase")
    description = test.get("description") if isinstance(test, dict) else None
    configuration = f"{name}, {label}" if several_prompts else name
    return FoundRun(
        address=f"{path.absolute()}#test-{cell.test}/{configuration}",
        task_key=f"test-{key_of_prompt(prompt)}",
        title=description if isinstance(description, str) else "",
        prompt=prompt,
        expectations=tuple(dict.fromkeys(each.sentence for each in _assertions(row) if each.sentence)),
        configuration=configuration,
        model=model if isinstance(model, str) else None,
        factors=(label, name) if several_prompts else (name,),
        text=text if text or not media else None,
        files=_files(text, media) if media else None,
        text_name="answer.md" if isinstance(output, str) else "answer.json",
        input_tokens=count_in(tokens, "prompt"),
        output_tokens=count_in(tokens, "completion"),
        total_tokens=count_in(tokens, "total"),
        seconds=None if milliseconds is None else milliseconds / 1000,
        claims=tuple(claims_in(grading)),
        grading=grading,
        details={
            k: row[k] for k in ("success", "score", "namedScores", "cost", "vars") if row.get(k) is not None
        },
        own_prompt=_raw_prompt(row),
        void=void or ("" if text.strip() or media else "the output is empty"),
    )


def _files(text: str, media: Sequence[Attachment]) -> Files:
    """The pictures, sounds and films of an output, with its text where it has one."""
    answer = (Attachment(name="answer.md", data=text.encode()),) if text.strip() else ()
    files = (*answer, *media)
    return Files(folder=len(files) > 1, name=files[0].name, files=files)


def _raw_prompt(row: dict[str, Any]) -> str:
    prompt = row.get("prompt")
    raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
    return raw if isinstance(raw, str) and raw.strip() else ""


def _prompt_label(row: dict[str, Any]) -> str:
    prompt = row.get("prompt")
    if isinstance(prompt, dict):
        prompt = prompt.get("label") or prompt.get("raw")
    text = " ".join(str(prompt or "").split())
    return text if len(text) <= 60 else f"prompt {key_of_prompt(text)[-8:]}"


def _prompt_names(cells: Sequence[_Cell]) -> dict[_Cell, str]:
    """What the prompt of each output is called: its label, else its number among those of the provider.

    What was asked is no name: the same prompt reads otherwise in each test.
    """
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        if (index := count_in(cell.row, "promptIdx")) is not None:
            labels[json.dumps(cell.row.get("provider"))].setdefault(index, _given_label(cell.row))
    named: dict[_Cell, str] = {}
    for cell in cells:
        own, index = labels[json.dumps(cell.row.get("provider"))], count_in(cell.row, "promptIdx")
        if index is None or (all(own.values()) and len(set(own.values())) == len(own)):
            named[cell] = _prompt_label(cell.row)
        else:
            named[cell] = f"prompt {sorted(own).index(index) + 1}" if len(own) > 1 else ""
    return named


def _given_label(row: dict[str, Any]) -> str:
    prompt = row.get("prompt")
    label = prompt.get("label") if isinstance(prompt, dict) else ""
    return label.strip() if isinstance(label, str) and label != _raw_prompt(row) else ""
