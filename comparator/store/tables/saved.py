"""Checks over all outputs of a project."""

from __future__ import annotations

import sqlalchemy as sa

from comparator.store.tables.base import count, flag, metadata, pk, ref, when, words

output_check = sa.Table(
    "output_check",
    metadata,
    pk(),
    ref("project_id", "project.id"),
    words("name"),
    ref("created_by", "person.id", nullable=True, index=False),
    when("created_at"),
    # Words as they stand, or an RE2 pattern.
    words("pattern"),
    flag("is_regex"),
    flag("match_case"),
    # Why it was ended before it had looked at everything.
    words("problem", default=None),
    sa.UniqueConstraint("project_id", "name"),
)

# How often it was found in a view; none where it took too long there, or the content is gone.
check_count = sa.Table(
    "check_count",
    metadata,
    ref("check_id", "output_check.id", primary_key=True),
    ref("view_id", "view.id", primary_key=True),
    count("found", nullable=True),
    sa.Index("ix_check_count_view_id", "view_id"),
)
