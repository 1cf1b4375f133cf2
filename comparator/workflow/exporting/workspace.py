"""Results written back into the skill-creator workspace that was imported: comparison-N.json beside each eval."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Label, PerOutput, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Written
from comparator.store.core.sql import Connection
from comparator.store.pairs import keys, reveals, runs
from comparator.store.people import projects
from comparator.workflow.exporting.comparison_json import SettledResult, files_of, replace_file, written_for
from comparator.workflow.exporting.formats import ExportRequest, each_settled
from comparator.workflow.people.people import WHOLESALE, require, require_recent_sign_in
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

NOT_THERE = "not from a folder that is still there"
_NUMBERED = re.compile(r"comparison-\d{1,9}\.json")
_TAKEN = re.compile(r"comparison-(\d{1,9})\.(?:provenance\.|analyzer\.)?json$", re.IGNORECASE)
_ITERATION = re.compile(r"iter(?:ation)?[-_ ]?\d+", re.IGNORECASE)
_TRANSCRIPTS = ("transcript.md", "transcript.json", "transcript.jsonl")


class _Origin(Frozen):
    """Where the outputs of a comparison came from, and whether that may be told."""

    paths: PerOutput[Path]
    skills: PerOutput[str | None]
    revealed: bool


def write_back(services: Services, asked: ExportRequest) -> Written:
    """Write comparison-N.json, its provenance and, once revealed, the analyzer's input beside each eval.

    A comparison that was written before is replaced under its own number; nobody else's file is touched. Outputs of
    different iterations go into the folder that holds both. Without a person it is for whoever has this program's
    shell. Raises InputError where a folder cannot be written, RightsError for who may not write on this machine, or
    signed in too long ago to take a lot.
    """
    if len(asked.comparisons) > WHOLESALE:
        require_recent_sign_in(services)
    with services.read() as unit:
        require(unit, Act.USE_SERVER_FILES, project_id=None)
    left_out: Counter[str] = Counter()
    verdicts: Counter[VerdictSource] = Counter()
    places: set[Path] = set()
    for connection, settled in each_settled(
        services, asked.model_copy(update={"is_single": False}), left_out
    ):
        origin = _origin(connection, settled.comparison.id)
        if origin is None or (folder := _folder(origin)) is None:
            left_out[NOT_THERE] += 1
            continue
        _write_one(services, connection, settled, origin, folder)
        verdicts[settled.source] += 1
        if workspace := _workspace(origin, folder):
            places.add(workspace)
    return Written(verdicts, dict(left_out), tuple(f"In the workspace {place}" for place in sorted(places)))


def _write_one(
    services: Services, connection: Connection, settled: SettledResult, origin: _Origin, folder: Path
) -> None:
    """Write the files of one comparison. Raises InputError, which names no folder before the reveal."""
    try:
        path = _place(folder, settled.comparison.id)
        files_of(services, connection, settled).write(path)
    except InputError as error:
        if origin.revealed:
            raise
        # The folder may be called after a candidate.
        project = projects.get(connection, settled.comparison.project_id)
        _, title = neutral_until_reveal(connection, project, settled.comparison.title, revealed=False)
        raise InputError(
            f"The result of “{title}” cannot be written beside its eval. Let this program write into the workspace."
        ) from error
    if origin.revealed and settled.verdict.winner is not Winner.TIE:
        _write_analyzer_input(path, origin, Label(settled.verdict.winner.value))


def _origin(connection: Connection, comparison_id: str) -> _Origin | None:
    both = keys.runs_of(connection, comparison_id)
    if both.A.origin is None or both.B.origin is None:
        return None
    return _Origin(
        paths=both.map(lambda run: Path(str(run.origin))),
        skills=both.map(
            lambda run: _skill(Path(str(run.origin)), runs.get_candidate(connection, run.candidate_id).name)
        ),
        revealed=reveals.of_comparison(connection, comparison_id) is not None,
    )


def _folder(origin: _Origin) -> Path | None:
    """The folder of the eval: the deepest that holds both outputs."""
    if not all(path.is_absolute() and os.access(path, os.F_OK) for _, path in origin.paths.items()):
        return None
    folder = Path(os.path.commonpath([path.parent for _, path in origin.paths.items()]))
    # Two outputs from different places have only the machine, or a person's home, in common: no folder of an eval.
    return None if folder.resolve() in (Path.home().resolve(), *Path.home().resolve().parents) else folder


def _workspace(origin: _Origin, folder: Path) -> Path | None:
    """The workspace above the iterations, which says nothing of the candidates; None where there is no such folder."""
    above = next((each.parent for each in origin.paths.A.parents if _ITERATION.fullmatch(each.name)), None)
    return above if above is not None and folder.is_relative_to(above) else None


def _place(folder: Path, comparison_id: str) -> Path:
    """This comparison's own file if it was written before, else the next number that is free."""
    try:
        for path in folder.iterdir():
            own = _NUMBERED.fullmatch(path.name) and not path.is_symlink()
            if own and written_for(path) == comparison_id:
                return path
        taken = [int(m.group(1)) for path in folder.iterdir() if (m := _TAKEN.match(path.name))]
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    return folder / f"comparison-{max(taken, default=0) + 1}.json"


def _write_analyzer_input(path: Path, origin: _Origin, winner: Label) -> None:
    loser = winner.other
    for_analyzer = {
        "winner": winner.value,
        "winner_skill_path": origin.skills[winner],
        "winner_transcript_path": _transcript(origin.paths[winner]),
        "loser_skill_path": origin.skills[loser],
        "loser_transcript_path": _transcript(origin.paths[loser]),
        "comparison_result_path": str(path),
    }
    target = path.with_name(f"{path.name.removesuffix('.json')}.analyzer.json")
    replace_file(target, json.dumps(for_analyzer, ensure_ascii=False, indent=2) + "\n")


def _transcript(output: Path) -> str | None:
    """The run's transcript, in the output folder or beside it."""
    folders = [output, output.parent, output.parent.parent] if output.is_dir() else [output.parent]
    return next((str(path) for folder in folders for path in _in(folder) if path.is_file()), None)


def _in(folder: Path) -> Iterator[Path]:
    return (folder / name for name in _TRANSCRIPTS)


def _skill(output: Path, configuration: str) -> str | None:
    """The folder of the skill that a side used: a snapshot in the workspace, or the skill beside the workspace."""
    name = configuration.lower().replace("-", "_")
    if name.startswith(("without", "no_", "baseline")) or "skill" not in name:
        return None
    workspace = next((each for each in output.parents if each.name.endswith("-workspace")), None)
    if workspace is None:
        return None
    skill = workspace.parent / workspace.name.removesuffix("-workspace")
    old = [workspace / "skill-snapshot"] if name.startswith("old") else []
    return next((str(each) for each in (*old, skill) if (each / "SKILL.md").is_file()), None)
