"""comparison.provenance.json: everything that led to a result and that comparison.json has no place for."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pydantic import AwareDatetime, Field

from comparator.domain.errors import NotFound
from comparator.domain.labels import Frozen, PerOutput, Winner
from comparator.domain.pair.view import SetAside
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.repetitions import rule_in_words
from comparator.domain.scoring.result import ComparisonResult, OverallScores
from comparator.domain.scoring.review import Blindness, Change
from comparator.domain.scoring.several_judges import JointOutcome, MemberJudge, Vote, vote_of
from comparator.domain.scoring.verdict import DecidedBy, VerdictSource
from comparator.outputs import EXTRACTOR
from comparator.store.bulk import batch_items
from comparator.store.core.database import Connection
from comparator.store.facts.verdicts import JudgedPasses, OfSeveral
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import Attempt
from comparator.store.judging.rubrics import RubricVersion
from comparator.store.pairs import outputs, page_views, reveals, tasks
from comparator.store.people import projects
from comparator.store.reviewing import finalisations, notes, reviews
from comparator.store.reviewing.finalisations import Adjudication, Finalisation
from comparator.store.reviewing.notes import HandPair, Note, NoteKind
from comparator.workflow.exporting.settled import SettledResult, judged_result
from comparator.workflow.projects.reveal import CandidateName, key_names, neutral_until_reveal
from comparator.workflow.services import Services


class ReviewRecord(Frozen):
    """One person's review: every change, and every finalised version with what it said."""

    reviewer: str
    mode: str
    blindness: Blindness
    opened_at: AwareDatetime
    changes: tuple[Change, ...]
    versions: tuple[Finalisation, ...]


class JudgeRecord(Frozen):
    """One of several judges: its vote over both orders, and all that it said."""

    name: str
    model: str
    digest: str
    vote: Vote
    judgment: MergedJudgment | None
    """None where it failed, or went by an earlier rubric."""
    cost: Decimal | None


class SeveralJudgesRecord(Frozen):
    """Several judges that were asked about the pair, and what they come to; `judge` is their common judgment."""

    quorum: int
    settled: JointOutcome
    winner: Winner | None
    judges: tuple[JudgeRecord, ...]


class ViewRecord(Frozen):
    """What judge and reviewer got of one output."""

    digest: str
    files: tuple[dict[str, Any], ...]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    digests: dict[int, str] = Field(default_factory=dict, exclude_if=lambda digests: not digests)
    """What it was before and after its Office files became pages; `seen` of a change is a number in here."""


class Provenance(Frozen):
    """Where a comparison.json comes from. `key` is None until the reveal."""

    format: str = "blind-comparator/provenance/1"
    comparison_id: str
    project: str
    task_key: str | None
    """None until the reveal."""
    task_version: int
    prompt: str
    expectations: tuple[str, ...]
    created_at: AwareDatetime
    exported_at: AwareDatetime
    verdict_source: VerdictSource
    decided_by: DecidedBy
    left_out: tuple[str, ...]
    """Criteria and expectations (by number, from 0) that are not in the result, since nobody assessed both outputs."""
    scores_given_for_export: OverallScores | None
    """The pair was decided without scores; whoever exported it gave these, and no statistic holds them."""
    scores_and_verdict_disagree: bool | None
    """Whether a reading of the judge names another winner than its own scores give; None without a judgment."""
    extractor: str
    views: PerOutput[ViewRecord]
    rubric: RubricVersion | None
    """The rubric with its anchors, and who wrote it."""
    judge_original: ComparisonResult | None
    judge: MergedJudgment | None
    judge_panel: SeveralJudgesRecord | None = Field(default=None, exclude_if=lambda panel: panel is None)
    """The judges one by one, where several were asked."""
    repetitions: str | None = Field(default=None, exclude_if=lambda rule: rule is None)
    """The rule by which the pair was read once or again, fixed before it was read."""
    guidance: tuple[int, ...] = Field(default=(), exclude_if=lambda guidance: not guidance)
    """The versions of the project's guidance that the judgment was made with; several judges may go by several."""
    attempts: tuple[Attempt, ...]
    cost: Decimal | None
    currency: str = "USD"
    reviews: tuple[ReviewRecord, ...]
    adjudications: tuple[Adjudication, ...]
    """Rulings on reviews that disagreed; the last one holds."""
    notes: tuple[Note, ...]
    """What people said beside scores: answers, evidence, comments, and the files that they ticked as looked at.

    What was withdrawn is left out.
    """
    file_pairs: tuple[HandPair, ...]
    """Files that a person put side by side or took apart."""
    may_be_told: bool = Field(default=False, exclude_if=lambda found: not found)
    """A passage in one of the outputs tells outright which run it is from; left out where none does."""
    key: PerOutput[CandidateName] | None

    def to_json(self) -> str:
        """The file's text."""
        return self.model_dump_json(indent=2) + "\n"


