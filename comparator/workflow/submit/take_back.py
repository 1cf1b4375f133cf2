"""Judging after all what was set aside: both outputs of a pair are built anew with it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from comparator.domain.blinding.redaction import PatternDecision, Redaction, asked_for
from comparator.domain.errors import InputError
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import without_sides
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.build import aside_of, names_of
from comparator.outputs.view.reading import Reader
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, keys, outputs, runs, tasks
from comparator.store.people import projects
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import open_reader, with_findings
from comparator.workflow.submit.set_up import submit_read
from comparator.workflow.submit.submission import RunFacts, Submission


class _Pair(NamedTuple):
    """What a pair was made of; `aside` are the names of what is set aside, as `without_sides` and as files."""

    submission: Submission
    asked: tuple[Redaction, ...]
    aside: dict[str, str]


def take_back(
    services: Services, comparison_id: str, names: Collection[str], *, person_id: str | None
) -> None:
    """Judge files that were set aside, named as a reviewer sees them; the pair waits for its judge again.

    Raises InputError where none of them is set aside or a review of the pair has begun.
    """
    with services.database.read() as connection:
        pair = _read(services, connection, comparison_id)
    wanted = {file for said, file in pair.aside.items() if said in names or file in names}
    if not wanted:
        raise InputError("No such file is set aside here. Load the page again.")
    with open_reader(services) as reader:
        submission = _rebuilt(pair, reader, stay=frozenset(pair.aside.values()) - wanted)
        submit_read(services, submission, reader, person_id=person_id)


def _rebuilt(pair: _Pair, reader: Reader, *, stay: frozenset[str]) -> Submission:
    """The submission with all files judged but those that stay set aside, with_findings for names as if it were new."""
    given = pair.submission
    reports = aside_of(given.outputs, reader, prompt=given.task.prompt)
    shown = names_of([given.outputs[label] for label in Label], pair.asked)
    taken = frozenset(
        path
        for names, label in zip(shown, Label, strict=True)
        for path in reports[label]
        if names.of(path) not in stay
    )
    return with_findings(reader, given.model_copy(update={"taken_back": taken}), asked=pair.asked)


def _read(services: Services, connection: Connection, comparison_id: str) -> _Pair:
    comparison = comparisons.get(connection, comparison_id)
    version = tasks.get_version(connection, comparison.task_version_id)
    task, key = tasks.get(connection, version.task_id), keys.read(connection, comparison_id)
    both = PerOutput[str](A=key.run_a, B=key.run_b).map(lambda id: runs.get(connection, id))
    makers = both.map(lambda run: runs.get_candidate(connection, run.candidate_id))
    facts = {
        label: RunFacts(
            workspace=makers[label].workspace or "",
            iteration=makers[label].iteration,
            model=makers[label].model,
            skill_hash=makers[label].skill_hash,
            **run.model_dump(include=set(RunFacts.model_fields)),
        )
        for label, run in both.items()
    }
    views = (
        outputs.load_view(connection, id, blobs=services.blobs)
        for id in (comparison.view_a, comparison.view_b)
    )
    set_aside = [each for view in views for each in view.set_aside]
    submission = Submission(
        task=version.text,
        outputs=both.map(lambda run: outputs.load_snapshot(connection, run.snapshot_id)),
        candidates=makers.map(lambda maker: maker.name),
        facts=PerOutput[RunFacts](A=facts[Label.A], B=facts[Label.B]),
        inputs=_snapshot(connection, version.input_snapshot),
        reference=_snapshot(connection, version.reference_snapshot),
        project=projects.get(connection, comparison.project_id).name,
        key=task.key,
        title=comparison.title,
        tags=tuple(task.tags),
        draw=False,
        source=comparison.source,
    )
    decided = [
        asked.model_copy(update={"decision": PatternDecision(each.decision), "replacement": each.replacement})
        for each in keys.read(connection, comparison_id).leak_decisions
        for asked in asked_for([each.pattern])
    ]
    return _Pair(submission, tuple(decided), {without_sides([each])[0]: each.name for each in set_aside})


def _snapshot(connection: Connection, id: str | None) -> Snapshot | None:
    return None if id is None else outputs.load_snapshot(connection, id)
