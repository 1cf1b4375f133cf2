"""What a worker needs of a comparison before it asks: the blinded pair, its rubric, and what is read already."""

from __future__ import annotations

from dataclasses import dataclass

from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import BlindedPair, OutputView
from comparator.domain.scoring.judgment import Pass
from comparator.judges.protocol import Judge
from comparator.judges.tools.missing_content import needs_tools
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, passes, rubrics
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.workflow.judging.rubrics import suits
from comparator.workflow.services import Services


@dataclass(frozen=True)
class LoadedPair:
    """One comparison, ready to be read."""

    item: LeasedItem
    comparison: Comparison
    pair: BlindedPair
    digests: PerOutput[str]
    rubric: RubricVersion | None
    read: tuple[Pass, ...] = ()
    """The readings by this rubric that are there and need not be paid for again."""

    @property
    def with_tools(self) -> bool:
        """Whether its judge opens files with tools, in both orders alike."""
        judge = self.item.judge
        return judge.kind == "anthropic" and needs_tools(self.pair, judge.tools)


def load(services: Services, connection: Connection, item: LeasedItem, judge: Judge) -> LoadedPair:
    """A comparison with all that its judge gets. Raises ComparatorError where something of it is gone."""
    comparison = comparisons.get(connection, item.comparison_id)
    stored = outputs.stored_views(connection, comparison.view_ids)
    digests = PerOutput[str](A=stored[comparison.view_a].digest, B=stored[comparison.view_b].digest)
    rubric = rubric_in_force(connection, comparison, judge)
    read: tuple[Pass, ...] = ()
    if rubric is not None:
        wanted = judgments.set_digest(
            comparison.id, view_digests=digests, rubric_id=rubric.id, judge=judge.identity, trial=item.trial
        )
        read = passes.successful(connection, wanted)
    pair = blinded_pair(services, connection, comparison)
    return LoadedPair(item, comparison, pair, digests, rubric, read)


def blinded_pair(services: Services, connection: Connection, comparison: Comparison) -> BlindedPair:
    """All that a judge gets of a comparison. Raises StoreError."""
    stored = outputs.stored_views(connection, comparison.view_ids)

    def view(view_id: str) -> OutputView:
        return outputs.read_view(stored, view_id, blobs=services.blobs)

    inputs, reference = comparison.input_view, comparison.reference_view
    shows_reference = projects.get(connection, comparison.project_id).settings.show_reference
    return BlindedPair(
        task=comparison.wording,
        inputs=None if inputs is None else view(inputs),
        reference=view(reference) if reference is not None and shows_reference else None,
        outputs=PerOutput[OutputView](A=view(comparison.view_a), B=view(comparison.view_b)),
    )


def rubric_in_force(connection: Connection, comparison: Comparison, judge: Judge) -> RubricVersion | None:
    """The rubric that the judge would go by; None where it has to write one."""
    in_force = rubrics.current(
        connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
    )
    return in_force if in_force is not None and suits(in_force, judge) else None
