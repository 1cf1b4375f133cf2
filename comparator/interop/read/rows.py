"""Rows that each hold a prompt and two outputs become runs, stated pairs and labels; what is said twice is one run."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from comparator.domain.pair import chat
from comparator.interop.imported import (
    Findings,
    Format,
    FoundLabel,
    FoundPair,
    FoundRun,
    LabelSource,
    LeftOut,
    PairHistory,
    Side,
    key_of_prompt,
)
from comparator.interop.read.gradings import texts_of, unread
from comparator.interop.read.own_lines import files_in, history_in, is_ours, require_room, run_details
from comparator.interop.read.set_labels import NONE, side_of
from comparator.interop.read.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    kind_of,
    number_in,
    parse_json,
    text_in,
)

UNNAMED = ("first", "second")
"""Candidates of sets that do not say who made the outputs."""
RUN_COLUMNS = ("workspace", "iteration", "model", "skill_hash", "repetition", "file", "void")
"""What may be told of each run beside its candidate's name, in columns that end in _a and _b, as our export does."""
RUN_NUMBERS = ("input_tokens", "output_tokens", "total_tokens", "seconds")
MOST_OF_SKILLS = 10_000
"""Characters of all names of skills in one file: each of its runs keeps them all, each output is searched for each."""
WITHOUT_LABEL = "the pair is imported without this label"
_REPETITION = re.compile(r"[1-9]\d{0,14}(?:\.0)?", re.ASCII)
"""Some count by the time of day; a Parquet file may hold it as a number with a point, which is exact up to here."""
_SIDES = {"a": Side.FIRST, "b": Side.SECOND, "tie": Side.TIE}
_TURNED = {Side.FIRST: Side.SECOND, Side.SECOND: Side.FIRST, Side.TIE: Side.TIE}


