"""Result files of promptfoo, from either version: the outputs of each test as runs, with media, labels and grades."""

import base64
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.counted import counted
from comparator.domain.labels import LabelKind, Winner
from comparator.domain.pair.chat import chat_of, render
from comparator.interop.gradings import CHOICES, assertions_in, claims_in, components_of
from comparator.interop.imported import (
    Attachment,
    Files,
    Findings,
    Format,
    FoundLabel,
    FoundRun,
    Notes,
    key_of_prompt,
)
from comparator.interop.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    json_rows,
    kind_of,
    list_rows,
    number_in,
    parse_json,
    part,
    read_text,
)

_ADDRESS = re.compile(
    r"data:(?P<kind>(?:image|audio|video)/[a-z0-9.+-]+)(?:;[a-z0-9=_.+-]+)*;base64,(?P<data>[\w+/=\s-]+)",
    re.IGNORECASE,
)
_BLOB = re.compile(r"promptfoo://blob/[\w/.-]+")
_ENDINGS = {"jpeg": "jpg", "svg+xml": "svg", "mpeg": "mp3", "x-wav": "wav", "quicktime": "mov"}
_MEDIA = {"images": "image/png", "audio": "audio/mp3", "video": "video/mp4"}
_DETAILS = ("success", "score", "namedScores", "cost", "vars")

TestId = tuple[int, str]
"""The number of a test and its variables: in result files that were put together, tests share numbers."""


class Cell(NamedTuple):
    """One output of one test, from either version. `prompt` is as it was sent, `label` its name; both may be empty.

    `prompt_index` says which of the file's prompts it answers, from 0; `provider` is a text to compare with others.
    """

    number: int
    test: TestId
    row: dict[str, Any]
    prompt: str
    label: str
    prompt_index: int
    provider: str

    @property
    def variables(self) -> dict[str, Any]:
        """The variables of its test."""
        return part(self.row, "vars", dict)


def read_promptfoo(path: Path) -> Findings:
    """All outputs that can be read. Raises UnreadableImport where there are no results."""
    notes = Notes(path)
    cells = list(_cells(notes))
    untold = Counter(
        assertion.kind
        for cell in {cell.test: cell for cell in cells}.values()
        for assertion in assertions_in(cell.row.get("testCase"), cell.variables)
        if not assertion.sentence and assertion.kind not in CHOICES
    )
    for kind, number in sorted(untold.items()):
        reason = f"{counted(number, 'assertion')} of type {kind[:60]} left out: the text does not show whether it holds"
        notes.add(reason)
    by_test: defaultdict[TestId, list[FoundRun]] = defaultdict(list)
    addresses: Counter[str] = Counter()
    repeated = 0
    labels, prompts = _prompt_labels(cells), _prompts(cells)
    for cell in cells:
        try:
            run = _run(
                path,
                cell,
                prompt=prompts[cell.test],
                label=labels.get((cell.provider, cell.prompt_index), ""),
            )
        except UnreadableImport as error:
            notes.add(error, row=cell.number)
            continue
        others = [known for known in by_test[cell.test] if known.configuration == run.configuration]
        if any(known.text == run.text for known in others):
            repeated += 1
            continue
        addresses[run.address] += 1
        address = f"{run.address}/{addresses[run.address]}"
        by_test[cell.test].append(run.copy_with(repetition=len(others) + 1, address=address))
    return Findings(
        format=Format.PROMPTFOO,
        runs=tuple(_join_repetitions(by_test)),
        labels=tuple(_labels(by_test)),
        left_out=tuple(notes),
        duplicates=repeated,
    )


# ---- rows


def _cells(notes: Notes) -> Iterator[Cell]:
    """The outputs of one document in JSON, or of JSON lines. Raises UnreadableImport; unusable rows are noted."""
    for row in _rows(notes):
        value = row.value or {}
        test, index = count_in(value, "testIdx"), count_in(value, "promptIdx")
        if test is None or index is None:
            reason = f"it has no {'testIdx' if test is None else 'promptIdx'}"
            notes.add(row.problem or reason, row=row.number)
            continue
        prompt_entry = value.get("prompt")
        raw, label = (
            (prompt_entry.get("raw"), prompt_entry.get("label"))
            if isinstance(prompt_entry, dict)
            else (prompt_entry, "")
        )
        prompt = raw if isinstance(raw, str) and raw.strip() else ""
        name = label.strip() if isinstance(label, str) and label != prompt else ""
        provider = json.dumps(value.get("provider"))
        yield Cell(row.number, (test, json.dumps(value.get("vars"))), value, prompt, name, index, provider)


