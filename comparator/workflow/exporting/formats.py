"""Comparisons in the formats that other tools read, written as a whole or not at all, or back into their workspace."""

import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from comparator.domain.errors import InputError, LimitExceeded, NotFound
from comparator.domain.labels import Frozen, Label, PerOutput, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Exported, ExportFormat, Written
from comparator.interop.llm_comparator import write_llm_comparator
from comparator.interop.text import LARGEST
from comparator.interop.written.analysis import write_analysis
from comparator.interop.written.fix_list import write_fix_list
from comparator.interop.written.report import write_report
from comparator.interop.written.rows import write_csv, write_dpo, write_jsonl
from comparator.store.core.blobs import whole_file
from comparator.store.core.sql import Connection
from comparator.store.pairs import comparisons, keys, reveals, runs
from comparator.store.people import projects
from comparator.store.reviewing.covered import still_covered
from comparator.workflow.exporting.comparison_json import (
    ScoresGiven,
    SettledResult,
    WithoutScores,
    files_of,
    provenance_path,
    replace_file,
    settled_result,
    written_for,
)
from comparator.workflow.exporting.gather import MOST_BYTES, gather_pair, whole
from comparator.workflow.people.people import require
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

SPLIT = (
    "The lines are larger than 1 GB, the most that an import reads. To import them, export in parts, by project, "
    "tag or comparison."
)
NO_SCORES = "decided without scores, which comparison.json needs; an export as .jsonl has them"
NO_VERDICT = "without a verdict"
NOT_REVIEWED = "not reviewed"
HIDDEN = "hidden until you score"
PURGED = "purged"
TOO_LARGE = f"with more than {MOST_BYTES // 1_000_000} MB of files, the most that a line holds"


class ExportRequest(Frozen):
    """What to write: the comparisons by id, and for a fix list the candidate by its name."""

    format: ExportFormat
    comparisons: tuple[str, ...]
    reviewed_only: bool = False
    candidate: str = ""
    title: str = "Comparisons"
    is_single: bool = False
    """It was asked for by its id alone: what it lacks for comparison.json is an error, and not left out."""
    given: ScoresGiven | None = None
    """Scores for that one, where it was decided without any."""


def file_name(format: ExportFormat) -> str:  # noqa: A002  # what it is
    """What the file is called where nobody says otherwise; empty for what is written beside each eval.

    >>> file_name(ExportFormat.DPO)
    'preferences.jsonl'
    """
    return {
        ExportFormat.RESULTS: "comparisons.zip",
        ExportFormat.JSONL: "comparisons.jsonl",
        ExportFormat.CSV: "scores.csv",
        ExportFormat.DPO: "preferences.jsonl",
        ExportFormat.DPO_CHAT: "preferences-chat.jsonl",
        ExportFormat.LLM_COMPARATOR: "llm-comparator.json",
        ExportFormat.FIX_LIST: "fix-list.md",
        ExportFormat.HTML: "report.html",
        ExportFormat.ANALYSIS: "analysis.json",
        ExportFormat.WORKSPACE: "",
    }[format]


def check_ids(services: Services, comparison_ids: Sequence[str]) -> tuple[str, ...]:
    """The same ids. Raises NotFound for one that is no comparison's."""
    with services.read() as connection:
        there = comparisons.by_id(connection, comparison_ids)
    if strange := next(
        (comparison_id for comparison_id in comparison_ids if comparison_id not in there), None
    ):
        raise NotFound(f"There is no comparison {strange[:80]!r}. Leave it out, or correct the id.")
    return tuple(comparison_ids)


def write_export(services: Services, request: ExportRequest, target: Path) -> Written:
    """Write the file as a whole, or for `results` an archive; nothing is left half-written.

    Raises InputError where it cannot be written, or a fix list names no candidate of a revealed comparison.
    """
    if not target.parent.is_dir():
        raise InputError(f"The folder {target.parent} does not exist. Create it, or choose another one.")
    left_out: Counter[str] = Counter()
    try:
        with whole_file(target) as partial:
            written = _write(services, request, partial, left_out)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}. Choose another place.") from error
    return Written(written.verdicts, dict(left_out) | written.left_out, written.notes)


