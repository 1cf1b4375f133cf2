"""Reads the facts of many comparisons at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from comparator.domain.labels import PerOutput
from comparator.domain.scoring.review import Blindness
from comparator.domain.scoring.several_judges import peoples_verdict
from comparator.domain.scoring.verdict import Assessment, Verdict
from comparator.interop.read.grades import grade_of
from comparator.reporting.tally.facts import Facts, Reviewed
from comparator.reporting.tally.read_judged import Judged, read_judged
from comparator.reporting.tally.read_reviews import read_reviews
from comparator.reporting.tally.scope import merged, whole
from comparator.store import tables
from comparator.store.people import projects

COST = ("cost", "cost_usd", "total_cost_usd", "total_cost")
"""What a run's cost is called in what came with it."""
MOST_MONEY = 1_000_000_000


def facts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Facts]:
    """The facts of these comparisons; those that are gone, or have no key, are left out."""
    judged = read_judged(connection, ids)
    reviews = read_reviews(connection, ids)
    labels, guesses, ruled = _labels(connection, ids), _guesses(connection, ids), _ruled(connection, ids)
    warm_ups = {id for project in projects.all_projects(connection) for id in project.settings.warm_up}
    found = {}
    for row in connection.execute(_rollup_rows(ids)):
        known, ruling = judged.get(row.comparison_id, Judged()), ruled.get(row.comparison_id)
        reviewed = tuple(reviews.get(row.comparison_id, ()))
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
            may_reveal=bool(row.may_reveal),
            shared_rubric=known.shared,
            rubric_id=known.rubric_id,
            judge_digest=known.digest,
            all_readings=known.readings_in_all,
            ruled=Blindness(ruling.blindness) if ruling else Blindness.BLIND,
            rubric=known.rubric,
            judged=known.assessments,
            effective=_effective(ruling, reviewed, known.assessments),
            judges=known.judges,
            readings=known.readings,
            reviews=reviewed,
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


def _effective(
    ruling: Any, reviews: Sequence[Reviewed], judged: PerOutput[Assessment] | None
) -> PerOutput[Assessment] | None:
    """The values of people's verdict, else of the judge's first readings."""
    people = peoples_verdict(
        None if ruling is None else Verdict.model_validate(ruling.verdict),
        [(each.verdict, each.rubric_id) for each in reviews if each.verdict is not None],
        {each.rubric_id: each.rubric for each in reviews}.get,
    )
    if people is None:
        return judged
    return people.verdict.assessments if people.verdict else None


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
    rollup, comparison, ab_key = tables.rollup.c, tables.comparison.c, tables.ab_key.c
    run_a, run_b = tables.run.alias("run_a"), tables.run.alias("run_b")
    of_a, of_b = tables.candidate.alias("of_a"), tables.candidate.alias("of_b")
    view_a, view_b = tables.view.alias("view_a"), tables.view.alias("view_b")
    task_version, reveal_comparison, draw = tables.task_version.c, tables.reveal_comparison.c, tables.draw.c
    scores = ("overall", "content", "structure", "pass_rate")
    return (
        sa.select(
            rollup.comparison_id,
            rollup.project_id,
            task_version.task_id,
            merged(of_a).label("candidate_a"),
            merged(of_b).label("candidate_b"),
            of_a.c.neutral_number.label("number_a"),
            run_a.c.state.label("state_a"),
            run_b.c.state.label("state_b"),
            reveal_comparison.reveal_id,
            draw.chosen,
            comparison.may_reveal,
            view_a.c.characters.label("characters_a"),
            view_b.c.characters.label("characters_b"),
            view_a.c.marks.label("marks_a"),
            view_b.c.marks.label("marks_b"),
            comparison.task_version_id.label("version_id"),
            rollup.created_at,
            comparison.view_a,
            comparison.view_b,
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
            *(whole(rollup[f"{name}_{side}"]).label(f"{name}_{side}") for name in scores for side in "ab"),
            *(
                rollup[name]
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
            tables.rollup.join(tables.comparison, comparison.id == rollup.comparison_id)
            .join(tables.task_version, task_version.id == comparison.task_version_id)
            .join(tables.ab_key, ab_key.comparison_id == rollup.comparison_id)
            .join(run_a, run_a.c.id == ab_key.run_a)
            .join(run_b, run_b.c.id == ab_key.run_b)
            .join(of_a, of_a.c.id == run_a.c.candidate_id)
            .join(of_b, of_b.c.id == run_b.c.candidate_id)
            .join(view_a, view_a.c.id == comparison.view_a)
            .join(view_b, view_b.c.id == comparison.view_b)
            .outerjoin(tables.reveal_comparison, reveal_comparison.comparison_id == rollup.comparison_id)
            .outerjoin(tables.draw, draw.comparison_id == rollup.comparison_id)
        )
        .where(rollup.comparison_id.in_(ids))
    )


def _labels(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    label = tables.label.c
    query = sa.select(label.comparison_id, label.kind, label.winner).where(
        label.comparison_id.in_(ids), label.winner.is_not(None)
    )
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in connection.execute(query.order_by(label.at, label.id)):
        found[row.comparison_id].append((row.kind, row.winner))
    return found


def _guesses(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[int | None]]:
    note = tables.note.c
    found: dict[str, list[int | None]] = defaultdict(list)
    for row in connection.execute(
        sa.select(note.comparison_id, note.content).where(note.comparison_id.in_(ids), note.kind == "guess")
    ):
        found[row.comparison_id].append(row.content.get("candidate_a"))
    return found


def _ruled(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Any]:
    """The ruling that holds on each: its newest."""
    adjudication = tables.adjudication.c
    query = sa.select(adjudication.comparison_id, adjudication.verdict, adjudication.blindness).where(
        adjudication.comparison_id.in_(ids)
    )
    return {row.comparison_id: row for row in connection.execute(query.order_by(adjudication.number))}
