"""Carrying out a planned import: runs are kept, pairs become comparisons, what was said is put beside them."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from comparator.domain.counted import counted
from comparator.domain.errors import Conflict, InputError
from comparator.domain.labels import Frozen, LabelKind, PerOutput, Winner
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act, Role
from comparator.domain.scoring.judgment import JudgeIdentity
from comparator.interop.gradings import Grade, grade_of
from comparator.interop.imported import (
    FoundLabel,
    FoundRun,
    LeftOut,
    PairHistory,
    RecordedJudgment,
    RecordedReview,
)
from comparator.interop.own_lines import details_kept
from comparator.judges.stored import RecordedJudge
from comparator.outputs.view.reading import Readings
from comparator.store.core.sql import Unit
from comparator.store.judging import judgments
from comparator.store.pairs import keys, labels, outputs, reveals, runs, tasks
from comparator.store.pairs.comparisons import ComparisonSource
from comparator.store.pairs.runs import NewRun, RunKey
from comparator.store.people import people, projects
from comparator.store.reviewing import reviews
from comparator.workflow.importing.pairs import OnStep, tell
from comparator.workflow.importing.planned import ImportReport, Plan, PlannedPair, group_reader, maker_of
from comparator.workflow.judging.pair_reader import judge_comparison
from comparator.workflow.people.people import authorise
from comparator.workflow.review.review import finalise, mark_knows, open_judge, record
from comparator.workflow.services import Services
from comparator.workflow.submit.intake import Submission, title_of
from comparator.workflow.submit.set_up import submit_read
from comparator.workflow.submit.uploads import origin_of

_TRIES = 3
_SAME = NewRun.model_fields.keys() & FoundRun.model_fields.keys() - {"details"}
"""What is stored of a run as it was found."""


class Imported(Frozen):
    """What an import did; `comparisons` are the new ones, in an order that says nothing of the key."""

    report: ImportReport
    project_id: str
    comparisons: tuple[str, ...]
    judged: frozenset[str] = frozenset()
    """Those of them whose judgment came with them."""

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Those of the new ones that came without a judgment."""
        return tuple(id for id in self.comparisons if id not in self.judged)


def carry_out(
    services: Services, plan: Plan, *, readings: Readings | None = None, on_step: OnStep = lambda _: None
) -> Imported:
    """Store the plan's runs, comparisons and labels. Started again after an interruption, it adds what is missing.

    What the plan left in `readings` is not read again.
    """
    if plan.new_runs:
        on_step(f"Storing {counted(plan.new_runs, 'run')}")
    project_id, stored = _begin(services, plan)
    by_runs: defaultdict[frozenset[str], list[FoundLabel]] = defaultdict(list)
    for label in plan.findings.labels:
        by_runs[frozenset((label.first, label.second))].append(label)
    histories = plan.histories
    new: list[str] = []
    new_histories: list[tuple[str, PairHistory]] = []
    failed: list[LeftOut] = []
    with group_reader(services, readings) as reader:
        for pair in plan.pairs:
            both = frozenset((pair.first.run.address, pair.second.run.address))
            history = histories.get(both)
            comparison_id = pair.known
            if comparison_id is None:
                tell(on_step, "Setting up pair", len(new) + len(failed) + 1, of=plan.report.new)
                try:
                    # What was said of A and B stays true of them.
                    comparison_id = submit_read(
                        services,
                        _submission(plan, pair, draw=history is None),
                        reader(pair.first.run),
                        stored=PerOutput(A=stored[pair.first.key], B=stored[pair.second.key]),
                    ).comparison_id
                except InputError as error:
                    failed.append(LeftOut(file=" and ".join(sorted(both)), reason=str(error)))
                    continue
                new.append(comparison_id)
            own = by_runs[both]
            if history is not None and (done := _holds(services, comparison_id, pair, history)) is not None:
                if not done:
                    new_histories.append((comparison_id, history))
                if history.whole:
                    # Whoever gave the line's verdict gives it again.
                    own = [label for label in own if not label.comparison]
            graded = tuple(grade_of(run.run.grading) for run in (pair.first, pair.second))
            if own or None not in graded:
                with services.write() as unit:
                    _store_labels(unit, comparison_id, pair, own, graded, source=plan.report.format)
    report = plan.report
    if failed:
        report = report.copy_with(new=report.new - len(failed), left_out=(*report.left_out, *failed))
    tell_again(services, new_histories, project_id=project_id, on_step=on_step)
    return Imported(
        report=report,
        project_id=project_id,
        comparisons=tuple(new),
        judged=frozenset(id for id, history in new_histories if history.judgment is not None),
    )


