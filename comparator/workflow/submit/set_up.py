"""Setting a comparison up: snapshots become runs, the two blinded views are built, the key is sealed."""

import hashlib
import json
from collections.abc import Collection
from typing import Any, NamedTuple

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.redaction import (
    PatternDecision,
    blind_text,
    redact,
    redactions_for_words,
    redacts_anything,
)
from comparator.domain.blinding.scan import may_reveal, scan
from comparator.domain.errors import BlindnessError, InputError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.task import key_from
from comparator.domain.pair.view import without_sides
from comparator.domain.rights import Act
from comparator.outputs import EXTRACTOR
from comparator.outputs.snapshot import Blobs
from comparator.outputs.view.build import aside_of, build_pair, build_single, names_of, texts_to_scan
from comparator.outputs.view.built import BuiltView
from comparator.outputs.view.reading import Reader, Readings
from comparator.store.core.sql import Unit
from comparator.store.facts import fact
from comparator.store.judging import rubrics
from comparator.store.pairs import comparisons, keys, outputs, runs, tasks
from comparator.store.pairs.runs import NewCandidate, NewRun, Run, RunState
from comparator.store.people import projects
from comparator.store.reviewing import reviews
from comparator.workflow.people.people import authorise, require, require_for
from comparator.workflow.pictures import before_pages, digest_without_pages, queue_print_job, with_pictures
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import (
    Submission,
    Submitted,
    open_reader,
    rubric_texts,
    task_texts_to_scan,
    title_of,
    with_findings,
    with_nouns,
)


def submit(services: Services, submission: Submission, *, readings: Readings | None = None) -> Submitted:
    """Store the comparison, ready to be judged and reviewed.

    What the leak scan left in `readings` is not read again.

    Raises InputError where both outputs are one and the same run, the pair is known the other way round, or it is new
    and the project closed.
    """
    with open_reader(services, readings) as reader:
        return submit_read(services, submission, reader)


def submit_read(
    services: Services, submission: Submission, reader: Reader, *, stored: PerOutput[str] | None = None
) -> Submitted:
    """The same, for a caller with a reader: what that has read is not read again. `stored` are the ids of the runs,
    where they are stored already."""
    drawn = submission
    if submission.draw and services.coin():
        stored = stored and stored.mirrored
        drawn = submission.copy_with(
            outputs=submission.outputs.mirrored,
            candidates=submission.candidates.mirrored,
            findings=tuple(
                finding.copy_with(counts=finding.counts.mirrored) for finding in submission.findings
            ),
        )
    if redacts_anything(drawn.redactions):
        texts = texts_to_scan(drawn.outputs, reader, taken_back=drawn.taken_back, prompt=drawn.task.prompt)
        texts += task_texts_to_scan(reader, inputs=drawn.inputs, reference=drawn.reference)
        # Nouns in place of names that occur nowhere in what judge and reviewer get.
        nouns = with_nouns(drawn.redactions, task=drawn.task, texts=texts)
        drawn = drawn.copy_with(redactions=nouns)
    pair = build_pair(
        drawn.outputs,
        reader,
        redactions=drawn.redactions,
        taken_back=drawn.taken_back,
        budget=services.output_budget,
        new_id=services.new_id,
        prompt=drawn.task.prompt,
    )
    pair = with_pictures(services, pair, candidates=drawn.candidates, redactions=drawn.redactions)
    pair, job = before_pages(services, pair, drawn.outputs, redactions=drawn.redactions)
    extras = {
        role: build_single(
            snapshot,
            reader,
            redactions=drawn.redactions,
            budget=services.output_budget.small,
            new_id=services.new_id,
        )
        for role, snapshot in (("input", drawn.inputs), ("reference", drawn.reference))
        if snapshot is not None
    }
    with services.write() as unit:
        of = _store_pair(unit, drawn, stored) if stored else _store(unit, drawn, services.blobs)
        known = _known(unit, drawn, of)
        if known is not None and keys.read(unit, known).run_a != of.runs.A.id:
            if not drawn.draw:
                raise InputError(
                    f"These two outputs are compared already ({known}), with A and B the other way round. "
                    "Give them in that order, or compare them in another project."
                )
            pair, of, job = pair.mirrored, of._replace(runs=of.runs.mirrored), job and job.mirrored

        def views() -> comparisons.Views:
            """What judges and reviewers get of the pair, stored."""
            decided = [[r.pattern, r.decision, r.replacement] for r in drawn.redactions]
            redaction = hashlib.sha256(json.dumps(decided).encode()).hexdigest()

            def save_view(built: BuiltView, snapshot_id: str) -> str:
                return outputs.save_view(
                    unit,
                    built,
                    snapshot_id=snapshot_id,
                    extractor=EXTRACTOR,
                    redaction=redaction,
                    blobs=services.blobs,
                )

            inputs, reference = of.version.input_snapshot, of.version.reference_snapshot
            return comparisons.Views(
                title=redact(of.title, drawn.redactions),
                **dict(blind_text(of.version.text, drawn.redactions)),
                view_a=save_view(pair.A, of.runs.A.snapshot_id),
                view_b=save_view(pair.B, of.runs.B.snapshot_id),
                may_reveal=may_reveal(drawn.findings, drawn.redactions),
                input_view=save_view(extras["input"], inputs) if inputs else None,
                reference_view=save_view(extras["reference"], reference) if reference else None,
            )

        project = of.project
        event, detail = "comparison_rebuilt", dict[str, object]()
        require(unit, Act.SUBMIT, project.id)
        if known is None:
            project = projects.locked(unit, project.id)
            if project.closed_at is not None:
                raise InputError(
                    "This project is closed and revealed, so it takes no new pairs. Open it again on the page Panel, "
                    "or choose another project."
                )
            comparison_id = comparisons.add(
                unit,
                project_id=project.id,
                task_version_id=of.version.id,
                views=views(),
                source=drawn.source,
                created_by=services.who,
                drawn=drawn.draw,
                states=of.runs.map(lambda run: run.state),
                audit_probability=project.settings.audit_share,
                audited=services.lot() < project.settings.audit_share,
            ).id
            keys.write(
                unit,
                comparison_id,
                task_version_id=of.version.id,
                run_a=of.runs.A.id,
                run_b=of.runs.B.id,
                decisions=_decisions(drawn),
            )
            if gone := [run.id for _, run in of.runs.items() if run.state is RunState.SUPERSEDED]:
                fact.set_aside(unit, gone)
            event, detail = "comparison_created", {"source": drawn.source, "drawn": drawn.draw}
        elif _seen_otherwise(services, unit, known, pair):
            comparison_id = known
            comparisons.change(unit, known, **dict(views()))
            fact.refresh(unit, known)
            keys.decide(unit, known, _decisions(drawn))
        else:
            return Submitted(comparison_id=known, project_id=project.id, known=True)
        authorise(unit, Act.SUBMIT, event, project.id, comparison_id, **detail)
        if job is not None:
            queue_print_job(services, unit, comparison_id, job)
        return Submitted(comparison_id=comparison_id, project_id=project.id, known=known is not None)


