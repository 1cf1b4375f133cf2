"""What a worker needs before it asks: the blinded pair, and the rubric, which judges and people write."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from comparator.domain.blinding.redaction import Redaction, blind_text, redact
from comparator.domain.errors import ComparatorError, JudgeError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.notes import IDENTICAL
from comparator.domain.pair.task import TaskText, key_from
from comparator.domain.pair.view import BlindedPair, Family, OutputView, PageEvidence
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import Identity, Pass
from comparator.domain.scoring.rubric import Anchors, Criterion, Rubric
from comparator.judges.protocol import Judge, QuestionResult
from comparator.judges.tools.missing_content import needs_tools
from comparator.outputs.snapshot import Snapshot
from comparator.store.bulk.batch_items import LeasedItem
from comparator.store.core.sql import Connection, Unit
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import comparisons, labels, outputs, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.people import projects
from comparator.workflow.judging.paying import ask_and_pay, try_of
from comparator.workflow.judging.registry import Membership
from comparator.workflow.people.people import authorise
from comparator.workflow.pictures import seen_page
from comparator.workflow.services import Services


def keep_draft(
    unit: Unit, judge: Judge, comparison: Comparison, reply: QuestionResult[Rubric], *, seen: bool = False
) -> RubricVersion:
    """Keep a rubric that the judge wrote as the next version for the comparison's task version.

    A draft that was `seen` by a person is what is used, unless a rubric is locked by now; its cost counts already.
    """
    # Another comparison of the same task may have been quicker; one rubric is shared by all.
    in_force = rubric_in_force(unit, comparison, judge.identity)
    if in_force is None or (seen and not in_force.locked):
        in_force = rubrics.add(
            unit,
            reply.value,
            project_id=comparison.project_id,
            task_version_id=comparison.task_version_id,
            author_kind="offline" if judge.identity.kind == OFFLINE_KIND else "model",
            author=judge.identity.model,
        )
    keep_try(unit, judge, comparison.task_version_id, reply, counted=seen)
    return in_force


def keep_try(
    unit: Unit,
    judge: Judge,
    task_version_id: str,
    came: QuestionResult[Rubric] | JudgeError,
    *,
    counted: bool = False,
) -> None:
    """Keep a try at writing a rubric, and count what it cost unless that is `counted` already."""
    tried = try_of(came.calls, judge.prompt_digests, came if isinstance(came, JudgeError) else None)
    of = {"task_version_id": task_version_id, "model": judge.identity.model}
    judgments.keep_other_try(unit, tried, **of, counted=counted)


def store_own(
    services: Services,
    comparison_id: str,
    rubric: Rubric,
    *,
    author: str,
    locked: bool = False,
    shared: bool = False,
) -> RubricVersion:
    """Keep a rubric that a person wrote or edited; `locked` fixes it, `shared` makes it the whole project's.

    Raises Conflict where the rubric that holds is locked.
    """
    with services.write() as unit:
        comparison = comparisons.get(unit, comparison_id)
        here = (comparison.project_id, comparison_id)
        authorise(unit, Act.SUBMIT, "rubric_written", *here, locked=locked, shared=shared)
        stored = rubrics.add(
            unit,
            rubric,
            project_id=comparison.project_id,
            task_version_id=comparison.task_version_id,
            author_kind="person",
            author=author,
        )
        if shared:
            return rubrics.reuse_for_project(unit, stored.id)
        if locked:
            rubrics.lock_rubric(unit, stored.id)
        return rubrics.get(unit, stored.id)


def redact_rubric(rubric: Rubric, redactions: tuple[Redaction, ...]) -> Rubric:
    """The rubric with the redactions of a comparison; keys that would change are kept."""

    def line(criterion: Criterion) -> Criterion:
        return criterion.copy_with(
            name=redact(criterion.name, redactions),
            description=redact(criterion.description, redactions),
            anchors=Anchors(**{k: redact(v, redactions) for k, v in criterion.anchors.model_dump().items()}),
        )

    return Rubric(
        content=tuple(line(c) for c in rubric.content),
        structure=tuple(line(c) for c in rubric.structure),
        right_answer=redact(rubric.right_answer, redactions),
    )


def rubric_in_force(connection: Connection, comparison: Comparison, judge: Identity) -> RubricVersion | None:
    """The rubric that the judge would go by; None where it has to write one."""
    in_force = rubrics.current(
        connection, project_id=comparison.project_id, task_version_id=comparison.task_version_id
    )
    return _usable_rubric(in_force, judge)


def _usable_rubric(in_force: RubricVersion | None, judge: Identity) -> RubricVersion | None:
    """The rubric, unless it is an offline check's that is not locked: a model does not go by that."""
    if in_force is None or in_force.locked or judge.kind == OFFLINE_KIND:
        return in_force
    return None if in_force.author_kind == "offline" else in_force


