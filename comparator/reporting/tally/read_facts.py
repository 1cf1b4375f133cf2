"""Reads the facts of many comparisons at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import Order, PerOutput
from comparator.domain.scoring.judge_panel import PanelMember
from comparator.domain.scoring.judgment import Answer, ByPosition, Pass, merge, named_by_position
from comparator.domain.scoring.verdict import Assessment
from comparator.interop.read.grades import grade_of
from comparator.reporting.tally.facts import CountedReading, Facts, LastChange, OneJudge, Reviewed, Try
from comparator.reporting.tally.scope import merged, whole
from comparator.store import tables
from comparator.store.judging import panels, passes, rubrics
from comparator.store.judging.judgments import CONTRADICTED
from comparator.store.people import projects
from comparator.store.rollup import verdicts

COST = ("cost", "cost_usd", "total_cost_usd", "total_cost")
"""What a run's cost is called in what came with it."""
MOST_MONEY = 1_000_000_000


def facts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Facts]:
    """The facts of these comparisons; those that are gone, or have no key, are left out."""
    judged = _judged(connection, ids)
    reviews = _reviews(connection, ids)
    labels, guesses, ruled = _labels(connection, ids), _guesses(connection, ids), _ruled(connection, ids)
    warm_ups = {id for project in projects.all_projects(connection) for id in project.settings.warm_up}
    found = {}
    for row in connection.execute(_rollup_rows(ids)):
        known, ruling = judged.get(row.comparison_id, _Judged()), ruled.get(row.comparison_id)
        found[row.comparison_id] = Facts(
            comparison_id=row.comparison_id,
            project_id=row.project_id,
            task_id=row.task_id,
            candidate_a=row.candidate_a,
            candidate_b=row.candidate_b,
            number_a=row.number_a,
            revealed=row.reveal_id is not None,
            valid=row.state_a == row.state_b == "valid" and row.comparison_id not in warm_ups,
            status=row.status,
            judge_kind=row.judge_kind,
            judge_model=row.judge_model,
            judge_winner=row.judge_winner,
            first_winner=known.first_winner or row.judge_winner,
            position_consistent=row.position_consistent,
            self_consistent=row.self_consistent,
            stated_confidence=row.stated_confidence,
            quotes=_both(row.quotes_found, row.quotes_total),
            source=row.verdict_source,
            winner=row.winner,
            decided_by=row.decided_by,
            overall=_both(row.overall_a, row.overall_b),
            content=_both(row.content_a, row.content_b),
            structure=_both(row.structure_a, row.structure_b),
            passed=_both(row.pass_rate_a, row.pass_rate_b),
            final_reviews=row.final_reviews,
            open_reviews=row.open_reviews,
            audited=bool(row.chosen),
            characters=_both(row.characters_a, row.characters_b),
            marks=_both(row.marks_a, row.marks_b),
            may_be_told=bool(row.may_be_told),
            shared_rubric=known.shared,
            rubric_id=known.rubric_id,
            judge_digest=known.digest,
            all_readings=known.readings_in_all,
            ruled_unblinded=bool(ruling and ruling.unblinded),
            ruled_scores=_of_verdict(ruling.verdict, "scores") if ruling else None,
            ruled_met=_of_verdict(ruling.verdict, "expectations") if ruling else None,
            together=known.together,
            judges=known.judges,
            readings=tuple(known.readings),
            reviews=tuple(reviews.get(row.comparison_id, ())),
            tries=tuple(known.tries),
            labels=tuple(labels.get(row.comparison_id, ())),
            guesses=tuple(guesses.get(row.comparison_id, ())),
            version_id=row.version_id,
            judged_by=known.judged_by,
            created_at=row.created_at,
            views=(row.view_a, row.view_b),
            tokens=(_tokens(row, "a"), _tokens(row, "b")),
            seconds=(row.seconds_a, row.seconds_b),
            cost=(_cost(row.details_a), _cost(row.details_b)),
            graded=(_graded(row.grading_a), _graded(row.grading_b)),
        )
    return found