def each_settled(
    services: Services, request: ExportRequest, left_out: Counter[str]
) -> Iterator[tuple[Connection, SettledResult]]:
    """Each comparison with the snapshot on which it was settled; `left_out` counts those without anything to export, by
    reason. Raises WithoutScores."""
    with_scores = request.format in (ExportFormat.RESULTS, ExportFormat.WORKSPACE)
    with services.read() as unit:
        hidden = still_covered(unit, request.comparisons, services.who) if services.who else frozenset()
    for comparison_id in request.comparisons:
        if comparison_id in hidden:
            left_out[HIDDEN] += 1
            continue
        with services.database.snapshot() as connection:
            try:
                settled = settled_result(connection, comparison_id, given=request.given)
            except (InputError, NotFound) as error:
                left_out[PURGED if isinstance(error, NotFound) else NO_VERDICT] += 1
                continue
            if request.reviewed_only and not settled.source.by_people:
                left_out[NOT_REVIEWED] += 1
            elif with_scores and settled.result is None:
                if request.is_single:
                    raise WithoutScores(settled.lacks)
                left_out[NO_SCORES] += 1
            else:
                yield connection, settled


def gather(services: Services, request: ExportRequest, left_out: Counter[str]) -> Iterator[Exported]:
    """Each comparison as the formats need it; a line has all that it can hold and this person may see."""
    called: dict[str, str] = {}
    for connection, settled in each_settled(services, request, left_out):
        try:
            pair = gather_pair(services, connection, settled, called=called)
            if request.format is ExportFormat.JSONL:
                pair = whole(services, connection, pair)
        except (NotFound, LimitExceeded) as error:
            left_out[PURGED if isinstance(error, NotFound) else TOO_LARGE] += 1
        else:
            yield pair


def _write(services: Services, request: ExportRequest, target: Path, left_out: Counter[str]) -> Written:
    if request.format is ExportFormat.RESULTS:
        return _archive(services, request, target, left_out)
    pairs = gather(services, request, left_out)
    # A spreadsheet takes a file without the mark for one of an older encoding.
    encoding = "utf-8-sig" if request.format is ExportFormat.CSV else "utf-8"
    with target.open("x", encoding=encoding, newline="") as out:
        match request.format:
            case ExportFormat.JSONL:
                written = write_jsonl(pairs, out)
                return written._replace(notes=(SPLIT,) if out.tell() > LARGEST else ())
            case ExportFormat.CSV:
                return write_csv(pairs, out)
            case ExportFormat.DPO | ExportFormat.DPO_CHAT:
                return write_dpo(pairs, out, as_messages=request.format is ExportFormat.DPO_CHAT)
            case ExportFormat.LLM_COMPARATOR:
                return write_llm_comparator(pairs, out, source=request.title)
            case ExportFormat.HTML:
                return write_report(pairs, out, title=request.title, at=services.now())
            case ExportFormat.ANALYSIS:
                return write_analysis(pairs, out)
            case ExportFormat.FIX_LIST:
                every = tuple(pairs)
                return write_fix_list(every, out, candidate=_meant(request.candidate, every))
            case _:
                raise InputError(f"{request.format} is not written into one file.")


def _meant(name: str, every: Iterable[Exported]) -> str:
    """The one candidate that is called so, else whose name alone or with its iteration is this. Raises InputError."""
    makers = {
        maker.candidate_id: maker for pair in every if pair.makers for _, maker in pair.makers.items()
    }.values()
    exact = [maker.candidate for maker in makers if maker.candidate == name]
    meant = exact or [maker.candidate for maker in makers if name in (maker.name, maker.dated)]
    if len(meant) == 1:
        return meant[0]
    known = sorted(set(meant or (maker.candidate for maker in makers)))
    there = f"There are: {'; '.join(known[:12])}{' …' if len(known) > 12 else ''}." if known else ""
    raise InputError(
        "A fix list tells what one candidate lost. Name one of a revealed comparison (on the command line: --candidate "
        f"NAME), and if it occurs in several projects, the project (--project NAME). {there}".rstrip()
    )


def _archive(services: Services, request: ExportRequest, target: Path, left_out: Counter[str]) -> Written:
    """comparison-N.json and its provenance for each, in an archive."""
    verdicts: Counter[VerdictSource] = Counter()
    with zipfile.ZipFile(target, "x", compression=zipfile.ZIP_DEFLATED) as archive:
        for connection, settled in each_settled(services, request, left_out):
            verdicts[settled.source] += 1
            name = f"comparison-{verdicts.total()}.json"
            files = files_of(services, connection, settled)
            archive.writestr(name, files.result)
            archive.writestr(provenance_path(Path(name)).name, files.provenance)
    return Written(verdicts, {})


NOT_THERE = "not from a folder that is still there"
_NUMBERED = re.compile(r"comparison-\d{1,9}\.json")
_TAKEN = re.compile(r"comparison-(\d{1,9})\.(?:provenance\.|analyzer\.)?json$", re.IGNORECASE)
_ITERATION = re.compile(r"iter(?:ation)?[-_ ]?\d+", re.IGNORECASE)
_TRANSCRIPTS = ("transcript.md", "transcript.json", "transcript.jsonl")


