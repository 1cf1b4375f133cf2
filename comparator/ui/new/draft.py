"""What a person is entering on the page New, kept so that neither a reload nor a restart loses it."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import streamlit as st
from pydantic import ConfigDict, Field, ValidationError

from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.blinding.scan import PatternFinding
from comparator.domain.labels import Frozen, PerOutput
from comparator.domain.pair.view import Family
from comparator.outputs.snapshot.take import Snapshot
from comparator.settings import JudgeKind
from comparator.ui.frame import session
from comparator.ui.frame.state import Param, SessionKey
from comparator.workflow.people.own_files import drafts_folder
from comparator.workflow.services import Services

_ID = re.compile(r"^[A-Za-z0-9_-]{8,64}$")
_KEPT_SECONDS = 30 * 24 * 3600


class Slot(StrEnum):
    """What is handed in as files."""

    FIRST = "first"
    SECOND = "second"
    INPUTS = "inputs"
    REFERENCE = "reference"


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


class RubricRow(Frozen):
    """One line of the rubric while it is being edited: any text, and no rules yet."""

    key: str = ""
    name: str = ""
    description: str = ""
    poor: str = ""
    acceptable: str = ""
    excellent: str = ""


class RubricDraft(Frozen):
    """A rubric before the judge reads by it. `reply` is the judge's own, as JSON, with what it cost.

    Without a reply it is the one in force for the task: `in_force` says which, in a sentence, and `shown` is it
    as JSON, before any edit.
    """

    # Drafts that are kept already have the shorter name.
    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    reply: str = ""
    in_force: str = Field(default="", alias="held")
    shown: str = ""
    content: tuple[RubricRow, ...]
    structure: tuple[RubricRow, ...]
    lock: bool = False
    share: bool = False


class Scan(Frozen):
    """What looking for tell-tale words found, and how much text a judge would read of each output."""

    of: str
    """Identity of what was looked through."""
    findings: tuple[PatternFinding, ...]
    characters: PerOutput[int]
    nouns: dict[str, str] = Field(default_factory=dict)
    """What stands for each pattern where it is neutralised."""


class Draft(Frozen):
    """Everything on the page. The names of the fields are also those of their widgets' keys."""

    id: str
    prompt: str = ""
    expectations: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    project: str = ""
    blind: bool = False
    """Whether a project that this comparison begins is reviewed blind first."""
    ways: dict[Slot, Way] = Field(default_factory=dict)
    paths: dict[Slot, str] = Field(default_factory=dict)
    pasted: dict[Slot, str] = Field(default_factory=dict)
    readings: dict[str, SlotReading] = Field(default_factory=dict)
    first_name: str = ""
    second_name: str = ""
    decisions: dict[str, PatternDecision] = Field(default_factory=dict)
    redact_also: tuple[str, ...] = ()
    """Words that a person wants neutralised beside those that were found."""
    taken_back: tuple[str, ...] = ()
    scan: Scan | None = None
    judge: JudgeKind = "auto"
    model: str = ""
    rubric: RubricDraft | None = None

    @property
    def begun(self) -> bool:
        """Whether anything was entered that would be missed."""
        typed = (self.prompt, self.expectations, self.title, self.tags, self.first_name, self.second_name)
        given = (*self.paths.values(), *self.pasted.values())
        return any(typed) or any(given) or bool(self.readings)

    def way(self, slot: Slot) -> Way:
        """How this slot is handed in."""
        return self.ways.get(slot, Way.PASTE if slot in (Slot.FIRST, Slot.SECOND) else Way.FILES)

    def reading(self, slot: Slot) -> SlotReading | None:
        """What was read of the slot, in the way that is chosen now."""
        return self.readings.get(f"{slot}.{self.way(slot)}")

    def snapshot(self, slot: Slot) -> Snapshot | None:
        """The slot's snapshot, if it could be read."""
        reading = self.reading(slot)
        return reading.snapshot if reading else None


