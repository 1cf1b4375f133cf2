"""What to do next: the analysis of two candidates, notes on the benchmark, and a list of what to mend."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

from comparator.domain.errors import InputError
from comparator.interop.exported import ExportFormat
from comparator.interop.write.analysis import Analysis, analysis_of
from comparator.interop.write.evidence import WrittenEvidence
from comparator.interop.write.fix_list import write_fix_list
from comparator.reporting.results.candidates import Names
from comparator.reporting.results.noise import noise
from comparator.reporting.results.result import result
from comparator.reporting.tally.scope import ResultFilter
from comparator.reporting.themes.picture import cited, theme_picture
from comparator.reporting.why.notes import benchmark_notes
from comparator.reporting.why.pairs import pairs
from comparator.stats.noise import NoiseFloor
from comparator.store.core.database import Database
from comparator.store.pairs import comparisons
from comparator.workflow.exporting.formats import ExportRequest, gather
from comparator.workflow.services import Services
from comparator.workflow.themes.suggest import suggested_for
from comparator.workflow.themes.transcripts import with_transcripts

MOST = 2_000
"""Pairs of a result that are analysed; the export command writes more."""
QUOTES = 3


def analysis_text(services: Services, asked: ResultFilter) -> str:
    """analysis.json of the counted pairs of two candidates, with what a model said where one was asked.

    Raises BlindnessError, InputError.
    """
    return completed(services, asked, analysis(services, asked)).text()


def completed(services: Services, asked: ResultFilter, found: Analysis) -> Analysis:
    """The analysis with what a model said: its suggestions in place of those from templates, and of transcripts."""
    found = with_transcripts(services, asked.project_id, found, of=(asked.one, asked.two))
    if suggested := suggested_for(services, asked.project_id, of=(asked.one, asked.two)):
        by, suggestions = suggested
        return found.model_copy(update={"by": by, "suggestions": suggestions})
    return found


def analysis(
    services: Services, asked: ResultFilter, *, on_step: Callable[[int, int], None] = lambda _done, _of: None
) -> Analysis:
    """The analysis of the counted pairs, its suggestions from templates. Raises BlindnessError, InputError.

    `on_step` is told how many pairs are read, of how many.
    """
    found, request = noise(services.database, asked).floor, _request(services, asked)
    read = []
    for pair in gather(services, request, left_out=lambda _: None):
        read.append(pair)
        on_step(len(read), len(request.comparisons))
    return analysis_of(
        read,
        floor=found.most / 10 if isinstance(found, NoiseFloor) else None,
        themes=theme_evidence(services.database, asked),
    )


def analysis_of_pair(services: Services, project_id: str, comparison_id: str) -> Analysis:
    """The analysis of one pair of the project. Raises InputError before its reveal, and for a tied pair."""
    with services.database.read() as connection:
        if comparisons.get(connection, comparison_id).project_id != project_id:
            raise InputError("This comparison is of another project. Name the project that it is in.")
    request = ExportRequest(format=ExportFormat.ANALYSIS, comparisons=(comparison_id,))
    return analysis_of([pair for pair in gather(services, request, left_out=lambda _: None) if pair.made])


def fix_list_text(services: Services, asked: ResultFilter, *, candidate: str) -> str:
    """What to mend in the candidate of this name, as Markdown. Raises BlindnessError."""
    out = io.StringIO()
    write_fix_list(
        gather(services, _request(services, asked), left_out=lambda _: None), out, candidate=candidate
    )
    return out.getvalue()


def notes_text(services: Services, asked: ResultFilter, names: Names) -> str:
    """The benchmark notes as a JSON array of strings. Raises BlindnessError."""
    found = benchmark_notes(services.database, asked, names)
    return json.dumps(list(found), ensure_ascii=False, indent=2) + "\n"


def theme_evidence(database: Database, asked: ResultFilter) -> tuple[WrittenEvidence, ...]:
    """The themes that speak for the candidate that won more pairs, with their pairs and quotes."""
    picture, found = theme_picture(database, asked), result(database, asked)
    won = found.won >= found.lost
    told = []
    for each in picture.themes if picture else ():
        ahead, points = (each.one, 2) if won else (each.two, 0)
        if not ahead:
            continue
        behind = cited(database, asked, each.theme.id, points)
        said = {one.finding.said.value for one in behind}
        told.append(
            WrittenEvidence(
                text=f"Theme “{each.theme.name}” speaks for it in {ahead} of {each.pairs} pairs in which it occurs",
                pairs=tuple(dict.fromkeys(one.finding.comparison_id for one in behind)),
                quotes=tuple(dict.fromkeys(one.finding.words for one in behind))[:QUOTES],
                said=" and ".join(sorted(said)),
            )
        )
    return tuple(told)


def _request(services: Services, asked: ResultFilter) -> ExportRequest:
    found = pairs(services.database, asked, limit=MOST)
    return ExportRequest(
        format=ExportFormat.ANALYSIS, comparisons=tuple(sorted(each.comparison_id for each in found))
    )
