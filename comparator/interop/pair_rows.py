"""Rows that each hold a prompt and two outputs become runs, stated pairs and labels; what is said twice is one run."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from comparator.domain.labels import LabelKind, Winner
from comparator.domain.pair import chat
from comparator.interop.gradings import texts_of, unread
from comparator.interop.imported import (
    Findings,
    Format,
    FoundLabel,
    FoundPair,
    FoundRun,
    Notes,
    key_of_prompt,
)
from comparator.interop.own_lines import files_in, history_in, is_ours, require_room, run_details
from comparator.interop.text import (
    ReadRow,
    UnreadableImport,
    count_in,
    kind_of,
    number_in,
    parse_json,
    part,
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


class PairsOfRows:
    """Collects the rows of one file; a row that raises UnreadableImport is left out and the next one read."""

    def __init__(self, path: Path, *, format: Format) -> None:  # noqa: A002  # what it is
        self._path, self._format = path, format
        self._runs: dict[str, FoundRun] = {}
        self._address: dict[tuple[object, ...], str] = {}
        self._count: Counter[tuple[object, ...]] = Counter()
        self._pairs: dict[tuple[frozenset[str], str], FoundPair] = {}
        self._labels: list[FoundLabel] = []
        self.notes = Notes(path)
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
            try:
                take(row.value)
            except UnreadableImport as error:
                self.note(error)

    def note(self, reason: object) -> None:
        """Note the row at hand, or a part of it, that cannot be used; rows are counted from 1."""
        self.notes.add(reason, row=self._row)

    def findings(self) -> Findings:
        """Everything that was collected."""
        return Findings(
            format=self._format,
            runs=tuple(self._runs.values()),
            stated=tuple(self._pairs.values()),
            labels=tuple(self._labels),
            left_out=tuple(self.notes),
            skill_names=tuple(sorted(self._skills)),
            duplicates=self._again,
        )

    def take(self, fields: dict[str, Any], line: dict[str, Any]) -> None:
        """Add a row in our own columns; `line` is the row as it stands, of which our own lines say more."""
        prompt, outputs, chats = _prompt_and_outputs(fields)
        ours, comparison = is_ours(line), part(line, "comparison", str)
        shared = {
            "title": _plain(fields, "title"),
            "expectations": _list(fields, "expectations"),
            "tags": _list(fields, "tags"),
            "reference": text_in(fields, "reference", required=False),
            "input_files": files_in(line, "input_files"),
            "reference_files": files_in(line, "reference_files"),
        }
        key, version = _plain(fields, "task_id") or key_of_prompt(prompt), _plain(fields, "task_version")
        if self._prompts.setdefault((key, version), prompt) != prompt:
            # One id for two tasks: they keep apart.
            key = f"{key}-{key_of_prompt(prompt)[-8:]}"
        blinded = not (fields.get("candidate_a") or fields.get("candidate_b"))
        history = None
        if ours and not blinded:
            try:
                history = history_in(line)
            except UnreadableImport as error:
                self.note(f"{error}; the pair is imported without it")
        skills = set(self._skills)
        of_runs: list[dict[str, Any]] = []
        for number, side in enumerate("ab"):
            own, names = run_details(line, side) if ours else ({}, [])
            skills.update(names)
            if chats[number]:
                own["text_name"] = chat.NAME
            own["configuration"] = _plain(fields, f"candidate_{side}") or UNNAMED[number]
            of_runs.append(own | _of_run(fields, line, side) | shared)
        # Nothing of a row is taken in before all of it is read.
        runs = [
            self._run(key, version, prompt, output, facts)
            for output, facts in zip(outputs, of_runs, strict=True)
        ]
        if sum(map(len, skills)) > MOST_OF_SKILLS:
            self.note(
                f"its skill_names would bring those of the file to more than {MOST_OF_SKILLS:,} characters; the pair "
                "is imported without them"
            )
        else:
            self._skills = skills
        stated = comparison if blinded else ""
        pair = FoundPair(first=runs[0], second=runs[1], comparison=stated, history=history)
        self._again += self._pairs.setdefault((frozenset(runs), stated), pair) is not pair
        graded = bool(line.get("grading_a") or line.get("grading_b"))
        for other_label in part(line, "other_labels", list):
            try:
                if not isinstance(other_label, dict):
                    raise UnreadableImport(f"it is {kind_of(other_label)}, not an object")
                about = {f"label_{name}": value for name, value in other_label.items()} | {
                    "label": other_label.get("winner")
                }
                label = _label(about, runs)
                # A grader's is derived from what was graded, which the line may hold itself.
                if not (graded and label.kind is LabelKind.GRADER):
                    self._labels.append(label)
            except UnreadableImport as error:
                self.note(f"one of its other_labels: {error}")
        try:
            if _plain(fields, "label").lower() not in NONE:
                self._labels.append(_label(fields, runs, comparison))
        except UnreadableImport as error:
            self.note(f"{error}; {WITHOUT_LABEL}")

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
        filled = output.strip() if files is None else any(file.data for file in files.files)
        self._address[same] = address
        self._runs[address] = FoundRun(
            address=address,
            task_key=key,
            prompt=prompt,
            factors=(candidate,),
            text=output,
            repetition=repetition or self._count[key, *maker],
            **({} if filled else {"void": "the output is empty"}) | facts,
        )
        return address


def _of_run(fields: dict[str, Any], line: dict[str, Any], side: str) -> dict[str, Any]:
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


def _label(fields: dict[str, Any], runs: list[str], comparison: str = "") -> FoundLabel:
    """The label of a row, or one that came with it from elsewhere. Raises UnreadableImport."""
    author, word, kind, blind = (
        _plain(fields, name) for name in ("label_author", "label", "label_kind", "label_blind")
    )
    side, (first, second), value = side_of(word), runs, fields.get("label_value")
    if side is None and word.lower() not in NONE:
        raise UnreadableImport(
            f"its label {word.lower()[:40]!r} is not a word such as A, B, tie, left, right, model_a, both_bad; "
            f'say what it means: --label-values "{word.lower()[:40]}=A", or =B, or =tie'
        )
    # It names a kind, else it is a person's where it names an author.
    kind = kind.lower() or (LabelKind.HUMAN if author else LabelKind.GOLD)
    if kind not in tuple(LabelKind):
        raise UnreadableImport(f"its label_kind {kind[:40]!r} is not one of {', '.join(LabelKind)}")
    require_room(value, "value")
    if isinstance(value, dict) and value.get("first") == "B":
        # What the label came from had the other output first.
        first, second = second, first
        side = {A: B, B: A}.get(side or "", side)
    return FoundLabel(
        first=first,
        second=second,
        winner=Winner(side.upper()) if side else None,
        kind=LabelKind(kind),
        author=author or "label of the table",
        value=value,
        blind=blind.lower() in ("true", "1", "yes") if blind else None,
        comparison=comparison,
    )


def _prompt_and_outputs(row: dict[str, Any]) -> tuple[str, list[str], list[bool]]:
    """Prompt and outputs as texts, and which output is one of several messages; what both chats begin with was asked.

    Raises UnreadableImport.
    """
    prompt_messages = _messages(row.get("prompt"), role="user") or ()
    first, second = (_messages(row.get(name), role="assistant") for name in ("output_a", "output_b"))
    if not (first and second):
        prompt = chat.render(prompt_messages, alone="user") if prompt_messages else text_in(row, "prompt")
        outputs = [
            chat.render(messages, alone="assistant") if messages else _output(row, name)
            for name, messages in (("output_a", first), ("output_b", second))
        ]
        return prompt, outputs, [len(messages or ()) > 1 for messages in (first, second)]
    # What both begin with, up to the last turn that is no answer, was asked.
    same = 0
    while same < min(len(first), len(second)) - 1 and first[same] == second[same]:
        same += 1
    while same and first[same - 1].role == "assistant":
        same -= 1
    before = first[:same]
    if prompt_messages and before[: len(prompt_messages)] != prompt_messages:
        before = (*prompt_messages, *before)
    prompt, prompt_text = chat.render(before, alone="user"), row.get("prompt")
    if (
        not prompt_messages
        and isinstance(prompt_text, str)
        and prompt_text.strip()
        and prompt_text.strip() not in prompt
    ):
        prompt = f"{prompt_text}\n\n{prompt}".strip()
    if not prompt:
        raise UnreadableImport("it has no prompt, and its two chats do not begin alike")
    ends = (first[same:], second[same:])
    return (prompt, [chat.render(end, alone="assistant") for end in ends], [len(end) > 1 for end in ends])


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


# ---- the words of labels


A, B, TIE = "A", "B", "tie"

_TIES = (
    "= tie ties equal both same draw neither both_good bothgood both_bad bothbad tie(bothbad) tie_(bothbad) "
    "tie_(both_bad) tie_(inconsistent)"
)
_ONE = re.compile(
    r"(?:the )?(?:(?:model|output|response|answer|option|assistant|completion|candidate|system|side)[ _-]?)?"
    r"(?:(a|left|first|chosen|(?<=[a-z _-])1)|b|right|second|rejected|(?<=[a-z _-])2)"
    r"(?: (?:wins|won|is (?:much |slightly |significantly )?better|is preferred))?"
)
_ARENA = re.compile(r"([ab]) *(<+|>+|=+) *([ab])")
NONE = frozenset({"", "none", "null", "nan", "error", "?", "skip"})
"""Labels that say that there is none."""
Meaning = Mapping[str, str] | Callable[[str], str | None]
"""What the word of a label says: A, B or tie; None where it is not understood."""


def side_of(word: str) -> str | None:
    """What a label in words says: A, B or tie; None where that is not plain.

    >>> side_of("model b"), side_of("[[A>>B]]"), side_of("both good"), side_of("response 3")
    ('B', 'A', 'tie', None)
    """
    word = word.strip().strip("[]").lower()
    if re.sub(r"[ -]+", "_", word) in _TIES.split():
        return TIE
    if (arena := _ARENA.fullmatch(word)) and arena[1] != arena[3]:
        return TIE if arena[2][0] == "=" else arena[1 if arena[2][0] == ">" else 3].upper()
    side = _ONE.fullmatch(word)
    return None if side is None else A if side[1] else B


def sign_of_second(word: str) -> str | None:
    """A number above zero prefers the second output, one below the first."""
    number = _number(word)
    return None if number is None else TIE if number == 0 else B if number > 0 else A


def leaning(word: str) -> str | None:
    """AlpacaEval: 1 is the first, 2 the second, 0 and 1.5 a tie; a number between leans to the nearer one."""
    number = _number(word)
    if number is None or not (number == 0 or 1 <= number <= 2):
        return None
    return TIE if number in (0, 1.5) else A if number < 1.5 else B


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def word_of(value: Any) -> str:
    """A label in small letters; a whole number without its point."""
    text = str(value).strip().lower()
    return text.removesuffix(".0") if text[:1].isdigit() or text[:1] in ("+", "-") else text
