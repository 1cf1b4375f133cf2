"""Where the outputs of a skill-creator workspace lie, told from paths, and which folders hold none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from comparator.interop.imported import LeftOut
from comparator.interop.read.skill_creator.files import SmallFiles
from comparator.outputs.limits import GB, Limits
from comparator.outputs.snapshot import walk

ITERATION = re.compile(r"iter(?:ation)?[-_ ]?(\d+)", re.IGNORECASE)
REPETITION = re.compile(r"run[-_ ]?(\d+)", re.IGNORECASE)
SIDE = re.compile(
    r"(?:.*[-_])?(?:with|without|no|old|new)[-_]?skill(?:[-_].*)?|baseline|control", re.IGNORECASE
)
_FLAT = re.compile(
    r"(?P<eval>eval[-_]?(?P<id>[^.]+?))(?:[-_]run[-_]?(?P<k>\d+))?[-_]outputs?(?P<suffix>\.[^/]*)?",
    re.IGNORECASE,
)
_PASSED_OVER = {"runs", "results", "evals"}
OUTPUTS = ("outputs", "output")
_WIDE = Limits(files=1_000_000, bytes_per_file=100 * GB, bytes_in_all=10_000 * GB)


class RunPlace(NamedTuple):
    """One run's output: `home` is the folder with the run's own small files, `side` that of its configuration.

    `eval_home` is the folder of the eval, or None in the flat layout, where small files start with `flat`. `workspace`
    is the folder that holds the iterations, or the evals where there are none.
    """

    output: Path
    iteration: str | None
    eval_name: str
    configuration: str
    repetition: int
    home: Path
    side: Path
    eval_home: Path | None
    workspace: Path
    flat: str = ""


class Survey(NamedTuple):
    """All outputs below a folder, the evals.json files among them, and what could not be looked at."""

    places: tuple[RunPlace, ...]
    evals: tuple[Path, ...]
    gradings: tuple[Path, ...]
    left_out: tuple[LeftOut, ...]
    nested: int


def survey(root: Path) -> Survey:
    """Look through a workspace, or any folder above or below one. Raises OutputRefused, LimitExceeded."""
    root = root.absolute()
    folders: dict[Path, None] = {}
    places: list[RunPlace] = []
    evals: list[Path] = []
    gradings: list[Path] = []
    left_out: list[LeftOut] = []
    sides: dict[Path, None] = {}
    for member in walk.find(root, _WIDE):
        path = root.joinpath(*member.parts)
        inside = _outputs_above(root, path)
        if inside is not None:
            folders[inside] = None
            continue
        if member.refusal is not None:
            left_out.append(LeftOut(file=str(path), reason=member.refusal))
            continue
        if (flat := _flat(path)) is not None:
            places.append(flat)
        elif path.name == "evals.json":
            evals.append(path)
        elif "grading" in path.name and path.suffix == ".json":
            gradings.append(path)
            sides.update((folder, None) for folder in path.parents if SIDE.fullmatch(folder.name))
    for folder in _empty_outputs(root):
        folders.setdefault(folder, None)
    seen: dict[tuple[str | None, str, str, int], RunPlace] = {}
    nested = 0
    for folder in sorted(folders, key=lambda folder: (len(folder.parts), folder)):
        place = _of_outputs(folder)
        if place is None:
            left_out.append(
                LeftOut(file=str(folder), reason="it does not lie in an eval and a configuration")
            )
            continue
        key = (place.iteration, str(place.eval_home), place.configuration, place.repetition)
        if key in seen:
            nested += 1
            left_out.append(
                LeftOut(
                    file=str(folder), reason=f"{seen[key].output} is the same side; this copy is not read"
                )
            )
            continue
        seen[key] = place
    places += seen.values()
    return Survey(
        tuple(sorted(places, key=lambda place: place.output)),
        tuple(evals),
        tuple(gradings),
        tuple(left_out),
        nested,
    )


def level_and_treatment(configuration: str) -> tuple[str, ...]:
    """The factors of a configuration's name, the treatment first: `gpt_with_skill` has `with_skill` and `gpt`."""
    match = re.fullmatch(
        r"(?P<before>.*?)[-_]?(?P<what>(?:with|without|no|old|new)[-_]?skill|baseline)[-_]?(?P<after>.*)",
        configuration,
        re.IGNORECASE,
    )
    if match is None:
        return (configuration,)
    level = "-".join(part for part in (match["before"], match["after"]) if part)
    return (match["what"].lower().replace("-", "_"), level)