def _rows(notes: Notes) -> Iterable[ReadRow]:
    """The outputs as rows of version 3."""
    text = read_text(notes.path)
    try:
        document = parse_json(text)
    except UnreadableImport:
        lines = list(json_rows(text))
        if not any("testIdx" in (line.value or {}) for line in lines):
            raise
        return lines
    if isinstance(document, list):
        return list_rows(document)
    if not isinstance(document, dict):
        raise UnreadableImport(f"it holds {kind_of(document)} where an object is expected")
    if "testIdx" in document:
        # JSON lines with one line.
        return list_rows([document])
    rows, table = part(document, "results.results", list), part(document, "results.table", dict)
    # Version 2 says the same in rows that have no number of their test, and in the table.
    if rows and (not table or "testIdx" in part(rows, "0", dict)):
        return list_rows(rows)
    if not isinstance(table.get("body"), list):
        raise UnreadableImport("it has neither results.results nor results.table.body")
    return _rows_of_table(table, notes)


def _rows_of_table(table: dict[str, Any], notes: Notes) -> Iterator[ReadRow]:
    """The outputs of version 2 as rows of version 3."""
    prompts, names = (part(table, f"head.{name}", list) for name in ("prompts", "vars"))
    for row in list_rows(table["body"]):
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
            prompt = part(prompts, str(index), dict)
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


def _prompts(cells: list[Cell]) -> dict[TestId, str]:
    """What was asked in each test: the prompt where all sides had one, else the variables that they share."""
    wordings: defaultdict[TestId, set[str]] = defaultdict(set)
    for cell in cells:
        wordings[cell.test] |= {cell.prompt} - {""}
    # Where prompts differ between the sides, what is compared is how well they serve the same input.
    return {
        cell.test: (len(wordings[cell.test]) != 1 and _in_words(cell.variables))
        or "\n\n".join(sorted(wordings[cell.test]))
        for cell in cells
    }


def _in_words(variables: dict[str, Any]) -> str:
    return "\n\n".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value)}"
        for name, value in variables.items()
    )


def _prompt_labels(cells: list[Cell]) -> dict[tuple[str, int], str]:
    """What each prompt is called, by provider and index: its label, else its number among those of the provider.

    Nothing where each provider has one prompt. What was asked is no name: the same prompt reads otherwise in each test.
    """
    by_provider: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        by_provider[cell.provider].setdefault(cell.prompt_index, " ".join(cell.label.split()))
    called: dict[tuple[str, int], str] = {}
    for provider, labels in by_provider.items():
        told_apart = all(labels.values()) and len(set(labels.values())) == len(labels)
        for number, index in enumerate(sorted(labels), start=1):
            numbered = f"prompt {number}" if len(labels) > 1 else ""
            called[provider, index] = labels[index][:60] if told_apart else numbered
    return called if len(set(called.values())) > 1 else {}


# ---- runs and labels


def _join_repetitions(by_test: dict[TestId, list[FoundRun]]) -> Iterator[FoundRun]:
    """The runs, those of tests that ask the same thing as repetitions of one task: `--repeat` numbers them on as tests.

    The k-th test of a task is everybody's k-th repetition, whoever gave no output in another one.
    """
    tests: defaultdict[str, list[TestId]] = defaultdict(list)
    for test, runs in sorted(by_test.items()):
        for key in dict.fromkeys(run.task_key for run in runs):
            tests[key].append(test)
    most = {
        key: max(run.repetition for test in those for run in by_test[test]) for key, those in tests.items()
    }
    for test, runs in by_test.items():
        for run in runs:
            before = tests[run.task_key].index(test) * most[run.task_key]
            yield run.copy_with(repetition=before + run.repetition)


def _labels(by_test: dict[TestId, list[FoundRun]]) -> Iterator[FoundLabel]:
    """A person's marks, which are not blind since promptfoo shows who is who, and choices among a test's outputs."""
    for first, second in (pair for runs in by_test.values() for pair in itertools.combinations(runs, 2)):
        marks = [
            {
                kind: component["pass"]
                for kind, component, _ in components_of(run.grading)
                if isinstance(component.get("pass"), bool)
            }
            for run in (first, second)
        ]
        for kind in ("human", *CHOICES):
            one, other = (mark.get(kind) for mark in marks)
            by_person = kind == "human"
            if one is None or other is None or (one == other and not by_person):
                continue
            yield FoundLabel(
                first=first.address,
                second=second.address,
                winner=Winner.TIE if one == other else Winner.A if one else Winner.B,
                kind=LabelKind.HUMAN if by_person else LabelKind.GRADER,
                author="promptfoo user" if by_person else f"promptfoo {kind}",
                value={"both_passed": one and other, "one_passed": one != other} if by_person else None,
                blind=False if by_person else None,
            )


