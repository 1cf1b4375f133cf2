"""A project's notes to its judge: how corrections were split, and the versions."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import code, count, digest, doc, metadata, money, pk, ref, when, words

guidance_split = sa.Table(
    "guidance_split",
    metadata,
    pk(),
    ref("project_id", "project.id", index=False),
    count("number"),
    digest("digest"),
    # Both halves of the tasks, what is learnt from, and what people said of the held-out pairs.
    doc("content"),
    when("created_at"),
    ref("created_by", "person.id", nullable=True, index=False),
    sa.UniqueConstraint("project_id", "number"),
)

guidance = sa.Table(
    "guidance",
    metadata,
    pk(),
    ref("project_id", "project.id", index=False),
    ref("split_id", "guidance_split.id"),
    count("number"),
    # Each with the corrections that it rests on.
    doc("sentences"),
    digest("digest"),
    # model or person; and which
    code("author_kind"),
    words("author"),
    # What the model's draft cost.
    money("cost"),
    when("created_at"),
    ref("created_by", "person.id", nullable=True, index=False),
    sa.UniqueConstraint("project_id", "number"),
)