def _tokens(row: Any, side: str) -> int | None:
    """All tokens of a run, where it says so as a whole or for both ways."""
    total, into, out = (
        getattr(row, f"{name}_{side}") for name in ("total_tokens", "input_tokens", "output_tokens")
    )
    return total if total is not None else _sum(into, out)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _cost(details: Any) -> int | None:
    """What a run cost, in millionths; None where what came with it does not say."""
    for name in COST:
        value = details.get(name) if isinstance(details, dict) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_MONEY:
            return round(value * 1_000_000)
    return None


def _graded(grading: Any) -> Fraction | None:
    grade = grade_of(grading)
    return None if grade is None else grade.rate


def _both(a: int | None, b: int | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (a, b)


def _rollup_rows(ids: Sequence[str]) -> sa.Select[Any]:
    s, c, k = tables.rollup.c, tables.comparison.c, tables.ab_key.c
    run_a, run_b = tables.run.alias("run_a"), tables.run.alias("run_b")
    of_a, of_b = tables.candidate.alias("of_a"), tables.candidate.alias("of_b")
    view_a, view_b = tables.view.alias("shown_a"), tables.view.alias("shown_b")
    v, known, d = tables.task_version.c, tables.reveal_comparison.c, tables.draw.c
    scores = ("overall", "content", "structure", "pass_rate")
    return (
        sa.select(
            s.comparison_id,
            s.project_id,
            v.task_id,
            merged(of_a).label("candidate_a"),
            merged(of_b).label("candidate_b"),
            of_a.c.neutral_number.label("number_a"),
            run_a.c.state.label("state_a"),
            run_b.c.state.label("state_b"),
            known.reveal_id,
            d.chosen,
            c.may_be_told,
            view_a.c.characters.label("characters_a"),
            view_b.c.characters.label("characters_b"),
            view_a.c.marks.label("marks_a"),
            view_b.c.marks.label("marks_b"),
            c.task_version_id.label("version_id"),
            s.created_at,
            c.view_a,
            c.view_b,
            *(
                run.c[name].label(f"{name}_{side}")
                for side, run in (("a", run_a), ("b", run_b))
                for name in (
                    "total_tokens",
                    "input_tokens",
                    "output_tokens",
                    "seconds",
                    "details",
                    "grading",
                )
            ),
            *(whole(s[f"{name}_{side}"]).label(f"{name}_{side}") for name in scores for side in "ab"),
            *(
                s[name]
                for name in (
                    "status",
                    "judge_kind",
                    "judge_model",
                    "judge_winner",
                    "position_consistent",
                    "self_consistent",
                    "stated_confidence",
                    "quotes_found",
                    "quotes_total",
                    "verdict_source",
                    "winner",
                    "decided_by",
                    "final_reviews",
                    "open_reviews",
                )
            ),
        )
        .select_from(
            tables.rollup.join(tables.comparison, c.id == s.comparison_id)
            .join(tables.task_version, v.id == c.task_version_id)
            .join(tables.ab_key, k.comparison_id == s.comparison_id)
            .join(run_a, run_a.c.id == k.run_a)
            .join(run_b, run_b.c.id == k.run_b)
            .join(of_a, of_a.c.id == run_a.c.candidate_id)
            .join(of_b, of_b.c.id == run_b.c.candidate_id)
            .join(view_a, view_a.c.id == c.view_a)
            .join(view_b, view_b.c.id == c.view_b)
            .outerjoin(tables.reveal_comparison, known.comparison_id == s.comparison_id)
            .outerjoin(tables.draw, d.comparison_id == s.comparison_id)
        )
        .where(s.comparison_id.in_(ids))
    )


@dataclass
class _Judged:
    shared: bool = False
    rubric_id: str | None = None
    judged_by: str | None = None
    digest: str | None = None
    together: PerOutput[Assessment] | None = None
    judges: tuple[OneJudge, ...] = ()
    readings_in_all: int = 0
    first_winner: str | None = None
    """Of the first reading in each order, for a pair that was read again."""
    readings: list[CountedReading] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)