def _run(path: Path, cell: Cell, *, prompt: str, label: str) -> FoundRun:
    row = cell.row
    if not prompt.strip():
        raise UnreadableImport("it has no prompt")
    provider = row.get("provider")
    provider = provider if isinstance(provider, dict) else {"id": provider}
    name = provider.get("label") or provider.get("id")
    if not isinstance(name, str) or not name.strip():
        raise UnreadableImport("it has no provider")
    response = part(row, "response", dict)
    output = response.get("output")
    media, missing = _media_of(response)
    void = f"a part of the output is not in the file: {missing[0]}" if missing else ""
    if (media or missing) and (output is None or _ADDRESS.fullmatch(str(output).strip())):
        output = ""
    if (messages := chat_of(output)) is not None:
        output = render(messages, alone="assistant")
    if output is None:
        error = row.get("error") or response.get("error")
        if not isinstance(error, str) or not error.strip():
            raise UnreadableImport("it has neither an output nor an error")
        void, output = f"it ended with an error: {error[:200]}", error
    text = output if isinstance(output, str) else json.dumps(output, indent=2, ensure_ascii=False)
    if media and text.strip():
        media = [Attachment(name="answer.md", data=text.encode()), *media]
    tokens = part(response, "tokenUsage", dict)
    milliseconds = number_in(row, "latencyMs")
    test = row.get("testCase")
    assertions = assertions_in(test, cell.variables)
    configuration = f"{name}, {label}" if label else name
    return FoundRun(
        address=f"{path.absolute()}#test-{cell.test[0]}/{configuration}",
        task_key=f"test-{key_of_prompt(prompt)}",
        title=part(test, "description", str),
        prompt=prompt,
        expectations=tuple(
            dict.fromkeys(assertion.sentence for assertion in assertions if assertion.sentence)
        ),
        configuration=configuration,
        model=part(provider, "id", str) or None,
        factors=(label, name) if label else (name,),
        text=text if text or not media else None,
        files=Files(folder=len(media) > 1, name=media[0].name, files=tuple(media)) if media else None,
        text_name="answer.md" if isinstance(output, str) else "answer.json",
        input_tokens=count_in(tokens, "prompt"),
        output_tokens=count_in(tokens, "completion"),
        total_tokens=count_in(tokens, "total"),
        seconds=None if milliseconds is None else milliseconds / 1000,
        claims=claims_in(row.get("gradingResult")),
        grading=row.get("gradingResult"),
        details={name: row[name] for name in _DETAILS if row.get(name) is not None},
        own_prompt=cell.prompt,
        void=void or ("" if text.strip() or media else "the output is empty"),
    )


def _media_of(response: dict[str, Any]) -> tuple[list[Attachment], list[str]]:
    """The pictures, sounds and films of an output as files, and what the file tells of those that lie elsewhere."""
    output = response.get("output")
    words = output if isinstance(output, str) else json.dumps(output)
    missing = _BLOB.findall(words)
    parts = [("", output)] if _ADDRESS.fullmatch(words.strip()) else []
    for name, kind in _MEDIA.items():
        value = response.get(name)
        parts += [(kind, item) for item in (value if isinstance(value, list) else [value] if value else [])]
    media: list[Attachment] = []
    for kind, entry in parts:
        details = entry if isinstance(entry, dict) else {"data": entry}
        family = kind.partition("/")[0]
        kind = part(details, "mimeType", str) or (
            f"{family}/{details['format']}" if details.get("format") else kind
        )
        letters = part(details, "data", str)
        if address := _ADDRESS.fullmatch(letters.strip()):
            kind, letters = address["kind"], address["data"]
        try:
            data = base64.b64decode("".join(letters.split()), validate=True)
        except ValueError:
            data = b""
        if not data:
            missing.append(f"{family} without its content: {json.dumps(entry)[:120]}")
            continue
        family, _, ending = kind.lower().partition("/")
        media.append(Attachment(name=f"{family}-{len(media) + 1}.{_ENDINGS.get(ending, ending)}", data=data))
    return media, missing
