"""Result files of promptfoo in JSON, JSON lines and YAML: each test's outputs by provider and prompt."""

from __future__ import annotations

import base64
import binascii
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from comparator.domain.pair.chat import chat_of, rendered
from comparator.interop.imported import (
    Attachment,
    Files,
    Findings,
    Format,
    FoundLabel,
    FoundRun,
    LabelSource,
    LeftOut,
    Side,
    key_of_prompt,
)
from comparator.interop.read.gradings import CHOICES, Assertion, assertions_in, claims_in, components_of
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    kind_of,
    list_rows,
    number_in,
    parse_json,
    parse_yaml,
    read_text,
)

_ADDRESS = re.compile(
    r"data:(?P<kind>(?:image|audio|video)/[a-z0-9.+-]+)(?:;[a-z0-9=_.+-]+)*;base64,(?P<data>[\w+/=\s-]+)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"(?:promptfoo://blob/|storageRef:)[\w/.-]+|https?://\S+")
_ENDINGS = {"jpeg": "jpg", "svg+xml": "svg", "mpeg": "mp3", "x-wav": "wav", "quicktime": "mov"}
_MEDIA = {"images": "image/png", "audio": "audio/mp3", "video": "video/mp4"}


@dataclass(frozen=True, eq=False)
class _Cell:
    """One output of one test, from either version."""

    number: int
    test: int
    row: dict[str, Any]

    @property
    def prompt_index(self) -> int | None:
        return count_in(self.row, "promptIdx")

    @property
    def provider(self) -> str:
        """What tells its provider from others."""
        return json.dumps(self.row.get("provider"))

    @property
    def prompt(self) -> str:
        """What was really asked."""
        prompt = self.row.get("prompt")
        raw = prompt.get("raw") if isinstance(prompt, dict) else prompt
        return raw if isinstance(raw, str) and raw.strip() else ""

    @property
    def label(self) -> str:
        """What its prompt is called, if it has a name."""
        prompt = self.row.get("prompt")
        label = prompt.get("label") if isinstance(prompt, dict) else ""
        return label.strip() if isinstance(label, str) and label != self.prompt else ""

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        variables = self.row.get("vars")
        return tuple(
            assertions_in(self.row.get("testCase"), variables if isinstance(variables, dict) else {})
        )


def read_promptfoo(path: Path) -> Findings:
    """All outputs that can be read. Raises UnreadableImport where there are no results."""
    left_out: list[LeftOut] = []
    cells = _tests_apart(list(_cells(path, left_out)))
    untold: Counter[str] = Counter()
    for cell in {cell.test: cell for cell in cells}.values():
        untold.update(each.kind for each in cell.assertions if not each.sentence and each.kind not in CHOICES)
    for kind, number in sorted(untold.items()):
        times = "1 assertion" if number == 1 else f"{number:,} assertions"
        reason = f"{times} of type {kind[:60]} not taken over: the text does not tell it"
        left_out.append(LeftOut(file=str(path), reason=reason))
    by_test: defaultdict[int, list[FoundRun]] = defaultdict(list)
    seen: set[tuple[int, str, str]] = set()
    repeated = 0
    names, prompts = _prompt_names(cells), _prompts(cells)
    several = len(set(names.values())) > 1
    for cell in cells:
        try:
            run = _run(path, cell, prompt=prompts[cell.test], label=names[cell] if several else "")
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
    return Findings(
        format=Format.PROMPTFOO,
        runs=_repeated(by_test),
        labels=tuple(_labels(by_test)),
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


def _labels(by_test: dict[int, list[FoundRun]]) -> Iterator[FoundLabel]:
    """A person's marks, which are not blind since promptfoo shows who is who, and choices among a test's outputs."""
    for first, second in (pair for runs in by_test.values() for pair in itertools.combinations(runs, 2)):
        both = [
            {
                kind: each["pass"]
                for kind, each, _ in components_of(run.grading)
                if isinstance(each.get("pass"), bool)
            }
            for run in (first, second)
        ]
        for kind in ("human", *CHOICES):
            one, other = both[0].get(kind), both[1].get(kind)
            by_person = kind == "human"
            if one is None or other is None or (one == other and not by_person):
                continue
            yield FoundLabel(
                first=first.address,
                second=second.address,
                winner=Side.TIE if one == other else Side.FIRST if one else Side.SECOND,
                kind=LabelSource.HUMAN if by_person else LabelSource.GRADER,
                author="promptfoo user" if by_person else f"promptfoo {kind}",
                value={"both_passed": one and other, "one_passed": one != other} if by_person else None,
                blind=False if by_person else None,
            )


# ---- outputs, from either version


def _cells(path: Path, left_out: list[LeftOut]) -> Iterator[_Cell]:
    """The outputs of one document in JSON or YAML, or of JSON lines, a row each. Raises UnreadableImport."""
    text = read_text(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        document = parse_yaml(text)
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


def _numbered(rows: list[Any]) -> bool:
    return any(isinstance(row, dict) and "testIdx" in row for row in rows)


def _rows(rows: Iterable[ReadRow], path: Path, left_out: list[LeftOut]) -> Iterator[_Cell]:
    for row in rows:
        test = count_in(row.value, "testIdx") if row.value is not None else None
        reasons = row.notes
        if row.value is None or test is None:
            reasons += (row.problem or "it has no testIdx",)
        else:
            yield _Cell(row.number, test, row.value)
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
                    LeftOut(file=f"{where}, output {index + 1}", reason=f"it is {kind_of(output)}")
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


def _tests_apart(cells: list[_Cell]) -> list[_Cell]:
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

    def number(cell: _Cell) -> int:
        key = (cell.test, json.dumps(cell.row.get("vars")))
        return numbers.setdefault(key, start + len(numbers)) if cell.test in shared else cell.test

    return [replace(cell, test=number(cell)) for cell in cells]


def _prompts(cells: list[_Cell]) -> dict[int, str]:
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


def _prompt_names(cells: Sequence[_Cell]) -> dict[_Cell, str]:
    """What the prompt of each output is called: its label, else its number among those of the provider.

    What was asked is no name: the same prompt reads otherwise in each test.
    """
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        if cell.prompt_index is not None:
            labels[cell.provider].setdefault(cell.prompt_index, cell.label)
    named: dict[_Cell, str] = {}
    for cell in cells:
        own, index = labels[cell.provider], cell.prompt_index
        if index is None or (all(own.values()) and len(set(own.values())) == len(own)):
            text = " ".join((cell.label or cell.prompt).split())
            named[cell] = text if len(text) <= 60 else f"prompt {key_of_prompt(text)[-8:]}"
        else:
            named[cell] = f"prompt {sorted(own).index(index) + 1}" if len(own) > 1 else ""
    return named


# ---- one output


def _run(path: Path, cell: _Cell, *, prompt: str, label: str) -> FoundRun:
    row = cell.row
    if not prompt.strip():
        raise UnreadableImport("it has no prompt")
    provider = row.get("provider")
    of_provider = provider if isinstance(provider, dict) else {"id": provider}
    name, model = of_provider.get("label") or of_provider.get("id"), of_provider.get("id")
    if not isinstance(name, str) or not name.strip():
        raise UnreadableImport("it has no provider")
    given = row.get("response")
    response: dict[str, Any] = given if isinstance(given, dict) else {}
    output, void = response.get("output"), ""
    media, missing = _media_of(response)
    if missing:
        void = f"a part of the output is not in the file: {missing[0][:120]}"
    if (isinstance(output, str) and _ADDRESS.fullmatch(output.strip())) or (
        output is None and (media or missing)
    ):
        output = ""
    if (messages := chat_of(output, role="assistant")) is not None:
        output = rendered(messages, alone="assistant")
    if output is None:
        error = row.get("error") or response.get("error")
        if not isinstance(error, str) or not error.strip():
            raise UnreadableImport("it has neither an output nor an error")
        void, output = f"it ended with an error: {error[:200]}", error
    text = output if isinstance(output, str) else json.dumps(output, indent=2, ensure_ascii=False)
    answer = (Attachment(name="answer.md", data=text.encode()),) if text.strip() else ()
    files = (*answer, *media) if media else ()
    tokens = response.get("tokenUsage")
    tokens = tokens if isinstance(tokens, dict) else {}
    milliseconds = number_in(row, "latencyMs")
    test = row.get("testCase")
    description = test.get("description") if isinstance(test, dict) else None
    configuration = f"{name}, {label}" if label else name
    return FoundRun(
        address=f"{path.absolute()}#test-{cell.test}/{configuration}",
        task_key=f"test-{key_of_prompt(prompt)}",
        title=description if isinstance(description, str) else "",
        prompt=prompt,
        expectations=tuple(dict.fromkeys(each.sentence for each in cell.assertions if each.sentence)),
        configuration=configuration,
        model=model if isinstance(model, str) else None,
        factors=(label, name) if label else (name,),
        text=text if text or not media else None,
        files=Files(folder=len(files) > 1, name=files[0].name, files=files) if files else None,
        text_name="answer.md" if isinstance(output, str) else "answer.json",
        input_tokens=count_in(tokens, "prompt"),
        output_tokens=count_in(tokens, "completion"),
        total_tokens=count_in(tokens, "total"),
        seconds=None if milliseconds is None else milliseconds / 1000,
        claims=claims_in(row.get("gradingResult")),
        grading=row.get("gradingResult"),
        details={
            k: row[k] for k in ("success", "score", "namedScores", "cost", "vars") if row.get(k) is not None
        },
        own_prompt=cell.prompt,
        void=void or ("" if text.strip() or media else "the output is empty"),
    )


def _media_of(response: dict[str, Any]) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The pictures, sounds and films of an output as files, and the addresses of those that are kept elsewhere."""
    output = response.get("output")
    words = output if isinstance(output, str) else json.dumps(output)
    found: list[Attachment] = []
    missing = [*re.findall(r"promptfoo://blob/[\w/.-]+", words)]

    def take(kind: str, letters: str) -> bool:
        try:
            data = base64.b64decode(
                "".join(letters.split()).replace("-", "+").replace("_", "/"), validate=True
            )
        except (binascii.Error, ValueError):
            return False
        if not data:
            return False
        family, _, ending = kind.lower().partition("/")
        number = len(found) + 1
        found.append(Attachment(name=f"{family}-{number}.{_ENDINGS.get(ending, ending)}", data=data))
        return True

    if address := _ADDRESS.fullmatch(words.strip()):
        take(address["kind"], address["data"])
    for name, kind in _MEDIA.items():
        value = response.get(name)
        for each in value if isinstance(value, list) else [value] if value else []:
            letters, told = _medium(each, kind)
            if address := _ADDRESS.fullmatch(letters.strip()):
                told, letters = address["kind"], address["data"]
            if _ELSEWHERE.match(letters) or not letters or not take(told, letters):
                missing.append(letters[:120] or f"{name} without its content")
    return tuple(found), tuple(dict.fromkeys(missing))


def _medium(value: Any, kind: str) -> tuple[str, str]:
    """What is told of a medium: its letters or its address, and its type."""
    if not isinstance(value, dict):
        return (value if isinstance(value, str) else ""), kind
    blob, stored = value.get("blobRef"), value.get("storageRef")
    places = (
        *(value.get(name) for name in ("data", "url", "uri")),
        *(
            blob.get("uri") if isinstance(blob, dict) else blob,
            stored.get("key") if isinstance(stored, dict) else stored,
        ),
    )
    letters = next((place for place in places if isinstance(place, str) and place.strip()), "")
    stated = value.get("format")
    told = value.get("mimeType") or value.get("media_type")
    return letters, str(told or (f"{kind.partition('/')[0]}/{stated}" if stated else kind))
