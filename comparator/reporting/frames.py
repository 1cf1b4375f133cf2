"""Reads a project's facts as pandas frames: the pairs, what judging took, and what candidates' runs took."""

from typing import Any

import numpy as np
import pandas as pd
import sqlalchemy as sa

from comparator.interop.gradings import grade_of
from comparator.reporting.scope import KIND_OF, VerdictKind
from comparator.store import tables
from comparator.store.core.database import Connection
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.store.judging.judgments import CONTRADICTED

Frame = Any
"""A pandas frame or one of its columns. What stands in it is known here, and not to pandas' own types."""
MEASURES = ("overall", "content", "structure", "passed")
COST = ("cost", "cost_usd", "total_cost_usd", "total_cost")
"""What a run's cost is called in what came with it."""
NOT_VALID = {"void": "unusable", "cut_off": "cut off", "superseded": "superseded"}
"""What the output is of a run in each state in which its pair does not count."""
MOST_MONEY = 1_000_000_000
_POINTS = {"A": 1.0, "TIE": 0.0, "B": -1.0}
AT_A_TIME = 10_000
"""Rows that are turned into a frame at once: as Python's values they take several times the room."""
_FACT = (
    *("comparison_id", "status", "judge_kind", "judge_model", "judge_winner", "judge_digest"),
    *("first_winner", "winner_a_first", "winner_b_first", "position_consistent", "self_consistent"),
    *("stated_confidence", "quotes_found", "quotes_total", "readings", "read_again", "used_tools"),
    *("rubric_id", "shared_rubric", "verdict_source", "winner", "decided_by", "blindness", "met"),
    *("final_reviews", "open_reviews"),
)


def merged(candidate: sa.FromClause) -> sa.ColumnElement[str]:
    """The id under which a candidate counts: that of the one into which it was merged, else its own."""
    return sa.func.coalesce(candidate.c.merged_into, candidate.c.id)