class _Pair(NamedTuple):
    """Two stored runs that are to be compared, and what they are of."""

    project: projects.Project
    version: tasks.TaskVersion
    title: str
    runs: PerOutput[Run]


def _store_pair(unit: Unit, submission: Submission, ids: PerOutput[str]) -> _Pair:
    both = ids.map(lambda id: runs.get(unit, id))
    version = tasks.get_version(unit, both.A.task_version_id)
    task = tasks.get(unit, version.task_id)
    project = projects.get(unit, task.project_id)
    return _Pair(project, version, task.title or title_of(submission.task.prompt), both)


def _store(unit: Unit, submission: Submission, blobs: Blobs) -> _Pair:
    """Store the task and both runs of what somebody handed in."""
    project = projects.ensure_project(unit, submission.project, mode=submission.mode)
    kept: Any = {"project_id": project.id, "blobs": blobs}
    title = submission.title.strip() or title_of(submission.task.prompt)
    key = submission.key or key_from(submission.task.prompt)
    task = tasks.ensure_task(unit, project.id, key=key, title=title, tags=submission.tags)
    version = tasks.ensure_version(
        unit,
        task.id,
        submission.task,
        input_snapshot=outputs.save_any(unit, submission.inputs, **kept),
        reference_snapshot=outputs.save_any(unit, submission.reference, **kept),
    )
    # Candidates become known in the order of their names, which says nothing about A and B.
    candidates = {
        name: runs.ensure_candidate(unit, project.id, NewCandidate(name=name)).id
        for name in sorted({submission.candidates.A, submission.candidates.B})
    }
    # Two runs of one candidate, to measure the noise: which one counts as the second says nothing about A and B.
    second = max(Label, key=lambda label: submission.outputs[label].digest) if len(candidates) == 1 else None
    new = [
        NewRun(
            candidate_id=candidates[submission.candidates[label]],
            snapshot_id=outputs.save_snapshot(unit, snapshot, **kept),
            repetition=2 if label is second else 1,
        )
        for label, snapshot in submission.outputs.items()
    ]
    a, b = runs.ensure_runs_of(unit, {version.id: new})[version.id]
    # A task keeps one title; whoever sets up a pair by hand may give it one of its own.
    of_its_own = submission.title.strip() and not submission.key
    return _Pair(project, version, title if of_its_own else task.title or title, PerOutput(A=a, B=b))


