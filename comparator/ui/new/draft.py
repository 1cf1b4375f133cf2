"""What is being entered on the page New. It lasts as long as the session: fields keep their values, this the rest."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import uuid4

import streamlit as st

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.blinding.scan import PatternFinding
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.view import Family
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import QuestionResult
from comparator.outputs.snapshot import Snapshot
from comparator.settings import JudgeKind
from comparator.ui.frame.state import SessionKey


class Slot(StrEnum):
    """What is handed in as files."""

    FIRST = "first"
    SECOND = "second"
    INPUTS = "inputs"
    REFERENCE = "reference"


OUTPUTS = (Slot.FIRST, Slot.SECOND)


class Way(StrEnum):
    """How it is handed in."""

    PASTE = "paste"
    FILES = "files"
    FOLDER = "folder"
    PATH = "path"


class SlotReading(Frozen):
    """What was read of one slot; `source` is the path or the identity of the upload, `problem` why it was not read."""

    source: str
    path: str | None = None
    snapshot: Snapshot | None = None
    families: tuple[Family, ...] = ()
    """One for each file of the snapshot, in its order."""
    problem: str = ""


class RubricDraft(Frozen):
    """A rubric before the judge reads by it. With a `reply` the judge has just written it; else it is the one in force
    for the task, and `in_force` says which."""

    original: Rubric
    """As it was before any edit."""
    reply: QuestionResult[Rubric] | None = None
    in_force: str = ""
    edited: Rubric
    """As it stands in the table, where that makes a rubric."""
    lock: bool = False
    share: bool = False


class Scan(Frozen):
    """What looking for tell-tale words found, and how much text a judge would read of each output."""

    of: str
    """Identity of what was looked through."""
    findings: tuple[PatternFinding, ...]
    characters: PerOutput[int]
    nouns: dict[str, str]
    """What stands for each pattern where it is neutralised."""


@dataclass
class Draft:
    """Everything on the page, as the fields stand now."""

    id: str = field(default_factory=lambda: uuid4().hex)
    prompt: str = ""
    expectations: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    project: str = ""
    blind: bool = False
    """Whether a project that this comparison begins is reviewed blind first."""
    way: dict[Slot, Way] = field(default_factory=dict)
    readings: dict[tuple[Slot, Way], SlotReading] = field(default_factory=dict)
    first_name: str = ""
    second_name: str = ""
    decisions: dict[str, PatternDecision] = field(default_factory=dict)
    redact_also: tuple[str, ...] = ()
    """Words that a person wants neutralised beside those that were found."""
    taken_back: tuple[str, ...] = ()
    scan: Scan | None = None
    judge: JudgeKind | None = None
    """None: as the project and the settings say."""
    model: str | None = None
    rubric: RubricDraft | None = None

    def reading(self, slot: Slot) -> SlotReading | None:
        """What was read of the slot, in the way that is chosen now."""
        return self.readings.get((slot, self.way[slot])) if slot in self.way else None

    def keep_reading(self, slot: Slot, reading: SlotReading | None) -> None:
        """Keep what was read of a slot in the way chosen now; None forgets it."""
        if reading is None:
            self.readings.pop((slot, self.way[slot]), None)
        else:
            self.readings[slot, self.way[slot]] = reading

    def snapshot(self, slot: Slot) -> Snapshot | None:
        """The slot's snapshot, if it could be read."""
        reading = self.reading(slot)
        return reading.snapshot if reading else None

    @property
    def outputs(self) -> PerOutput[Snapshot] | None:
        """Both outputs in the order given, before the draw; None while one is missing."""
        first, second = map(self.snapshot, OUTPUTS)
        return PerOutput[Snapshot](A=first, B=second) if first and second else None


def widget(name: str) -> str:
    """The key of a widget of the page New."""
    return f"new_{name}"


def open_draft() -> Draft:
    """The draft of this session."""
    draft: Draft = st.session_state.setdefault(SessionKey.DRAFT, Draft())
    return draft


def discard() -> None:
    """Forget the draft and everything in its widgets."""
    for key in [str(key) for key in st.session_state if str(key).startswith(widget(""))]:
        del st.session_state[key]
