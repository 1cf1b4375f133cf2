"""Setting a comparison up: snapshots become runs, the two blinded views are built, the key is sealed."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.redaction import PatternDecision, blinded_text, redact
from comparator.domain.blinding.scan import may_reveal, scan
from comparator.domain.errors import BlindnessError, InputError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import key_from
from comparator.domain.rights import Act
from comparator.outputs import EXTRACTOR
from comparator.outputs.pictures.office.looks import PrintJob
from comparator.outputs.view.build import build_single
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.core.database import Connection
from comparator.store.core.unit import Unit
from comparator.store.facts import fact
from comparator.store.judging import rubrics
from comparator.store.pairs import comparisons, keys, outputs, runs, tasks
from comparator.store.pairs.comparisons import Views
from comparator.store.pairs.keys import LeakDecision
from comparator.store.pairs.runs import RunState
from comparator.store.pairs.tasks import TaskVersion
from comparator.store.people import projects
from comparator.store.people.projects import Project
from comparator.store.reviewing import reviews
from comparator.workflow.judging.office_pages import before_pages, queue_print_job
from comparator.workflow.page_pictures import digest_without_pages
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader, rubric_texts
from comparator.workflow.submit.submission import Submission, Submitted, title_of
from comparator.workflow.submit.views import built


def submit(
    services: Services, submission: Submission, *, person_id: str | None, readings: Readings | None = None
) -> Submitted:
    """Store the comparison, ready to be judged and reviewed.

    What the leak scan left in `readings` is not read again.

    Raises InputError where both outputs are one and the same run, the pair is known the other way round, or it is new
    and the project closed.
    """
    with open_reader(services, readings) as reader:
        return submit_read(services, submission, reader, person_id=person_id)


def submit_read(
    services: Services, submission: Submission, reader: Reader, *, person_id: str | None
) -> Submitted:
    """The same, for a caller with a reader: what that has read is not read again."""
    drawn = submission
    if submission.draw and services.coin():
        drawn = submission.model_copy(
            update={
                "outputs": submission.outputs.mirrored,
                "candidates": submission.candidates.mirrored,
                "facts": submission.facts.mirrored,
                "findings": tuple(
                    found.model_copy(update={"counts": found.counts.mirrored})
                    for found in submission.findings
                ),
            }
        )
    drawn, pair = built(services, drawn, reader)
    pair, job = before_pages(services, pair, drawn.outputs, redactions=drawn.redactions)
    extras = {
        role: build_single(
            snapshot,
            reader,
            redactions=drawn.redactions,
            budget=services.budget.small,
            new_id=services.new_id,
        )
        for role, snapshot in (("input", drawn.inputs), ("reference", drawn.reference))
        if snapshot is not None
    }
    with services.write() as unit:
        return _store(services, unit, drawn, pair, job, extras, person_id=person_id)


class _Stored(NamedTuple):
    """What of a submission is stored before its comparison is: ids of outputs and runs, by label."""

    project: Project
    version: TaskVersion
    title: str
    snapshots: dict[Label, str]
    runs: PerOutput[str]
    inputs: str | None
    reference: str | None


def _store(
    services: Services,
    unit: Unit,
    submission: Submission,
    pair: PerOutput[BuiltView],
    job: PrintJob | None,
    extras: dict[str, BuiltView],
    *,
    person_id: str | None,
) -> Submitted:
    stored = _store_outputs(unit, submission)
    if stored.runs.A == stored.runs.B:
        raise InputError("A and B are the same output of the same candidate. Choose two different outputs.")
    project_id, version_id = stored.project.id, stored.version.id
    _refuse_telling_rubric(unit.connection, submission, project_id=project_id, version_id=version_id)
    known = keys.comparison_of(unit.connection, version_id, runs=(stored.runs.A, stored.runs.B))
    if known is not None and keys.read(unit.connection, known).run_a != stored.runs.A:
        if not submission.draw:
            raise InputError(
                f"These two outputs are compared already ({known}), with A and B the other way round. "
                "Give them in that order, or compare them in another project."
            )
        mirrored = {label: stored.snapshots[label.other] for label in Label}
        pair, stored = pair.mirrored, stored._replace(snapshots=mirrored)
        job = job and job.mirrored
    require(unit.connection, person_id, Act.SUBMIT, project_id=project_id)
    if known is None and projects.locked(unit.connection, project_id).closed_at is not None:
        raise InputError(
            "This project is closed and revealed; no new pair comes into it. Open it again first (page Panel), or "
            "give another project."
        )
    if known is not None:
        if _seen_otherwise(services, unit.connection, known, pair):
            views = _views(services, unit, submission, stored, pair, extras)
            comparisons.replace_views(unit.connection, known, views)
            fact.refresh(unit, known)
            _queue_pages(services, unit, known, job)
            keys.decide(unit.connection, known, _decisions(submission))
            authorise(
                unit,
                Act.SUBMIT,
                "comparison_rebuilt",
                person_id=person_id,
                project_id=project_id,
                subject_id=known,
            )
        return Submitted(comparison_id=known, project_id=project_id, known=True)
    views = _views(services, unit, submission, stored, pair, extras)
    comparison_id = _add(services, unit, submission, stored, views, person_id=person_id)
    _queue_pages(services, unit, comparison_id, job)
    return Submitted(comparison_id=comparison_id, project_id=project_id)


def _store_outputs(unit: Unit, submission: Submission) -> _Stored:
    project = projects.ensure_project(unit, submission.project, mode=submission.mode)
    title = submission.title.strip() or title_of(submission.task.prompt)
    task = tasks.ensure_task(
        unit,
        project.id,
        key=submission.key or key_from(submission.task.prompt),
        title=title,
        tags=submission.tags,
    )
    inputs = outputs.save_any(unit, submission.inputs, project_id=project.id)
    reference = outputs.save_any(unit, submission.reference, project_id=project.id)
    version = tasks.ensure_version(
        unit, task.id, submission.task, input_snapshot=inputs, reference_snapshot=reference
    )
    snapshots = {
        label: outputs.save_snapshot(unit, snapshot, project_id=project.id)
        for label, snapshot in submission.outputs.items()
    }
    # A task keeps one title from import to import; whoever sets up a pair by hand may give it one of its own.
    of_its_own = submission.title.strip() and not submission.key
    return _Stored(
        project=project,
        version=version,
        title=title if of_its_own else task.title or title,
        snapshots=snapshots,
        runs=_runs(unit, submission, snapshots, project_id=project.id, version_id=version.id),
        inputs=inputs,
        reference=reference,
    )


def _views(
    services: Services,
    unit: Unit,
    submission: Submission,
    stored: _Stored,
    pair: PerOutput[BuiltView],
    extras: dict[str, BuiltView],
) -> Views:
    """What judges and reviewers get of the pair, stored."""
    decided = [[r.pattern, r.decision.value, r.replacement] for r in submission.redactions]
    redaction = hashlib.sha256(json.dumps(decided).encode()).hexdigest()

    def shown(built: BuiltView, snapshot_id: str) -> str:
        return outputs.save_view(
            unit,
            built,
            snapshot_id=snapshot_id,
            extractor=EXTRACTOR,
            redaction=redaction,
            blobs=services.blobs,
        )

    return Views(
        title=redact(stored.title, submission.redactions),
        wording=blinded_text(stored.version.text, submission.redactions),
        view_a=shown(pair.A, stored.snapshots[Label.A]),
        view_b=shown(pair.B, stored.snapshots[Label.B]),
        may_reveal=may_reveal(submission.findings, submission.redactions),
        input_view=shown(extras["input"], stored.inputs) if stored.inputs else None,
        reference_view=shown(extras["reference"], stored.reference) if stored.reference else None,
    )


def _add(
    services: Services,
    unit: Unit,
    submission: Submission,
    stored: _Stored,
    views: Views,
    *,
    person_id: str | None,
) -> str:
    """Store a comparison that is new, with its key and its lot in the audit sample; its id."""
    project = stored.project
    states = stored.runs.map(lambda run_id: runs.get(unit.connection, run_id).state.value)
    comparison = comparisons.add(
        unit,
        project_id=project.id,
        task_version_id=stored.version.id,
        views=views,
        source=submission.source,
        created_by=person_id,
        drawn=submission.draw,
        states=states,
        audit_probability=project.settings.audit_share,
        audited=services.lot() < project.settings.audit_share,
    )
    keys.write(
        unit,
        comparison.id,
        task_version_id=stored.version.id,
        run_a=stored.runs.A,
        run_b=stored.runs.B,
        set_up_by=person_id,
        out_path=submission.out_path,
        decisions=_decisions(submission),
    )
    gone = [id for label, id in stored.runs.items() if states[label] == RunState.SUPERSEDED.value]
    if gone:
        fact.set_aside(unit, gone)
    authorise(
        unit,
        Act.SUBMIT,
        "comparison_created",
        person_id=person_id,
        project_id=project.id,
        subject_id=comparison.id,
        detail={"source": submission.source.value, "drawn": submission.draw},
    )
    return comparison.id


def _queue_pages(services: Services, unit: Unit, comparison_id: str, job: PrintJob | None) -> None:
    if job is not None:
        queue_print_job(services, unit, comparison_id, job)


def _refuse_telling_rubric(
    connection: Connection, submission: Submission, *, project_id: str, version_id: str
) -> None:
    """Raise BlindnessError where the rubric that holds for the task names one of the candidates."""
    in_force = rubrics.current(connection, project_id=project_id, task_version_id=version_id)
    if in_force is None:
        return
    names = patterns_for([submission.candidates.A, submission.candidates.B])
    kept = {r.pattern for r in submission.redactions if r.decision is PatternDecision.KEEP}
    hits = [f for f in scan(names, rubric_texts(in_force.rubric)) if f.whole and f.pattern not in kept]
    if hits:
        raise BlindnessError(
            f"The rubric of this task names a candidate ({hits[0].pattern!r} in “{hits[0].excerpt}”). Judge and "
            "reviewer would see it. Write another rubric for the task first, or compare in another project."
        )


def _seen_otherwise(
    services: Services, connection: Connection, known: str, pair: PerOutput[BuiltView]
) -> bool:
    """Whether a known pair would now look otherwise to judge and reviewer; InputError if a review of it has begun."""
    before = comparisons.get(connection, known)
    views = (before.view_a, before.view_b)
    digests = [outputs.get_view(connection, view).digest for view in views]
    if digests == [pair.A.view.digest, pair.B.view.digest]:
        return False
    # Pictures of pages may come out differently, or not at all; what was handed in is the same for all that.
    bare = [pair[label].view.without_pages().digest for label in Label]
    if [digest_without_pages(services, connection, view) for view in views] == bare:
        return False
    if reviews.of_comparison(connection, known):
        raise InputError(
            f"These two outputs are compared already ({known}) with other words redacted or other files set aside, "
            "and its review has begun. Decide as before, or compare them in another project."
        )
    return True


def _runs(
    unit: Unit, submission: Submission, snapshots: dict[Label, str], *, project_id: str, version_id: str
) -> PerOutput[str]:
    # Candidates become known in the order of their names, which says nothing about A and B.
    named = {
        label: {"name": submission.candidates[label], **submission.facts[label].of_candidate}
        for label in Label
    }
    ids = {
        label: runs.ensure_candidate(unit, project_id, **named[label]).id
        for label in sorted(Label, key=lambda label: repr(named[label]))
    }
    # Two runs of one candidate, to measure the noise: which one counts as the second says nothing about A and B.
    same = ids[Label.A] == ids[Label.B]
    second = max(Label, key=lambda label: submission.outputs[label].digest) if same else None
    new = [
        submission.facts[label].new_run(
            candidate_id=ids[label],
            snapshot_id=snapshots[label],
            repetition=2 if label is second else 1,
        )
        for label in Label
    ]
    a, b = runs.ensure_runs(unit, version_id, new)
    return PerOutput[str](A=a.id, B=b.id)


def _decisions(submission: Submission) -> tuple[LeakDecision, ...]:
    taken = {r.pattern: r for r in submission.redactions}
    return tuple(
        LeakDecision(
            pattern=finding.pattern,
            place=finding.where.name.lower(),
            decision=taken[finding.pattern].decision.value,
            replacement=taken[finding.pattern].replacement,
            counts={**finding.counts.model_dump(), "elsewhere": finding.elsewhere},
        )
        for finding in submission.findings
        if finding.pattern in taken
    )