def _judged(connection: sa.Connection, ids: Sequence[str]) -> dict[str, _Judged]:
    """The readings that count, and all tries."""
    j, a, c, r = tables.judgment.c, tables.attempt.c, tables.comparison.c, tables.rubric.c
    view_a, view_b = tables.view.alias("shown_a"), tables.view.alias("shown_b")
    present = sa.and_(view_a.c.digest == j.view_a_digest, view_b.c.digest == j.view_b_digest)
    query = (
        sa.select(
            *(j[name] for name in j.keys() if name != "id"),  # noqa: SIM118  # a column collection is no mapping
            present.label("present"),
            r.task_version_id.is_(None).label("shared"),
            a.succeeded,
            a.error_kind,
            a.answer,
            a.input_tokens,
            a.output_tokens,
            a.seconds,
            a.currency,
            whole(a.cost).label("cost"),
        )
        .select_from(
            tables.judgment.join(tables.comparison, c.id == j.comparison_id)
            .join(tables.rubric, r.id == j.rubric_id)
            .join(view_a, view_a.c.id == c.view_a)
            .join(view_b, view_b.c.id == c.view_b)
            .outerjoin(tables.attempt, a.judgment_id == j.id)
        )
        .where(j.comparison_id.in_(ids))
        .order_by(j.created_at, a.at, j.order, j.repetition)
    )
    found: dict[str, _Judged] = defaultdict(_Judged)
    by_comparison: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query):
        by_comparison[row.comparison_id].append(row)
        if row.succeeded is not None:
            found[row.comparison_id].tries.append(
                Try(
                    kind=row.judge_kind,
                    model=row.judge_model,
                    digest=row.judge_digest,
                    currency=row.currency,
                    # An answer that was asked about once more is no failure.
                    succeeded=bool(row.succeeded) or row.error_kind == CONTRADICTED,
                    input_tokens=row.input_tokens,
                    output_tokens=row.output_tokens,
                    seconds=row.seconds,
                    cost=row.cost,
                )
            )
    several = panels.with_panel(connection, list(by_comparison))
    for comparison_id, rows in by_comparison.items():
        if comparison_id in several and (now := verdicts.judged(connection, comparison_id)) and now.by:
            _of_panel(found[comparison_id], now, shared=bool(rows[0].shared))
            continue
        chosen = passes.current(passes.sets_of(row for row in rows if row.present and not row.trial))
        if chosen is None or not chosen.complete:
            continue
        kept = [row for row in rows if row.set_digest == chosen.digest and row.succeeded]
        known = found[comparison_id]
        known.shared, known.rubric_id = bool(kept[0].shared), chosen.rubric_id
        known.judged_by = chosen.judge_model
        known.digest, known.readings_in_all = chosen.judge_digest, len(kept)
        # A pair that was read again was unsure: figures of the judge look at the first reading of each order.
        known.readings = [CountedReading(Order(row.order), row.answer) for row in kept if row.repetition == 0]
        if any(row.repetition for row in kept):
            rubric = rubrics.get(connection, chosen.rubric_id).rubric
            firsts = tuple(
                Pass(order=Order(row.order), answer=Answer.model_validate(row.answer))
                for row in kept
                if row.repetition == 0
            )
            if {p.order for p in firsts} == set(Order) and (verdict := merge(rubric, firsts).verdict):
                known.first_winner = verdict.winner.value
    return found


def _of_panel(known: _Judged, now: verdicts.JudgedPasses, *, shared: bool) -> None:
    """The joint judgment of several judges; no figure of one judge counts their readings."""
    known.shared, known.rubric_id = shared, now.chosen.rubric_id
    known.judged_by, known.digest = now.chosen.judge_model, now.chosen.judge_digest
    if now.judgment is not None:
        known.together = now.judgment.assessments
    if (by := now.by) is not None:
        known.judges = tuple(_one_judge(each, by) for each in by.panel.members)


