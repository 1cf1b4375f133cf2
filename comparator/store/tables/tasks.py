"""What was asked: tasks, their versions, and the files that came with them."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import count, digest, doc, metadata, pk, ref, when, words

task = sa.Table(
    "task",
    metadata,
    pk(),
    ref("project_id", "project.id", index=False),
    sa.Column("key", sa.String(200), nullable=False),
    words("title"),
    doc("tags"),
    when("created_at"),
    # Words that group it with other tasks; empty for none, NULL while not grouped since its last wording.
    words("topic", default=None),
    sa.UniqueConstraint("project_id", "key"),
)

task_version = sa.Table(
    "task_version",
    metadata,
    pk(),
    ref("task_id", "task.id", index=False),
    count("number"),
    # Of the wording alone, and of the wording with its files.
    digest("text_digest"),
    digest("identity"),
    words("prompt"),
    doc("expectations"),
    when("created_at"),
    ref("input_snapshot", "snapshot.id", nullable=True),
    ref("reference_snapshot", "snapshot.id", nullable=True),
    sa.UniqueConstraint("task_id", "identity"),
    sa.UniqueConstraint("task_id", "number"),
)
