"""Comparisons in the formats that other tools read, written to a place as a whole or not at all."""

from __future__ import annotations

import secrets
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from comparator.domain.errors import InputError, LimitExceeded, NotFound
from comparator.domain.labels import Frozen
from comparator.domain.scoring.verdict import VerdictSource
from comparator.interop.exported import Exported, ExportFormat, Written
from comparator.interop.read.text import LARGEST
from comparator.interop.write.analysis import write_analysis
from comparator.interop.write.fix_list import write_fix_list
from comparator.interop.write.llm_comparator import write_llm_comparator
from comparator.interop.write.report import write_report
from comparator.interop.write.rows import write_csv, write_dpo, write_jsonl, write_parquet
from comparator.store.core.sql import Connection
from comparator.store.pairs import comparisons
from comparator.workflow.exporting.comparison_json import (
    ScoresGiven,
    SettledResult,
    WithoutScores,
    files_of,
    provenance_path,
    settled_on,
)
from comparator.workflow.exporting.gather import MOST_BYTES, exported, whole
from comparator.workflow.people.people import WHOLESALE, require_recent_sign_in
from comparator.workflow.services import Services

SPLIT = (
    "The lines are larger than 1 GB, the most that an import reads. To import them, export in parts, by project, "
    "tag or comparison."
)
NO_SCORES = "decided without scores, which comparison.json needs"
NO_VERDICT = "without a verdict"
NOT_REVIEWED = "not reviewed"
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
        ExportFormat.PARQUET: "scores.parquet",
        ExportFormat.DPO: "preferences.jsonl",
        ExportFormat.DPO_CHAT: "preferences-chat.jsonl",
        ExportFormat.LLM_COMPARATOR: "llm-comparator.json",
        ExportFormat.FIX_LIST: "fix-list.md",
        ExportFormat.HTML: "report.html",
        ExportFormat.ANALYSIS: "analysis.json",
        ExportFormat.WORKSPACE: "",
    }[format]


def named(services: Services, comparison_ids: Sequence[str]) -> tuple[str, ...]:
    """The same ids. Raises NotFound for one that is no comparison's."""
    with services.read() as connection:
        there = comparisons.by_id(connection, comparison_ids)
    if strange := next((each for each in comparison_ids if each not in there), None):
        raise NotFound(f"There is no comparison {strange[:80]!r}. Leave it out, or correct the id.")
    return tuple(comparison_ids)


def write_export(services: Services, asked: ExportRequest, target: Path) -> Written:
    """Write the file as a whole, or for `results` an archive; nothing is left half-written.

    `person_id` is who gets it; None for whoever has this program's shell.
    Raises InputError where it cannot be written, or a fix list names no candidate of a revealed comparison, and
    RightsError where it is a lot and the sign-in is old.
    """
    if len(asked.comparisons) > WHOLESALE:
        require_recent_sign_in(services)
    if not target.parent.is_dir():
        raise InputError(f"The folder {target.parent} does not exist. Create it, or choose another one.")
    partial = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    left_out: Counter[str] = Counter()
    try:
        try:
            written = _write(services, asked, partial, left_out)
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}. Choose another place.") from error
    return Written(written.verdicts, dict(left_out) | written.left_out, written.notes)


def each_settled(
    services: Services, asked: ExportRequest, left_out: Counter[str]
) -> Iterator[tuple[Connection, SettledResult]]:
    """Each comparison with the snapshot on which it was settled; `left_out` counts those without anything to export, by
    reason. Raises WithoutScores."""
    with_scores = asked.format in (ExportFormat.RESULTS, ExportFormat.WORKSPACE)
    for comparison_id in asked.comparisons:
        with services.database.snapshot() as connection:
            try:
                settled = settled_on(
                    connection, comparisons.get(connection, comparison_id), given=asked.given
                )
            except (InputError, NotFound) as error:
                left_out[PURGED if isinstance(error, NotFound) else NO_VERDICT] += 1
                continue
            if asked.reviewed_only and not settled.source.by_people:
                left_out[NOT_REVIEWED] += 1
            elif with_scores and settled.result is None:
                if asked.is_single:
                    raise WithoutScores(settled.lacks)
                left_out[NO_SCORES] += 1
            else:
                yield connection, settled


