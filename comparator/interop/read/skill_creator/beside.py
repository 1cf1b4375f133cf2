"""What lies beside the outputs and tells who they are: transcripts, skills, and a person's feedback.json."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any

from comparator.interop.imported import FoundLabel, FoundRun, LabelSource, LeftOut
from comparator.interop.read.skill_creator.files import SmallFiles
from comparator.interop.read.skill_creator.places import RunPlace

_NAMES = ("transcript", "conversation", "messages", "trace", "execution_log", "executor_log")
_ENDINGS = (".md", ".txt", ".json", ".jsonl", ".log")
SKILL = "SKILL.md"


class SkillGiven(Enum):
    """Which skill a side was given."""

    NONE = auto()
    OLD = auto()
    NEW = auto()


def skill_of(configuration: str) -> SkillGiven:
    """Which skill a side of this name was given.

    >>> [skill_of(name).name for name in ("with_skill", "old-skill", "without_skill", "gpt")]
    ['NEW', 'OLD', 'NONE', 'NONE']
    """
    name = configuration.lower().replace("-", "_")
    if "skill" not in name or any(word in name for word in ("without", "no_skill", "baseline")):
        return SkillGiven.NONE
    return SkillGiven.OLD if "old_skill" in name else SkillGiven.NEW


def said_of_skill(benchmark: Mapping[str, Any], key: str) -> str | None:
    """What an iteration's benchmark.json says of the skill that it tests."""
    metadata = benchmark.get("metadata")
    value = metadata.get(key) if isinstance(metadata, dict) else None
    return value.strip() if isinstance(value, str) else None


class HowMade:
    """Looks these files up, run by run."""

    def __init__(self, places: Iterable[RunPlace], shelf: SmallFiles) -> None:
        self._shelf = shelf
        self._newest: dict[Path, int] = {}
        for place in places:
            number = int(place.iteration or 0)
            self._newest[place.workspace] = max(number, self._newest.get(place.workspace, 0))

    def files(self, place: RunPlace) -> dict[str, Path | None]:
        """`transcript` and `skill`, each where there is one."""
        return {
            "transcript": self._first(self._transcripts(place)),
            "skill": self._first(self._skills(place)),
        }

    def _first(self, paths: Iterator[Path]) -> Path | None:
        return next((path for path in paths if path.is_file() and self._shelf.holds(path)), None)

    def _transcripts(self, place: RunPlace) -> Iterator[Path]:
        """Beside the output or within it; what lies above the repetitions is of all of them."""
        if place.flat:
            yield from (place.home / f"{place.flat}-{name}{ending}" for name in _NAMES for ending in _ENDINGS)
            return
        for folder in (place.home, place.output):
            yield from (folder / f"{name}{ending}" for name in _NAMES for ending in _ENDINGS)

    def _skills(self, place: RunPlace) -> Iterator[Path]:
        """With the run or its side; else, by the side's name, the snapshot of the old skill, or the skill beside the
        workspace, which is that of the newest iteration alone.
        """
        for folder in () if place.flat else (place.home, place.side):
            yield from (folder / SKILL, folder / "skill" / SKILL)
        given = skill_of(place.configuration)
        if given is SkillGiven.OLD:
            yield place.workspace / "skill-snapshot" / SKILL
        elif given is SkillGiven.NEW and int(place.iteration or 0) == self._newest[place.workspace]:
            for folder in (place.workspace, *place.workspace.parents[:1]):
                if folder.name.endswith("-workspace"):
                    yield folder.parent / folder.name.removesuffix("-workspace") / SKILL


_ABOVE = 5


def feedback_labels(runs: Sequence[FoundRun], shelf: SmallFiles) -> Iterator[FoundLabel]:
    """One label a remark and sibling; it names no winner. Remarks on runs that are not there are noted."""
    groups: defaultdict[tuple[str | None, str], list[FoundRun]] = defaultdict(list)
    folders: defaultdict[Path, list[FoundRun]] = defaultdict(list)
    for run in runs:
        groups[run.iteration, run.task_key].append(run)
        for folder in Path(run.address).parents[:_ABOVE]:
            folders[folder].append(run)
    for folder, below in sorted(folders.items()):
        reviews = shelf.get(folder / "feedback.json").get("reviews")
        for number, review in enumerate(reviews if isinstance(reviews, list) else [], start=1):
            text = review.get("feedback") if isinstance(review, dict) else None
            if not isinstance(text, str) or not text.strip():
                continue
            meant = _meant(str(review.get("run_id", "")), folder, below)
            if meant is None:
                where = f"{folder / 'feedback.json'}, review {number}"
                shelf.left_out.append(LeftOut(file=where, reason="it is on a run that was not found"))
                continue
            for other in groups[meant.iteration, meant.task_key]:
                if other.configuration != meant.configuration:
                    yield FoundLabel(
                        first=meant.address,
                        second=other.address,
                        kind=LabelSource.HUMAN,
                        author="feedback.json",
                        winner=None,
                        value={"feedback": text.strip(), "on": "first"},
                        blind=False,
                    )


def _meant(run_id: str, folder: Path, runs: Sequence[FoundRun]) -> FoundRun | None:
    """The one run whose place below the folder, or the end of it, is written like this id."""
    wanted = _plain(run_id)
    if not wanted:
        return None
    places = {run.address: _plain(str(Path(run.address).parent.relative_to(folder))) for run in runs}
    fitting = [run for run in runs if places[run.address] == wanted]
    fitting = fitting or [run for run in runs if places[run.address].endswith(f"-{wanted}")]
    return fitting[0] if len(fitting) == 1 else None


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