def _holds(services: Services, comparison_id: str, pair: PlannedPair, history: PairHistory) -> bool | None:
    """Whether the comparison has all of the history, and not only what an interrupted import stored.

    None where its sides are swapped, or it has readings or reviews that are not of this history.
    """
    with services.read() as connection:
        run_a = keys.read(connection, comparison_id).run_a
        if not runs.is_of(connection, run_a, pair.first.key):
            return None
        digest = history.judgment.digest if history.judgment else None
        if any(read.judge_digest != digest for read in judgments.sets(connection, comparison_id)):
            return None
        subjects = {IMPORTED + review.reviewer for review in history.reviews}
        reviewed = reviews.of_comparison(connection, comparison_id)
        if not {people.get(connection, review.person_id).subject for review in reviewed} <= subjects:
            return None
        # It is revealed last.
        return reveals.of_comparison(connection, comparison_id) is not None


def _begin(services: Services, plan: Plan) -> tuple[str, dict[RunKey, str]]:
    """Store the runs, again where the database ended it in favour of a worker's write; the project's id, and theirs."""
    details = {"format": plan.report.format, "runs": len(plan.runs), "pairs": len(plan.pairs)}
    reviews_elsewhere = [review for history in plan.histories.values() for review in history.reviews]
    # In a project that shows the judge first, no review would be blind.
    blind = any(change.blind for review in reviews_elsewhere for change in review.changes)
    mode = ReviewMode.BLIND_FIRST if blind else plan.request.mode
    for tries in range(1, _TRIES + 1):
        try:
            with services.write() as unit:
                project = projects.ensure_project(unit, plan.report.project, mode=mode)
                authorise(unit, Act.SUBMIT, "import_begun", project.id, **details)
                stored = _store_runs(services, unit, plan, project_id=project.id)
        except Conflict:
            if tries == _TRIES:
                raise
        else:
            return project.id, stored
    raise AssertionError


def _submission(plan: Plan, pair: PlannedPair, *, draw: bool) -> Submission:
    first, second = pair.first, pair.second
    return Submission(
        task=first.text,
        outputs=PerOutput(A=first.snapshot, B=second.snapshot),
        candidates=PerOutput(A=first.run.configuration, B=second.run.configuration),
        inputs=first.inputs,
        reference=first.reference,
        redactions=plan.redactions,
        taken_back=plan.request.take_back,
        findings=pair.findings,
        project=plan.report.project,
        draw=draw,
        source=ComparisonSource.IMPORT,
    )


def _store_runs(services: Services, unit: Unit, plan: Plan, *, project_id: str) -> dict[RunKey, str]:
    """All runs, also those that are in no pair; candidates and runs in an order that tells nothing. Their ids."""
    of_pairs = (read for pair in plan.pairs if pair.known is None for read in (pair.first, pair.second))
    reads = {read.key: read for read in (*plan.runs, *of_pairs)}
    candidates = {key.candidate: read.run for key, read in reads.items()}
    ids = {
        identity: runs.ensure_candidate(unit, project_id, maker_of(run)).id
        for identity, run in sorted(candidates.items())
    }
    versions: defaultdict[str, dict[RunKey, NewRun]] = defaultdict(dict)
    kept: Any = {"project_id": project_id, "blobs": services.blobs}
    for key, read in reads.items():
        run = read.run
        title = run.title.strip() or title_of(run.prompt)
        task = tasks.ensure_task(unit, project_id, key=run.task_key, title=title, tags=run.tags)
        version = tasks.ensure_version(
            unit,
            task.id,
            read.text,
            input_snapshot=outputs.save_any(unit, read.inputs, **kept),
            reference_snapshot=outputs.save_any(unit, read.reference, **kept),
        )
        versions[version.id][key] = NewRun(
            **run.model_dump(include=_SAME),
            candidate_id=ids[key.candidate],
            snapshot_id=outputs.save_snapshot(unit, read.snapshot, **kept),
            origin=origin_of(services, run.address),
            details=details_kept(run, skill_names=plan.findings.skill_names),
            state=read.state,
            state_reason=read.state_reason,
        )
    ensured = runs.ensure_runs_of(unit, {id: tuple(new.values()) for id, new in versions.items()})
    return {
        key: one.id
        for version_id, new in versions.items()
        for key, one in zip(new, ensured[version_id], strict=True)
    }