def gather(services: Services, asked: ExportRequest, left_out: Counter[str]) -> Iterator[Exported]:
    """Each comparison as the formats need it; a line has all that it can hold and this person may see."""
    called: dict[str, str] = {}
    for connection, settled in each_settled(services, asked, left_out):
        try:
            pair = exported(services, connection, settled, called=called)
            if asked.format is ExportFormat.JSONL:
                pair = whole(services, connection, pair)
        except (NotFound, LimitExceeded) as error:
            left_out[PURGED if isinstance(error, NotFound) else TOO_LARGE] += 1
        else:
            yield pair


def _write(services: Services, asked: ExportRequest, target: Path, left_out: Counter[str]) -> Written:
    if asked.format is ExportFormat.RESULTS:
        return _archive(services, asked, target, left_out)
    pairs = gather(services, asked, left_out)
    if asked.format is ExportFormat.PARQUET:
        return write_parquet(pairs, target)
    # A spreadsheet takes a file without the mark for one of an older encoding.
    encoding = "utf-8-sig" if asked.format is ExportFormat.CSV else "utf-8"
    with target.open("x", encoding=encoding, newline="") as out:
        match asked.format:
            case ExportFormat.JSONL:
                written = write_jsonl(pairs, out)
                return written._replace(notes=(SPLIT,) if out.tell() > LARGEST else ())
            case ExportFormat.CSV:
                return write_csv(pairs, out)
            case ExportFormat.DPO | ExportFormat.DPO_CHAT:
                return write_dpo(pairs, out, as_messages=asked.format is ExportFormat.DPO_CHAT)
            case ExportFormat.LLM_COMPARATOR:
                return write_llm_comparator(pairs, out, source=asked.title)
            case ExportFormat.HTML:
                return write_report(pairs, out, title=asked.title, at=services.now())
            case ExportFormat.ANALYSIS:
                return write_analysis(pairs, out)
            case ExportFormat.FIX_LIST:
                every = tuple(pairs)
                return write_fix_list(every, out, candidate=_meant(asked.candidate, every))
            case _:
                raise InputError(f"{asked.format.value} is not written into one file.")


def _meant(name: str, every: Iterable[Exported]) -> str:
    """The one candidate that is called so, else whose name alone or with its iteration is this. Raises InputError."""
    made = {each.candidate_id: each for pair in every if pair.made for _, each in pair.made.items()}.values()
    exact = [each.candidate for each in made if each.candidate == name]
    found = exact or [each.candidate for each in made if name in (each.name, each.dated)]
    known = sorted({each.candidate for each in made})
    if not found:
        raise InputError(_which_candidate(name, known))
    if len(set(found)) > 1:
        raise InputError(f"{name!r} may be any of several candidates. Name one: {'; '.join(sorted(found))}.")
    if len(found) > 1:
        raise InputError(
            f"{name!r} is a candidate of several projects. Choose the project (on the command line: --project NAME)."
        )
    return found[0]


def _which_candidate(name: str, known: Sequence[str]) -> str:
    """Why there is no fix list for this name, and which ones there are."""
    if not known:
        return "A fix list tells what one candidate lost, and none of these comparisons is revealed. Reveal them first."
    there = f"There are: {'; '.join(known[:12])}{' …' if len(known) > 12 else ''}."
    if not name:
        return f"A fix list tells what one candidate lost. Name it (on the command line: --candidate NAME). {there}"
    return f"None of the revealed comparisons is of a candidate {name!r}. {there}"


def _archive(services: Services, asked: ExportRequest, target: Path, left_out: Counter[str]) -> Written:
    """comparison-N.json and its provenance for each, in an archive."""
    verdicts: Counter[VerdictSource] = Counter()
    with zipfile.ZipFile(target, "x", compression=zipfile.ZIP_DEFLATED) as archive:
        for connection, settled in each_settled(services, asked, left_out):
            verdicts[settled.source] += 1
            name = f"comparison-{verdicts.total()}.json"
            files = files_of(services, connection, settled)
            archive.writestr(name, files.result)
            archive.writestr(provenance_path(Path(name)).name, files.provenance)
    return Written(verdicts, {})
