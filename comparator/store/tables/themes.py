"""Stated reasons, what a model was asked about them, and the themes that they belong to."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import code, count, digest, doc, metadata, pk, ref, when, words

# One stated reason about one output, in the exact words.
finding = sa.Table(
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
    sa.Column("place", sa.String(200), nullable=False),
    words("words"),
    # A, B or TIE
    code("speaks_for"),
    # Of all of the above but the project: the same reason is stored once.
    digest("digest"),
    sa.UniqueConstraint("comparison_id", "digest"),
)

# What is asked of a model about a project's findings (draft, assign, analyse), or their collecting (collect).
inquiry = sa.Table(
    "inquiry",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    code("kind"),
    # running, done, failed
    code("state"),
    sa.Column("model", sa.String(200), nullable=False),
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
theme_mark = sa.Table(
    "theme_mark",
    metadata,
    ref("inquiry_id", "inquiry.id", primary_key=True),
    ref("finding_id", "finding.id", primary_key=True),
    doc("themes", nullable=True),
    sa.Index("ix_theme_mark_finding_id", "finding_id"),
)

# For which output a theme speaks in a pair: derived from marks and the codebook. An empty theme holds the findings that
# belong to none, a star all of them.
theme_pair = sa.Table(
    "theme_pair",
    metadata,
    ref("project_id", "project.id"),
    sa.Column("theme_id", sa.String(64), primary_key=True),
    ref("comparison_id", "comparison.id", primary_key=True),
    # 2 for A, 1 for neither, 0 for B
    count("points"),
    count("findings"),
    sa.Index("ix_theme_pair_comparison_id", "comparison_id"),
)

# An analysis of a pair or of a set that somebody else wrote.
analysis = sa.Table(
    "analysis",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    ref("comparison_id", "comparison.id", nullable=True),
    # The file that it came from.
    words("name"),
    doc("value"),
    when("at"),
    ref("person_id", "person.id", nullable=True, index=False),
)