def _one_judge(member: PanelMember, by: verdicts.OfPanel) -> OneJudge:
    judgment = by.said[member.name]
    leans = named_by_position(judgment) if judgment else ByPosition(0, 0)
    return OneJudge(
        name=member.name,
        kind=member.kind,
        model=member.model,
        digest=member.digest,
        vote=by.opinion.votes[member.name].value,
        first=leans.first,
        second=leans.second,
    )


def _reviews(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[Reviewed]]:
    r, f, c = tables.review.c, tables.finalisation.c, tables.change.c
    newest = (
        sa.select(f.review_id, sa.func.max(f.seq).label("seq"))
        .join_from(tables.finalisation, tables.review, r.id == f.review_id)
        .where(r.comparison_id.in_(ids))
        .group_by(f.review_id)
        .subquery()
    )
    rows = connection.execute(
        sa.select(tables.review, f.kind, f.winner, f.verdict, f.last_change, f.unblinded, f.at)
        .select_from(
            tables.review.outerjoin(newest, newest.c.review_id == r.id).outerjoin(
                tables.finalisation, sa.and_(f.review_id == r.id, f.seq == newest.c.seq)
            )
        )
        .where(r.comparison_id.in_(ids))
        .order_by(r.opened_at, r.id)
    ).all()
    changes: dict[str, list[Any]] = defaultdict(list)
    query = sa.select(c.review_id, c.seq, c.target, c.kind, c.code, c.blind, c.value, c.at).where(
        c.review_id.in_([row.id for row in rows])
    )
    for change in connection.execute(query.order_by(c.review_id, c.seq)):
        changes[change.review_id].append(change)
    found: dict[str, list[Reviewed]] = defaultdict(list)
    for row in rows:
        covered = [each for each in changes[row.id] if each.seq <= (row.last_change or 0)]
        last = {each.target: _said(each) for each in covered}
        blind = {each.target: _said(each) for each in covered if each.blind}
        found[row.comparison_id].append(
            Reviewed(
                person_id=row.person_id,
                mode=row.mode,
                knows=bool(row.knows),
                act=row.kind,
                unblinded=bool(row.unblinded),
                winner=row.winner,
                scores=_of_verdict(row.verdict, "scores"),
                met=_of_verdict(row.verdict, "expectations"),
                said=tuple(last.values()),
                blind_said=tuple(blind.values()),
                times=(row.opened_at, *(each.at for each in covered), row.at) if row.at else (),
            )
        )
    return found


def _labels(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    c = tables.label.c
    query = sa.select(c.comparison_id, c.kind, c.winner).where(
        c.comparison_id.in_(ids), c.winner.is_not(None)
    )
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in connection.execute(query.order_by(c.at, c.id)):
        found[row.comparison_id].append((row.kind, row.winner))
    return found


def _guesses(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[int | None]]:
    c = tables.guess.c
    found: dict[str, list[int | None]] = defaultdict(list)
    for row in connection.execute(sa.select(c.comparison_id, c.candidate_a).where(c.comparison_id.in_(ids))):
        found[row.comparison_id].append(row.candidate_a)
    return found


def _ruled(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Any]:
    """The ruling that holds on each: its newest."""
    d = tables.adjudication.c
    query = sa.select(d.comparison_id, d.verdict, d.unblinded).where(d.comparison_id.in_(ids))
    return {row.comparison_id: row for row in connection.execute(query.order_by(d.number))}


def _said(change: Any) -> LastChange:
    return LastChange(change.target, change.kind, change.code, bool(change.blind), change.value)


def _of_verdict(verdict: Mapping[str, Any] | None, what: str) -> dict[str, Any]:
    """The scores, or the expectations, of a stored verdict by label."""
    return {label: half[what] for label, half in (verdict or {}).get("assessments", {}).items()}