def whole(column: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """A decimal column as the whole number of smallest units in which it is stored."""
    return sa.type_coerce(column, sa.BigInteger)


def frame_of(connection: Connection, query: sa.Select[Any]) -> Frame:
    """The rows of a query."""
    names = [column.key for column in query.selected_columns]
    rows = connection.execute(query.execution_options(yield_per=AT_A_TIME))
    parts = [pd.DataFrame.from_records([*map(tuple, part)], columns=names) for part in rows.partitions()]
    return pd.concat(parts or [pd.DataFrame(columns=names)], ignore_index=True).infer_objects()


def read_pairs(connection: Connection, project_id: str) -> Frame:
    """The project's pairs, a row each; `Facts` says what stands in it."""
    pairs = frame_of(connection, _query(project_id)).set_index("comparison_id", drop=False).rename_axis(None)
    run, candidate = tables.run.c, tables.candidate
    runs = frame_of(
        connection,
        sa.select(run.id, merged(candidate).label("candidate"), run.state, run.state_reason)
        .join_from(tables.run, candidate, candidate.c.id == run.candidate_id)
        .where(candidate.c.project_id == project_id),
    ).set_index("id")
    reason = runs.state_reason.map(lambda why: f" ({why})" if why else "")
    runs["not_valid"] = runs.state.map(NOT_VALID) + reason
    low, high = (runs.loc[pairs[name]].set_axis(pairs.index) for name in ("run_low", "run_high"))
    low_is_one = low.candidate <= high.candidate
    pairs["one"] = low.candidate.where(low_is_one, high.candidate)
    pairs["two"] = high.candidate.where(low_is_one, low.candidate)
    pairs["both"] = pairs.one + " " + pairs.two
    a_is_low = pairs.run_a == pairs.run_low
    pairs["revealed"] = pairs.run_a.notna()
    pairs["a_is_one"] = (low.candidate == high.candidate) | (a_is_low == low_is_one) | ~pairs.revealed
    pairs["side"] = np.where(pairs.a_is_one, 1, -1)
    pairs["run_b"] = pairs.run_high.where(a_is_low, pairs.run_low)
    pairs["valid"] = (low.state == "valid") & (high.state == "valid")
    pairs["not_valid"] = low.not_valid.fillna(high.not_valid)
    pairs["not_valid_in"] = np.where(low.not_valid.notna() == a_is_low, "A", "B")
    pairs.loc[low.not_valid.notna() & high.not_valid.notna(), "not_valid_in"] = "both"
    pairs["kind"] = _kinds(pairs)
    pairs["points"] = 1 + pairs.winner.map(_POINTS).where(pairs.kind.notna()) * pairs.side
    pairs["judge_points"] = 1 + pairs.judge_winner.map(_POINTS) * pairs.side
    for name in MEASURES:
        a, b = (pd.to_numeric(pairs[f"{name}_{side}"]) for side in "ab")
        known = a.notna() & b.notna()
        pairs[name] = (a - b) * pairs.side
        pairs[f"{name}_one"], pairs[f"{name}_two"] = (
            a.where(pairs.a_is_one, b).where(known),
            b.where(pairs.a_is_one, a).where(known),
        )
    pairs["created_at"] = pd.to_datetime(pairs.created_at, utc=True)
    pairs["day"] = pairs.created_at.dt.strftime("%Y-%m-%d")
    return pairs.drop(columns=["run_low", "run_high"])


def _kinds(pairs: Frame) -> Frame:
    """Whose verdict holds on each pair; None where there is none."""
    revealing = pairs.may_reveal.eq(True)
    judge = pairs.verdict_source == "judge"
    kind = pairs.blindness.map({blindness.value: kind for blindness, kind in KIND_OF.items()}).astype(object)
    kind = kind.mask(revealing, VerdictKind.REVEALING).mask(judge, VerdictKind.JUDGE)
    kind = kind.mask(judge & revealing, VerdictKind.JUDGE_REVEALING)
    return kind.where(pairs.winner.notna() & pairs.verdict_source.notna(), None)


def _query(project_id: str) -> sa.Select[Any]:
    fact, comparison, ab_key = tables.fact.c, tables.comparison.c, tables.ab_key.c
    run_pair = tables.run_pair.c
    view_a, view_b = tables.view.alias("view_a"), tables.view.alias("view_b")
    return (
        sa.select(
            # Times of a whole column are made aware faster than one by one.
            sa.type_coerce(fact.created_at, sa.DateTime).label("created_at"),
            *(fact[name] for name in _FACT),
            *(
                whole(fact[f"{column}_{side}"]).label(f"{name}_{side}")
                for name, column in zip(MEASURES, (*MEASURES[:3], "pass_rate"), strict=True)
                for side in "ab"
            ),
            comparison.task_version_id.label("version_id"),
            comparison.view_a,
            comparison.view_b,
            comparison.may_reveal,
            tables.task_version.c.task_id,
            *(
                view.c[name].label(f"{name}_{side}")
                for side, view in (("a", view_a), ("b", view_b))
                for name in ("characters", "marks")
            ),
            run_pair.run_low,
            run_pair.run_high,
            ab_key.run_a,
            comparison.audited,
        )
        .select_from(
            tables.fact.join(tables.comparison, comparison.id == fact.comparison_id)
            .join(tables.task_version, tables.task_version.c.id == comparison.task_version_id)
            .join(tables.run_pair, run_pair.comparison_id == fact.comparison_id)
            .join(view_a, view_a.c.id == comparison.view_a)
            .join(view_b, view_b.c.id == comparison.view_b)
            # Only of what is revealed.
            .outerjoin(
                tables.ab_key,
                sa.and_(ab_key.comparison_id == fact.comparison_id, comparison.reveal_id.is_not(None)),
            )
        )
        .where(fact.project_id == project_id)
    )


def read_json(connection: Connection, project_id: str, name: str) -> Frame:
    """The texts of a column of JSON in the project's facts, by comparison; pairs without one are left out."""
    fact = tables.fact.c
    query = sa.select(fact.comparison_id, sa.type_coerce(fact[name], sa.Text).label(name))
    query = query.where(fact.project_id == project_id, fact[name].is_not(None))
    return frame_of(connection, query).set_index("comparison_id")[name]


def read_reviews(reviews: Frame) -> Frame:
    """The final reviews of each pair, a row each."""
    columns = ["comparison_id", "person", "how", "winner", "minutes", "spoken", "named"]
    columns += ["reviewed", "given", "against"]
    rows = [{"comparison_id": id, **review} for id, listed in reviews.items() for review in listed]
    return pd.DataFrame(rows, columns=columns)


def took() -> list[sa.ColumnElement[Any]]:
    """What attempts took: how many there were and failed, their tokens, time and money in the smallest units."""
    attempt = tables.attempt.c
    used = attempt.input_tokens + attempt.output_tokens > 0
    # An answer that was asked about once more is no failure.
    failed = sa.and_(
        attempt.succeeded == sa.false(), sa.func.coalesce(attempt.error_kind, "") != CONTRADICTED
    )
    totals: dict[str, Any] = {
        "failed": sa.case((failed, 1), else_=0),
        "input_tokens": attempt.input_tokens,
        "output_tokens": attempt.output_tokens,
        "microseconds": sa.func.round(attempt.seconds * 1_000_000),
        "cost": whole(attempt.cost),
        "unpriced": sa.case((sa.and_(attempt.cost.is_(None), used), 1), else_=0),
    }
    return [
        sa.func.count().label("tries"),
        *(sa.func.coalesce(sa.func.sum(total), 0).label(name) for name, total in totals.items()),
    ]


def tries_query(project_id: str) -> sa.Select[Any]:
    """What each version of a judge took for each comparison, failed tries among it; nothing of the offline check."""
    judgment, comparison = tables.judgment.c, tables.comparison.c
    keys = (
        judgment.comparison_id,
        judgment.judge_kind.label("kind"),
        judgment.judge_model.label("model"),
        judgment.judge_digest.label("digest"),
    )
    return (
        sa.select(*keys, *took())
        .join_from(tables.attempt, tables.judgment, judgment.id == tables.attempt.c.judgment_id)
        .join(tables.comparison, comparison.id == judgment.comparison_id)
        .where(comparison.project_id == project_id, judgment.judge_kind != OFFLINE_KIND)
        .group_by(*keys)
    )


def read_runs(connection: Connection, project_id: str) -> Frame:
    """What each run of a candidate took, by its id."""
    run, candidate = tables.run.c, tables.candidate.c
    query = (
        sa.select(
            run.id,
            sa.func.coalesce(run.total_tokens, run.input_tokens + run.output_tokens).label("tokens"),
            run.input_tokens,
            run.output_tokens,
            run.seconds.label("exact_seconds"),
            run.details,
            run.grading,
            run.state,
            run.task_version_id.label("version_id"),
            merged(tables.candidate).label("candidate"),
            candidate.model,
        )
        .join(tables.candidate, candidate.id == run.candidate_id)
        .where(candidate.project_id == project_id)
    )
    frame = frame_of(connection, query).set_index("id")
    frame["seconds"] = (frame.exact_seconds.astype(float) * 10).round()
    frame["cost"], frame["graders"] = frame.pop("details").map(_cost), frame.pop("grading").map(_met)
    return frame.astype(dict.fromkeys(_TOOK, float))


_TOOK = ("tokens", "seconds", "cost", "graders", "exact_seconds", "input_tokens", "output_tokens")


def _met(grading: Any) -> int | None:
    """The share of expectations that graders say it meets, in hundredths."""
    return None if (grade := grade_of(grading)) is None else round(grade.rate * 100)


def _cost(details: Any) -> int | None:
    """What a run cost, in millionths; None where what came with it does not say."""
    for name in COST:
        value = details.get(name) if isinstance(details, dict) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST_MONEY:
            return round(value * 1_000_000)
    return None
