"""What a worker needs of a comparison before it asks: the blinded pair, its rubric, and what is read already."""

from __future__ import annotations

from dataclasses import dataclass

from comparator.domain.judgment import Pass
from comparator.domain.labels import PerOutput
from comparator.domain.view import BlindedPair
from comparator.judges.protocol import Judge
from comparator.store import comparisons, judging, outputs, rubrics, standings
from comparator.store.batch_items import Claimed
from comparator.store.comparisons import Comparison
from comparator.store.database import Connection
from comparator.store.rubrics import RubricVersion
from comparator.workflow.judge import blinded_pair
from comparator.workflow.rubrics import suits
from comparator.workflow.services import Services


@dataclass(frozen=True)
class Loaded:
    """One comparison, ready to be read."""

    item: Claimed
    comparison: Comparison
    pair: BlindedPair
    digests: PerOutput[str]
    rubric: RubricVersion | None
    unheard_of: bool
    """Nobody has judged or reviewed it, so that what is said of it can be written without asking the database."""
    without_rubric: bool
    """Its task version has never had one."""


def load(services: Services, connection: Connection, item: Claimed, *, judge: Judge) -> Loaded:
    """The comparison with all that a judge gets. Raises StoreError where something of it is gone or damaged."""
    comparison = comparisons.get(connection, item.comparison_id)
    return Loaded(
        item=item,
        comparison=comparison,
        pair=blinded_pair(services, connection, comparison),
        digests=PerOutput[str](
            A=outputs.get_view(connection, comparison.view_a).digest,
            B=outputs.get_view(connection, comparison.view_b).digest,
        ),
        rubric=held_rubric(connection, comparison, judge),
        unheard_of=standings.is_new(connection, comparison.id),
        without_rubric=not rubrics.any_for(
            connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
        ),
    )


def held_rubric(connection: Connection, comparison: Comparison, judge: Judge) -> RubricVersion | None:
    """The rubric that the judge would go by; None where it has to write one."""
    held = rubrics.current(
        connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
    )
    return held if held is not None and suits(held, judge) else None


def read_already(
    connection: Connection, loaded: Loaded, rubric: RubricVersion, *, judge: Judge
) -> tuple[Pass, ...]:
    """The readings that need not be paid for again."""
    whole = judging.set_digest(
        loaded.comparison.id, view_digests=loaded.digests, rubric_id=rubric.id, judge=judge.identity
    )
    return judging.successful_passes(connection, loaded.comparison.id, set_digest=whole)
