"""Who works at batches, what is theirs for now, and what is out at the provider as a Message Batch."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import count, doc, metadata, pk, ref, when, words

# A process that asks judges or makes Office pages: its signs of life, and what it wants of the limits that all share.
worker = sa.Table(
    "worker",
    metadata,
    sa.Column("id", sa.String(200), primary_key=True),
    words("build"),
    when("joined_at"),
    when("beat_at"),
)

# What one worker has in hand: a pair, its pages, the rubric of a task version, or the Message Batches of a batch.
lease = sa.Table(
    "lease",
    metadata,
    sa.Column("kind", sa.String(40), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("worker", sa.String(200), nullable=False, index=True),
    # Where it is with a pair, in words.
    words("step", default=None),
    when("at"),
)

message_batch = sa.Table(
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
message_request = sa.Table(
    "message_request",
    metadata,
    ref("batch_id", "batch.id", primary_key=True),
    sa.Column("digest", sa.String(64), primary_key=True),
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