def _known(unit: Unit, submission: Submission, of: _Pair) -> str | None:
    """The comparison of these runs, if there is one. Raises InputError or BlindnessError where there can be none."""
    if of.runs.A.id == of.runs.B.id:
        raise InputError("A and B are the same output of the same candidate. Choose two different outputs.")
    in_force = rubrics.current(unit, project_id=of.project.id, task_version_id=of.version.id)
    if in_force is not None:
        names = patterns_for([submission.candidates.A, submission.candidates.B])
        kept = {r.pattern for r in submission.redactions if r.decision is PatternDecision.KEEP}
        hits = [f for f in scan(names, rubric_texts(in_force.rubric)) if f.whole and f.pattern not in kept]
        if hits:
            raise BlindnessError(
                f"The rubric of this task names a candidate ({hits[0].pattern!r} in “{hits[0].excerpt}”). Judge and "
                "reviewer would see it. Write another rubric for the task first, or compare in another project."
            )
    return keys.comparison_of(unit, of.version.id, runs=(of.runs.A.id, of.runs.B.id))


def _seen_otherwise(services: Services, unit: Unit, known: str, pair: PerOutput[BuiltView]) -> bool:
    """Whether a known pair would now look otherwise to judge and reviewer; InputError if a review of it has begun."""
    before = comparisons.get(unit, known)
    views = (before.view_a, before.view_b)
    digests = [outputs.get_view(unit, view).digest for view in views]
    if digests == [pair.A.view.digest, pair.B.view.digest]:
        return False
    # Pictures of pages may come out differently, or not at all; what was handed in is the same for all that.
    bare = [pair[label].view.without_pages().digest for label in Label]
    if [digest_without_pages(services, unit, view) for view in views] == bare:
        return False
    if reviews.of_comparison(unit, known):
        raise InputError(
            f"These two outputs are compared already ({known}) with other words redacted or other files set aside, "
            "and its review has begun. Decide as before, or compare them in another project."
        )
    return True


def _decisions(submission: Submission) -> tuple[keys.LeakDecision, ...]:
    redactions = {r.pattern: r for r in submission.redactions}
    return tuple(
        keys.LeakDecision(
            pattern=finding.pattern,
            place=finding.where.name.lower(),
            decision=redactions[finding.pattern].decision,
            replacement=redactions[finding.pattern].replacement,
            counts={**finding.counts.model_dump(), "elsewhere": finding.elsewhere},
        )
        for finding in submission.findings
        if finding.pattern in redactions
    )


def take_back(services: Services, comparison_id: str, names: Collection[str]) -> None:
    """Judge files that were set aside, named as a reviewer sees them; the pair waits for its judge again.

    Raises InputError where none of them is set aside or a review of the pair has begun.
    """
    with services.read() as connection:
        require_for(connection, Act.SUBMIT, comparison_id=comparison_id)
        comparison = comparisons.get(connection, comparison_id)
        version = tasks.get_version(connection, comparison.task_version_id)
        key = keys.read(connection, comparison_id)
        both = keys.runs_of(connection, comparison_id)
        inputs, reference = (
            outputs.load_snapshot(connection, id) if id else None
            for id in (version.input_snapshot, version.reference_snapshot)
        )
        views = (
            outputs.load_view(connection, id, blobs=services.blobs)
            for id in (comparison.view_a, comparison.view_b)
        )
        aside = {without_sides([entry])[0]: entry.name for view in views for entry in view.set_aside}
        given = Submission(
            task=version.text,
            outputs=both.map(lambda run: outputs.load_snapshot(connection, run.snapshot_id)),
            candidates=both.map(lambda run: runs.get_candidate(connection, run.candidate_id).name),
            inputs=inputs,
            reference=reference,
            project=projects.get(connection, comparison.project_id).name,
            draw=False,
            source=comparison.source,
        )
    stay = {file for name, file in aside.items() if name not in names and file not in names}
    if len(stay) == len(aside):
        raise InputError("This file is not set aside here. Reload the page.")
    redactions = tuple(
        word.copy_with(decision=PatternDecision(decision.decision), replacement=decision.replacement)
        for decision in key.leak_decisions
        for word in redactions_for_words([decision.pattern])
    )
    with open_reader(services) as reader:
        reports = aside_of(given.outputs, reader, prompt=given.task.prompt)
        name_maps = names_of([given.outputs[label] for label in Label], redactions)
        included = frozenset(
            path
            for names_shown, label in zip(name_maps, Label, strict=True)
            for path in reports[label]
            if names_shown.of(path) not in stay
        )
        again = with_findings(reader, given.copy_with(taken_back=included), redactions=redactions)
        submit_read(services, again, reader, stored=both.map(lambda run: run.id))