def _store_labels(
    unit: Unit,
    comparison_id: str,
    pair: PlannedPair,
    given: Sequence[FoundLabel],
    graded: tuple[Grade | None, ...],
    *,
    source: str,
) -> None:
    """The labels in terms of A and B, what graders made of both among them; one that is there already is not stored
    again."""
    # Not by names: those that are stored may differ by a character that no database holds.
    run_a = keys.read(unit, comparison_id).run_a
    first_is_a = runs.is_of(unit, run_a, pair.first.key)
    wanted: list[dict[str, Any]] = []
    a, b = graded if first_is_a else graded[::-1]
    if a is not None and b is not None:
        rates = {
            side: {"pass_rate": round(float(grade.rate), 4), "passed": grade.passed, "total": grade.total}
            for side, grade in (("A", a), ("B", b))
        }
        author = " and ".join(dict.fromkeys(grade.author for grade in graded if grade))
        winner = Winner.TIE if a.rate == b.rate else Winner.A if a.rate > b.rate else Winner.B
        wanted.append({"kind": LabelKind.GRADER, "author": author, "winner": winner, "value": rates})
    for label in given:
        if label.comparison == comparison_id:
            # It is this comparison's own verdict, come back.
            continue
        its_first_is_a = first_is_a == (label.first == pair.first.run.address)
        value = label.value
        if isinstance(value, dict):
            # What the source says in its own order can be read in terms of A and B too.
            value = {**value, "first": "A" if its_first_is_a else "B"}
        won = label.winner if label.winner is None or its_first_is_a else label.winner.mirrored
        wanted.append(
            {"kind": label.kind, "author": label.author, "winner": won, "value": value, "blind": label.blind}
        )
    same = ("kind", "author", "winner", "value")
    there = [[getattr(label, name) for name in same] for label in labels.of_comparison(unit, comparison_id)]
    for one in wanted:
        if [one[name] for name in same] not in there:
            labels.add(unit, comparison_id, source=source, **one)


IMPORTED = "imported:"
"""How the subject of a person begins whose reviews came in with lines; nobody signs in as one."""


def tell_again(
    services: Services, histories: Sequence[tuple[str, PairHistory]], *, project_id: str, on_step: OnStep
) -> None:
    """Store what was said of each comparison, by its id, as though it had been said here: judged, reviewed, revealed.

    What an interrupted import stored of it stays, and the rest is added.
    Reviewers become people of their name with the role of a reviewer. Raises the error of a step that does not fit, and
    RightsError for who may not reveal here.
    """
    if not histories:
        return
    names = {review.reviewer for _, history in histories for review in history.reviews}
    persons: dict[str, str] = {}
    with services.write() as unit:
        details = {"comparisons": len(histories), "reviewers": sorted(names)}
        authorise(unit, Act.REVEAL, "history_imported", project_id, **details)
        for name in sorted(names):
            persons[name] = people.ensure_person(unit, IMPORTED + name, name=name).id
            people.grant(unit, persons[name], Role.REVIEWER, project_id=project_id, granted_by=services.who)
    asyncio.run(_judge(services, histories, on_step))
    for number, (comparison_id, history) in enumerate(histories, start=1):
        if history.reviews:
            tell(on_step, "Storing the reviews of pair", number, of=len(histories))
        for review in history.reviews:
            _review(services.by(persons[review.reviewer]), comparison_id, review)
    moments = sorted({history.revealed for _, history in histories if history.revealed is not None})
    for moment in moments:
        ids = tuple(comparison_id for comparison_id, history in histories if history.revealed == moment)
        with services.write(at=moment) as unit:
            reveals.add(unit, ids, project_id=project_id)


async def _judge(services: Services, histories: Sequence[tuple[str, PairHistory]], on_step: OnStep) -> None:
    for number, (comparison_id, history) in enumerate(histories, start=1):
        if (judgment := history.judgment) is not None:
            tell(on_step, "Storing the judgment of pair", number, of=len(histories))
            await judge_as_recorded(_at_time(services, judgment.at), comparison_id, judgment)


async def judge_as_recorded(services: Services, comparison_id: str, judgment: RecordedJudgment) -> None:
    """Have the pair judged as this judge did it elsewhere."""
    identity = JudgeIdentity(kind=judgment.kind, model=judgment.model, digest=judgment.digest)
    judge = RecordedJudge(identity, judgment.rubric, judgment.passes)
    await judge_comparison(services, judge, comparison_id, repetitions=judge.repetitions)


def _review(services: Services, comparison_id: str, recorded: RecordedReview) -> None:
    with services.read() as connection:
        review = reviews.find(connection, comparison_id, person_id=services.person)
        if review is not None and reviews.is_final(connection, review.id):
            return
    for (moment, blind), changes in groupby(recorded.changes, lambda change: (change.at, change.blind)):
        then = _at_time(services, moment)
        if not blind:
            # Nothing happens where the judge's values are open already.
            open_judge(then, comparison_id)
        record(then, comparison_id, tuple(changes), began=recorded.began)
    if recorded.knew:
        mark_knows(_at_time(services, recorded.began), comparison_id)
    if recorded.finalised is not None:
        finalise(_at_time(services, recorded.finalised), comparison_id)


def _at_time(services: Services, moment: datetime) -> Services:
    """The same services at another time; other workers see that this one is alive now."""
    return replace(services, now=lambda: moment, beats=services.now)
