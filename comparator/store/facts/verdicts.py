"""Whose verdict holds for a comparison: the adjudication's, the final reviews', else the judge's."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, exists, or_, select, true

from comparator.domain.scoring.judgment import MergedJudgment, Pass, Prose, merge
from comparator.domain.scoring.review import ChangeKind
from comparator.domain.scoring.rubric import FORM, Rubric
from comparator.domain.scoring.several_judges import (
    JointOpinion,
    JudgeChoice,
    SeveralJudges,
    joint_judgment,
    opinion,
    settle_reviews,
)
from comparator.domain.scoring.verdict import Verdict, VerdictSource
from comparator.store import tables
from comparator.store.core.sql import Connection
from comparator.store.judging import judgments, rubrics
from comparator.store.judging.judgments import PassSet
from comparator.store.judging.rubrics import RubricVersion

_fact, _review, _finalisation = tables.fact.c, tables.review.c, tables.finalisation.c
_judgment, _attempt, _adjudication = tables.judgment.c, tables.attempt.c, tables.adjudication.c
_item, _batch, _lease, _pair = tables.batch_item.c, tables.batch.c, tables.lease.c, tables.comparison.c
_comparison: BindParameter[str] = bindparam("comparison")

LOCK_ROW = select(_fact.project_id).where(_fact.comparison_id == _comparison).with_for_update()
"""Holds its row until the end of the transaction."""

UPDATE = tables.fact.update().where(_fact.comparison_id == _comparison)
"""Sets the columns that are given as further parameters."""

PAIR = (
    select(
        *(_fact[name] for name in ("superseded", "state_a", "state_b")),
        _pair.may_reveal,
        _pair.reveal_id,
        tables.project.c.settings,
    )
    .join_from(tables.fact, tables.comparison, _pair.id == _fact.comparison_id)
    .join(tables.project, tables.project.c.id == _fact.project_id)
    .where(_fact.comparison_id == _comparison)
)
"""How its runs stand, whether a passage tells whose an output is, its reveal, and the settings of its project."""

RULING = (
    select(_adjudication.verdict, _adjudication.prose, _adjudication.rubric_id, _adjudication.blindness)
    .where(_adjudication.comparison_id == _comparison)
    .order_by(_adjudication.number.desc())
    .limit(1)
)
"""The newest adjudication."""

_later = tables.finalisation.alias("later").c
NEWEST = ~exists().where(_later.review_id == _finalisation.review_id, _later.seq > _finalisation.seq)
"""Of a row of `finalisation`: it is the newest of its review."""


def worked_on(review_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether a change in this review stands: its value was not cleared again, nor was all undone."""
    change, later = tables.change.alias("standing").c, tables.change.alias("later").c
    replaced = exists().where(
        later.review_id == change.review_id, later.target == change.target, later.seq > change.seq
    )
    return exists().where(change.review_id == review_id, change.kind != ChangeKind.CLEAR, ~replaced)


REVIEWS = (
    select(
        *(_review[name] for name in ("id", "person_id", "mode", "blindness", "rubric_id", "opened_at")),
        *(_finalisation[name] for name in ("kind", "winner", "verdict", "prose", "last_change", "unblinded")),
        _finalisation.at,
        worked_on(_review.id).label("begun"),
    )
    .select_from(
        tables.review.outerjoin(tables.finalisation, and_(_finalisation.review_id == _review.id, NEWEST))
    )
    .where(_review.comparison_id == _comparison)
    .order_by(_review.opened_at, _review.id)
)
"""Each review with its newest finalisation, and whether any change in it stands."""

_theirs = and_(_item.comparison_id == _comparison, _item.state == "waiting", _batch.id == _item.batch_id)
BEING_JUDGED = select(
    or_(
        # Whoever reads it for a trial says nothing of it.
        and_(
            exists().where(_lease.kind == "pair", _lease.id == _comparison),
            or_(
                exists().where(_theirs, _batch.trial.is_(None)),
                ~exists().where(_theirs, _batch.trial == true()),
            ),
        ),
        exists().where(_theirs, _batch.single == true(), _batch.state == "running"),
    )
)
"""Whether a judge reads it, or is about to by itself."""

ENDED_WITH = (
    select(_item.problem)
    .select_from(judgments.ITEMS)
    .where(
        _item.comparison_id == _comparison,
        _item.state.in_(["done", "failed", "cancelled"]),
        _batch.trial.is_(None),
    )
    .order_by(_item.touched_at.desc())
    .limit(1)
)
"""Why the last judge of a batch ended without success."""

