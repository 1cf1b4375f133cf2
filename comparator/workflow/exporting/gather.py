"""One comparison with all that the export formats need, gathered from what judges and people said."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Dimension, Frozen, Label, PerOutput
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.review import Blindness, Part, Target, Touch, fold
from comparator.domain.scoring.verdict import Assessment, VerdictSource
from comparator.interop.exported import Exported, ExportedReading, Maker, Remark, RunMark
from comparator.interop.imported import SKILL_PATH, PairHistory, RecordedJudgment, RecordedReview
from comparator.interop.read.own_lines import CONTAMINATED
from comparator.outputs.extract.encoding import decode, is_undeclared
from comparator.outputs.view.built import restored
from comparator.outputs.view.reading import agreed_encoding
from comparator.store.core.database import Connection
from comparator.store.facts import fact
from comparator.store.facts.verdicts import JudgedPasses
from comparator.store.judging import passes
from comparator.store.pairs import comparisons, keys, outputs, reveals, runs, tasks
from comparator.store.pairs.reveals import names_within
from comparator.store.pairs.runs import Run, RunState
from comparator.store.people import people, projects
from comparator.store.reviewing import finalisations, notes, reviews
from comparator.store.reviewing.notes import NoteKind
from comparator.workflow.exporting.settled import SettledResult, judged_result
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services


def exported(
    services: Services,
    connection: Connection,
    settled: SettledResult,
    *,
    called: dict[str, str],
) -> Exported:
    """One comparison with everything that the formats need, read on the snapshot on which it was settled.

    `called` keeps the names of candidates by id from one comparison to the next. Raises NotFound where an output was
    purged.
    """
    comparison, now = settled.comparison, settled.judged
    comparison_id = comparison.id
    version = tasks.get_version(connection, comparison.task_version_id)
    task = tasks.get(connection, version.task_id)
    judgment = now.judgment if now else None
    revealed = reveals.of_comparison(connection, comparison_id) is not None
    named = projects.get(connection, comparison.project_id)
    project, *tags = neutral_until_reveal(connection, named, *task.tags, revealed=revealed)
    wording = settled.wording
    judge = judged_result(judgment, wording.expectations)
    offline = settled.source is VerdictSource.OFFLINE
    views = PerOutput[str](A=comparison.view_a, B=comparison.view_b)
    made = reference = None
    if not revealed:
        # Whether each run counts; the rest is told after the reveal.
        marks = fact.run_states(connection, comparison_id).each.map(lambda state: RunMark(state=state))
        texts = views.map(lambda view_id: _shown(services, connection, view_id))
    else:
        both = runs_of(connection, comparison_id)
        marks = both.map(lambda run: RunMark(state=run.state.value, contaminated=CONTAMINATED in run.details))
        pair = (both.A.snapshot_id, both.B.snapshot_id)
        own = both.map(lambda run: _one_text(services, connection, run.snapshot_id, together=pair))
        made = PerOutput[Maker](
            A=_made(connection, both.A, own.A, called), B=_made(connection, both.B, own.B, called)
        )
        if version.reference_snapshot:
            reference = _one_text(services, connection, version.reference_snapshot)
        texts = PerOutput[str](
            A=own.A.text if own.A else _shown(services, connection, views.A, restore=True),
            B=own.B.text if own.B else _shown(services, connection, views.B, restore=True),
        )
    return Exported(
        id=comparison_id,
        project=project,
        title=(task.title or comparison.title) if revealed else comparison.title,
        tags=tuple(tags),
        prompt=wording.prompt,
        expectations=wording.expectations,
        task_key=task.key if revealed else None,
        task_version=version.number,
        created_at=comparison.created_at,
        winner=None if offline else settled.verdict.winner,
        prose=settled.prose,
        result=None if offline else settled.result,
        source=settled.source,
        decided_by=settled.decided_by,
        left_out=0 if offline else len(settled.verdict.left_out),
        judge=judge,
        judge_model=now.chosen.judge_model if now and not now.form else None,
        scores_and_verdict_disagree=None if judgment is None else not judgment.self_consistent,
        texts=texts,
        made=made,
        marks=marks,
        reference=reference.text if reference else None,
        reviewers=tuple(people.get(connection, r.person_id).name for r in _final(connection, comparison_id)),
        # The offline check is no opinion of anybody, and so no blind one.
        blind=not offline and _blind(connection, comparison_id),
        comments=tuple(
            note.text for note in notes.standing(connection, comparison_id) if note.kind is NoteKind.COMMENT
        ),
        remarks=()
        if offline
        else _remarks(connection, comparison_id, settled, judgment, wording.expectations),
        readings=_readings(judgment),
        history=history_of(connection, comparison_id, now) if revealed else None,
    )


def runs_of(connection: Connection, comparison_id: str) -> PerOutput[Run]:
    """The runs that made both outputs, for a comparison that is revealed."""
    key = keys.read(connection, comparison_id)
    return PerOutput[str](A=key.run_a, B=key.run_b).map(lambda run_id: runs.get(connection, run_id))


class _TextFile(NamedTuple):
    name: str
    text: str


def _made(connection: Connection, run: Run, file: _TextFile | None, called: dict[str, str]) -> Maker:
    candidate = runs.get_candidate(connection, run.candidate_id)
    if candidate.id not in called:
        called.update(names_within(connection, candidate.project_id))
    return Maker(
        name=candidate.name,
        called=called.get(candidate.id, ""),
        workspace=candidate.workspace,
        candidate_id=candidate.merged_into or candidate.id,
        iteration=candidate.iteration,
        model=candidate.model,
        skill_hash=candidate.skill_hash,
        skill_path=path if isinstance(path := run.details.get(SKILL_PATH), str) else None,
        repetition=run.repetition,
        file=file.name if file else None,
        void=(run.state_reason or None) if run.state is RunState.VOID else None,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        total_tokens=run.total_tokens,
        seconds=run.seconds,
    )


def _one_text(
    services: Services, connection: Connection, snapshot_id: str, *, together: tuple[str, ...] = ()
) -> _TextFile | None:
    """The text of an output that is one text file; None for anything else.

    A file that does not say its encoding is in the one that it has `together` with the files of these snapshots.
    """
    try:
        snapshot = outputs.load_snapshot(connection, snapshot_id)
        if len(snapshot.artifacts) != 1:
            return None
        (artifact,) = snapshot.artifacts
        data = services.blobs.get(artifact.sha256)
        encoding = None
        if together and is_undeclared(data):
            snapshots = [outputs.load_snapshot(connection, each) for each in together]
            encoding = agreed_encoding(services.blobs, snapshots, data)
    except ComparatorError:
        return None
    if b"\0" in data:
        return None
    text = decode(data, undeclared=encoding).text
    return _TextFile(artifact.path.rpartition("/")[2], text)


def _shown(services: Services, connection: Connection, view_id: str, *, restore: bool = False) -> str:
    """The output as judge and reviewer got it; to `restore` is to put the words and names back that were redacted."""
    view = outputs.load_view(connection, view_id, blobs=services.blobs)
    stood = outputs.originals_of(connection, view_id) if restore else {}
    files = [
        (stood[file.id].name, restored(file.text, stood[file.id].places))
        if file.id in stood
        else (file.name, file.text)
        for file in view.files
    ]
    if len(files) == 1:
        return files[0][1]
    return "\n\n".join(f"--- {name} ---\n{text}" for name, text in files)


def _final(connection: Connection, comparison_id: str) -> tuple[reviews.Review, ...]:
    every = reviews.of_comparison(connection, comparison_id)
    return tuple(review for review in every if reviews.is_final(connection, review.id))


def _blind(connection: Connection, comparison_id: str) -> bool:
    """Whether everybody who reviewed or ruled on it was blind, as the statistics count it."""
    return (
        not comparisons.get(connection, comparison_id).may_reveal
        and not any(
            review.blindness is not Blindness.BLIND
            or finalisations.versions(connection, review.id)[-1].unblinded
            for review in _final(connection, comparison_id)
        )
        and not any(
            ruling.blindness is not Blindness.BLIND
            for ruling in finalisations.of_comparison(connection, comparison_id)
        )
    )


def _readings(judgment: MergedJudgment | None) -> tuple[ExportedReading, ...]:
    return tuple(
        ExportedReading(
            order=each.order,
            better=each.answer.better,
            reasoning=each.answer.reasoning,
            confidence=each.answer.stated_confidence,
        )
        for each in (judgment.passes if judgment else ())
    )


def _remarks(
    connection: Connection,
    comparison_id: str,
    final: SettledResult,
    judgment: MergedJudgment | None,
    expectations: tuple[str, ...],
) -> tuple[Remark, ...]:
    reviewed = _from_reviews(connection, comparison_id)
    found: list[Remark] = []
    for label in Label:
        holds = final.verdict.assessments[label]
        judged = judgment.assessments[label] if judgment else Assessment(scores={})
        for path, criterion in final.rubric.lines():
            target = str(Target(part=Part.SCORE, label=label, key=path))
            rationale, quotes = _behind(judgment, path, label)
            found.append(
                Remark(
                    label=label,
                    dimension=Dimension(path.partition(".")[0]),
                    key=criterion.key,
                    name=criterion.name,
                    judge=judged.scores.get(path),
                    final=holds.scores.get(path),
                    changed=target in reviewed.changed,
                    rationale=rationale,
                    quotes=(*quotes, *reviewed.evidence.get(target, ())),
                    reason=reviewed.reasons.get(target, ""),
                )
            )
        for number, (text, met) in enumerate(zip(expectations, holds.expectations, strict=True)):
            target = str(Target(part=Part.EXPECTATION, label=label, key=str(number)))
            found.append(
                Remark(
                    label=label,
                    dimension=None,
                    key=str(number),
                    name=text,
                    judge=_number(judged.expectations[number] if judged.expectations else None),
                    final=_number(met),
                    changed=target in reviewed.changed,
                    rationale=_evidence(judgment, number, label),
                    quotes=reviewed.evidence.get(target, ()),
                    reason=reviewed.reasons.get(target, ""),
                )
            )
    return tuple(found)


def _number(met: bool | None) -> Decimal | None:
    return None if met is None else Decimal(met)


class _FromReviews(Frozen):
    """What people said in reviews that are final, by the address of the value."""

    changed: frozenset[str]
    reasons: dict[str, str]
    evidence: dict[str, tuple[str, ...]]


def _from_reviews(connection: Connection, comparison_id: str) -> _FromReviews:
    changed: set[str] = set()
    reasons: dict[str, list[str]] = {}
    passages: dict[str, list[str]] = {}
    for review in _final(connection, comparison_id):
        for address, entry in fold(reviews.changes(connection, review.id)).items():
            if entry.touch is Touch.CHANGED:
                changed.add(address)
            reason = ": ".join(part for part in (entry.code, entry.reason) if part)
            if reason:
                reasons.setdefault(address, []).append(reason)
        for note in notes.standing(connection, comparison_id, person_id=review.person_id):
            if note.kind is NoteKind.EVIDENCE:
                passages.setdefault(note.target, []).append(note.text)
    return _FromReviews(
        changed=frozenset(changed),
        reasons={address: "; ".join(each) for address, each in reasons.items()},
        evidence={address: tuple(each) for address, each in passages.items()},
    )


def _behind(judgment: MergedJudgment | None, path: str, label: Label) -> tuple[str, Sequence[str]]:
    """The judge's first rationale for a score, and its quotes that stand in the output."""
    if judgment is None or path not in judgment.rubric.paths:
        return "", ()
    marks = [each.answer.criteria[path][label] for each in judgment.passes]
    quotes = dict.fromkeys(quote.text for mark in marks for quote in mark.quotes if quote.found)
    return marks[0].rationale, tuple(quotes)


