"""What a worker needs of a comparison before it asks: the blinded pair, its rubric, and what is read already."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.notes import IDENTICAL
from comparator.domain.pair.view import BlindedPair, Family, OutputView, PageEvidence
from comparator.domain.scoring.judgment import Pass
from comparator.judges.protocol import Judge
from comparator.judges.tools.missing_content import needs_tools
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.core.database import Connection
from comparator.store.judging import judgments, passes, rubrics
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, labels, outputs
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.workflow.judging.rubrics import suits
from comparator.workflow.page_pictures import seen_page
from comparator.workflow.services import Services

if TYPE_CHECKING:  # loaded by the first pair that is examined: they bring all readers of files with them
    from comparator.judges.tools.examination import Examination
    from comparator.judges.tools.material import Material
    from comparator.outputs.examine.opened import Opener
    from comparator.outputs.preview.child_process import Renderer


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
    stored = outputs.get_views(connection, comparison.view_ids)
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
    stored = outputs.get_views(connection, comparison.view_ids)

    def view(view_id: str) -> OutputView:
        return outputs.read_view(stored[view_id], blobs=services.blobs)

    inputs, reference = comparison.input_view, comparison.reference_view
    shows_reference = projects.get(connection, comparison.project_id).settings.show_reference
    a, b = view(comparison.view_a), view(comparison.view_b)
    return BlindedPair(
        task=comparison.wording,
        inputs=None if inputs is None else view(inputs),
        reference=view(reference) if reference is not None and shows_reference else None,
        outputs=PerOutput[OutputView](A=a, B=b),
        # What a judge says of two outputs that are the same is what a gold label measures.
        same=IDENTICAL in a.notes and not labels.is_gold(connection, comparison.id),
    )


def rubric_in_force(connection: Connection, comparison: Comparison, judge: Judge) -> RubricVersion | None:
    """The rubric that the judge would go by; None where it has to write one."""
    in_force = rubrics.current(
        connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
    )
    return in_force if in_force is not None and suits(in_force, judge) else None


MOST_PAGES = 20
"""Web pages of a pair that are opened for tools because the views have no room for their pictures."""


class Examiner:
    """Opens files for all readings of a worker; they share what is open. Safe to use from several threads."""

    def __init__(self, services: Services) -> None:
        self._services, self._limits = services, services.settings.tool_limits
        self._lock = threading.Lock()
        self._renderer: Renderer | None = None
        self._opener: Opener | None = None

    def material(self, loaded: LoadedPair) -> Material:
        """What the tools work on. It waits for web pages whose pictures had no room."""
        from comparator.judges.tools.material import Material
        from comparator.outputs.examine.opened import StoredCopy

        views = loaded.comparison.view_ids
        with self._services.database.read() as connection:
            rows = [row for view in views for row in outputs.list_files(connection, view)]
        copies = {
            row.id: StoredCopy(
                blob=row.blob,
                media_type=row.media_type or "",
                size=row.copy_size or row.size,
                pages=row.pages,
            )
            for row in rows
            if row.blob is not None
        }
        return Material(loaded.pair, copies, self._open(), pages=self._pages(loaded))

    def examination(self, material: Material) -> Examination:
        """The tools for one reading; it knows nothing of others."""
        from comparator.judges.tools.examination import Examination

        return Examination(material, limits=self._limits)

    def close(self) -> None:
        """End the processes that read files."""
        if self._renderer is not None:
            self._renderer.close()

    def _open(self) -> Opener:
        from comparator.outputs.examine.opened import Opener
        from comparator.outputs.preview.child_process import Renderer

        with self._lock:
            if self._opener is None:
                self._renderer = Renderer(children=1)
                self._opener = Opener(self._services.blobs, self._renderer)
            return self._opener

    def _pages(self, loaded: LoadedPair) -> dict[str, PageEvidence]:
        """Pictures of web pages that the views lack; of both outputs alike, or of none."""
        lacking = [
            file.id
            for label in Label
            for file in loaded.pair.outputs[label].files
            if file.family is Family.HTML and (file.page is None or not file.page.pictures)
        ]
        if self._services.album is None or not lacking or len(lacking) > MOST_PAGES:
            return {}
        found: dict[str, PageEvidence] = {}
        for file_id in lacking:
            try:
                seen = seen_page(self._services, file_id)
            except ComparatorError:
                seen = None
            if seen is None or not seen.evidence.pictures:
                return {}
            found[file_id] = seen.evidence
        return found
