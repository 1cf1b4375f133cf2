"""Where the outputs of a skill-creator workspace lie, told from paths, and which folders hold none."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from comparator.interop.skill_creator.files import SmallFiles
from comparator.outputs.limits import GB, Limits
from comparator.outputs.member_names import find_members

_ITERATION = re.compile(r"iter(?:ation)?[-_ ]?(\d+)", re.IGNORECASE)
_REPETITION = re.compile(r"run[-_ ]?(\d+)", re.IGNORECASE)
_CONFIGURATION_NAME = re.compile(
    r"(?:.*[-_])?(?:with|without|no|old|new)[-_]?skill(?:[-_].*)?|baseline|control", re.IGNORECASE
)
_FLAT = re.compile(
    r"(?P<eval>eval[-_]?(?P<id>[^.]+?))(?:[-_]run[-_]?(?P<k>\d+))?[-_]outputs?(?P<suffix>\.[^/]*)?",
    re.IGNORECASE,
)
_PASSED_OVER = {"runs", "results", "evals"}
_OUTPUTS = ("outputs", "output")
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
    """All outputs below a folder, the gradings and metadata among them, and how many outputs are there twice."""

    places: tuple[RunPlace, ...]
    about_runs: tuple[Path, ...]
    nested: int


def survey(shelf: SmallFiles) -> Survey:
    """Look through a workspace, or any folder above or below one. Raises OutputRefused, LimitExceeded."""
    root = shelf.root
    folders: dict[Path, None] = {}
    places: list[RunPlace] = []
    about_runs: list[Path] = []
    base = root.resolve()
    for member in find_members(root, _WIDE):
        path = root / member.file.relative_to(base)
        if (inside := _outputs_above(root, path)) is not None:
            folders[inside] = None
        elif member.refusal is not None:
            shelf.note(path, member.refusal)
        elif (flat := _flat(path)) is not None:
            places.append(flat)
        elif path.suffix == ".json" and ("grading" in path.name or path.name == "eval_metadata.json"):
            about_runs.append(path)
    # A run that left nothing is a finding too.
    folders |= {
        folder: None
        for folder in root.rglob("outputs")
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())
        if _outputs_above(root, folder) is None
    }
    seen: dict[tuple[object, ...], RunPlace] = {}
    nested = 0
    for folder in sorted(folders, key=lambda folder: (len(folder.parts), folder)):
        if (place := _of_outputs(folder)) is None:
            shelf.note(folder, "it does not lie in an eval and a configuration")
            continue
        same = seen.setdefault(
            (place.iteration, place.eval_home, place.configuration, place.repetition), place
        )
        if same is not place:
            nested += 1
            shelf.note(folder, f"{same.output} is the same side; this copy is not read")
    places += seen.values()
    return Survey(tuple(sorted(places, key=lambda place: place.output)), tuple(about_runs), nested)


def level_and_treatment(configuration: str) -> tuple[str, ...]:
    """The factors of a configuration's name, the treatment first: `gpt_with_skill` has `with_skill` and `gpt`."""
    match = re.fullmatch(
        r"(?P<before>.*?)[-_]?(?P<what>(?:with|without|no|old|new)[-_]?skill|baseline)[-_]?(?P<after>.*)",
        configuration,
        re.IGNORECASE,
    )
    if match is None:
        return (configuration,)
    level = "-".join(filter(None, (match["before"], match["after"])))
    return (match["what"].lower().replace("-", "_"), level)


def workspaces_of(root: Path, places: Iterable[RunPlace]) -> dict[Path, str]:
    """The workspaces below a folder with their paths in it; one that is alone has an empty path.

    Evals that lie loose inside another workspace, in no iteration, belong to that one.
    """
    every = {place.workspace for place in places}
    dated = {place.workspace for place in places if place.iteration is not None}
    homes = {own: next((above for above in (own, *own.parents) if above in dated), own) for own in every}
    alone = len(set(homes.values())) < 2
    return {
        own: ""
        if alone or home == root or not home.is_relative_to(root)
        else home.relative_to(root).as_posix()
        for own, home in homes.items()
    }


def _iteration_in(folder: Path) -> tuple[str | None, int]:
    """The number of the innermost iteration among a folder and those above, and its position (-1: there is none)."""
    for index, part in reversed(list(enumerate(folder.parts))):
        if match := _ITERATION.fullmatch(part):
            return str(int(match[1])), index
    return None, -1


def _outputs_above(root: Path, path: Path) -> Path | None:
    """The outermost folder called outputs (or output) above a file, below or at the root."""
    above = (folder for folder in reversed(path.parents) if folder.is_relative_to(root))
    return next((folder for folder in above if folder.name in _OUTPUTS), None)


def _of_outputs(folder: Path) -> RunPlace | None:
    home = side = folder.parent
    iteration, above = _iteration_in(home)
    below, repetition = list(home.parts[above + 1 :]), 1
    if below and (match := _REPETITION.fullmatch(below[-1])):
        repetition = max(1, int(match[1]))
        below.pop()
        side = home.parent
    below = [
        part
        for index, part in enumerate(below)
        if part.lower() not in _PASSED_OVER and (index == 0 or part != below[index - 1])
    ]
    if len(below) < 2:
        return None
    eval_name, configuration = below[-2:]
    eval_home = side.parent
    while eval_home.name == configuration:
        eval_home = eval_home.parent
    if _CONFIGURATION_NAME.fullmatch(eval_name) and not _CONFIGURATION_NAME.fullmatch(configuration):
        eval_name, configuration, eval_home = configuration, eval_name, side
    top = eval_home if eval_home != side else side.parent
    workspace = _workspace(home, above, top)
    return RunPlace(folder, iteration, eval_name, configuration, repetition, home, side, eval_home, workspace)


def _workspace(folder: Path, above: int, eval_home: Path) -> Path:
    """What holds the iteration at this position; without one, the folder that holds the evals."""
    if above >= 0:
        return Path(*folder.parts[:above])
    return next(home for home in eval_home.parents if home.name.lower() not in _PASSED_OVER)


def _flat(path: Path) -> RunPlace | None:
    match = _FLAT.fullmatch(path.name)
    if match is None or path.suffix == ".json":
        return None
    home = path.parent
    iteration, above = _iteration_in(home)
    flat = path.name[: match.end("k") if match["k"] else match.end("eval")]
    workspace = _workspace(home, above, home)
    repetition = int(match["k"] or 1) or 1
    return RunPlace(path, iteration, match["eval"], home.name, repetition, home, home, None, workspace, flat)


def note_without_outputs(survey: Survey, shelf: SmallFiles) -> None:
    """Note evals of which no output lies below them, and gradings of outputs that are not there.

    Ask once all runs are read: a grading that was used is told by nobody.
    """
    above = {folder for place in survey.places for folder in place.output.parents}
    for path in survey.about_runs:
        alone = path.parent not in above or path.name.endswith("-grading.json")
        if alone and not shelf.was_read(path):
            shelf.note(path, "there is no output that it is about")
