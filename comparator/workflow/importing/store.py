"""Carrying out a planned import: all runs are kept, each new pair becomes a comparison, labels are put beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, assert_never

from comparator.domain.counted import counted
from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.interop.history import PairHistory
from comparator.interop.imported import FoundLabel, LeftOut, Side
from comparator.interop.read.grades import Grade, grade_of
from comparator.interop.read.own_lines import details_kept
from comparator.outputs.snapshot.take import Snapshot
from comparator.outputs.view.reading import Readings
from comparator.store.core.unit import Unit
from comparator.store.pairs import existing, keys, labels, outputs, run_files, runs, tasks
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.store.pairs.labels import LabelKind
from comparator.store.pairs.run_files import FileRole
from comparator.store.pairs.runs import NewRun
from comparator.store.people import projects
from comparator.workflow.importing.history import Standing, standing, tell_again
from comparator.workflow.importing.planned import GroupReader, ImportReport, Plan, PlannedPair, ReadRun
from comparator.workflow.importing.request import OnStep, tell
from comparator.workflow.people.people import authorise
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import origin_of
from comparator.workflow.submit.set_up import submit_read
from comparator.workflow.submit.submission import RunFacts, Submission, title_of

_TRIES = 3


class PairPlace(NamedTuple):
    """Where the two outputs of a comparison lay, if they came from files."""

    comparison_id: str
    outputs: tuple[Path | None, Path | None]


class Imported(Frozen):
    """What an import did; `comparisons` are the new ones, in an order that says nothing of the key."""

    report: ImportReport
    project_id: str
    comparisons: tuple[str, ...]
    judged: frozenset[str] = frozenset()
    """Those of them whose judgment came with them."""
    places: tuple[PairPlace, ...] = ()
    """Of all its pairs, the known ones too, where their outputs lay."""

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Those of the new ones that came without a judgment."""
        return tuple(id for id in self.comparisons if id not in self.judged)


def carry_out(
    services: Services,
    plan: Plan,
    *,
    person_id: str | None,
    readings: Readings | None = None,
    on_step: OnStep = lambda _: None,
    mode: ReviewMode | None = None,
) -> Imported:
    """Store the plan's runs, comparisons and labels. Started again after an interruption, it adds what is missing.

    A project that it begins is reviewed in `mode`. What the plan left in `readings` is not read again.
    """
    if plan.new_runs:
        on_step(f"Storing {counted(plan.new_runs, 'run')}")
    project_id = _begin(services, plan, person_id=person_id, mode=mode)
    by_runs: defaultdict[frozenset[str], list[FoundLabel]] = defaultdict(list)
    for label in plan.labels:
        by_runs[frozenset((label.first, label.second))].append(label)
    new: list[str] = []
    said: list[tuple[str, PairHistory]] = []
    failed: list[LeftOut] = []
    places: list[PairPlace] = []
    number = 0
    with GroupReader(services, readings) as reader:
        for pair in plan.pairs:
            comparison_id = pair.known
            if comparison_id is None:
                number += 1
                tell(on_step, "Setting up pair", number, of=plan.report.new)
                try:
                    comparison_id = _submit(services, plan, pair, reader, person_id=person_id)
                except InputError as error:
                    where = f"{pair.first.run.address} and {pair.second.run.address}"
                    failed.append(LeftOut(file=where, reason=str(error)))
                    continue
                new.append(comparison_id)
            places.append(PairPlace(comparison_id, (pair.first.run.path, pair.second.run.path)))
            both = frozenset((pair.first.run.address, pair.second.run.address))
            own = by_runs[both]
            history = plan.histories.get(both)
            if history is not None and (stands := _standing(services, comparison_id, pair, history)):
                if stands is Standing.UNTOLD:
                    said.append((comparison_id, history))
                if history.whole:
                    # Whoever gave the line's verdict gives it again.
                    own = [label for label in own if not label.comparison]
            if own or _grades(pair) is not None:
                with services.write() as unit:
                    _store_labels(unit, comparison_id, pair, own, source=plan.report.format.value)
    for each in plan.completed:
        with services.write() as unit:
            runs.complete_candidate(
                unit.connection, each.candidate_id, model=each.model, skill_hash=each.skill_hash
            )
    report = plan.report
    if failed:
        report = report.model_copy(
            update={"new": report.new - len(failed), "left_out": (*report.left_out, *failed)}
        )
    tell_again(services, said, project_id=project_id, by=person_id, on_step=on_step)
    return Imported(
        report=report,
        project_id=project_id,
        comparisons=tuple(new),
        judged=frozenset(comparison_id for comparison_id, history in said if history.judgment is not None),
        places=tuple(places),
    )