_success = tables.attempt.alias().c
LAST_PROBLEM = (
    select(_attempt.message)
    .select_from(judgments.TRIES)
    .where(
        _judgment.set_digest == bindparam("set"),
        ~exists().where(_success.judgment_id == _judgment.id, _success.succeeded == true()),
    )
    .order_by(_attempt.at.desc(), _attempt.id)
    .limit(1)
)
"""Of the set of passes that `set` names: the message of the last try without an answer."""


OFFLINE_KIND = "offline"


class OfSeveral(NamedTuple):
    """What each of several judges says of a pair; `judgments` holds None for a judge that failed."""

    judges: SeveralJudges
    opinion: JointOpinion
    judgments: Mapping[str, MergedJudgment | None]
    sets: Mapping[str, PassSet]
    """The readings of each judge that has read the pair in both orders."""


class FormFinding(NamedTuple):
    """What the offline check found: in a few words, and as the values that stand for it in comparison.json."""

    words: str
    verdict: Verdict
    prose: Prose


class JudgedPasses(NamedTuple):
    """The set of passes that counts, and what they say together; None while an order is missing.

    What the offline check says is no judgment: then `judgment` is None, and `form` what it found.
    """

    chosen: PassSet
    judgment: MergedJudgment | None
    by: OfSeveral | None = None
    """The judges one by one, where several were asked; `judgment` is their joint judgment."""
    rubric: RubricVersion | None = None
    """The rubric by which the pair is scored."""
    form: FormFinding | None = None

    @property
    def sets(self) -> tuple[PassSet, ...]:
        """The set of each judge whose readings it rests on."""
        return tuple(self.by.sets.values()) if self.by else (self.chosen,)


class Final(NamedTuple):
    """The newest finalisation of one review that is final."""

    verdict: Verdict
    prose: Prose
    rubric_id: str | None


class EffectiveVerdict(NamedTuple):
    """The verdict that holds with its words and its rubric. Without a verdict `source` says what is in the way:
    reviewers who disagree, or (None) nothing said yet."""

    verdict: Verdict | None
    prose: Prose | None
    rubric: Rubric | None
    source: VerdictSource | None


_OPEN = ("waiting", "out")
"""States of an item that is still to end, unless its batch was cancelled while somebody else had the pair."""


class JudgmentRequest(NamedTuple):
    """One time that a judgment of a pair was asked for: of one judge (`judges` is None) or of several."""

    judges: SeveralJudges | None
    at: datetime
    is_open: bool
    """Whether a judge is still to read the pair."""
    is_done: bool
    """Whether a judge has read it."""


# Made once: it is asked after each judgment, and to make it takes longer than to run it.
_ASKINGS = (
    select(_batch.id, _batch.panel, _batch.created_at, _item.state, _batch.state.label("of_batch"))
    .select_from(judgments.ITEMS)
    .where(_item.comparison_id == _comparison, _batch.trial.is_(None))
    .order_by(_batch.created_at.desc(), _batch.id)
)


def judgment_requests(connection: Connection, comparison_id: str) -> tuple[JudgmentRequest, ...]:
    """Each time that the pair was asked about, the newest first; empty where several judges never were."""
    rows = connection.execute(_ASKINGS, {"comparison": comparison_id}).all()
    if all(row.panel is None for row in rows):
        return ()
    # Each of several judges has a batch of its own.
    together: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        together[row.panel["id"] if row.panel else row.id].append(row)
    return tuple(
        JudgmentRequest(
            SeveralJudges.model_validate(own[0].panel) if own[0].panel else None,
            at=min(row.created_at for row in own),
            is_open=any(row.state in _OPEN and row.of_batch != "cancelled" for row in own),
            is_done=any(row.state == "done" for row in own),
        )
        for own in together.values()
    )


def judged(connection: Connection, comparison_id: str) -> JudgedPasses | None:
    """What the judge, or the several that were asked, say of a comparison now; None where none has begun."""
    known = judgments.sets(connection, comparison_id)
    if not known:
        return None
    requests = judgment_requests(connection, comparison_id)
    if not requests:
        return _by_one(connection, known)
    # Until all that were asked have ended, and where none of them answered, what was said before holds.
    left = known
    for request in requests:
        if request.is_open:
            left = tuple(readings for readings in left if readings.started_at < request.at)
        elif request.judges is None:
            if request.is_done:
                return _by_one(connection, left)
        else:
            theirs = {member.name: _read_by(left, member) for member in request.judges.members}
            sets = {
                name: readings
                for name, readings in theirs.items()
                if readings is not None and readings.complete
            }
            if sets:
                return _by_several(connection, request.judges, sets)
    return _by_one(connection, left) or JudgedPasses(known[-1], None)