class PairsOfRows:
    """Collects the rows of one file; a row that raises UnreadableImport is left out and the next one read."""

    def __init__(self, path: Path, *, format: Format) -> None:  # noqa: A002  # what it is
        self._path, self._format = path, format
        self._runs: dict[str, FoundRun] = {}
        self._address: dict[tuple[object, ...], str] = {}
        self._count: Counter[tuple[object, ...]] = Counter()
        self._pairs: dict[tuple[frozenset[str], str], FoundPair] = {}
        self._labels: list[FoundLabel] = []
        self._left_out: list[LeftOut] = []
        self._prompts: dict[tuple[str, str], str] = {}
        self._skills: set[str] = set()
        self._again = 0
        self._row = 0

    def read(self, rows: Iterable[ReadRow], take: Callable[[dict[str, Any]], None]) -> None:
        """Hand each row that is an object to `take`, which adds what it holds."""
        for row in rows:
            self._row = row.number
            if row.value is None:
                self.note(row.problem)
                continue
            for text in row.notes:
                self.note(text)
            try:
                take(row.value)
            except UnreadableImport as error:
                self.note(str(error))

    def note(self, reason: str) -> None:
        """Note the row at hand, or a part of it, that cannot be used; rows are counted from 1."""
        self._left_out.append(LeftOut(file=f"{self._path}, row {self._row}", reason=reason))

    def note_of_file(self, reason: str) -> None:
        """Note what holds for the file, not for one row of it."""
        self._left_out.append(LeftOut(file=str(self._path), reason=reason))

    def findings(self) -> Findings:
        """Everything that was collected."""
        return Findings(
            format=self._format,
            runs=tuple(self._runs.values()),
            stated=tuple(self._pairs.values()),
            labels=tuple(self._labels),
            left_out=tuple(self._left_out),
            skill_names=tuple(sorted(self._skills)),
            duplicates=self._again,
        )

    def take(self, fields: dict[str, Any], line: dict[str, Any]) -> None:
        """Add a row in our own columns; `line` is the row as it stands, of which our own lines say more."""
        content = _prompt_and_outputs(fields)
        ours = is_ours(line)
        shared = {
            "title": _plain(fields, "title"),
            "expectations": _list(fields, "expectations"),
            "tags": _list(fields, "tags"),
            "reference": text_in(fields, "reference", required=False),
            "input_files": files_in(line, "input_files"),
            "reference_files": files_in(line, "reference_files"),
        }
        key, version = _plain(fields, "task_id"), _plain(fields, "task_version")
        key = key or key_of_prompt(content.prompt)
        if self._prompts.setdefault((key, version), content.prompt) != content.prompt:
            # One id for two tasks: they keep apart.
            key = f"{key}-{key_of_prompt(content.prompt)[-8:]}"
        blinded = not (fields.get("candidate_a") or fields.get("candidate_b"))
        history = None
        if ours and not blinded:
            try:
                history = history_in(line)
            except UnreadableImport as error:
                self.note(f"{error}; the pair is imported without it")
        skills: set[str] = set()
        of_runs: list[dict[str, Any]] = []
        for number, side in enumerate("ab"):
            own: dict[str, Any] = {}
            if ours:
                own, names = run_details(line, side)
                skills.update(names)
            if content.chats[number]:
                own["text_name"] = chat.NAME
            own["configuration"] = _plain(fields, f"candidate_{side}") or UNNAMED[number]
            of_runs.append(own | self._of_run(fields, line, side) | shared)
        # Nothing of a row is taken in before all of it is read.
        both = zip(content.outputs, of_runs, strict=True)
        runs = [self._run(key, version, content.prompt, output, of_run) for output, of_run in both]
        self._know(skills)
        self._pair(runs[0], runs[1], comparison=_comparison(line) if blinded else "", history=history)
        graded = bool(line.get("grading_a") or line.get("grading_b"))
        for each in others if isinstance(others := line.get("other_labels"), list) else ():
            self._label_beside(each, runs, graded=graded)
        try:
            self._label(fields, runs, comparison=_comparison(line))
        except UnreadableImport as error:
            self.note(f"{error}; {WITHOUT_LABEL}")

    def _of_run(self, fields: dict[str, Any], line: dict[str, Any], side: str) -> dict[str, Any]:
        """What a row tells of one run. Raises UnreadableImport."""
        words = {name: _plain(fields, f"{name}_{side}") or None for name in RUN_COLUMNS}
        times, seconds = words.pop("repetition"), number_in(fields, f"seconds_{side}")
        if times is not None and not _REPETITION.fullmatch(times):
            raise UnreadableImport(f"its repetition_{side} is {times[:40]}, not a number from 1")
        also = {
            "workspace": words.pop("workspace"),
            "text_name": words.pop("file"),
            "void": words.pop("void"),
            "repetition": int(float(times)) if times else None,
        }
        return {
            **words,
            **{name: count_in(fields, f"{name}_{side}") for name in RUN_NUMBERS[:3]},
            "seconds": seconds if seconds is not None and seconds >= 0 else None,
            **{name: value for name, value in also.items() if value},
            "files": files_in(line, f"files_{side}"),
        }

    def _run(self, key: str, version: str, prompt: str, output: str, facts: dict[str, Any]) -> str:
        """The address of the run with this output. The same text again is the same run."""
        candidate, files = facts["configuration"], facts["files"]
        repetition, place = facts.pop("repetition", None), facts.pop("place", "")
        maker = (candidate, *(facts.get(name) for name in ("workspace", "iteration", "model", "skill_hash")))
        same = (key, version, *maker, repetition, output, files, facts["expectations"])
        if same in self._address:
            return self._address[same]
        above = f"{self._path.absolute()}#{key}/{candidate}"
        self._count.update([(key, *maker), (above,)])
        address = f"{above}/{place or self._count[(above,)]}"
        if address in self._runs:
            address = f"{above}/{self._count[(above,)]}"
        empty = not output.strip()
        if files is not None:
            empty = not any(each.data for each in files.files)
        self._address[same] = address
        self._runs[address] = FoundRun(
            address=address,
            task_key=key,
            prompt=prompt,
            factors=(candidate,),
            text=output,
            repetition=repetition or self._count[key, *maker],
            **({"void": "the output is empty"} if empty else {}) | facts,
        )
        return address

    def _pair(self, first: str, second: str, *, comparison: str, history: PairHistory | None) -> None:
        both = frozenset((first, second)), comparison
        if both in self._pairs:
            self._again += 1
        pair = FoundPair(first=first, second=second, comparison=comparison, history=history)
        self._pairs.setdefault(both, pair)

    def _know(self, names: set[str]) -> None:
        """Names of skills that may tell who made an output."""
        every = self._skills | names
        if sum(map(len, every)) > MOST_OF_SKILLS:
            self.note(
                f"its skill_names would bring those of the file to more than {MOST_OF_SKILLS:,} characters; the pair "
                "is imported without them"
            )
        else:
            self._skills = every

    def _label(self, fields: dict[str, Any], runs: list[str], *, comparison: str) -> None:
        """The row's own label. Raises UnreadableImport."""
        if (winner := _winner(_plain(fields, "label"))) is None:
            return
        author, blind = _plain(fields, "label_author"), _plain(fields, "label_blind").lower()
        self._labels.append(
            FoundLabel(
                first=runs[0],
                second=runs[1],
                winner=winner,
                kind=_kind(_plain(fields, "label_kind"), author),
                author=author or "label of the table",
                value=fields.get("label_value"),
                blind=blind in ("true", "1", "yes") if blind else None,
                comparison=comparison,
            )
        )

    def _label_beside(self, given: Any, runs: list[str], *, graded: bool) -> None:
        """A label that came with the comparison when it was imported; one that cannot be used is told."""
        try:
            if not isinstance(given, dict):
                raise UnreadableImport(f"it is {kind_of(given)}, not an object")
            author, winner = _plain(given, "author"), _winner(_plain(given, "winner"))
            kind = _kind(_plain(given, "kind"), author)
            require_room(value := given.get("value"), "value")
        except UnreadableImport as error:
            self.note(f"one of its other_labels: {error}")
            return
        if kind is LabelSource.GRADER and graded:
            # It is derived from what was graded, which the line holds itself.
            return
        first, second = runs
        if isinstance(value, dict) and value.get("first") == "B":
            # What the label came from had the other output first.
            first, second, winner = second, first, winner and _TURNED[winner]
        blind = given.get("blind")
        self._labels.append(
            FoundLabel(
                first=first,
                second=second,
                winner=winner,
                kind=kind,
                author=author or "label of the table",
                value=value,
                blind=blind if isinstance(blind, bool) else None,
            )
        )