def _standing(
    services: Services, comparison_id: str, pair: PlannedPair, history: PairHistory
) -> Standing | None:
    """Whether the history was told already; None where the pair has its sides turned, or a history of its own."""
    with services.database.read() as connection:
        run_a = keys.read(connection, comparison_id).run_a
        if not existing.is_of(connection, run_a, pair.first.key):
            return None
        return standing(connection, comparison_id, history)


def _begin(services: Services, plan: Plan, *, person_id: str | None, mode: ReviewMode | None) -> str:
    """Store the runs, again where the database ended it in favour of a worker's write; the id of the project."""
    tries = 0
    while True:
        tries += 1
        try:
            with services.write() as unit:
                project_id = projects.ensure_project(unit, plan.project, mode=mode).id
                authorise(
                    unit,
                    Act.SUBMIT,
                    "import_begun",
                    person_id=person_id,
                    project_id=project_id,
                    detail={
                        "format": plan.report.format.value,
                        "runs": len(plan.runs),
                        "pairs": len(plan.pairs),
                    },
                )
                _store_runs(services, unit, plan)
        except Conflict:
            if tries == _TRIES:
                raise
        else:
            return project_id


def _submit(
    services: Services, plan: Plan, pair: PlannedPair, reader: GroupReader, *, person_id: str | None
) -> str:
    first, second = pair.first, pair.second
    return submit_read(
        services,
        Submission(
            task=first.text,
            outputs=PerOutput[Snapshot](A=first.snapshot, B=second.snapshot),
            candidates=PerOutput[str](A=first.run.configuration, B=second.run.configuration),
            facts=PerOutput[RunFacts](A=_facts(services, first, plan), B=_facts(services, second, plan)),
            inputs=first.inputs,
            reference=first.reference,
            redactions=plan.redactions,
            taken_back=plan.take_back,
            findings=pair.findings,
            project=plan.project,
            key=first.run.task_key,
            title=first.run.title,
            tags=tuple(dict.fromkeys((*first.run.tags, *second.run.tags))),
            # What was said of A and B stays true of them.
            draw=frozenset((first.run.address, second.run.address)) not in plan.histories,
            source=ComparisonSource.IMPORT,
        ),
        reader.of(first.run),
        person_id=person_id,
    ).comparison_id


def _facts(services: Services, read: ReadRun, plan: Plan) -> RunFacts:
    run = read.run
    return RunFacts(
        workspace=run.workspace,
        iteration=run.iteration,
        model=run.model,
        skill_hash=run.skill_hash,
        repetition=run.repetition,
        origin=origin_of(services, run.address),
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        total_tokens=run.total_tokens,
        seconds=run.seconds,
        grading=run.grading,
        details=details_kept(run, skill_names=plan.skill_names),
        state=read.state,
        state_reason=read.state_reason,
    )


