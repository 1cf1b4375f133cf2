"""What a reviewer will see first of the pair after this one, so that it can be made ready meanwhile."""

from __future__ import annotations

from comparator.domain.labels import PerOutput
from comparator.domain.rights import Act
from comparator.outputs.view.pairing import pair_files
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.outputs import FileRow
from comparator.workflow.people.people import may_with
from comparator.workflow.review.claiming import next_in_line
from comparator.workflow.services import Services

MOST_FILES = 300
"""Outputs of more files are not looked at: their list alone would take longer than what is gained."""


def first_files(
    services: Services,
    comparison_id: str,
    *,
    person_id: str,
    project_id: str | None,
    all_runs: bool = False,
) -> PerOutput[FileRow | None] | None:
    """The files that the pair after this one opens with; None where nothing is left that they may see."""
    following = next_in_line(
        services, person_id=person_id, project_id=project_id, after=comparison_id, all_runs=all_runs
    )
    # The project that a page is open on may be one that the person may not see any more.
    if following is None or not may_with(services, person_id, Act.READ, comparison_id=following):
        return None
    with services.database.read() as connection:
        comparison = comparisons.get(connection, following)
        a, b = (
            outputs.list_files(connection, view_id, most=MOST_FILES + 1)
            for view_id in (comparison.view_a, comparison.view_b)
        )
    if max(len(a), len(b)) > MOST_FILES:
        return None
    pairs = pair_files(a, b)
    first = next((pair for pair in pairs if not pair.identical), pairs[0] if pairs else None)
    return PerOutput[FileRow | None](A=first.a, B=first.b) if first else None
