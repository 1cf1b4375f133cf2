"""What judges and reviewers stated about a pair, in their words, and for which output each reason speaks."""

from collections.abc import Iterable, Iterator

from sqlalchemy import false, func, or_, select

from comparator.domain.labels import Label, Winner
from comparator.domain.scoring.judgment import first_passes
from comparator.domain.scoring.review import Part, Target, Touch, fold, judged_value
from comparator.domain.themes import FindingSource, Speaker, StatedReason, winner_by_score, winner_of_change
from comparator.store import tables
from comparator.store.core.sql import Connection, scalars
from comparator.store.facts import verdicts
from comparator.store.reviewing import reviews


def pairs_with_reasons(connection: Connection, project_id: str) -> tuple[str, ...]:
    """The pairs of valid runs in which a model or a reviewer may have stated a reason."""
    fact = tables.fact.c
    query = select(fact.comparison_id).where(
        fact.project_id == project_id,
        or_(fact.judge_winner.is_not(None), fact.final_reviews > 0),
        fact.state_a.is_(None),
        fact.state_b.is_(None),
        func.coalesce(fact.superseded, false()) == false(),
    )
    return scalars(connection, query.order_by(fact.comparison_id))


def stated_in(connection: Connection, comparison_id: str) -> Iterator[StatedReason]:
    """What the first reading of each order stated, and final reviews: their reasons, and lists that they wrote anew."""

    def listed(label: Label, part: Part, lines: Iterable[str], speaker: Speaker) -> Iterator[StatedReason]:
        strength = part is Part.STRENGTHS
        for line in lines:
            yield StatedReason(
                comparison_id=comparison_id,
                label=label,
                source=FindingSource.STRENGTH if strength else FindingSource.WEAKNESS,
                speaker=speaker,
                words=line,
                speaks_for=Winner((label if strength else label.other).value),
            )

    judged = verdicts.judged(connection, comparison_id)
    judgment = judged.judgment if judged else None
    for reading in first_passes(judgment.passes) if judgment else ():
        answer = reading.answer
        for label in Label:
            yield from listed(label, Part.STRENGTHS, answer.strengths[label], Speaker.JUDGE)
            yield from listed(label, Part.WEAKNESSES, answer.weaknesses[label], Speaker.JUDGE)
        for path, marks in answer.criteria.items():
            for label, mark in marks.items():
                yield StatedReason(
                    comparison_id=comparison_id,
                    label=label,
                    source=FindingSource.RATIONALE,
                    speaker=Speaker.JUDGE,
                    place=path,
                    words=mark.rationale,
                    speaks_for=winner_by_score(label, mark.score, marks[label.other].score),
                )
    for review in reviews.of_comparison(connection, comparison_id):
        if not reviews.is_final(connection, review.id):
            continue
        for address, entry in fold(reviews.changes(connection, review.id)).items():
            target = Target.parse(address)
            if target.part in (Part.STRENGTHS, Part.WEAKNESSES) and target.label is not None:
                if entry.touch is Touch.CHANGED and isinstance(entry.value, tuple):
                    yield from listed(target.label, target.part, entry.value, Speaker.REVIEWER)
            else:
                yield StatedReason(
                    comparison_id=comparison_id,
                    # A reason about the winner is about the one that it names, or A.
                    label=target.label or (Label.B if entry.value == Winner.B.value else Label.A),
                    source=FindingSource.REASON,
                    speaker=Speaker.REVIEWER,
                    place=address,
                    words=entry.reason,
                    speaks_for=winner_of_change(target, entry.value, judged_value(judgment, target)),
                )