def _store_runs(services: Services, unit: Unit, plan: Plan) -> None:
    """All runs, also those that are in no pair; candidates and runs in an order that tells nothing."""
    project = projects.ensure_project(unit, plan.project)
    about = {read.key.candidate: read.run for read in plan.runs}
    ids = {
        identity: runs.ensure_candidate(
            unit,
            project.id,
            name=about[identity].configuration,
            workspace=about[identity].workspace,
            iteration=about[identity].iteration,
            model=about[identity].model,
            skill_hash=about[identity].skill_hash,
        ).id
        for identity in sorted(about)
    }
    versions: defaultdict[str, list[NewRun]] = defaultdict(list)
    files_of: defaultdict[str, list[Mapping[FileRole, Snapshot]]] = defaultdict(list)
    for read in plan.runs:
        run = read.run
        task = tasks.ensure_task(
            unit, project.id, key=run.task_key, title=run.title.strip() or title_of(run.prompt), tags=run.tags
        )
        version = tasks.ensure_version(
            unit,
            task.id,
            read.text,
            input_snapshot=outputs.save_any(unit, read.inputs, project_id=project.id),
            reference_snapshot=outputs.save_any(unit, read.reference, project_id=project.id),
        )
        facts = _facts(services, read, plan)
        new = facts.new_run(
            candidate_id=ids[read.key.candidate],
            snapshot_id=outputs.save_snapshot(unit, read.snapshot, project_id=project.id),
        )
        versions[version.id].append(new)
        files_of[version.id].append(read.run_files)
    for version_id, stored in runs.ensure_runs_of(unit, versions).items():
        for one, files in zip(stored, files_of[version_id], strict=True):
            for role, snapshot in files.items():
                run_files.keep(unit, one.id, role, snapshot, project_id=project.id)


def _store_labels(
    unit: Unit, comparison_id: str, pair: PlannedPair, given: Sequence[FoundLabel], *, source: str
) -> None:
    """The labels in terms of A and B; one that is there already is not stored again."""
    there = {
        (label.kind.value, label.author, label.winner, repr(label.value))
        for label in labels.of_comparison(unit.connection, comparison_id)
    }
    one = pair.first.run
    # Not by names: those that are stored may differ by a character that no database holds.
    first_is_a = existing.is_of(
        unit.connection, keys.read(unit.connection, comparison_id).run_a, pair.first.key
    )
    if (graded := _grades(pair)) is not None:
        _store_grades(unit, comparison_id, graded, first_is_a=first_is_a, source=source)
    for label in given:
        if label.comparison == comparison_id:
            # It is this comparison's own verdict, come back.
            continue
        its_first_is_a = first_is_a == (label.first == one.address)
        winner = _winner(label, first_is_a=its_first_is_a)
        # What the source says in its own order can be read in terms of A and B too.
        value = label.value
        if isinstance(value, dict):
            value = {**value, "first": "A" if its_first_is_a else "B"}
        if (label.kind.value, label.author, winner, repr(value)) in there:
            continue
        labels.add(
            unit,
            comparison_id,
            kind=LabelKind(label.kind.value),
            author=label.author,
            winner=winner,
            value=value,
            blind=label.blind,
            source=source,
        )


class _Graded(NamedTuple):
    author: str
    first: Grade
    second: Grade


def _grades(pair: PlannedPair) -> _Graded | None:
    """What graders made of both runs; None where one of them was not graded."""
    first, second = grade_of(pair.first.run.grading), grade_of(pair.second.run.grading)
    if first is None or second is None:
        return None
    return _Graded(" and ".join(dict.fromkeys((first.author, second.author))), first, second)


def _store_grades(unit: Unit, comparison_id: str, graded: _Graded, *, first_is_a: bool, source: str) -> None:
    """The graders' pass rates as a label of their own kind, once."""
    a, b = (graded.first, graded.second) if first_is_a else (graded.second, graded.first)
    winner = Winner.TIE if a.rate == b.rate else Winner.A if a.rate > b.rate else Winner.B
    value = {
        side: {"pass_rate": round(float(grade.rate), 4), "passed": grade.passed, "total": grade.total}
        for side, grade in (("A", a), ("B", b))
    }
    there = labels.of_comparison(unit.connection, comparison_id)
    if any(
        each.kind is LabelKind.GRADER and (each.author, each.value) == (graded.author, value)
        for each in there
    ):
        return
    labels.add(
        unit,
        comparison_id,
        kind=LabelKind.GRADER,
        author=graded.author,
        winner=winner,
        value=value,
        blind=None,
        source=source,
    )


def _winner(label: FoundLabel, *, first_is_a: bool) -> Winner | None:
    match label.winner:
        case None:
            return None
        case Side.TIE:
            return Winner.TIE
        case Side.FIRST:
            return Winner.A if first_is_a else Winner.B
        case Side.SECOND:
            return Winner.B if first_is_a else Winner.A
    assert_never(label.winner)