def _evidence(judgment: MergedJudgment | None, expectation: int, label: Label) -> str:
    """The judge's first evidence for whether an expectation is met."""
    marks = [
        each.answer.expectations[expectation][label]
        for each in (judgment.passes if judgment else ())
        if each.answer.expectations
    ]
    return next((mark.evidence for mark in marks if mark.evidence), "")


def history_of(connection: Connection, comparison_id: str, now: JudgedPasses | None) -> PairHistory:
    """What was said of a revealed pair; of several judges it holds their joint judgment's newest readings alone."""
    judgment = None
    if now is not None and now.rubric is not None and now.chosen.complete:
        judgment = RecordedJudgment(
            at=now.chosen.started_at,
            kind="offline" if now.form else "anthropic",
            model=now.chosen.judge_model,
            digest=now.chosen.judge_digest,
            rubric=now.rubric.rubric,
            passes=passes.successful(connection, now.chosen.digest),
        )
    revealed = reveals.of_comparison(connection, comparison_id)
    every = reviews.of_comparison(connection, comparison_id)
    return PairHistory(
        judgment=judgment,
        reviews=tuple(_recorded(connection, review) for review in every),
        revealed=revealed.at if revealed else None,
        whole=bool(judgment or every) and not finalisations.of_comparison(connection, comparison_id),
    )


def _recorded(connection: Connection, review: reviews.Review) -> RecordedReview:
    name = people.get(connection, review.person_id).name
    events = finalisations.events(connection, review.id)
    return RecordedReview(
        reviewer=name,
        began=review.opened_at,
        finalised=events[-1].at if events and events[-1].kind == "final" else None,
        knew=review.blindness is Blindness.KNOWN,
        changes=tuple(
            change.model_copy(update={"author": name}) for change in reviews.changes(connection, review.id)
        ),
    )
