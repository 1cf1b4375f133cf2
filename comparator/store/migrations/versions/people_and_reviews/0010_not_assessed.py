"""What nobody assessed has no value any more: stored answers, the verdicts that rest on them, and what lists show.

A verdict that a person finalised changes only by what was left untouched and not measured, and its winner stays. Where
that leaves a dimension without any score there is no verdict, so the review is opened again. Each verdict that changes
is noted in the audit log. The text of the result as it was finalised is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from comparator.domain.labels import Dimension, Label, PerOutput
from comparator.domain.scoring.judgment import Answer, contradicted_by
from comparator.domain.scoring.review import Touch, fold
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, settle
from comparator.store import tables
from comparator.store.core.ids import new_id
from comparator.store.core.unit import Unit
from comparator.store.judging import rubrics
from comparator.store.people import events
from comparator.store.reviewing import finalisations, reviews
from comparator.store.rollup import rollup
from comparator.store.upkeep.changed_verdicts import KIND

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

AT_ONCE = 500
OLD_WORDING = (
    (r"^Offline baseline, not a judgment\.", "Offline check, not a judgment."),
    (r"; the others have a neutral 3 on both sides\.", "; the others are not assessed."),
    (r" By these measures A has [\d.]+ and B [\d.]+ of 10\.", ""),
)
_WRITTEN = (
    *("judge_winner", "judge_decided_by", "judge_overall_a", "judge_overall_b", "position_consistent"),
    *("self_consistent", "stated_confidence", "verdict_source", "winner", "decided_by", "left_out"),
    *(f"{name}_{side}" for name in ("overall", "content", "structure", "pass_rate") for side in "ab"),
)
_attempt, _judgment, _rollup = tables.attempt.c, tables.judgment.c, tables.rollup.c
_finalisation, _review = tables.finalisation.c, tables.review.c


def upgrade() -> None:
    """Add the columns; what is stored is brought into the new form when the schema is the newest."""
    op.add_column("rollup", sa.Column("self_consistent", sa.Boolean(), nullable=True))
    op.add_column("rollup", sa.Column("left_out", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_rollup_self_contradicted",
        "rollup",
        ["created_at", "comparison_id"],
        sqlite_where=sa.text("self_consistent = 0"),
        postgresql_where=sa.text("self_consistent = false"),
    )
    config = op.get_context().config
    assert config is not None
    config.attributes["afterwards"].append(_rewrite)


def _rewrite(connection: sa.Connection) -> None:
    _rename(connection)
    touched = {_rewritten(connection, *row) for row in _not_measured(connection)}
    for comparison_id in sorted(touched):
        _settle_reviews(connection, comparison_id)
    connection.execute(
        tables.rollup.update()
        .where(_rollup.winner.is_not(None))
        .values(left_out=sa.func.coalesce(_rollup.left_out, 0))
    )
    connection.execute(
        tables.rollup.update().where(_rollup.judge_winner.is_not(None)).values(self_consistent=True)
    )
    for comparison_id in sorted({*touched, *_contradicted(connection)}):
        row = rollup.derive(connection, comparison_id)
        connection.execute(
            tables.rollup.update()
            .where(_rollup.comparison_id == comparison_id)
            .values({name: row[name] for name in _WRITTEN})
        )
        connection.execute(tables.stale.insert().values(comparison_id=comparison_id))


def _rename(connection: sa.Connection) -> None:
    """The offline check was called baseline, which is also a word for a candidate."""
    named = sa.update(tables.rubric).where(tables.rubric.c.author_kind == "baseline")
    connection.execute(named.values(author_kind="offline"))
    connection.execute(
        tables.stale.insert().from_select(
            ["comparison_id"], sa.select(_rollup.comparison_id).where(_rollup.judge_kind == "offline")
        )
    )
    connection.execute(
        tables.rollup.update()
        .where(_rollup.verdict_source == "baseline")
        .values(verdict_source="offline_check")
    )


def _not_measured(connection: sa.Connection) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Id, comparison and answer of each try of the offline check, a few at a time."""
    query = (
        sa.select(_attempt.id, _judgment.comparison_id)
        .join_from(tables.attempt, tables.judgment, _judgment.id == _attempt.judgment_id)
        .where(_judgment.judge_kind == "offline", _attempt.answer.is_not(None))
    )
    known = {row.id: row.comparison_id for row in connection.execute(query)}
    yield from ((id, known[id], answer) for id, answer in _answers(connection, list(known)))


