"""What lies in a workspace and holds no output: iterations, evals, sides and repetitions; each is told once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from comparator.interop.imported import LeftOut
from comparator.interop.read.skill_creator.files import SmallFiles
from comparator.interop.read.skill_creator.places import ITERATION, OUTPUTS, REPETITION, SIDE, Survey

_EVAL = re.compile(r"eval[-_]?\d+(?:[-_].*)?", re.IGNORECASE)
_FLAT_GRADING = "-grading.json"


def without_outputs(root: Path, survey: Survey, shelf: SmallFiles) -> Iterator[LeftOut]:
    """Folders that stand for runs and hold no output, the outermost of each; and gradings of outputs that are not
    there. Ask once all runs are read: a grading that was used is told by nobody.
    """
    root = root.absolute()
    known = {folder for place in survey.places for folder in (place.output, *place.output.parents)}
    evals = {place.eval_home for place in survey.places}
    sides = {place.configuration for place in survey.places}
    for name, below, _ in os.walk(root):
        folder = Path(name)
        below[:] = sorted(each for each in below if each not in OUTPUTS and not each.startswith("."))
        if folder in known or folder == root:
            continue
        if REPETITION.fullmatch(folder.name) and folder.parent in known:
            reason = "this repetition has no folder outputs"
        elif folder.parent in evals and (folder.name in sides or SIDE.fullmatch(folder.name)):
            reason = "this side has no folder outputs"
        elif ITERATION.fullmatch(folder.name):
            reason = "this iteration holds no outputs"
        elif _is_eval(folder, below):
            reason = "this eval holds no outputs"
        else:
            continue
        below.clear()
        gradings = [path for path in survey.gradings if path.is_relative_to(folder)]
        if not any(map(shelf.was_read, gradings)):
            yield LeftOut(file=name, reason=f"{reason}, only gradings" if gradings else reason)
    flat = {place.home / f"{place.flat}{_FLAT_GRADING}" for place in survey.places if place.flat}
    for path in survey.gradings:
        if _EVAL.match(path.name) and path.name.endswith(_FLAT_GRADING) and path not in flat:
            yield LeftOut(file=str(path), reason="it grades an output that is not there")


def _is_eval(folder: Path, below: list[str]) -> bool:
    named = _EVAL.fullmatch(folder.name) is not None or sum(map(bool, map(SIDE.fullmatch, below))) > 1
    return named or (folder / "eval_metadata.json").is_file()
