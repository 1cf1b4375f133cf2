"""Judging after all what was set aside: both outputs of a pair are built anew with it."""

from __future__ import annotations

from collections.abc import Collection

from comparator.domain.blinding.redaction import PatternDecision, asked_for
from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import without_sides
from comparator.outputs.view.build import aside_of, names_of
from comparator.store.pairs import comparisons, keys, outputs, runs, tasks
from comparator.store.people import projects
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader, with_findings
from comparator.workflow.submit.set_up import submit_read
from comparator.workflow.submit.submission import Submission


def take_back(services: Services, comparison_id: str, names: Collection[str]) -> None:
    """Judge files that were set aside, named as a reviewer sees them; the pair waits for its judge again.

    Raises InputError where none of them is set aside or a review of the pair has begun.
    """
    with services.database.read() as connection:
        comparison = comparisons.get(connection, comparison_id)
        version = tasks.get_version(connection, comparison.task_version_id)
        key = keys.read(connection, comparison_id)
        ids = PerOutput[str](A=key.run_a, B=key.run_b)
        both = ids.map(lambda id: runs.get(connection, id))
        inputs, reference = (
            outputs.load_snapshot(connection, id) if id else None
            for id in (version.input_snapshot, version.reference_snapshot)
        )
        views = (
            outputs.load_view(connection, id, blobs=services.blobs)
            for id in (comparison.view_a, comparison.view_b)
        )
        aside = {without_sides([each])[0]: each.name for view in views for each in view.set_aside}
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
    stay = {file for said, file in aside.items() if said not in names and file not in names}
    if len(stay) == len(aside):
        raise InputError("This file is not set aside here. Reload the page.")
    asked = tuple(
        word.model_copy(update={"decision": PatternDecision(each.decision), "replacement": each.replacement})
        for each in key.leak_decisions
        for word in asked_for([each.pattern])
    )
    with open_reader(services) as reader:
        reports = aside_of(given.outputs, reader, prompt=given.task.prompt)
        shown = names_of([given.outputs[label] for label in Label], asked)
        taken = frozenset(
            path
            for names_shown, label in zip(shown, Label, strict=True)
            for path in reports[label]
            if names_shown.of(path) not in stay
        )
        again = with_findings(reader, given.model_copy(update={"taken_back": taken}), asked=asked)
        submit_read(services, again, reader, stored=ids)
