"""Whose verdict holds for a comparison: the adjudication's, the final reviews', else the judge's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from comparator.domain.scoring.judgment import MergedJudgment, Pass, Prose, merge
from comparator.domain.scoring.rubric import FORM, Rubric
from comparator.domain.scoring.several_judges import (
    JointOpinion,
    MemberJudge,
    SeveralJudges,
    opinion,
    peoples_verdict,
    together,
)
from comparator.domain.scoring.verdict import Verdict, VerdictSource
from comparator.store.facts import queries
from comparator.store.judging import passes, rubrics
from comparator.store.judging.passes import PassSet
from comparator.store.judging.rubrics import RubricVersion

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


def judged(connection: Connection, comparison_id: str) -> JudgedPasses | None:
    """What the judge, or the several that were asked, say of a comparison now; None where none has begun."""
    known = passes.sets(connection, comparison_id)
    if not known:
        return None
    requests = passes.judgment_requests(connection, comparison_id)
    if not requests:
        return _by_one(connection, known)
    # Until all that were asked have ended, and where none of them answered, what was said before holds.
    left = known
    for request in requests:
        if request.is_open:
            left = tuple(each for each in left if each.started_at < request.at)
        elif request.judges is None:
            if request.is_done:
                return _by_one(connection, left)
        else:
            theirs = {each.name: _read_by(left, each) for each in request.judges.members}
            sets = {name: each for name, each in theirs.items() if each is not None and each.complete}
            if sets:
                return _by_several(connection, request.judges, sets)
    return _by_one(connection, left) or JudgedPasses(known[-1], None)


def _by_one(connection: Connection, known: Iterable[PassSet]) -> JudgedPasses | None:
    chosen = passes.current(known)
    if chosen is None:
        return None
    if not chosen.complete:
        return JudgedPasses(chosen, None)
    rubric = rubrics.get(connection, chosen.rubric_id)
    read = passes.successful(connection, chosen.digest)
    if chosen.judge_kind == OFFLINE_KIND:
        return JudgedPasses(chosen, None, rubric=rubric, form=_form(read))
    return JudgedPasses(chosen, merge(rubric.rubric, read), rubric=rubric)


def _form(read: tuple[Pass, ...]) -> FormFinding | None:
    judgment = merge(FORM, read)
    if judgment.verdict is None:
        return None
    return FormFinding(read[0].answer.form, judgment.verdict, judgment.prose)


def _read_by(known: Sequence[PassSet], member: MemberJudge) -> PassSet | None:
    """The set of one of several judges that counts."""
    its = (member.kind, member.model, member.digest)
    return passes.current(
        each for each in known if (each.judge_kind, each.judge_model, each.judge_digest) == its
    )


def _by_several(connection: Connection, judges: SeveralJudges, sets: Mapping[str, PassSet]) -> JudgedPasses:
    newest = max(sets.values(), key=lambda each: (each.started_at, each.digest))
    version = rubrics.get(connection, newest.rubric_id)
    rubric = version.rubric
    # Medians need one rubric: whoever went by an earlier one has no say.
    judgments = {
        each.name: merge(rubric, passes.successful(connection, its.digest))
        if (its := sets.get(each.name)) is not None and its.rubric_id == newest.rubric_id
        else None
        for each in judges.members
    }
    found = opinion(rubric, judgments, quorum=judges.quorum)
    chosen = newest.model_copy(
        update={
            "digest": judges.set_digest,
            "judge_model": judges.called,
            "judge_digest": judges.digest,
            "started_at": min(each.started_at for each in sets.values()),
        }
    )
    by = OfSeveral(judges, found, judgments, sets)
    return JudgedPasses(chosen, together(judgments, found), by, version)


def effective_verdict(
    connection: Connection, comparison_id: str, now: JudgedPasses | None, finals: Sequence[Final]
) -> EffectiveVerdict:
    """The verdict that lists, dashboards and exports go by, given what the judge says and the final reviews."""
    ruling = connection.execute(queries.RULING, {"comparison": comparison_id}).first()
    ruled = None if ruling is None else Verdict.model_validate(ruling.verdict)
    people = peoples_verdict(
        ruled,
        [(final.verdict, final.rubric_id) for final in finals],
        lambda rubric_id: rubrics.get(connection, rubric_id).rubric,
    )
    if people is not None:
        source, verdict, rubric = people
        if ruling is not None and ruled is not None:
            by = _rubric_of(connection, comparison_id, ruled)
            return EffectiveVerdict(ruled, Prose.model_validate(ruling.prose), by, source)
        return EffectiveVerdict(verdict, finals[-1].prose if verdict else None, rubric, source)
    if now is not None and now.form is not None:
        return EffectiveVerdict(now.form.verdict, now.form.prose, FORM, VerdictSource.OFFLINE)
    if now is None or (judgment := now.judgment) is None or judgment.verdict is None:
        return EffectiveVerdict(None, None, None, None)
    return EffectiveVerdict(judgment.verdict, judgment.prose, judgment.rubric, VerdictSource.JUDGE)


def final_reviews(connection: Connection, comparison_id: str) -> tuple[Final, ...]:
    """The verdicts of the reviews that are final and not reopened, oldest first."""
    return finals(connection.execute(queries.REVIEWS, {"comparison": comparison_id}).all())


def finals(reviews: Iterable[Any]) -> tuple[Final, ...]:
    """The same of rows of `queries.REVIEWS`."""
    final = (row for row in reviews if row.kind == "final")
    return tuple(
        Final(Verdict.model_validate(row.verdict), Prose.model_validate(row.prose), row.rubric_id)
        for row in sorted(final, key=lambda row: (row.at, row.id))
    )


def _rubric_of(connection: Connection, comparison_id: str, ruling: Verdict) -> Rubric | None:
    """The rubric that a ruling was made by: one of a review, whether that is final still or open again."""
    reviews = connection.execute(queries.REVIEWS, {"comparison": comparison_id})
    ids = dict.fromkeys(row.rubric_id for row in reviews if row.rubric_id is not None)
    known = (rubrics.get(connection, rubric_id).rubric for rubric_id in ids)
    scored = set(ruling.assessments.A.scores)
    return next((rubric for rubric in known if set(rubric.paths) == scored), None)
