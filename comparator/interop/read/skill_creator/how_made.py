"""Where the transcript of a run lies, and the skill that it was given; read by nobody before the reveal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any

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