def provenance_of(services: Services, connection: Connection, settled: SettledResult) -> Provenance:
    """The provenance of a settled comparison, read on the snapshot on which it was settled."""
    comparison, now = settled.comparison, settled.judged
    version = tasks.get_version(connection, comparison.task_version_id)
    attempts = judgments.attempts(connection, comparison.id)
    judgment, asked = now.judgment if now else None, batch_items.last_asked(connection, comparison.id)
    revealed = reveals.of_comparison(connection, comparison.id) is not None
    (project,) = neutral_until_reveal(
        connection, projects.get(connection, comparison.project_id), revealed=revealed
    )
    return Provenance(
        comparison_id=comparison.id,
        project=project,
        # A key is made from words that may name a candidate.
        task_key=tasks.get(connection, version.task_id).key if revealed else None,
        task_version=version.number,
        prompt=comparison.prompt,
        expectations=comparison.expectations,
        created_at=comparison.created_at,
        exported_at=services.now(),
        verdict_source=settled.source,
        decided_by=settled.decided_by,
        left_out=settled.verdict.left_out,
        scores_given_for_export=settled.given,
        scores_and_verdict_disagree=None if judgment is None else not judgment.self_consistent,
        extractor=EXTRACTOR,
        views=PerOutput[ViewRecord](
            A=_view(services, connection, comparison.view_a, revealed=revealed),
            B=_view(services, connection, comparison.view_b, revealed=revealed),
        ),
        rubric=rubrics.get(connection, now.chosen.rubric_id) if now else None,
        judge_original=judged_result(judgment, settled.wording.expectations),
        judge=judgment,
        judge_panel=_several(now.by, attempts) if now and now.by else None,
        repetitions=None if asked is None or judgment is None else rule_in_words(asked.judge.repetitions),
        guidance=_guidance(now, attempts),
        attempts=attempts,
        cost=judgments.total_cost(attempts),
        reviews=tuple(_reviews(connection, comparison.id)),
        adjudications=finalisations.of_comparison(connection, comparison.id),
        notes=tuple(
            note for note in notes.standing(connection, comparison.id) if note.kind is not NoteKind.GUESS
        ),
        file_pairs=notes.hand_pairs(connection, comparison.id),
        may_be_told=bool(comparison.may_reveal),
        key=key_names(connection, comparison.id) if revealed else None,
    )


def _guidance(now: JudgedPasses | None, attempts: Sequence[Attempt]) -> tuple[int, ...]:
    """By the readings of the judgment that holds, not by earlier ones."""
    if now is None:
        return ()
    sets = {each.digest for each in now.by.sets.values()} if now.by else {now.chosen.digest}
    return tuple(sorted({a.guidance for a in attempts if a.guidance is not None and a.set_digest in sets}))


def _several(by: OfSeveral, attempts: Sequence[Attempt]) -> SeveralJudgesRecord:
    def record(member: MemberJudge) -> JudgeRecord:
        judgment, its = by.judgments[member.name], by.sets.get(member.name)
        return JudgeRecord(
            name=member.name,
            model=member.model,
            digest=member.digest,
            vote=vote_of(judgment),
            judgment=judgment,
            cost=judgments.total_cost(a for a in attempts if its is not None and a.set_digest == its.digest),
        )

    return SeveralJudgesRecord(
        quorum=by.judges.quorum,
        settled=by.opinion.settled,
        winner=by.opinion.winner,
        judges=tuple(record(each) for each in by.judges.members),
    )


def _reviews(connection: Connection, comparison_id: str) -> list[ReviewRecord]:
    return [
        ReviewRecord(
            reviewer=review.person_id,
            mode=review.mode.value,
            blindness=review.blindness,
            opened_at=review.opened_at,
            changes=reviews.changes(connection, review.id),
            versions=finalisations.events(connection, review.id),
        )
        for review in reviews.of_comparison(connection, comparison_id)
    ]


def _view(services: Services, connection: Connection, view_id: str, *, revealed: bool) -> ViewRecord:
    try:
        view = outputs.load_view(connection, view_id, blobs=services.blobs)
    except NotFound:
        digest = outputs.get_view(connection, view_id).digest
        return ViewRecord(digest=digest, files=(), set_aside=(), notes=("This output was purged.",))
    return ViewRecord(
        digest=view.digest,
        files=tuple(
            {"id": f.id, "name": f.name, "family": f.family.value, "size": f.size, "notes": list(f.notes)}
            for f in view.files
        ),
        # Which side left what it says about itself would tell whose it is.
        set_aside=view.set_aside if revealed else (),
        notes=view.notes,
        digests=page_views.digests_seen(connection, view_id),
    )