def _by_one(connection: Connection, known: Iterable[PassSet]) -> JudgedPasses | None:
    chosen = judgments.current(known)
    if chosen is None:
        return None
    if not chosen.complete:
        return JudgedPasses(chosen, None)
    rubric = rubrics.get(connection, chosen.rubric_id)
    read = judgments.successful(connection, chosen.digest)
    if chosen.judge_kind == OFFLINE_KIND:
        return JudgedPasses(chosen, None, rubric=rubric, form=_form(read))
    return JudgedPasses(chosen, merge(rubric.rubric, read), rubric=rubric)


def _form(read: tuple[Pass, ...]) -> FormFinding | None:
    judgment = merge(FORM, read)
    if judgment.verdict is None:
        return None
    return FormFinding(read[0].answer.form, judgment.verdict, judgment.prose)


def _read_by(known: Sequence[PassSet], member: JudgeChoice) -> PassSet | None:
    """The set of one of several judges that counts."""
    its = (member.kind, member.model, member.digest)
    return judgments.current(
        readings
        for readings in known
        if (readings.judge_kind, readings.judge_model, readings.judge_digest) == its
    )


def _by_several(connection: Connection, judges: SeveralJudges, sets: Mapping[str, PassSet]) -> JudgedPasses:
    newest = max(sets.values(), key=lambda readings: (readings.started_at, readings.digest))
    version = rubrics.get(connection, newest.rubric_id)
    rubric = version.rubric
    # Medians need one rubric: whoever went by an earlier one has no say.
    merged = {
        member.name: merge(rubric, judgments.successful(connection, its.digest))
        if (its := sets.get(member.name)) is not None and its.rubric_id == newest.rubric_id
        else None
        for member in judges.members
    }
    joint_opinion = opinion(rubric, merged, quorum=judges.quorum)
    chosen = newest.copy_with(
        digest=judges.set_digest,
        judge_model=judges.called,
        judge_digest=judges.digest,
        started_at=min(readings.started_at for readings in sets.values()),
    )
    by = OfSeveral(judges, joint_opinion, merged, sets)
    return JudgedPasses(chosen, joint_judgment(merged, joint_opinion), by, version)


def effective_verdict(
    connection: Connection, comparison_id: str, now: JudgedPasses | None, finals: Sequence[Final]
) -> EffectiveVerdict:
    """The verdict that lists, dashboards and exports go by, given what the judge says and the final reviews."""
    ruling = connection.execute(RULING, {"comparison": comparison_id}).first()
    if ruling is not None:
        verdict, prose = Verdict.model_validate(ruling.verdict), Prose.model_validate(ruling.prose)
        by = rubrics.get(connection, ruling.rubric_id).rubric
        return EffectiveVerdict(verdict, prose, by, VerdictSource.ADJUDICATION)
    if finals:
        source = VerdictSource.REVIEW if len(finals) == 1 else VerdictSource.PANEL
        rubric_ids = {final.rubric_id for final in finals}
        if len(rubric_ids) > 1 or None in rubric_ids:
            return EffectiveVerdict(None, None, None, source)
        rubric = rubrics.get(connection, str(finals[-1].rubric_id)).rubric
        settled = settle_reviews(rubric, [final.verdict for final in finals])
        return EffectiveVerdict(settled, finals[-1].prose if settled else None, rubric, source)
    if now is not None and now.form is not None:
        return EffectiveVerdict(now.form.verdict, now.form.prose, FORM, VerdictSource.OFFLINE)
    if now is None or (judgment := now.judgment) is None or judgment.verdict is None:
        return EffectiveVerdict(None, None, None, None)
    return EffectiveVerdict(judgment.verdict, judgment.prose, judgment.rubric, VerdictSource.JUDGE)


def final_reviews(connection: Connection, comparison_id: str) -> tuple[Final, ...]:
    """The verdicts of the reviews that are final and not reopened, oldest first."""
    return finals(connection.execute(REVIEWS, {"comparison": comparison_id}).all())


def finals(reviews: Iterable[Any]) -> tuple[Final, ...]:
    """The same of rows of `REVIEWS`."""
    final = (row for row in reviews if row.kind == "final")
    return tuple(
        Final(Verdict.model_validate(row.verdict), Prose.model_validate(row.prose), row.rubric_id)
        for row in sorted(final, key=lambda row: (row.at, row.id))
    )
