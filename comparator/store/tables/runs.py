"""Who produced what: candidates and their runs, and which run is output A (the key)."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import code, count, digest, doc, metadata, pk, ref, when, words

candidate = sa.Table(
    "candidate",
    metadata,
    pk(),
    ref("project_id", "project.id", index=False),
    words("name"),
    words("iteration", default=None),
    words("model", default=None),
    words("skill_hash", default=None),
    doc("configuration"),
    # Of name, iteration, model and skill hash, and of the workspace where there is one.
    digest("identity"),
    # "candidate 1", "candidate 2" until the reveal; drawn.
    count("neutral_number"),
    ref("merged_into", "candidate.id", nullable=True),
    when("created_at"),
    # Its path within the import, where that had several.
    words("workspace", default=None),
    sa.UniqueConstraint("project_id", "identity"),
    sa.UniqueConstraint("project_id", "neutral_number"),
)

run = sa.Table(
    "run",
    metadata,
    pk(),
    ref("task_version_id", "task_version.id", index=False),
    ref("candidate_id", "candidate.id"),
    count("repetition"),
    ref("snapshot_id", "snapshot.id"),
    # Where it came from; the same address with new bytes supersedes the old run.
    words("origin", default=None),
    count("input_tokens", nullable=True),
    count("output_tokens", nullable=True),
    count("total_tokens", nullable=True),
    sa.Column("seconds", sa.Float(53), nullable=True),
    # What other people's graders said of it.
    doc("grading", nullable=True),
    doc("details"),
    code("state"),
    words("state_reason"),
    ref("superseded_by", "run.id", nullable=True),
    when("created_at"),
    # What tells how it came about, read after the reveal only.
    ref("transcript", "snapshot.id", nullable=True),
    ref("skill", "snapshot.id", nullable=True),
    sa.UniqueConstraint("task_version_id", "candidate_id", "repetition", "snapshot_id"),
)

ab_key = sa.Table(
    "ab_key",
    metadata,
    ref("comparison_id", "comparison.id", primary_key=True),
    ref("run_a", "run.id"),
    ref("run_b", "run.id"),
    ref("set_up_by", "person.id", nullable=True, index=False),
    # Where an export of this comparison is to be written, if its outputs came from paths.
    words("out_path", default=None),
    # What was decided about words that would tell who made an output.
    doc("leak_decisions"),
    when("created_at"),
    sa.CheckConstraint("run_a <> run_b", name="two_runs"),
)

# Which two runs a comparison is of, without saying which is A.
run_pair = sa.Table(
    "run_pair",
    metadata,
    ref("comparison_id", "comparison.id", primary_key=True),
    ref("task_version_id", "task_version.id", index=False),
    ref("run_low", "run.id"),
    ref("run_high", "run.id"),
    sa.CheckConstraint("run_low < run_high", name="ordered"),
    sa.UniqueConstraint("task_version_id", "run_low", "run_high"),
)

reveal = sa.Table(
    "reveal",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    ref("person_id", "person.id", nullable=True, index=False),
    words("reason"),
    doc("plan", nullable=True),
    when("at"),
)
