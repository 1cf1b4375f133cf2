"""Rubrics and judgments with every try at them; judging in bulk, and who works at it."""

from sqlalchemy import Index, UniqueConstraint

from comparator.store.tables.base import (
    NULL,
    code,
    count,
    digest,
    doc,
    flag,
    money,
    partial_index,
    pk,
    real,
    ref,
    table,
    when,
    words,
)

rubric = table(
    "rubric",
    pk(),
    ref("project"),
    # None: the project's shared rubric.
    ref("task_version", NULL),
    count("number"),
    # Its criteria in both dimensions.
    doc("rubric"),
    # model, person or offline; and who
    code("author_kind"),
    words("author"),
    when("created_at"),
    when("locked_at", NULL),
)
partial_index(
    "uq_rubric_of_version", rubric.c.task_version_id, rubric.c.number, where="task_version_id IS NOT NULL"
)
partial_index("uq_rubric_of_project", rubric.c.project_id, rubric.c.number, where="task_version_id IS NULL")


judgment = table(
    "judgment",
    pk(),
    ref("comparison"),
    ref("rubric"),
    digest("view_a_digest"),
    digest("view_b_digest"),
    code("judge_kind"),
    words("judge_model"),
    digest("judge_digest"),
    # Of comparison, views, rubric and judge: the passes with one set digest are read as one judgment.
    digest("set_digest"),
    code("order"),
    count("repetition"),
    when("created_at"),
    # The number of the project's guidance that the judge went by, where there was any.
    count("guidance", NULL),
    # Read for a judge's record or a trial of guidance: it is not the pair's judgment.
    flag("trial", NULL),
    UniqueConstraint("set_digest", "order", "repetition"),
    # When each version of a judge was first used.
    Index("ix_judgment_judge_digest", "judge_digest", "judge_kind", "judge_model", "created_at"),
)

# A try at a judgment, at the rubric of a task version, or at a question about a project's reasons.
attempt = table(
    "attempt",
    pk(),
    ref("judgment", NULL),
    ref("task_version", NULL),
    ref("inquiry", NULL),
    flag("succeeded"),
    # Of a judgment; others are kept as rubrics and as results.
    doc("answer", NULL),
    # Who was asked, where no judgment says it.
    words("model", NULL),
    when("at"),
    words("error_kind", NULL),
    words("message", NULL),
    # Each request with its raw answer and what it used; the digests of the prompts that were sent.
    doc("calls"),
    doc("prompts"),
    count("input_tokens"),
    count("output_tokens"),
    count("cached_tokens"),
    count("cache_written_tokens"),
    real("seconds"),
    money("cost"),
    # Of a reading with tools: each call, and how much of each file was seen.
    doc("looked_at", NULL),
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

budget = table(
    "budget",
    pk(),
    # None: of everything in this database.
    ref("project", NULL),
    money("ceiling", nullable=False),
    money("spent", nullable=False),
    # What is set aside for requests under way, and by whom, by the id of the reading or Message Batch.
    doc("reservations"),
    when("created_at"),
    ref("created_by", NULL, to="person.id", index=False),
)

batch = table(
    "batch",
    pk(),
    ref("project"),
    words("name"),
    code("state"),
    # interactive requests or Message Batches
    code("via"),
    doc("judge"),
    ref("budget", NULL),
    ref("created_by", NULL, to="person.id", index=False),
    when("created_at"),
    when("finished_at", NULL),
    # Why it does not go on, in plain words.
    words("problem", NULL),
    # One pair that somebody asked for by itself; it stands in no list of batches.
    flag("single", NULL),
    # Read for a judge's record or a trial of guidance: what comes of it is not the pairs' judgment.
    flag("trial", NULL),
    # Of a trial of guidance: which version, and both judges that are compared.
    doc("tries", NULL),
    # The judges that are asked about the same pairs, this one among them, where there are several.
    doc("panel", NULL),
)

batch_item = table(
    "batch_item",
    ref("batch", primary_key=True),
    ref("comparison", primary_key=True),
    count("position"),
    code("state"),
    words("problem", NULL),
    when("touched_at"),
    Index("ix_batch_item_state", "batch_id", "state", "position"),
    Index("ix_batch_item_comparison_id", "comparison_id"),
)

# A process that asks judges or makes Office pages: its signs of life, and what it wants of the limits that all share.
worker = table("worker", words("id", primary_key=True), when("beat_at"))

# What one worker has in hand: a pair, its pages, the rubric of a task version, or the Message Batches of a batch.
lease = table(
    "lease",
    code("kind", primary_key=True),
    pk("id"),
    words("worker", index=True),
    # Where it is with a pair, in words.
    words("step", NULL),
    when("at"),
)

# One request of a batch by the digest of what is asked, so that the same question finds its answer again.
message_request = table(
    "message_request",
    ref("batch", primary_key=True),
    pk("digest"),
    # The pairs that wait for it.
    doc("comparisons"),
    # The Message Batch that it is out with: our id, the provider's once it was handed in, and since when.
    words("out_id", NULL, index=True),
    words("provider_id", NULL),
    when("sent_at", NULL),
    doc("parameters"),
    doc("reply", NULL),
    # How often it came back to be asked again.
    count("tries"),
    when("at"),
)
