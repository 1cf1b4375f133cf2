"""Comparisons go out as rows and in the formats that other tools read, and reviews made elsewhere come in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from comparator.api.opened import opened, understood
from comparator.domain.errors import InputError, ReviewError
from comparator.domain.labels import Dimension, Frozen, Label, Winner
from comparator.domain.scoring.judgment import Prose
from comparator.domain.scoring.result import OVERALL, ComparisonResult
from comparator.domain.scoring.review import UNTOUCHED, Change, ChangeKind, Part, Target, Value, judged_value
from comparator.domain.scoring.rubric import FORM, path_of
from comparator.interop.exported import ExportChoice, ExportFormat, Written
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import HistoryRow, found_ids, history
from comparator.settings import Settings
from comparator.store.core.database import Database
from comparator.store.pairs import tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people.projects import project_named
from comparator.workflow.exporting.comparison_json import ScoresGiven, provenance_json, read_settled
from comparator.workflow.exporting.formats import (
    ExportRequest,
    check_ids,
    file_name,
    write_back,
    write_export,
)
from comparator.workflow.review.review import finalise as finalise_review
from comparator.workflow.review.review import record
from comparator.workflow.review.review_state import current_verdict, review_state

if TYPE_CHECKING:
    import pandas as pd

AT_ONCE = 500
COLUMNS = (
    "id", "project", "task", "title", "status", "winner", "a", "b", "form", "verdict_source", "judge",
    "candidate_a", "candidate_b", "winner_name", "created",
)  # fmt: skip
"""What a row says. `a` and `b` are overall scores, 2.0 to 10.0; `form` is what the offline check found."""


def results(project: str = "", *, settings: Settings | None = None) -> pd.DataFrame:
    """All comparisons of a project, the newest first, one a row with the columns `COLUMNS`.

    `project` may be left out where there is one. Candidates are named once they are revealed, and None before. What you
    have yet to score blind has neither winner nor scores. Raises InputError for an unknown project.
    """
    # pandas takes half a second to import, and only this needs it.
    import pandas as pd

    with opened(settings) as services:
        wanted = HistoryFilter(project_id=project_named(services.database, project), reader=services.who)
        rows = [row_of(row) for row in _all(services.database, wanted)]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["created"] = pd.to_datetime(frame["created"], utc=True)
    return frame.astype({"a": float, "b": float})


def row_of(row: HistoryRow) -> dict[str, Any]:
    """One comparison as a row; values that are hidden or not there are None."""
    line, named = row.line, row.made_by
    winner = None if row.covered else line.winner
    return {
        "id": line.id,
        "project": line.project_name,
        "task": line.task_key,
        "title": line.title,
        "status": line.status,
        "winner": winner,
        "a": None if row.covered or line.overall_a is None else float(line.overall_a),
        "b": None if row.covered or line.overall_b is None else float(line.overall_b),
        "form": None if row.covered else line.form,
        "verdict_source": line.verdict_source,
        "judge": line.judge_model,
        "candidate_a": None if named is None else named.A,
        "candidate_b": None if named is None else named.B,
        "winner_name": None if named is None else {"A": named.A, "B": named.B}.get(winner or ""),
        "created": line.created_at.isoformat(),
    }


def _all(database: Database, wanted: HistoryFilter) -> Iterator[HistoryRow]:
    offset = 0
    while rows := history(database, wanted, limit=AT_ONCE, offset=offset).rows:
        yield from rows
        offset += len(rows)


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
        provenance = json.loads(provenance_json(services, comparison))
        settled_result = read_settled(services, comparison)
        return Shown(
            result=settled_result.result,
            winner=settled_result.verdict.winner,
            prose=settled_result.prose,
            form=settled_result.form,
            provenance=provenance,
        )


def export(
    format: ExportFormat | str,  # noqa: A002  # what it is
    *,
    out: str | PathLike[str] = "",
    settings: Settings | None = None,
    **chosen: Any,
) -> Written:
    """Write comparisons with their verdicts to a file, by default one named after the format; what was written.

    Which ones say the fields of `interop.exported.ExportChoice`; without any they are all. Before the reveal
    candidates are not named. The format "workspace" writes comparison-N.json back beside each eval.

    Raises InputError for an unknown project or a place that cannot be written, NotFound for an unknown comparison.
    """
    format, choice = ExportFormat(format), understood(ExportChoice, **chosen)  # noqa: A001  # what it is
    is_single = len(choice.comparisons) == 1
    if choice.scores and not is_single:
        raise InputError("Scores apply to one pair. Name it (on the command line: --comparison ID).")
    with opened(settings) as services:
        wanted = HistoryFilter(
            project_id=project_named(services.database, choice.project) if choice.project else None,
            text=choice.search,
            tag=choice.tag or None,
        )
        request = ExportRequest(
            format=format,
            comparisons=check_ids(services, choice.comparisons) or found_ids(services.database, wanted),
            reviewed_only=choice.reviewed,
            candidate=choice.candidate,
            title=choice.project or "Comparisons",
            is_single=is_single,
            given=ScoresGiven.read(f"{choice.scores} {choice.why}") if choice.scores else None,
        )
        if format is ExportFormat.WORKSPACE:
            return write_back(services, request)
        return write_export(services, request, Path(out or file_name(format)))


def import_review(
    comparison: str,
    result: ComparisonResult,
    *,
    reason: str = "",
    finalise: bool = False,
    settings: Settings | None = None,
) -> int:
    """Set your review to a result corrected elsewhere; how many values changed. Repeating it changes nothing.

    Values that equal the judge's are confirmed, since the file states them. `reason` says why others differ from the
    judge's. `finalise` settles the review; what nobody assessed is left out. Raises ReviewError for the result of
    another comparison.
    """
    with opened(settings) as services:
        with services.read() as unit:
            state = review_state(unit, comparison)
            handed_in = tasks.get_version(unit, state.comparison.task_version_id).expectations
        changed = 0

        def store(given: dict[str, Value]) -> None:
            nonlocal state, changed
            changes: list[Change] = []
            for address, value in given.items():
                target, entry = Target.parse(address), state.touched.get(address, UNTOUCHED)
                if not (entry.touch.is_opinion and entry.value == value):
                    changes.append(
                        Change(
                            id=services.new_id(),
                            target=target,
                            kind=ChangeKind.SET,
                            value=value,
                            reason="" if value == judged_value(state.judgment, target) else reason,
                            author=services.person,
                            # `record` sets the time under which it is stored.
                            at=services.now(),
                        )
                    )
            if changes:
                state = record(services, comparison, changes)
                changed += len(changes)

        store(dict(_values(state.comparison, handed_in, result)))
        verdict = current_verdict(state).verdict
        if verdict is None or verdict.winner != result.winner:
            store({str(Part.WINNER): result.winner})
        # Last, so that it is written for the winner that holds, and exported as it is.
        store({str(Part.REASONING): result.reasoning})
        if finalise:
            finalise_review(services, comparison)
        return changed


def _values(
    comparison: Comparison, handed_in: tuple[str, ...], result: ComparisonResult
) -> Iterator[tuple[str, Value]]:
    """The file's values by address, as a review names them; `handed_in` are the expectations in their first words."""
    # A file that was exported after the reveal has these; an earlier one, and the sheet, have the blinded ones.
    number = {text: n for texts in (comparison.expectations, handed_in) for n, text in enumerate(texts)}
    for label in Label:
        scores, quality = result.rubric[label], result.output_quality[label]
        for dimension in Dimension:
            for name, score in getattr(scores, dimension).items():
                path = path_of(dimension, name)
                # The offline check's rows, and numbers that only a file needed, are no criteria of the pair.
                if path not in (*FORM.paths, *OVERALL.paths):
                    yield f"{Part.SCORE}:{label}:{path}", score
        yield f"{Part.STRENGTHS}:{label}", quality.strengths
        yield f"{Part.WEAKNESSES}:{label}", quality.weaknesses
        for detail in result.expectation_results[label].details if result.expectation_results else ():
            if detail.text not in number:
                raise ReviewError(
                    f"The task has no expectation {detail.text[:80]!r}. Is the file another pair's?"
                )
            yield f"{Part.EXPECTATION}:{label}:{number[detail.text]}", detail.passed
