"""Projects, people, and who may do what."""

from __future__ import annotations

from sqlalchemy import Index

from comparator.store.tables.base import (
    NULL,
    code,
    count,
    digest,
    doc,
    partial_index,
    pk,
    ref,
    table,
    when,
    words,
)

project = table(
    "project",
    pk(),
    words("name", unique=True),
    doc("settings"),
    when("created_at"),
    when("closed_at", NULL),
    # Raised with everything that the project's figures rest on; see store/core/sql.py.
    count("revision", default=0),
    # The themes of its reasons with their tests, and views of the history that somebody saved.
    doc("codebook", default={}),
    doc("saved_views", default=[]),
    # The versions of its notes to the judge, the newest first.
    doc("guidance", default=[]),
)

person = table(
    "person",
    pk(),
    # What the sign-in says who this is: "local:<user>", "oidc:<issuer>|<subject>" or "invited:<id>".
    words("subject", unique=True),
    words("name"),
    words("email", default=None),
    when("created_at"),
)

role = table(
    "role",
    pk(),
    ref("person"),
    # None: in every project.
    ref("project", NULL),
    code("role"),
    when("granted_at"),
    ref("granted_by", NULL, to="person.id", index=False),
    when("revoked_at", NULL),
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

invitation = table(
    "invitation",
    pk(),
    ref("project"),
    words("name"),
    digest("token_hash", unique=True),
    code("role"),
    when("created_at"),
    ref("created_by", to="person.id", index=False),
    when("expires_at"),
    ref("accepted_by", NULL, to="person.id", index=False),
    when("accepted_at", NULL),
    when("revoked_at", NULL),
)

sign_in = table(
    "sign_in",
    pk("token_hash"),
    ref("person"),
    ref("invitation", NULL),
    when("created_at"),
    when("expires_at"),
    when("ended_at", NULL),
    when("seen_at", NULL),
)

event = table(
    "event",
    pk(),
    when("at"),
    code("kind"),
    ref("person", NULL, index=False),
    # Not a reference: what happened stays known after a project is gone.
    digest("project_id", NULL),
    digest("subject_id", NULL, index=True),
    doc("detail"),
    Index("ix_event_project_id_at", "project_id", "at"),
    Index("ix_event_at", "at"),
)

# A row exists only inside the transaction of a purge; the triggers of the insert-only tables look for it.
purge_permit = table("purge_permit", pk())
