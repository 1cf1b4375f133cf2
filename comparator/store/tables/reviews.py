"""People's work on comparisons, stated reasons, and the themes that they belong to."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from comparator.store.tables.base import (
    NULL,
    code,
    count,
    digest,
    doc,
    flag,
    pk,
    ref,
    table,
    when,
    words,
)

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
    when("stored_at"),
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
    words("problem", default=None),
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
