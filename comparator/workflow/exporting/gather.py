"""One comparison with all that the export formats need, gathered from what judges and people said."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from comparator.domain.errors import ComparatorError, LimitExceeded
from comparator.domain.labels import Dimension, Label, PerOutput
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.review import Blindness, Part, Target, Touch, fold
from comparator.domain.scoring.verdict import Assessment, VerdictSource
from comparator.interop.exported import Exported, GivenLabel, Maker, Remark, RunMark
from comparator.interop.imported import (
    Attachment,
    Files,
    LeftOut,
    PairHistory,
    RecordedJudgment,
    RecordedReview,
    RunRecord,
)
from comparator.interop.own_lines import CONTAMINATED
from comparator.outputs.extract.encoding import decode, is_undeclared
from comparator.outputs.view.built import restore_words
from comparator.outputs.view.reading import agreed_encoding
from comparator.store.core.sql import Connection
from comparator.store.facts import fact
from comparator.store.facts.verdicts import JudgedPasses
from comparator.store.judging import judgments
from comparator.store.pairs import comparisons, keys, labels, outputs, reveals, runs, tasks
from comparator.store.pairs.runs import Run, RunState
from comparator.store.people import people, projects
from comparator.store.reviewing import notes, reviews
from comparator.workflow.exporting.comparison_json import SettledResult, judged_result
from comparator.workflow.people.people import may
from comparator.workflow.projects.reveal import neutral_until_reveal
from comparator.workflow.services import Services

MOST_BYTES = 16_000_000
"""The most that a line holds of one output, or of the files of its task."""
REFERENCE = "reference.md"
"""The name under which an import keeps a reference answer that is a text."""


def gather_pair(
    services: Services, connection: Connection, settled: SettledResult, *, called: dict[str, str]
) -> Exported:
    """One comparison with everything that the formats need, read on the snapshot on which it was settled.

    `called` keeps the names of candidates by id from one comparison to the next. Raises NotFound where an output was
    purged.
    """
    comparison, now, wording = settled.comparison, settled.judged, settled.wording
    version = tasks.get_version(connection, comparison.task_version_id)
    task = tasks.get(connection, version.task_id)
    judgment = now.judgment if now else None
    # The offline check is no opinion of anybody, and so no blind one.
    offline = settled.source is VerdictSource.OFFLINE
    shut = reveals.of_comparison(connection, comparison.id) is None
    named = projects.get(connection, comparison.project_id)
    project, *tags = neutral_until_reveal(connection, named, *task.tags, revealed=not shut)
    every = reviews.of_comparison(connection, comparison.id)
    final = [review for review in every if reviews.is_final(connection, review.id)]
    standing_notes = notes.standing(connection, comparison.id)

    def text_of_view(view_id: str) -> str:
        """The output as judge and reviewer got it, after the reveal with the words and names that were redacted."""
        view = outputs.load_view(connection, view_id, blobs=services.blobs)
        stood = {} if shut else outputs.originals_of(connection, view_id)
        files = [
            (stood[file.id].name, restore_words(file.text, stood[file.id].places))
            if file.id in stood
            else (file.name, file.text)
            for file in view.files
        ]
        if len(files) == 1:
            return files[0][1]
        return "\n\n".join(f"--- {name} ---\n{text}" for name, text in files)

    makers = reference = history = None
    if shut:
        # Whether each run counts; the rest is told after the reveal.
        marks = fact.run_states(connection, comparison.id).sides.map(lambda state: RunMark(state=state))
        texts = comparison.views.map(text_of_view)
    else:
        both = keys.runs_of(connection, comparison.id)
        marks = both.map(lambda run: RunMark(state=run.state, contaminated=CONTAMINATED in run.details))
        pair = (both.A.snapshot_id, both.B.snapshot_id)
        own = both.map(lambda run: _one_text(services, connection, run.snapshot_id, together=pair))
        makers = PerOutput[Maker].of(lambda label: _maker_of(connection, both[label], own[label], called))
        if version.reference_snapshot:
            reference = _one_text(services, connection, version.reference_snapshot)
        texts = PerOutput[str].of(
            lambda label: file.text if (file := own[label]) else text_of_view(comparison.views[label])
        )
        history = history_of(connection, comparison.id, now)
    return Exported(
        id=comparison.id,
        project=project,
        title=comparison.title if shut else task.title or comparison.title,
        tags=tuple(tags),
        prompt=wording.prompt,
        expectations=wording.expectations,
        task_key=None if shut else task.key,
        task_version=version.number,
        created_at=comparison.created_at,
        winner=None if offline else settled.verdict.winner,
        prose=settled.prose,
        result=None if offline else settled.result,
        source=settled.source,
        decided_by=settled.verdict.decided_by,
        left_out=0 if offline else len(settled.verdict.left_out),
        judge=judged_result(judgment, wording.expectations),
        judge_model=now.chosen.judge_model if now and not now.form else None,
        scores_and_verdict_disagree=None if judgment is None else not judgment.self_consistent,
        texts=texts,
        makers=makers,
        marks=marks,
        reference=reference.text if reference else None,
        reviewers=tuple(people.get(connection, review.person_id).name for review in final),
        # Whether everybody who reviewed or ruled on it was blind, as the statistics count it.
        blind=not (
            offline
            or comparison.may_reveal
            or any(reviews.events(connection, review.id)[-1].unblinded for review in final)
            or any(review.blindness is not Blindness.BLIND for review in final)
            or any(
                ruling.blindness is not Blindness.BLIND
                for ruling in reviews.rulings_of(connection, comparison.id)
            )
        ),
        comments=tuple(note.text for note in standing_notes if note.kind is notes.NoteKind.COMMENT),
        remarks=() if offline else tuple(_remarks(connection, settled, judgment, final, standing_notes)),
        readings=judgment.passes if judgment else (),
        history=history,
    )


class _TextFile(NamedTuple):
    name: str
    text: str


def _maker_of(connection: Connection, run: Run, file: _TextFile | None, called: dict[str, str]) -> Maker:
    candidate = runs.get_candidate(connection, run.candidate_id)
    if candidate.id not in called:
        called.update(reveals.names_within(connection, candidate.project_id))
    return Maker(
        name=candidate.name,
        called=called.get(candidate.id, ""),
        workspace=candidate.workspace,
        candidate_id=candidate.merged_into or candidate.id,
        iteration=candidate.iteration,
        model=candidate.model,
        skill_hash=candidate.skill_hash,
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
            snapshots = [outputs.load_snapshot(connection, other_id) for other_id in together]
            encoding = agreed_encoding(services.blobs, snapshots, data)
    except ComparatorError:
        return None
    if b"\0" in data:
        return None
    return _TextFile(artifact.path.rpartition("/")[2], decode(data, undeclared=encoding).text)


def _remarks(
    connection: Connection,
    settled: SettledResult,
    judgment: MergedJudgment | None,
    final: Sequence[reviews.Review],
    standing_notes: Sequence[notes.Note],
) -> Iterator[Remark]:
    """What judge and final reviews say of each criterion and expectation."""
    changed: set[str] = set()
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    passages: defaultdict[str, list[str]] = defaultdict(list)
    for review in final:
        for address, entry in fold(reviews.changes(connection, review.id)).items():
            if entry.touch is Touch.CHANGED:
                changed.add(address)
            if reason := ": ".join(part for part in (entry.code, entry.reason) if part):
                reasons[address].append(reason)
        for note in standing_notes:
            if note.kind is notes.NoteKind.EVIDENCE and note.person_id == review.person_id:
                passages[note.target].append(note.text)

    def remark(label: Label, part: Part, place: str, *, quotes: Sequence[str] = (), **what: Any) -> Remark:
        target = str(Target(part=part, label=label, key=place))
        return Remark(
            label=label,
            changed=target in changed,
            quotes=(*quotes, *passages[target]),
            reason="; ".join(reasons[target]),
            **what,
        )

    answers = [reading.answer for reading in judgment.passes] if judgment else []
    for label in Label:
        holds = settled.verdict.assessments[label]
        judged = judgment.assessments[label] if judgment else Assessment(scores={})
        for path, criterion in settled.rubric.lines():
            known = judgment is not None and path in judgment.rubric.paths
            marks = [answer.criteria[path][label] for answer in answers] if known else []
            quotes = dict.fromkeys(quote.text for mark in marks for quote in mark.quotes if quote.found)
            yield remark(
                label,
                Part.SCORE,
                path,
                dimension=Dimension(path.partition(".")[0]),
                key=criterion.key,
                name=criterion.name,
                judge=judged.scores.get(path),
                final=holds.scores.get(path),
                rationale=marks[0].rationale if marks else "",
                quotes=tuple(quotes),
            )
        met = zip(settled.wording.expectations, holds.expectations, strict=True)
        for number, (text, value) in enumerate(met):
            evidence = (a.expectations[number][label].evidence for a in answers if a.expectations)
            yield remark(
                label,
                Part.EXPECTATION,
                str(number),
                dimension=None,
                key=str(number),
                name=text,
                judge=_number(judged.expectations[number] if judged.expectations else None),
                final=_number(value),
                rationale=next(filter(None, evidence), ""),
            )


def _number(met: bool | None) -> Decimal | None:
    return None if met is None else Decimal(met)


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
            passes=judgments.successful(connection, now.chosen.digest),
        )

    def recorded(review: reviews.Review) -> RecordedReview:
        name = people.get(connection, review.person_id).name
        events = reviews.events(connection, review.id)
        changes = reviews.changes(connection, review.id)
        return RecordedReview(
            reviewer=name,
            began=review.opened_at,
            finalised=events[-1].at if events and events[-1].kind == "final" else None,
            knew=review.blindness is Blindness.KNOWN,
            changes=tuple(change.copy_with(author=name) for change in changes),
        )

    revealed = reveals.of_comparison(connection, comparison_id)
    every = reviews.of_comparison(connection, comparison_id)
    return PairHistory(
        judgment=judgment,
        reviews=tuple(map(recorded, every)),
        revealed=revealed.at if revealed else None,
        whole=bool(judgment or every) and not reviews.rulings_of(connection, comparison_id),
    )


def whole(services: Services, connection: Connection, pair: Exported) -> Exported:
    """The comparison with what only our own lines hold: files once it is revealed, labels for who may see them.

    Raises LimitExceeded where its files are too large for a line.
    """
    comparison, makers = comparisons.get(connection, pair.id), pair.makers
    given: dict[str, Any] = {}
    if may(services, Act.SEE_LABELS, project_id=comparison.project_id):
        every = labels.of_comparison(connection, pair.id)
        project = projects.get(connection, comparison.project_id)
        authors = (label.author for label in every)
        _, *named = neutral_until_reveal(connection, project, *authors, revealed=makers is not None)
        given["labels"] = tuple(
            GivenLabel(
                winner=label.winner,
                kind=label.kind,
                author=author,
                blind=label.blind,
                # It says which output came first where it comes from, which tells whose it is.
                value=label.value if makers else None,
            )
            for label, author in zip(every, named, strict=True)
        )
    if makers is None:
        return pair.model_copy(update=given)

    def files(snapshot_id: str | None, name: str | None = None, text: str = "") -> Files | None:
        """The files of a snapshot; None where there are none, they were purged, or name and text say all."""
        if snapshot_id is None:
            return None
        try:
            snapshot = outputs.load_snapshot(connection, snapshot_id)
            if snapshot.size > MOST_BYTES:
                raise LimitExceeded(f"A line holds up to {MOST_BYTES:,} bytes of an output.")
            attachments = tuple(
                Attachment(name=artifact.path, data=services.blobs.get(artifact.sha256))
                for artifact in snapshot.artifacts
            )
        except LimitExceeded:
            raise
        except ComparatorError:
            return None
        # A table's cells lose the spaces around them.
        says_all = name == (name or "").strip() and not snapshot.is_folder
        if says_all and attachments == (Attachment(name=name or "", data=text.encode("utf-8", "replace")),):
            return None
        left_out = tuple(LeftOut(file=member.path, reason=member.reason) for member in snapshot.refused)
        return Files(folder=snapshot.is_folder, name=snapshot.name, files=attachments, left_out=left_out)

    def record(run: Run) -> RunRecord:
        return RunRecord(
            cut_off=(run.state_reason or None) if run.state is RunState.CUT_OFF else None,
            superseded=run.state is RunState.SUPERSEDED,
            grading=run.grading,
            details=run.details,
        )

    both = keys.runs_of(connection, pair.id)
    version = tasks.get_version(connection, comparison.task_version_id)
    return pair.model_copy(
        update=given
        | {
            "records": both.map(record),
            "files": PerOutput[Files | None].of(
                lambda label: files(both[label].snapshot_id, makers[label].file, pair.texts[label])
            ),
            "input_files": files(version.input_snapshot),
            "reference_files": files(version.reference_snapshot, REFERENCE, pair.reference or ""),
        }
    )
