"""People's work on comparisons, stated reasons, and the themes that they belong to."""

from __future__ import annotations

from sqlalchemy import Column, Index, String, Table, UniqueConstraint

from comparator.store.tables.base import (
    code,
    count,
    digest,
    doc,
    flag,
    metadata,
    pk,
    ref,
    when,
    words,
)

claim = Table(
    "claim",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id"),
    ref("person_id", "person.id"),
    # assigned or claimed
    code("kind"),
    ref("by", "person.id", nullable=True, index=False),
    when("at"),
    when("expires_at", nullable=True),
    when("released_at", nullable=True),
)

review = Table(
    "review",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id", index=False),
    ref("person_id", "person.id"),
    # judge_first, blind_first, preference_first or blind_preference
    code("mode"),
    # What the reviewer answered to: the rubric, and the set of passes shown as the judge's.
    ref("rubric_id", "rubric.id", nullable=True),
    digest("judgment_set", nullable=True),
    # blind, sides_hidden or known
    code("blindness"),
    when("opened_at"),
    UniqueConstraint("comparison_id", "person_id"),
)

change = Table(
    "change",
    metadata,
    ref("review_id", "review.id", primary_key=True),
    # Made by the sender, so that sending twice stores once.
    Column("id", String(64), primary_key=True),
    count("seq"),
    Column("target", String(200), nullable=False),
    code("kind"),
    doc("value", nullable=True),
    words("reason"),
    Column("code", String(60), nullable=False),
    ref("author", "person.id", index=False),
    when("at"),
    when("stored_at"),
    Column("undoes", String(64), nullable=True),
    # Made before the judge's values were shown; made after a reveal.
    flag("blind"),
    flag("unblinded"),
    UniqueConstraint("review_id", "seq"),
)

finalisation = Table(
    "finalisation",
    metadata,
    pk(),
    ref("review_id", "review.id", index=False),
    count("seq"),
    # final or reopened
    code("kind"),
    count("number"),
    # The last change that it covers.
    count("last_change"),
    ref("person_id", "person.id", index=False),
    when("at"),
    code("winner", nullable=True),
    code("decided_by", nullable=True),
    doc("verdict", nullable=True),
    doc("prose", nullable=True),
    count("changed"),
    flag("unblinded"),
    UniqueConstraint("review_id", "seq"),
)

# What a person says beside scores: answers such as a skip, guesses, evidence, comments, and files that were looked at.
note = Table(
    "note",
    metadata,
    # Of evidence and comments made by the sender, so that sending twice stores once.
    pk(),
    ref("comparison_id", "comparison.id"),
    ref("person_id", "person.id"),
    # One of NoteKind in store/reviewing/notes.py
    code("kind"),
    doc("content"),
    # The note that this one takes back or replies to.
    ref("about", "note.id", nullable=True),
    when("at"),
)

adjudication = Table(
    "adjudication",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id", index=False),
    count("number"),
    ref("person_id", "person.id", index=False),
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
finding = Table(
    "finding",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    ref("comparison_id", "comparison.id"),
    # A or B
    code("label"),
    # strength, weakness, rationale or reason
    code("source"),
    # judge or reviewer
    code("speaker"),
    Column("place", String(200), nullable=False),
    words("words"),
    # A, B or TIE
    code("speaks_for"),
    # Of all of the above but the project: the same reason is stored once.
    digest("digest"),
    UniqueConstraint("comparison_id", "digest"),
)

# What is asked of a model about a project's findings (draft, assign, analyse), or their collecting (collect).
inquiry = Table(
    "inquiry",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    code("kind"),
    # running, done, failed
    code("state"),
    Column("model", String(200), nullable=False),
    # Seed, prompts and themes that it is asked with.
    doc("request"),
    # What came of it.
    doc("result", nullable=True),
    words("problem", default=None),
    when("created_at"),
    ref("created_by", "person.id", nullable=True, index=False),
    when("finished_at", nullable=True),
)

# A finding of a collection or an assignment, and its themes; None until they are assigned.
theme_mark = Table(
    "theme_mark",
    metadata,
    ref("inquiry_id", "inquiry.id", primary_key=True),
    ref("finding_id", "finding.id", primary_key=True),
    doc("themes", nullable=True),
    Index("ix_theme_mark_finding_id", "finding_id"),
)
