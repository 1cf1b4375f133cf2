"""Result files of promptfoo: the outputs of each test as runs, with their media, labels and grades."""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from comparator.domain.counted import counted
from comparator.domain.labels import LabelKind, Winner
from comparator.domain.pair.chat import chat_of, rendered
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
from comparator.interop.promptfoo_cells import Cell, cells_in, prompt_names, prompts_of
from comparator.interop.text import UnreadableImport, count_in, number_in, part

_ADDRESS = re.compile(
    r"data:(?P<kind>(?:image|audio|video)/[a-z0-9.+-]+)(?:;[a-z0-9=_.+-]+)*;base64,(?P<data>[\w+/=\s-]+)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"(?:promptfoo://blob/|storageRef:)[\w/.-]+|https?://\S+")
_ENDINGS = {"jpeg": "jpg", "svg+xml": "svg", "mpeg": "mp3", "x-wav": "wav", "quicktime": "mov"}
_LETTERS = {"/9j/": "image/jpeg", "UklGR": "image/webp"}
"""How pictures begin in base64 that are no PNG."""
_MEDIA = {"images": "image/png", "audio": "audio/mp3", "video": "video/mp4"}
_DETAILS = ("success", "score", "namedScores", "cost", "vars")


def read_promptfoo(path: Path) -> Findings:
    """All outputs that can be read. Raises UnreadableImport where there are no results."""
    notes = Notes(path)
    cells = cells_in(notes)
    untold = Counter(
        each.kind
        for cell in {cell.test: cell for cell in cells}.values()
        for each in assertions_in(cell.row.get("testCase"), cell.variables)
        if not each.sentence and each.kind not in CHOICES
    )
    for kind, number in sorted(untold.items()):
        reason = f"{counted(number, 'assertion')} of type {kind[:60]} left out: the text does not show whether it holds"
        notes.add(reason)
    by_test: defaultdict[int, list[FoundRun]] = defaultdict(list)
    seen: set[tuple[int, str, str]] = set()
    repeated = 0
    names, prompts = prompt_names(cells), prompts_of(cells)
    several = len(set(names.values())) > 1
    for cell in cells:
        try:
            run = _run(path, cell, prompt=prompts[cell.test], label=names[cell] if several else "")
        except UnreadableImport as error:
            notes.add(error, row=cell.number)
            continue
        same = (cell.test, run.configuration, run.text or "")
        if same in seen:
            repeated += 1
            continue
        seen.add(same)
        times = 1 + sum(known.configuration == run.configuration for known in by_test[cell.test])
        run = run.model_copy(update={"repetition": times, "address": f"{run.address}/{times}"})
        by_test[cell.test].append(run)
    return Findings(
        format=Format.PROMPTFOO,
        runs=tuple(_repeated(by_test)),
        labels=tuple(_labels(by_test)),
        left_out=tuple(notes),
        duplicates=repeated,
    )


def _repeated(by_test: dict[int, list[FoundRun]]) -> Iterator[FoundRun]:
    """The runs, those of tests that ask the same thing as repetitions of one task: `--repeat` numbers them on as tests.

    The k-th test of a task is everybody's k-th repetition, whoever gave no output in another one.
    """
    tests: defaultdict[str, list[int]] = defaultdict(list)
    for test, runs in sorted(by_test.items()):
        for key in dict.fromkeys(run.task_key for run in runs):
            tests[key].append(test)
    most = {
        key: max(run.repetition for test in those for run in by_test[test]) for key, those in tests.items()
    }
    for test, runs in by_test.items():
        for run in runs:
            before = tests[run.task_key].index(test) * most[run.task_key]
            yield run.model_copy(update={"repetition": before + run.repetition})


def _labels(by_test: dict[int, list[FoundRun]]) -> Iterator[FoundLabel]:
    """A person's marks, which are not blind since promptfoo shows who is who, and choices among a test's outputs."""
    for first, second in (pair for runs in by_test.values() for pair in itertools.combinations(runs, 2)):
        marks = [
            {
                kind: each["pass"]
                for kind, each, _ in components_of(run.grading)
                if isinstance(each.get("pass"), bool)
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
    output, media, missing = _output_of(response)
    void = f"a part of the output is not in the file: {missing[0][:120]}" if missing else ""
    if (messages := chat_of(output)) is not None:
        output = rendered(messages, alone="assistant")
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
        address=f"{path.absolute()}#test-{cell.test}/{configuration}",
        task_key=f"test-{key_of_prompt(prompt)}",
        title=part(test, "description", str),
        prompt=prompt,
        expectations=tuple(dict.fromkeys(each.sentence for each in assertions if each.sentence)),
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


def _output_of(response: dict[str, Any]) -> tuple[Any, list[Attachment], list[str]]:
    """An output without its media; the pictures, sounds and films in it as files; and where the others are kept."""
    output = response.get("output")
    words = output if isinstance(output, str) else json.dumps(output)
    media: list[Attachment] = []
    missing = re.findall(r"promptfoo://blob/[\w/.-]+", words)

    def take(kind: str, letters: str, otherwise: str) -> None:
        if address := _ADDRESS.fullmatch(letters.strip()):
            kind, letters = address["kind"], address["data"]
        data = b""
        if not _ELSEWHERE.match(letters):
            with suppress(ValueError):
                plain = "".join(letters.split()).replace("-", "+").replace("_", "/")
                data = base64.b64decode(plain, validate=True)
        if not data:
            missing.append((letters or otherwise)[:120])
            return
        family, _, ending = kind.lower().partition("/")
        media.append(Attachment(name=f"{family}-{len(media) + 1}.{_ENDINGS.get(ending, ending)}", data=data))

    pictures = _answered_pictures(output)
    if _ADDRESS.fullmatch(words.strip()):
        take("", words, "")
    for picture in pictures:
        letters = str(picture.get("b64_json") or "")
        kind = next((kind for start, kind in _LETTERS.items() if letters.startswith(start)), "image/png")
        take(kind, letters or str(picture.get("url")), "")
    for name, kind in _MEDIA.items():
        value = response.get(name)
        for each in value if isinstance(value, list) else [value] if value else []:
            letters, stated = _medium(each, kind)
            take(stated, letters, f"{name} without its content")
    emptied = pictures or (isinstance(output, str) and _ADDRESS.fullmatch(output.strip()))
    if emptied or (output is None and (media or missing)):
        output = ""
    return output, media, list(dict.fromkeys(missing))


def _answered_pictures(output: Any) -> list[dict[str, Any]]:
    """The pictures of an answer in the form of OpenAI's image models, as an object or as its JSON; else none."""
    if isinstance(output, str) and output.lstrip().startswith("{") and '"data"' in output:
        with suppress(ValueError, RecursionError):
            output = json.loads(output)
    pictures = part(output, "data", list)
    if not all(isinstance(each, dict) for each in pictures):
        return []
    known = {"b64_json", "url", "revised_prompt"}
    drawn = any(each.get("b64_json") for each in pictures) or (pictures and "created" in output)
    of_pictures = all(set(each) <= known and (each.get("b64_json") or each.get("url")) for each in pictures)
    return pictures if drawn and of_pictures else []


def _medium(value: Any, kind: str) -> tuple[str, str]:
    """What is told of a medium: its letters or its address, and its type."""
    if not isinstance(value, dict):
        return (value if isinstance(value, str) else ""), kind
    places = ("data", "url", "uri", "blobRef.uri", "blobRef", "storageRef.key", "storageRef")
    texts = (part(value, place, str) for place in places)
    letters = next((text for text in texts if text.strip()), "")
    stated = value.get("format")
    media_type = value.get("mimeType") or value.get("media_type")
    return letters, str(media_type or (f"{kind.partition('/')[0]}/{stated}" if stated else kind))
