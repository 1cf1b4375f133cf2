"""What the dashboards count by: a rollup that is derived anew wherever something changed."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import code, count, digest, doc, flag, metadata

# What a comparison's verdict means for two candidates; `one` is the smaller of their two ids, and every figure is seen
# from it. No references: a row outlives its comparison until it is taken out of the tally.
outcome = sa.Table(
    "outcome",
    metadata,
    sa.Column("comparison_id", sa.String(64), primary_key=True),
    sa.Column("project_id", sa.String(64), nullable=False),
    sa.Column("one", sa.String(64), nullable=False),
    sa.Column("two", sa.String(64), nullable=False),
    sa.Column("task_id", sa.String(64), nullable=False),
    flag("revealed"),
    # Neither run is void, cut off or superseded.
    flag("valid"),
    # Whose verdict it is; None where there is none.
    code("kind", nullable=True),
    # 2 won, 1 tied, 0 lost.
    count("points", nullable=True),
    # In tenths of a point; pass rates in hundredths.
    count("overall", nullable=True),
    count("content", nullable=True),
    count("structure", nullable=True),
    count("pass_rate", nullable=True),
    count("passed_one", nullable=True),
    count("passed_two", nullable=True),
    code("decided_by", nullable=True),
    flag("position_consistent", nullable=True),
    # The judge's points, whoever settled it.
    count("judge_points", nullable=True),
    # In the audit sample.
    flag("audited"),
    # The difference by criterion, in half points.
    doc("criteria", nullable=True),
    # What it adds to the tally: a list of [figure, key, number].
    doc("adds"),
    # A letter for each expectation of the task: both meet it (b), neither (n), one (1), two (2), not assessed (-).
    sa.Column("met", sa.Text(), nullable=True),
    # How many scores people changed of one's output and of two's, by kind of reason.
    doc("reasons", nullable=True),
    # What was compared, and who judged it by what: where one of these changes, rates before and after do not compare.
    sa.Column("version_id", sa.String(64), nullable=True),
    sa.Column("rubric_id", sa.String(64), nullable=True),
    sa.Column("judge", sa.String(200), nullable=True),
    digest("judge_digest", nullable=True),
    # The day on which it was set up, in UTC, as 2026-11-23.
    sa.Column("day", sa.String(10), nullable=True),
    # Final reviews that can be compared with the model's winner, and how many of them name the same.
    count("compared", nullable=True),
    count("agreed", nullable=True),
    # Of each side by itself: its view; the overall score in tenths; what its run took (seconds in tenths, money in
    # millionths); and the share of imported graders' expectations that it met, in hundredths.
    *(
        column
        for side in ("one", "two")
        for column in (
            sa.Column(f"view_{side}", sa.String(64), nullable=True),
            count(f"overall_{side}", nullable=True),
            count(f"tokens_{side}", nullable=True),
            count(f"seconds_{side}", nullable=True),
            count(f"cost_{side}", nullable=True),
            count(f"graded_{side}", nullable=True),
        )
    ),
    sa.Index("ix_outcome_of_two", "project_id", "one", "two", "task_id"),
)

# How often something occurred in a project, or what it added up to.
tally = sa.Table(
    "tally",
    metadata,
    sa.Column("project_id", sa.String(64), primary_key=True),
    sa.Column("figure", sa.String(40), primary_key=True),
    # The pairs that are added up: `one|two|valid` as in `outcome`. Empty for pairs that are not revealed, and for two
    # runs of one candidate.
    sa.Column("pairs", sa.String(200), primary_key=True),
    sa.Column("key", sa.String(400), primary_key=True),
    count("number"),
)

# Comparisons of which something changed since they were counted; filled by triggers (see triggers.py).
stale = sa.Table(
    "stale",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("comparison_id", sa.String(64), nullable=False),
    sa.Index("ix_stale_comparison_id", "comparison_id"),
)
