"""Projects, people, and who may do what."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Column, Index, String, Table

from comparator.store.tables.base import code, digest, doc, metadata, partial_index, pk, ref, when, words

project = Table(
    "project",
    metadata,
    pk(),
    Column("name", String(200), nullable=False, unique=True),
    doc("settings"),
    when("created_at"),
    when("closed_at", nullable=True),
    # Raised with everything that the project's figures rest on; see store/core/revisions.py.
    Column("revision", sa.BigInteger, nullable=False, default=0),
    # The themes of its reasons with their tests, and views of the history that somebody saved.
    doc("codebook", default={}),
    doc("saved_views", default=[]),
)

person = Table(
    "person",
    metadata,
    pk(),
    # What the sign-in says who this is: "local:<user>", "oidc:<issuer>|<subject>" or "invited:<id>".
    Column("subject", String(400), nullable=False, unique=True),
    words("name"),
    words("email", default=None),
    when("created_at"),
)

role = Table(
    "role",
    metadata,
    pk(),
    ref("person_id", "person.id"),
    # None: in every project.
    ref("project_id", "project.id", nullable=True),
    code("role"),
    when("granted_at"),
    ref("granted_by", "person.id", nullable=True, index=False),
    when("revoked_at", nullable=True),
)
partial_index(
    "uq_role_in_project",
    role.c.person_id,
    role.c.project_id,
    role.c.role,
    where="project_id IS NOT NULL AND revoked_at IS NULL",
)
partial_index(
    "uq_role_everywhere", role.c.person_id, role.c.role, where="project_id IS NULL AND revoked_at IS NULL"
)

invitation = Table(
    "invitation",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    words("name"),
    Column("token_hash", String(64), nullable=False, unique=True),
    code("role"),
    when("created_at"),
    ref("created_by", "person.id", index=False),
    when("expires_at"),
    ref("accepted_by", "person.id", nullable=True, index=False),
    when("accepted_at", nullable=True),
    when("revoked_at", nullable=True),
)

sign_in = Table(
    "sign_in",
    metadata,
    digest("token_hash"),
    ref("person_id", "person.id"),
    ref("invitation_id", "invitation.id", nullable=True),
    when("created_at"),
    when("expires_at"),
    when("ended_at", nullable=True),
    when("seen_at", nullable=True),
    sa.PrimaryKeyConstraint("token_hash"),
)

# A try to come in, by a digest of the person or address; it goes once it counts no more.
entry_try = Table(
    "entry_try",
    metadata,
    pk(),
    digest("source"),
    when("at"),
    Index("ix_entry_try_source_at", "source", "at"),
    Index("ix_entry_try_at", "at"),
)

event = Table(
    "event",
    metadata,
    pk(),
    when("at"),
    code("kind"),
    ref("person_id", "person.id", nullable=True, index=False),
    # Not a reference: what happened stays known after a project is gone.
    Column("project_id", String(64), nullable=True),
    Column("subject_id", String(64), nullable=True, index=True),
    doc("detail"),
    Index("ix_event_project_id_at", "project_id", "at"),
    Index("ix_event_at", "at"),
)

# A row exists only inside the transaction of a purge; the triggers of the insert-only tables look for it.
purge_permit = Table("purge_permit", metadata, pk())
