"""Rubrics, guidance and judgments with every try at them; judging in bulk, and who works at it."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, String, Table, UniqueConstraint

from comparator.store.tables.base import (
    Code,
    code,
    count,
    digest,
    doc,
    flag,
    metadata,
    money,
    partial_index,
    pk,
    ref,
    when,
    words,
)

rubric = Table(
    "rubric",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    # None: the project's shared rubric.
    ref("task_version_id", "task_version.id", nullable=True),
    count("number"),
    # Its criteria in both dimensions.
    doc("rubric"),
    # model, person or offline; and who
    code("author_kind"),
    words("author"),
    when("created_at"),
    when("locked_at", nullable=True),
)
partial_index(
    "uq_rubric_of_version", rubric.c.task_version_id, rubric.c.number, where="task_version_id IS NOT NULL"
)
partial_index("uq_rubric_of_project", rubric.c.project_id, rubric.c.number, where="task_version_id IS NULL")


judgment = Table(
    "judgment",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id"),
    ref("rubric_id", "rubric.id"),
    digest("view_a_digest"),
    digest("view_b_digest"),
    code("judge_kind"),
    Column("judge_model", String(200), nullable=False),
    digest("judge_digest"),
    # Of comparison, views, rubric and judge: the passes with one set digest are read as one judgment.
    digest("set_digest"),
    code("order"),
    count("repetition"),
    when("created_at"),
    # The number of the project's guidance that the judge went by, where there was any.
    count("guidance", nullable=True),
    # Read for a judge's record or a trial of guidance: it is not the pair's judgment.
    flag("trial", nullable=True),
    UniqueConstraint("set_digest", "order", "repetition"),
    # When each version of a judge was first used.
    Index("ix_judgment_judge_digest", "judge_digest", "judge_kind", "judge_model", "created_at"),
)

# A try at a judgment, at the rubric of a task version, or at a question about a project's reasons.
attempt = Table(
    "attempt",
    metadata,
    pk(),
    ref("judgment_id", "judgment.id", nullable=True),
    ref("task_version_id", "task_version.id", nullable=True),
    ref("inquiry_id", "inquiry.id", nullable=True),
    flag("succeeded"),
    # Of a judgment; others are kept as rubrics and as results.
    doc("answer", nullable=True),
    # Who was asked, where no judgment says it.
    Column("model", String(200), nullable=True),
    when("at"),
    words("error_kind", default=None),
    words("message", default=None),
    # Each request with its raw answer and what it used; the digests of the prompts that were sent.
    doc("calls"),
    doc("prompts"),
    count("input_tokens"),
    count("output_tokens"),
    count("cached_tokens"),
    count("cache_written_tokens"),
    Column("seconds", Float(53), nullable=False),
    money("cost"),
    Column("currency", String(3), nullable=False),
    # Of a reading with tools: each call, and how much of each file was seen.
    doc("looked_at", nullable=True),
)
partial_index("uq_attempt_success", attempt.c.judgment_id, where="succeeded")
# All that monitoring wants of the tries, without their answers.
Index(
    "ix_attempt_at",
    attempt.c.at,
    attempt.c.judgment_id,
    attempt.c.succeeded,
    attempt.c.seconds,
    attempt.c.cost,
)

budget = Table(
    "budget",
    metadata,
    pk(),
    # None: of everything in this database.
    ref("project_id", "project.id", nullable=True),
    # money or tokens
    code("unit"),
    money("ceiling", nullable=False),
    money("spent", nullable=False),
    # What is set aside for requests under way, and by whom, by the id of the reading or Message Batch.
    doc("reservations"),
    when("created_at"),
    ref("created_by", "person.id", nullable=True, index=False),
)

batch = Table(
    "batch",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    words("name"),
    code("state"),
    # interactive requests or Message Batches
    code("via"),
    count("priority"),
    doc("judge"),
    ref("budget_id", "budget.id", nullable=True),
    ref("created_by", "person.id", nullable=True, index=False),
    when("created_at"),
    when("finished_at", nullable=True),
    # Why it does not go on, in plain words.
    words("problem", default=None),
    # One pair that somebody asked for by itself; it stands in no list of batches.
    flag("single", nullable=True),
    # Read for a judge's record or a trial of guidance: what comes of it is not the pairs' judgment.
    flag("trial", nullable=True),
    # Of a trial of guidance: which version, and both judges that are compared.
    doc("tries", nullable=True),
    # The judges that are asked about the same pairs, this one among them, where there are several.
    doc("panel", nullable=True),
)

batch_item = Table(
    "batch_item",
    metadata,
    ref("batch_id", "batch.id", primary_key=True),
    ref("comparison_id", "comparison.id", primary_key=True),
    count("position"),
    code("state"),
    words("problem", default=None),
    when("touched_at"),
    # How often it was put back after a failure that may pass.
    count("tries", nullable=True),
    Index("ix_batch_item_state", "batch_id", "state", "position"),
    Index("ix_batch_item_comparison_id", "comparison_id"),
)

guidance = Table(
    "guidance",
    metadata,
    pk(),
    ref("project_id", "project.id", index=False),
    count("number"),
    # The notes, as a judge gets them.
    words("text"),
    # A person's name, or the model's.
    words("author"),
    # What the model's draft cost.
    money("cost"),
    when("created_at"),
    ref("created_by", "person.id", nullable=True, index=False),
    UniqueConstraint("project_id", "number"),
)

# A process that asks judges or makes Office pages: its signs of life, and what it wants of the limits that all share.
worker = Table(
    "worker",
    metadata,
    Column("id", String(200), primary_key=True),
    when("joined_at"),
    when("beat_at"),
)

# What one worker has in hand: a pair, its pages, the rubric of a task version, or the Message Batches of a batch.
lease = Table(
    "lease",
    metadata,
    Column("kind", Code, primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("worker", String(200), nullable=False, index=True),
    # Where it is with a pair, in words.
    words("step", default=None),
    when("at"),
)

message_batch = Table(
    "message_batch",
    metadata,
    pk(),
    ref("batch_id", "batch.id"),
    # The provider's own id; missing while it is being handed in.
    words("provider_id", default=None),
    count("requests"),
    when("created_at"),
    when("ended_at", nullable=True),
)

# One request of a batch by the digest of what is asked, so that the same question finds its answer again.
message_request = Table(
    "message_request",
    metadata,
    ref("batch_id", "batch.id", primary_key=True),
    Column("digest", String(64), primary_key=True),
    # The pairs that wait for it.
    doc("comparisons"),
    # The Message Batch that it went out with, until it is asked again.
    ref("message_batch_id", "message_batch.id", nullable=True),
    doc("parameters"),
    doc("reply", nullable=True),
    # How often it came back to be asked again.
    count("tries"),
    when("at"),
)