def _answers(connection: sa.Connection, ids: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for start in range(0, len(ids), AT_ONCE):
        query = sa.select(_attempt.id, _attempt.answer).where(_attempt.id.in_(ids[start : start + AT_ONCE]))
        yield from ((row.id, row.answer) for row in connection.execute(query).all())


def _rewritten(connection: sa.Connection, id: str, comparison_id: str, answer: dict[str, Any]) -> str:
    """Store the answer without a value where nothing was measured; the id of its comparison."""
    for field, given in (("score", answer["criteria"].values()), ("passed", answer["expectations"])):
        for mark in (both[label] for both in given for label in "AB"):
            if mark.pop("measured", True) is False:
                mark[field] = None
    for before, now in OLD_WORDING:
        answer["reasoning"] = re.sub(before, now, answer["reasoning"])
    connection.execute(tables.attempt.update().where(_attempt.id == id).values(answer=answer))
    return comparison_id


def _contradicted(connection: sa.Connection) -> Iterator[str]:
    """The comparisons of which a model's reading names another winner than its scores give."""
    query = (
        sa.select(_attempt.id, _judgment.comparison_id, _judgment.rubric_id)
        .join_from(tables.attempt, tables.judgment, _judgment.id == _attempt.judgment_id)
        .where(_judgment.judge_kind != "offline", _attempt.succeeded == sa.true())
    )
    known = {row.id: row for row in connection.execute(query)}
    by: dict[str, Rubric] = {}
    for id, answer in _answers(connection, list(known)):
        row = known[id]
        if row.rubric_id not in by:
            by[row.rubric_id] = rubrics.get(connection, row.rubric_id).rubric
        if contradicted_by(by[row.rubric_id], Answer.model_validate(answer)) is not None:
            yield row.comparison_id


def _settle_reviews(connection: sa.Connection, comparison_id: str) -> None:
    """Leave out of each finalised verdict what neither the judge measured nor the reviewer gave.

    A review is opened again where nothing is left of a dimension.
    """
    query = (
        sa.select(
            *(
                _finalisation[name]
                for name in ("id", "review_id", "person_id", "last_change", "winner", "verdict", "number")
            ),
            _review.rubric_id,
            _review.judgment_set,
        )
        .join_from(tables.finalisation, tables.review, _review.id == _finalisation.review_id)
        .where(_review.comparison_id == comparison_id, _finalisation.kind == "final")
        .order_by(_finalisation.review_id, _finalisation.seq)
    )
    for row in connection.execute(query).all():
        if row.rubric_id is None or row.judgment_set is None:
            continue
        rubric = rubrics.get(connection, row.rubric_id).rubric
        before = Verdict.model_validate(row.verdict)
        after, unassessed = _without(connection, rubric, before, row)
        unit = Unit(connection, at=datetime.now(UTC), new_id=new_id)
        if unassessed:
            if finalisations.events(connection, row.review_id)[-1].id != row.id:
                continue
            finalisations.reopen(
                unit, row.review_id, person_id=row.person_id, unblinded=_revealed(connection, comparison_id)
            )
        elif after is None or after.model_dump(mode="json") == row.verdict:
            continue
        else:
            connection.execute(
                tables.finalisation.update()
                .where(_finalisation.id == row.id)
                .values(verdict=after, decided_by=after.decided_by.value)
            )
        after = after or before
        project = sa.select(tables.comparison.c.project_id).where(tables.comparison.c.id == comparison_id)
        events.log(
            unit,
            KIND,
            project_id=connection.execute(project).scalar_one(),
            subject_id=comparison_id,
            detail={
                "version": row.number,
                "winner": after.winner.value,
                "decided_by": [before.decided_by.value, after.decided_by.value],
                "left_out": list(after.left_out),
                "unassessed": unassessed,
                "overall": [
                    [str(verdict.totals[label].overall_score) for label in Label]
                    for verdict in (before, after)
                ],
            },
        )


def _revealed(connection: sa.Connection, comparison_id: str) -> bool:
    reveal_comparison = tables.reveal_comparison.c
    query = sa.select(reveal_comparison.comparison_id).where(reveal_comparison.comparison_id == comparison_id)
    return connection.execute(query).first() is not None


def _without(
    connection: sa.Connection, rubric: Rubric, before: Verdict, row: Any
) -> tuple[Verdict | None, list[str]]:
    """The verdict without what was untouched and not measured; its winner stays whom the person finalised.

    Also the dimensions that this leaves without any score, where there is no verdict.
    """
    silent = _silent(connection, row.judgment_set)
    changes = reviews.changes(connection, row.review_id)[: row.last_change]
    given = {address for address, entry in fold(changes).items() if entry.touch is not Touch.CANNOT_JUDGE}
    dropped = silent - given
    if not dropped:
        return None, []

    unassessed = sorted(
        dimension.value
        for dimension in Dimension
        if not any(
            path.startswith(f"{dimension.value}.") and not {f"score:A:{path}", f"score:B:{path}"} & dropped
            for path in rubric.paths
        )
    )
    if unassessed:
        return None, unassessed

    def of(label: str) -> Assessment:
        each = before.assessments.A if label == "A" else before.assessments.B
        return Assessment(
            scores={
                path: score for path, score in each.scores.items() if f"score:{label}:{path}" not in dropped
            },
            expectations=tuple(
                None if f"expectation:{label}:{n}" in dropped else met
                for n, met in enumerate(each.expectations)
            ),
        )

    outright = before.winner if before.decided_by is DecidedBy.REVIEWER else None
    both = PerOutput[Assessment](A=of("A"), B=of("B"))
    after = settle(rubric, both, set_by_reviewer=outright)
    if after is not None and after.winner is not before.winner:
        after = settle(rubric, both, set_by_reviewer=before.winner)
    return after, []


def _silent(connection: sa.Connection, set_digest: str) -> set[str]:
    """The addresses of the values that a set of passes does not have."""
    query = (
        sa.select(_attempt.answer)
        .join_from(tables.attempt, tables.judgment, _judgment.id == _attempt.judgment_id)
        .where(_judgment.set_digest == set_digest, _attempt.succeeded == sa.true())
    )
    found: set[str] = set()
    for answer in connection.execute(query).scalars():
        for label in "AB":
            found |= {
                f"score:{label}:{p}" for p, both in answer["criteria"].items() if both[label]["score"] is None
            }
            found |= {
                f"expectation:{label}:{n}"
                for n, both in enumerate(answer["expectations"])
                if both[label]["passed"] is None
            }
    return found