class _Content(NamedTuple):
    """A row's prompt and outputs; `chats` says which output is one of several messages."""

    prompt: str
    outputs: tuple[str, str]
    chats: tuple[bool, bool]


def _prompt_and_outputs(row: dict[str, Any]) -> _Content:
    """Prompt and outputs, chats as texts; what both chats begin with was asked. Raises UnreadableImport."""
    asked = _messages(row.get("prompt"), role="user") or ()
    first, second = (_messages(row.get(name), role="assistant") for name in ("output_a", "output_b"))
    if not (first and second):
        prompt = chat.rendered(asked, alone="user") if asked else text_in(row, "prompt")
        outputs = [
            chat.rendered(messages, alone="assistant") if messages else _output(row, name)
            for name, messages in (("output_a", first), ("output_b", second))
        ]
        return _Content(prompt, (outputs[0], outputs[1]), (len(first or ()) > 1, len(second or ()) > 1))
    # What both begin with, up to the last turn that is no answer, was asked.
    same = 0
    while same < min(len(first), len(second)) - 1 and first[same] == second[same]:
        same += 1
    while same and first[same - 1].role == "assistant":
        same -= 1
    before = first[:same]
    if asked and before[: len(asked)] != asked:
        before = (*asked, *before)
    prompt, given = chat.rendered(before, alone="user"), row.get("prompt")
    if not asked and isinstance(given, str) and given.strip() and given.strip() not in prompt:
        prompt = f"{given}\n\n{prompt}".strip()
    if not prompt:
        raise UnreadableImport("it has no prompt, and its two chats do not begin alike")
    ends = (first[same:], second[same:])
    rendered = tuple(chat.rendered(end, alone="assistant") for end in ends)
    return _Content(prompt, (rendered[0], rendered[1]), (len(ends[0]) > 1, len(ends[1]) > 1))


def _messages(value: Any, *, role: str) -> tuple[chat.Message, ...] | None:
    messages = chat.as_chat(value, role=role)
    try:
        return chat.messages_in(messages) if messages is not None else None
    except chat.NotUnderstood as error:
        raise UnreadableImport(f"a message in it {error}") from error


def _output(row: dict[str, Any], name: str) -> str:
    """An output: a text, which may be empty, or a number or truth value as JSON writes it. Raises UnreadableImport."""
    value = row.get(name)
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)) and value == value:
        return json.dumps(value)
    raise UnreadableImport(
        f"it has no {name}" if value is None else f"its {name} is {kind_of(value)}, not text"
    )


def _plain(row: dict[str, Any], name: str) -> str:
    """A word or number as text; empty where there is none. Raises UnreadableImport for anything else."""
    value = row.get(name)
    if value is None or value != value:
        return ""
    if not isinstance(value, (str, int, float)):
        raise UnreadableImport(f"its {name} is {kind_of(value)}, not text")
    return str(value).strip()


def _list(row: dict[str, Any], name: str) -> tuple[str, ...]:
    """A list, a JSON list, or one entry a line; an entry may be an object with its wording, as `{"text": …}`."""
    value = row.get(name)
    if isinstance(value, str):
        lines = value.splitlines()
        try:
            value = parse_json(value) if value.lstrip().startswith("[") else lines
        except UnreadableImport:
            value = lines
    if value is None:
        return ()
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        if any(unread({"expectations": value})):
            raise UnreadableImport(f"its {name} have an entry without a text")
        return texts_of({"expectations": value})
    if not isinstance(value, list) or not all(isinstance(entry, (str, int, float)) for entry in value):
        raise UnreadableImport(
            f"its {name} are neither a list nor lines of text: {json.dumps(value, default=str)[:80]}"
        )
    return tuple(text for entry in value if (text := str(entry).strip()))


def _comparison(line: dict[str, Any]) -> str:
    """The id of the comparison of ours that a line tells of; empty for anybody else's."""
    return line["comparison"] if isinstance(line.get("comparison"), str) else ""


def _kind(text: str, author: str) -> LabelSource:
    """Whose label it is: as it says, else a person's where it names an author. Raises UnreadableImport."""
    try:
        return LabelSource(text.lower()) if text else LabelSource.HUMAN if author else LabelSource.GOLD
    except ValueError as error:
        raise UnreadableImport(
            f"its label_kind {text[:40]!r} is not one of {', '.join(LabelSource)}"
        ) from error


def _winner(text: str) -> Side | None:
    label = text.lower()
    if label in NONE:
        return None
    if side := side_of(label):
        return _SIDES[side.lower()]
    raise UnreadableImport(
        f"its label {label[:40]!r} is not a word such as A, B, tie, left, right, model_a, both_bad; "
        f'say what it means: --label-values "{label[:40]}=A", or =B, or =tie'
    )
