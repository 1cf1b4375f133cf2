"""Comparisons go out in the formats that other tools read, and reviews made elsewhere come in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from comparator.api.analysing import exported_analysis
from comparator.api.opened import opened, project_named
from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.result import ComparisonResult
from comparator.interop.exported import ExportFormat, Written
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids
from comparator.settings import Settings
from comparator.workflow.exporting.comparison_json import provenance_json
from comparator.workflow.exporting.formats import ExportRequest, file_name, named, write_export
from comparator.workflow.exporting.settled import ScoresGiven, settled
from comparator.workflow.exporting.workspace import write_back
from comparator.workflow.people.people import local_person
from comparator.workflow.review.review import finalise as finalise_review
from comparator.workflow.review.review_elsewhere import take_over


class Shown(Frozen):
    """One comparison: what comparison.json and comparison.provenance.json hold of it.

    `result` is None where a reviewer chose the winner alone; `form` is what the offline check found, where nobody else
    has spoken.
    """

    result: ComparisonResult | None
    winner: Winner
    prose: Prose
    form: str
    provenance: dict[str, Any]


def show(comparison: str, *, settings: Settings | None = None) -> Shown:
    """The verdict of a comparison with what led to it, by its id. Raises NotFound, and InputError without a verdict."""
    with opened(settings) as services:
        provenance = json.loads(provenance_json(services, comparison, person_id=local_person(services).id))
        found = settled(services, comparison)
        return Shown(
            result=found.result,
            winner=found.verdict.winner,
            prose=found.prose,
            form=found.form,
            provenance=provenance,
        )


def export(
    format: ExportFormat | str,  # noqa: A002  # what it is
    *,
    project: str = "",
    comparisons: Sequence[str] = (),
    search: str = "",
    tag: str = "",
    reviewed: bool = False,
    candidate: str = "",
    scores: str = "",
    why: str = "",
    out: str | PathLike[str] = "",
    settings: Settings | None = None,
) -> Written:
    """Write comparisons with their verdicts to a file, by default one named after the format; what was written.

    They are those given by id, else all of the project (or of all), narrowed by words in title or task and by a task's
    tag. `reviewed` takes only what a person has reviewed; `candidate` is whose losses a fix list covers. `scores` are
    four whole numbers from 1 to 5, such as "4,3,2,3" (content and structure of A, then of B), for one pair that was
    decided without any; `why` says why the winner wins, where the review does not. Before the reveal candidates are not
    named. The format "workspace" writes comparison-N.json back beside each eval.
    Raises InputError for an unknown project or a place that cannot be written, NotFound for an unknown comparison.
    """
    format = ExportFormat(format)  # noqa: A001  # what it is
    if scores and len(comparisons) != 1:
        raise InputError("Scores apply to one pair. Name it (on the command line: --comparison ID).")
    with opened(settings) as services:
        wanted = HistoryFilter(
            project_id=project_named(services.database, project) if project else None,
            text=search,
            tag=tag or None,
        )
        request = ExportRequest(
            format=format,
            comparisons=named(services, comparisons) or found_ids(services.database, wanted),
            reviewed_only=reviewed,
            candidate=candidate,
            title=project or "Comparisons",
            is_single=len(comparisons) == 1,
            given=ScoresGiven.read(f"{scores} {why}") if scores else None,
        )
        if format is ExportFormat.WORKSPACE:
            return write_back(services, request)
        file = Path(out or file_name(format))
        return write_export(services, request, file, person_id=None, analysed=exported_analysis)


def import_review(
    comparison: str,
    result: ComparisonResult,
    *,
    reason: str = "",
    finalise: bool = False,
    settings: Settings | None = None,
) -> int:
    """Set your review to a result corrected elsewhere; how many values changed. Repeating it changes nothing.

    `reason` says why values differ from the judge's. `finalise` settles the review; what nobody assessed is left out.
    Raises ReviewError for the result of another comparison.
    """
    with opened(settings) as services:
        me = local_person(services).id
        changed = take_over(services, comparison, result, person_id=me, reason=reason)
        if finalise:
            finalise_review(services, comparison, person_id=me)
        return changed
