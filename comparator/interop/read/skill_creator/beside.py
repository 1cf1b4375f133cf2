"""What lies beside the outputs: what benchmark.json says of the skill, and a person's feedback.json."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from comparator.interop.imported import FoundLabel, FoundRun, LabelSource, LeftOut
from comparator.interop.read.skill_creator.files import SmallFiles


def had_new_skill(configuration: str) -> bool:
    """Whether a side of this name was given the skill that is tested.

    >>> [had_new_skill(name) for name in ("with_skill", "old-skill", "without_skill", "gpt")]
    [True, False, False, False]
    """
    name = configuration.lower().replace("-", "_")
    return "skill" in name and not any(
        word in name for word in ("without", "no_skill", "baseline", "old_skill")
    )


def said_of_skill(benchmark: Mapping[str, Any], key: str) -> str | None:
    """What an iteration's benchmark.json says of the skill that it tests."""
    metadata = benchmark.get("metadata")
    value = metadata.get(key) if isinstance(metadata, dict) else None
    return value.strip() if isinstance(value, str) else None


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
