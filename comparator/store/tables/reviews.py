"""A person's work on a comparison: reviews, changes, finalisations, answers and notes."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import code, count, digest, doc, flag, metadata, pk, ref, when, words

claim = sa.Table(
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

review = sa.Table(
    "review",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id", index=False),
    ref("person_id", "person.id"),
    # judge_first, blind_first, preference_first or blind_preference
    code("mode"),
    # What the reviewer answered to: the rubric, and the set of passes shown as the judge's.
    ref("rubric_id", "rubric.id", nullable=True, index=False),
    digest("judgment_set", nullable=True),
    # blind, sides_hidden or known
    code("blindness"),
    when("opened_at"),
    sa.UniqueConstraint("comparison_id", "person_id"),
)

change = sa.Table(
    "change",
    metadata,
    ref("review_id", "review.id", primary_key=True),
    # Made by the sender, so that sending twice stores once.
    sa.Column("id", sa.String(64), primary_key=True),
    count("seq"),
    sa.Column("target", sa.String(200), nullable=False),
    code("kind"),
    doc("value", nullable=True),
    words("reason"),
    sa.Column("code", sa.String(60), nullable=False),
    ref("author", "person.id", index=False),
    when("at"),
    when("stored_at"),
    sa.Column("undoes", sa.String(64), nullable=True),
    # Made before the judge's values were shown; made after a reveal.
    flag("blind"),
    flag("unblinded"),
    sa.UniqueConstraint("review_id", "seq"),
)

# How often the outputs that the author of a change saw had been turned into pages; no row where none are made of them.
change_seen = sa.Table(
    "change_seen",
    metadata,
    ref("review_id", "review.id", primary_key=True),
    sa.Column("change_id", sa.String(64), primary_key=True),
    count("seen"),
)

finalisation = sa.Table(
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
    sa.UniqueConstraint("review_id", "seq"),
)

answer = sa.Table(
    "answer",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id"),
    ref("person_id", "person.id"),
    # skip, flag, cannot_judge, outside_expertise, committed
    code("kind"),
    doc("value", nullable=True),
    words("reason"),
    # Takes back an earlier answer.
    ref("withdraws", "answer.id", nullable=True),
    when("at"),
)

evidence = sa.Table(
    "evidence",
    metadata,
    pk(),
    ref("review_id", "review.id"),
    ref("person_id", "person.id", index=False),
    sa.Column("target", sa.String(200), nullable=False),
    ref("file_id", "view_file.id", index=False),
    words("text"),
    count("start", nullable=True),
    count("end", nullable=True),
    ref("withdraws", "evidence.id", nullable=True),
    when("at"),
)

comment = sa.Table(
    "comment",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id"),
    ref("person_id", "person.id", index=False),
    ref("file_id", "view_file.id", nullable=True, index=False),
    words("selection"),
    count("start", nullable=True),
    count("end", nullable=True),
    words("text"),
    ref("replies_to", "comment.id", nullable=True, index=False),
    when("at"),
)

guess = sa.Table(
    "guess",
    metadata,
    pk(),
    ref("comparison_id", "comparison.id", index=False),
    ref("person_id", "person.id"),
    # The neutral number of the candidate that the person takes A for; None for "no idea".
    count("candidate_a", nullable=True),
    # 1 a guess, 2 fairly sure, 3 certain; None for "no idea".
    count("sure", nullable=True),
    when("at"),
    sa.UniqueConstraint("comparison_id", "person_id"),
)

adjudication = sa.Table(
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
    sa.UniqueConstraint("comparison_id", "number"),
)

# Ticks for what a reviewer has already looked at.
file_seen = sa.Table(
    "file_seen",
    metadata,
    ref("review_id", "review.id", primary_key=True),
    ref("file_id", "view_file.id", primary_key=True),
    when("at"),
)