class DraftFolder:
    """One person's drafts as small files in the home folder, each under a random id that is in the page's address."""

    def __init__(self, home: Path, *, person_id: str, now: Callable[[], float] = time.time) -> None:
        self._folder = drafts_folder(home, person_id)
        self._now = now

    def load(self, draft_id: str) -> Draft | None:
        """The draft, or None where there is none (any more)."""
        if not _ID.match(draft_id):
            return None
        try:
            return Draft.model_validate_json(self._path(draft_id).read_bytes())
        except (OSError, ValidationError):
            # Gone, or written by another version: the page starts empty.
            return None

    def save(self, draft: Draft) -> None:
        """Keep the draft. A full disk costs what is typed on a reload, never the page."""
        path = self._path(draft.id)
        partial = path.with_suffix(f".{secrets.token_hex(4)}")
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial.touch(mode=0o600)
            partial.write_text(draft.model_dump_json(), encoding="utf-8")
            partial.replace(path)

    def remove(self, draft_id: str) -> None:
        """Forget the draft, and all people's that nobody has touched for a month."""
        with contextlib.suppress(OSError):
            self._path(draft_id).unlink(missing_ok=True)
            for path in self._folder.parent.rglob("*.*"):
                if path.stat().st_mtime < self._now() - _KEPT_SECONDS:
                    path.unlink(missing_ok=True)

    def _path(self, draft_id: str) -> Path:
        return self._folder / f"{draft_id}.json"


class OpenDraft:
    """The draft of this page, and the file that follows each change of it."""

    def __init__(self, draft: Draft, folder: DraftFolder) -> None:
        self.draft = draft
        self._folder = folder

    def keep(self, **changes: Any) -> None:
        """Take changed fields over, and into the file if they differ."""
        draft = self.draft.model_copy(update=changes)
        if draft == self.draft:
            return
        worth_a_file = draft.begun or self.draft.begun
        self.draft = draft
        if worth_a_file:
            self._folder.save(draft)
            st.query_params[Param.DRAFT.value] = draft.id

    def keep_reading(self, slot: Slot, reading: SlotReading | None) -> None:
        """Take over what was read of a slot in the way chosen now; None forgets it."""
        readings = {**self.draft.readings, f"{slot}.{self.draft.way(slot)}": reading}
        self.keep(readings={name: one for name, one in readings.items() if one is not None})

    def discard(self) -> None:
        """Forget the draft and everything in its widgets."""
        self._folder.remove(self.draft.id)
        _forget_widgets()
        st.session_state.pop(SessionKey.DRAFT, None)
        st.query_params.pop(Param.DRAFT.value, None)


def widget(name: str) -> str:
    """The key of a widget of the page New."""
    return f"new_{name}"


def open_draft(services: Services) -> OpenDraft:
    """The draft that the address names, else the one of this session, else a new one."""
    folder = DraftFolder(services.settings.home, person_id=session.me().id)
    asked, open_id = st.query_params.get(Param.DRAFT.value), st.session_state.get(SessionKey.DRAFT)
    draft = next((found for name in (asked, open_id) if name and (found := folder.load(name))), None)
    if draft is None:
        known = open_id if open_id and not asked else None
        draft = Draft(id=known or services.new_id())
    if draft.id != open_id:
        _forget_widgets()
        st.session_state[SessionKey.DRAFT] = draft.id
    if asked and asked != draft.id:
        st.query_params.pop(Param.DRAFT.value, None)
    return OpenDraft(draft, folder)


def start_with(name: str, value: object) -> str:
    """The key of a widget, which starts with `value` where it is not on the page yet."""
    key = widget(name)
    if key not in st.session_state:
        st.session_state[key] = value
    return key


def typed(draft: Draft) -> dict[str, str]:
    """What the server has of each text field of the page, by the field's key."""
    fields = {
        name: getattr(draft, name)
        for name in ("prompt", "expectations", "title", "first_name", "second_name")
    }
    fields |= {f"{slot}_path": draft.paths.get(slot, "") for slot in Slot}
    fields |= {f"{slot}_pasted": draft.pasted.get(slot, "") for slot in Slot}
    return {
        widget(name): str(st.session_state.get(widget(name), text) or "") for name, text in fields.items()
    }


def _forget_widgets() -> None:
    for key in [key for key in st.session_state if str(key).startswith(widget(""))]:
        if key != SessionKey.DRAFT:
            del st.session_state[key]