class _Origin(NamedTuple):
    """Where the outputs of a comparison came from, and whether that may be told."""

    paths: PerOutput[Path]
    skills: PerOutput[str | None]
    revealed: bool


def write_back(services: Services, request: ExportRequest) -> Written:
    """Write comparison-N.json, its provenance and, once revealed, the analyzer's input beside each eval.

    A comparison that was written before is replaced under its own number; nobody else's file is touched. Outputs of
    different iterations go into the folder that holds both. Without a person it is for whoever has this program's
    shell. Raises InputError where a folder cannot be written, RightsError for who may not write on this machine.
    """
    with services.read() as unit:
        require(unit, Act.USE_SERVER_FILES, None)
    left_out: Counter[str] = Counter()
    verdicts: Counter[VerdictSource] = Counter()
    places: set[Path] = set()
    for connection, settled in each_settled(services, request.copy_with(is_single=False), left_out):
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
        _write_analyzer_input(path, origin, Label(settled.verdict.winner))


def _origin(connection: Connection, comparison_id: str) -> _Origin | None:
    both = keys.runs_of(connection, comparison_id)
    if both.A.origin is None or both.B.origin is None:
        return None
    paths = both.map(lambda run: Path(str(run.origin)))
    names = both.map(lambda run: runs.get_candidate(connection, run.candidate_id).name)
    skills = PerOutput[str | None].of(lambda label: _skill(paths[label], names[label]))
    return _Origin(paths, skills, reveals.of_comparison(connection, comparison_id) is not None)


def _folder(origin: _Origin) -> Path | None:
    """The folder of the eval: the deepest that holds both outputs."""
    if not all(path.is_absolute() and os.access(path, os.F_OK) for _, path in origin.paths.items()):
        return None
    folder = Path(os.path.commonpath([path.parent for _, path in origin.paths.items()]))
    # Two outputs from different places have only the machine, or a person's home, in common: no folder of an eval.
    return None if folder.resolve() in (Path.home().resolve(), *Path.home().resolve().parents) else folder


def _workspace(origin: _Origin, folder: Path) -> Path | None:
    """The workspace above the iterations, which says nothing of the candidates; None where there is no such folder."""
    above = next(
        (parent.parent for parent in origin.paths.A.parents if _ITERATION.fullmatch(parent.name)), None
    )
    return above if above is not None and folder.is_relative_to(above) else None


def _place(folder: Path, comparison_id: str) -> Path:
    """This comparison's own file if it was written before, else the next number that is free."""
    try:
        for path in folder.iterdir():
            own = _NUMBERED.fullmatch(path.name) and not path.is_symlink()
            if own and written_for(path) == comparison_id:
                return path
        numbers = [int(m.group(1)) for path in folder.iterdir() if (m := _TAKEN.match(path.name))]
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be read: {error.strerror}.") from error
    return folder / f"comparison-{max(numbers, default=0) + 1}.json"


def _write_analyzer_input(path: Path, origin: _Origin, winner: Label) -> None:
    for_analyzer: dict[str, str | None] = {"winner": winner}
    for side, label in (("winner", winner), ("loser", winner.other)):
        for_analyzer[f"{side}_skill_path"] = origin.skills[label]
        for_analyzer[f"{side}_transcript_path"] = _transcript(origin.paths[label])
    for_analyzer["comparison_result_path"] = str(path)
    target = path.with_name(f"{path.name.removesuffix('.json')}.analyzer.json")
    replace_file(target, json.dumps(for_analyzer, ensure_ascii=False, indent=2) + "\n")


def _transcript(output: Path) -> str | None:
    """The run's transcript, in the output folder or beside it."""
    folders = [output, output.parent, output.parent.parent] if output.is_dir() else [output.parent]
    paths = (folder / name for folder in folders for name in _TRANSCRIPTS)
    return next((str(path) for path in paths if path.is_file()), None)


def _skill(output: Path, configuration: str) -> str | None:
    """The folder of the skill that a side used: a snapshot in the workspace, or the skill beside the workspace."""
    name = configuration.lower().replace("-", "_")
    if name.startswith(("without", "no_", "baseline")) or "skill" not in name:
        return None
    workspace = next((parent for parent in output.parents if parent.name.endswith("-workspace")), None)
    if workspace is None:
        return None
    skill = workspace.parent / workspace.name.removesuffix("-workspace")
    old = [workspace / "skill-snapshot"] if name.startswith("old") else []
    return next((str(path) for path in (*old, skill) if (path / "SKILL.md").is_file()), None)