def workspaces_of(root: Path, places: Iterable[RunPlace]) -> dict[Path, str]:
    """The workspaces below a folder with their paths in it; one that is alone has an empty path.

    Evals that lie loose inside another workspace, in no iteration, belong to that one.
    """
    root = root.absolute()
    dated = {place.workspace for place in places if place.iteration is not None}
    found: dict[Path, Path] = {}
    for place in places:
        home = place.workspace
        if place.iteration is None:
            home = next((above for above in (home, *home.parents) if above in dated), home)
        found[place.workspace] = home
    if len(set(found.values())) < 2:
        return dict.fromkeys(found, "")
    return {
        own: home.relative_to(root).as_posix() if home.is_relative_to(root) and home != root else ""
        for own, home in found.items()
    }


def iteration_in(parts: Sequence[str]) -> tuple[str | None, int]:
    """The number of the innermost iteration among the folders, and its position (-1 where there is none)."""
    for index in range(len(parts) - 1, -1, -1):
        match = ITERATION.fullmatch(parts[index])
        if match:
            return str(int(match.group(1))), index
    return None, -1


def _outputs_above(root: Path, path: Path) -> Path | None:
    """The outermost folder called outputs (or output) at or above a file, below or at the root."""
    parts = path.parts
    start = max(0, len(root.parts) - 1)
    for index in range(start, len(parts) - 1):
        if parts[index] in OUTPUTS:
            return Path(*parts[: index + 1])
    return None


def _empty_outputs(root: Path) -> list[Path]:
    """Folders for outputs in which there is nothing: a run that left nothing is a finding too."""
    return [
        folder
        for folder in root.rglob("outputs")
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())
        if _outputs_above(root, folder) is None
    ]


def _of_outputs(folder: Path) -> RunPlace | None:
    parts = folder.parts[:-1]
    iteration, above = iteration_in(parts)
    below = list(parts[above + 1 :])
    home = folder.parent
    repetition = 1
    side = home
    if below and (match := REPETITION.fullmatch(below[-1])):
        repetition = max(1, int(match.group(1)))
        below.pop()
        side = home.parent
    below = [part for index, part in enumerate(below) if index == 0 or part != below[index - 1]]
    below = [part for part in below if part.lower() not in _PASSED_OVER]
    if len(below) < 2:
        return None
    eval_name, configuration = below[-2], below[-1]
    eval_home = side.parent
    while eval_home.name == configuration:
        eval_home = eval_home.parent
    if SIDE.fullmatch(eval_name) and not SIDE.fullmatch(configuration):
        eval_name, configuration = configuration, eval_name
        eval_home = side
    top = eval_home if eval_home != side else side.parent
    workspace = Path(*parts[:above]) if above >= 0 else _holds_evals(top)
    return RunPlace(folder, iteration, eval_name, configuration, repetition, home, side, eval_home, workspace)


def _holds_evals(eval_home: Path) -> Path:
    home = eval_home.parent
    while home.name.lower() in _PASSED_OVER:
        home = home.parent
    return home


def _flat(path: Path) -> RunPlace | None:
    match = _FLAT.fullmatch(path.name)
    if match is None or path.suffix == ".json":
        return None
    iteration, above = iteration_in(path.parts[:-1])
    flat = path.name[: match.end("k") if match["k"] else match.end("eval")]
    return RunPlace(
        path,
        iteration,
        match["eval"],
        path.parent.name,
        int(match["k"] or 1) or 1,
        path.parent,
        path.parent,
        None,
        Path(*path.parts[:above]) if above >= 0 else _holds_evals(path.parent),
        flat,
    )


_EVAL = re.compile(r"eval[-_]?\d+(?:[-_].*)?", re.IGNORECASE)
_FLAT_GRADING = "-grading.json"


def without_outputs(root: Path, found: Survey, shelf: SmallFiles) -> Iterator[LeftOut]:
    """Folders that stand for runs and hold no output, the outermost of each; and gradings of outputs that are not
    there. Ask once all runs are read: a grading that was used is told by nobody.
    """
    root = root.absolute()
    known = {folder for place in found.places for folder in (place.output, *place.output.parents)}
    evals = {place.eval_home for place in found.places}
    sides = {place.configuration for place in found.places}
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
        gradings = [path for path in found.gradings if path.is_relative_to(folder)]
        if not any(map(shelf.was_read, gradings)):
            yield LeftOut(file=name, reason=f"{reason}, only gradings" if gradings else reason)
    flat = {place.home / f"{place.flat}{_FLAT_GRADING}" for place in found.places if place.flat}
    for path in found.gradings:
        if _EVAL.match(path.name) and path.name.endswith(_FLAT_GRADING) and path not in flat:
            yield LeftOut(file=str(path), reason="it grades an output that is not there")


def _is_eval(folder: Path, below: list[str]) -> bool:
    named = _EVAL.fullmatch(folder.name) is not None or sum(map(bool, map(SIDE.fullmatch, below))) > 1
    return named or (folder / "eval_metadata.json").is_file()
