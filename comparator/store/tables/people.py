"""Projects, people, and who may do what."""

from sqlalchemy import Index, UniqueConstraint

from comparator.store.tables.base import (
    NULL,
    code,
    count,
    digest,
    doc,
    flag,
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
    words("email", NULL),
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


claim = table(
    "claim",
    pk(),
    ref("comparison"),
    ref("person"),
    # assigned or claimed
    code("kind"),
    ref("by", NULL, to="person.id", index=False),
    when("at"),
    when("expires_at", NULL),
    when("released_at", NULL),
)

review = table(
    "review",
    pk(),
    ref("comparison", index=False),
    ref("person"),
    # judge_first, blind_first, preference_first or blind_preference
    code("mode"),
    # What the reviewer answered to: the rubric, and the set of passes shown as the judge's.
    ref("rubric", NULL),
    digest("judgment_set", NULL),
    # blind, sides_hidden or known
    code("blindness"),
    when("opened_at"),
    UniqueConstraint("comparison_id", "person_id"),
)

change = table(
    "change",
    ref("review", primary_key=True),
    # Made by the sender, so that sending twice stores once.
    pk("id"),
    count("seq"),
    words("target"),
    code("kind"),
    doc("value", NULL),
    words("reason"),
    words("code"),
    ref("author", to="person.id", index=False),
    when("at"),
    digest("undoes", NULL),
    # Made before the judge's values were shown; made after a reveal.
    flag("blind"),
    flag("unblinded"),
    UniqueConstraint("review_id", "seq"),
)

finalisation = table(
    "finalisation",
    pk(),
    ref("review", index=False),
    count("seq"),
    # final or reopened
    code("kind"),
    count("number"),
    # The last change that it covers.
    count("last_change"),
    ref("person", index=False),
    when("at"),
    code("winner", NULL),
    code("decided_by", NULL),
    doc("verdict", NULL),
    doc("prose", NULL),
    count("changed"),
    flag("unblinded"),
    UniqueConstraint("review_id", "seq"),
)

# What a person says beside scores: answers such as a skip, guesses, evidence, comments, and files that were looked at.
note = table(
    "note",
    # Of evidence and comments made by the sender, so that sending twice stores once.
    pk(),
    ref("comparison"),
    ref("person"),
    # One of NoteKind in store/reviewing/notes.py
    code("kind"),
    doc("content"),
    # The note that this one takes back or replies to.
    ref("about", NULL, to="note.id", later=True),
    when("at"),
)

adjudication = table(
    "adjudication",
    pk(),
    ref("comparison", index=False),
    count("number"),
    ref("person", index=False),
    # By which it scores.
    ref("rubric"),
    code("winner"),
    code("decided_by"),
    doc("verdict"),
    doc("prose"),
    words("reason"),
    code("blindness"),
    when("at"),
    UniqueConstraint("comparison_id", "number"),
)

# One stated reason about one output, in the exact words.
finding = table(
    "finding",
    pk(),
    ref("project"),
    ref("comparison"),
    # A or B
    code("label"),
    # strength, weakness, rationale or reason
    code("source"),
    # judge or reviewer
    code("speaker"),
    words("place"),
    words("words"),
    # A, B or TIE
    code("speaks_for"),
    # Of all of the above but the project: the same reason is stored once.
    digest("digest"),
    UniqueConstraint("comparison_id", "digest"),
)

# What is asked of a model about a project's findings (draft, assign, analyse), or their collecting (collect).
inquiry = table(
    "inquiry",
    pk(),
    ref("project"),
    code("kind"),
    # running, done, failed
    code("state"),
    words("model"),
    # Seed, prompts and themes that it is asked with.
    doc("request"),
    # What came of it.
    doc("result", NULL),
    words("problem", NULL),
    when("created_at"),
    ref("created_by", NULL, to="person.id", index=False),
    when("finished_at", NULL),
)

# A finding of a collection or an assignment, and its themes; None until they are assigned.
theme_mark = table(
    "theme_mark",
    ref("inquiry", primary_key=True),
    ref("finding", primary_key=True),
    doc("themes", NULL),
    Index("ix_theme_mark_finding_id", "finding_id"),
)
