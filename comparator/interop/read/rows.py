"""Rows that each hold a prompt and two outputs become runs and stated pairs; what says the same twice is one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from comparator.interop.history import PairHistory
from comparator.interop.imported import (
    Files,
    Findings,
    Format,
    FoundLabel,
    FoundPair,
    FoundRun,
    LeftOut,
    StoredFile,
    key_of_prompt,
)
from comparator.interop.read.text import ReadRow, UnreadableImport

UNNAMED = ("first", "second")
"""Candidates of sets that do not say who made the outputs."""
MOST_OF_SKILLS = 10_000
"""Characters of all names of skills in one file: each of its runs keeps them all, each output is searched for each."""


class RowTask(NamedTuple):
    """The task of a row: `key` is its id in the file; `version` says which wording, where the file counts them."""

    prompt: str
    key: str = ""
    version: str = ""


class PairsOfRows:
    """Collects the rows of one file; a row that raises Unreadable is left out and the next one read."""

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
            if row.value is None:
                self.leave_out(row.number, row.problem)
                continue
            self._row = row.number
            for text in row.notes:
                self.note(text)
            try:
                take(row.value)
            except UnreadableImport as error:
                self.leave_out(row.number, str(error))

    def leave_out(self, number: int, reason: str) -> None:
        """Note a row that cannot be used; rows are counted from 1."""
        self._left_out.append(LeftOut(file=f"{self._path}, row {number}", reason=reason))

    def note_of_file(self, reason: str) -> None:
        """Note what holds for the file, not for one row of it."""
        self._left_out.append(LeftOut(file=str(self._path), reason=reason))

    def note(self, reason: str) -> None:
        """Note a part of the row at hand that cannot be used; the rest of it is kept."""
        self.leave_out(self._row, reason)

    def run(
        self,
        task: RowTask,
        *,
        candidate: str,
        output: str,
        files: Files | None = None,
        repetition: int | None = None,
        place: str = "",
        **more: Any,
    ) -> str:
        """A run with this text as its output; its address. The same text again is the same run.

        `files` are what the output really consists of, where it is no text; `place` names the run wherever in the file
        it stands.
        """
        prompt, key, version = task
        key = key.strip() or key_of_prompt(prompt)
        if self._prompts.setdefault((key, version), prompt) != prompt:
            # One id for two tasks: they keep apart.
            key = f"{key}-{key_of_prompt(prompt)[-8:]}"
        maker = (candidate, *(more.get(name) for name in ("workspace", "iteration", "model", "skill_hash")))
        same = (key, version, *maker, repetition, output, files, more.get("expectations"))
        if same in self._address:
            return self._address[same]
        above = f"{self._path.absolute()}#{key}/{candidate}"
        self._count.update([(key, *maker), (above,)])
        address = f"{above}/{place or self._count[(above,)]}"
        if address in self._runs:
            address = f"{above}/{self._count[(above,)]}"
        self._address[same] = address
        self._runs[address] = FoundRun(
            address=address,
            task_key=key,
            prompt=prompt,
            configuration=candidate,
            factors=(candidate,),
            text=output,
            files=files,
            repetition=repetition or self._count[key, *maker],
            **({"void": "the output is empty"} if _is_empty(output, files) else {}) | more,
        )
        return address

    def pair(
        self, first: str, second: str, *, comparison: str = "", history: PairHistory | None = None
    ) -> None:
        """Two runs that stand side by side; `comparison` and `history` as for FoundPair."""
        both = frozenset((first, second)), comparison
        if both in self._pairs:
            self._again += 1
        pair = FoundPair(first=first, second=second, comparison=comparison, history=history)
        self._pairs.setdefault(both, pair)

    def label(self, label: FoundLabel) -> None:
        """Somebody's verdict on two of the runs."""
        self._labels.append(label)

    def skills(self, names: Iterable[str]) -> None:
        """Names of skills that may tell who made an output; those beyond what one file may name are told."""
        new = sorted(set(names) - self._skills)
        if not new:
            return
        room = MOST_OF_SKILLS - sum(map(len, self._skills))
        kept = [name for name, end in zip(new, accumulate(map(len, new)), strict=True) if end <= room]
        self._skills.update(kept)
        if len(kept) < len(new):
            self.note(
                f"with its skill_names the file would name skills in more than {MOST_OF_SKILLS:,} characters; the pair "
                f"comes in without {len(new) - len(kept):,} of them"
            )

    def found(self) -> Findings:
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


def _is_empty(output: str, files: Files | None) -> bool:
    if files is not None:
        return not any(each.size if isinstance(each, StoredFile) else each.data for each in files.files)
    return not output.strip()
