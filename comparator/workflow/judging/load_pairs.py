"""What a worker needs of a comparison before it asks: the blinded pair, its rubric, and what is read already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import PerOutput
from comparator.domain.pair.view import BlindedPair, OutputView
from comparator.domain.scoring.judgment import Pass
from comparator.judges.protocol import Judge
from comparator.judges.tools.needs_tools import needs_tools
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


class UnreadablePair(NamedTuple):
    """A comparison that cannot be read, and why."""

    item: LeasedItem
    error: ComparatorError


def load(
    services: Services,
    connection: Connection,
    items: Sequence[LeasedItem],
    *,
    judge_of: Callable[[LeasedItem], Judge],
) -> tuple[list[LoadedPair], list[UnreadablePair]]:
    """Comparisons with all that their judges get, looked up together, and those of which something is gone."""
    ids = [item.comparison_id for item in items]
    found = comparisons.by_id(connection, ids)
    stored = outputs.stored_views(connection, {view for one in found.values() for view in one.view_ids})
    unwritten = rubrics.unwritten(connection, ids, ever=True)
    shown = {
        project_id: projects.get(connection, project_id).settings.show_reference
        for project_id in {one.project_id for one in found.values()}
    }
    loaded: list[LoadedPair] = []
    refused: list[UnreadablePair] = []
    for item in items:
        try:
            comparison = found.get(item.comparison_id) or comparisons.get(connection, item.comparison_id)
            pair = _pair_of(services, comparison, stored, shows_reference=shown[comparison.project_id])
            judge = judge_of(item)
            without = comparison.task_version_id in unwritten
            loaded.append(
                LoadedPair(
                    item=item,
                    comparison=comparison,
                    pair=pair,
                    digests=PerOutput[str](
                        A=stored[comparison.view_a].digest, B=stored[comparison.view_b].digest
                    ),
                    rubric=None if without else rubric_in_force(connection, comparison, judge),
                )
            )
        except ComparatorError as error:
            refused.append(UnreadablePair(item, error))
    return _with_readings(connection, loaded, judge_of=judge_of), refused


def _with_readings(
    connection: Connection, loaded: Sequence[LoadedPair], *, judge_of: Callable[[LeasedItem], Judge]
) -> list[LoadedPair]:
    """The pairs with the readings that are there, looked up together; a rubric still to be written has none."""
    sets = {
        one.item.comparison_id: judgments.set_digest(
            one.comparison.id,
            view_digests=one.digests,
            rubric_id=one.rubric.id,
            judge=judge_of(one.item).identity,
            trial=one.item.trial,
        )
        for one in loaded
        if one.rubric is not None
    }
    known = passes.successful_of(connection, sets.values()) if sets else {}
    return [replace(one, read=tuple(known.get(sets.get(one.item.comparison_id, ""), ()))) for one in loaded]


def blinded_pair(services: Services, connection: Connection, comparison: Comparison) -> BlindedPair:
    """All that a judge gets of a comparison. Raises StoreError."""
    stored = outputs.stored_views(connection, comparison.view_ids)
    shows_reference = projects.get(connection, comparison.project_id).settings.show_reference
    return _pair_of(services, comparison, stored, shows_reference=shows_reference)


def _pair_of(
    services: Services,
    comparison: Comparison,
    stored: Mapping[str, outputs.StoredView],
    *,
    shows_reference: bool,
) -> BlindedPair:
    def view(view_id: str) -> OutputView:
        return outputs.read_view(stored, view_id, blobs=services.blobs)

    inputs, reference = comparison.input_view, comparison.reference_view
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
