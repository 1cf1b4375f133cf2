"""What an import found, whatever the format: runs with their outputs, stated pairs, labels, and what was left out."""

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from comparator.domain.labels import Frozen, LabelKind, Winner
from comparator.domain.pair.task import key_from
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Change
from comparator.domain.scoring.rubric import Rubric


class Format(StrEnum):
    """The formats that can be read."""

    SKILL_CREATOR = "skill-creator"
    PROMPTFOO = "promptfoo"
    LLM_COMPARATOR = "llm-comparator"
    ALPACA_EVAL = "alpaca-eval"
    MT_BENCH = "mt-bench"
    LLMBAR = "llmbar"
    JUDGEBENCH = "judgebench"
    REWARDBENCH = "rewardbench-2"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class LeftOut(Frozen):
    """Something that could not be read, and why, in plain words; `file` may name a row."""

    file: str
    reason: str


class Notes(list[LeftOut]):
    """What could not be read of one file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, reason: object, *, row: int | None = None, part: str = "") -> None:
        """Note why the file, a row of it (counted from 1) or a part of the row is left out."""
        place = self.path if row is None else f"{self.path}, row {row}{part}"
        self.append(LeftOut(file=str(place), reason=str(reason)))


class GraderClaim(Frozen):
    """What a foreign grader said of one expectation."""

    text: str
    passed: bool | None = None
    evidence: str = ""


class Attachment(Frozen):
    """A file that belongs to an output which is a text."""

    name: str
    data: bytes


class Files(Frozen):
    """Files with their bytes: a folder's, or a single one. `left_out` are members that could not be read.

    `name` is what the whole was called where it comes from.
    """

    folder: bool
    name: str = ""
    files: tuple[Attachment, ...]
    left_out: tuple[LeftOut, ...] = ()


class RunRecord(Frozen):
    """What else is kept of a run that an import found."""

    cut_off: str | None = Field(default=None, max_length=1_000)
    """Why it does not count."""
    superseded: bool = False
    """Whether a later one took its place."""
    grading: Any = None
    """What others graded."""
    details: dict[str, Any] = Field(default_factory=dict)


class FoundRun(Frozen):
    """One execution of a task by a configuration. `address` is where it came from and unique within an import.

    The output is a file or folder (`path` or `files`), or a text. `factors` are the configuration's parts, the one of
    most interest first. `void` and `cut_off` say why the run may not count; `cut_off` is None where the source cannot
    know, and empty where it knows that the run was not cut off.
    """

    address: str
    task_key: str
    title: str = ""
    tags: tuple[str, ...] = ()
    prompt: str
    expectations: tuple[str, ...] = ()
    inputs: tuple[Path, ...] = ()
    input_files: Files | None = None
    reference: str = ""
    reference_files: Files | None = None
    configuration: str
    workspace: str = ""
    """The path of its workspace within the import, where there are several; `task_key` begins with it."""
    iteration: str | None = None
    model: str | None = None
    skill_hash: str | None = None
    repetition: int = Field(default=1, ge=1)
    factors: tuple[str, ...] = ()
    path: Path | None = None
    text: str | None = None
    text_name: str = "answer.md"
    files: Files | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    seconds: float | None = None
    claims: tuple[GraderClaim, ...] = ()
    grading: Any = None
    details: dict[str, Any] = Field(default_factory=dict)
    own_prompt: str = ""
    """What this side was really asked, where the sides of a task got different prompts."""
    void: str = ""
    cut_off: str | None = None
    contaminated: str = ""
    superseded: bool = False
    """Whether a later run had taken its place where it comes from."""


class FoundLabel(Frozen):
    """Somebody's verdict on two runs, A for the first; `blind` is None where the format does not say.

    `comparison` is the one of ours that it is the verdict of, in our own format.
    """

    first: str
    second: str
    kind: LabelKind
    author: str
    winner: Winner | None
    value: Any = None
    blind: bool | None = None
    comparison: str = ""


class RecordedJudgment(Frozen):
    """All readings of one judge, with the rubric that it went by. Times are UTC."""

    at: AwareDatetime
    kind: Literal["anthropic", "offline"]
    model: str
    digest: str
    rubric: Rubric
    passes: tuple[Pass, ...] = Field(min_length=2)


class RecordedReview(Frozen):
    """One person's review: the changes in their order, and when it was final; the author of each is the reviewer."""

    reviewer: str = Field(min_length=1, max_length=200)
    began: AwareDatetime
    finalised: AwareDatetime | None
    knew: bool = False
    """Whether the reviewer knew the candidates."""
    changes: tuple[Change, ...] = ()


class PairHistory(Frozen):
    """Judgment, reviews and reveal of one pair, whose A and B are those of its line."""

    judgment: RecordedJudgment | None = None
    reviews: tuple[RecordedReview, ...] = ()
    revealed: AwareDatetime | None = None
    whole: bool = True
    """Whether the pair's verdict follows from it: something was said, and no ruling, which is not exported, decided."""


class FoundPair(Frozen):
    """Two runs, by their addresses, that the format itself puts side by side.

    `comparison` is the one of ours that they are, told without who made them; `history` is what was said of them.
    """

    first: str
    second: str
    comparison: str = ""
    history: PairHistory | None = None


class Findings(Frozen):
    """Everything that was found at one place; `stated` is empty where pairs are built from runs."""

    format: Format
    runs: tuple[FoundRun, ...]
    stated: tuple[FoundPair, ...] = ()
    labels: tuple[FoundLabel, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    skill_names: tuple[str, ...] = ()
    duplicates: int = 0
    """Rows or folders that say again what another one said."""


def key_of_prompt(prompt: str) -> str:
    """A stable, readable key for a task that has none; prompts that begin alike keep apart."""
    return f"{key_from(prompt)[:48].strip('-')}-{hashlib.sha256(prompt.encode()).hexdigest()[:8]}"