def rubric_of_task(
    services: Services,
    judge: Judge,
    task: TaskText,
    *,
    project: str,
    inputs: Snapshot | None,
    reference: Snapshot | None,
) -> RubricVersion | None:
    """The rubric that this judge would go by for the task, if there is one; nothing is stored or paid for it."""
    with services.read() as connection:
        if (known := projects.named(connection, project)) is None:
            return None
        version = tasks.find_version(
            connection,
            known.id,
            key=key_from(task.prompt),
            text=task,
            inputs=None if inputs is None else outputs.identity_of(inputs),
            reference=None if reference is None else outputs.identity_of(reference),
        )
        in_force = rubrics.current(
            connection, project_id=known.id, task_version_id="" if version is None else version.id
        )
    return _usable_rubric(in_force, judge.identity)


async def draft_rubric(
    me: Membership,
    judge: Judge,
    task: TaskText,
    *,
    redactions: tuple[Redaction, ...],
    families: tuple[Family, ...],
) -> QuestionResult[Rubric]:
    """A rubric by the judge from the blinded wording, not stored yet; what it cost counts in the budget at once.

    Raises JudgeError; what a failed try cost counts too. JudgeNotAllowed where the budget is used up.
    """
    wording = blind_text(task, redactions)

    return await ask_and_pay(
        me, judge, lambda owner: judge.write_rubric(wording, families=families, on_behalf_of=owner)
    )


def store_drafted(
    services: Services, judge: Judge, comparison_id: str, reply: QuestionResult[Rubric]
) -> RubricVersion:
    """Keep a drafted rubric as the next version for the comparison's task version: what was shown is what is used.

    Where a rubric is locked by now, that one is returned. What the draft cost counts already.
    """
    with services.write() as unit:
        comparison = comparisons.get(unit, comparison_id)
        return keep_draft(unit, judge, comparison, reply, seen=True)


if TYPE_CHECKING:  # loaded by the first pair that is examined: they bring all readers of files with them
    from comparator.judges.tools.examination import Examination
    from comparator.judges.tools.material import Material
    from comparator.outputs.examine.opened import Opener
    from comparator.outputs.preview.child_process import Renderer


class LoadedPair(NamedTuple):
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
    digests = PerOutput(A=stored[comparison.view_a].digest, B=stored[comparison.view_b].digest)
    rubric = rubric_in_force(connection, comparison, judge.identity)
    read: tuple[Pass, ...] = ()
    if rubric is not None:
        wanted = judgments.set_digest(
            comparison.id, view_digests=digests, rubric_id=rubric.id, judge=judge.identity, trial=item.trial
        )
        read = judgments.successful(connection, wanted)
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
        outputs=PerOutput(A=a, B=b),
        # What a judge says of two outputs that are the same is what a gold label measures.
        same=IDENTICAL in a.notes and not labels.is_gold(connection, comparison.id),
    )


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

        with self._services.read() as connection:
            copies = {
                copy.file_id: copy
                for view in loaded.comparison.view_ids
                for copy in outputs.copies_of(connection, view)
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
        evidence: dict[str, PageEvidence] = {}
        for file_id in lacking:
            try:
                seen = seen_page(self._services, file_id)
            except ComparatorError:
                seen = None
            if seen is None or not seen.evidence.pictures:
                return {}
            evidence[file_id] = seen.evidence
        return evidence
