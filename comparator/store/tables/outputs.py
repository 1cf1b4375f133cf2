"""Outputs as they were left (snapshots), as judges and reviewers get them (views), and checks over them."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, UniqueConstraint

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

blob = table(
    "blob",
    pk("digest"),
    count("size"),
    when("created_at"),
)

snapshot = table(
    "snapshot",
    pk(),
    ref("project", index=False),
    digest("digest"),
    words("name"),
    # Of digest and name, so that the same output is kept once in a project.
    digest("identity"),
    flag("is_folder"),
    count("files"),
    count("size"),
    doc("refused"),
    doc("notes"),
    when("created_at"),
    when("purged_at", NULL),
    UniqueConstraint("project_id", "identity"),
)

artifact = table(
    "artifact",
    ref("snapshot", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    # A JSON string: a file name on disk may hold bytes that are no text.
    doc("path"),
    ref("blob", to="blob.digest"),
    count("size"),
)

view = table(
    "view",
    pk(),
    digest("digest"),
    # None once it was purged.
    ref("content", NULL, to="blob.digest"),
    words("extractor"),
    digest("redaction"),
    count("files"),
    count("size"),
    # Also in the content, which is large; lists need only these.
    doc("set_aside"),
    doc("notes"),
    when("created_at"),
    # Of its text: how long it is, and how many headings, list items, table rows and emphases it has.
    count("characters", NULL),
    count("marks", NULL),
    # How often its Office files were turned into pages; None where there are none, or no pages are to be made.
    count("pictured", NULL),
    # How much of what is in it, where its content is still there.
    doc("measures", NULL),
    Index("ix_view_digest", "digest"),
)

view_file = table(
    "view_file",
    pk(),
    ref("view", index=False),
    count("position"),
    words("name"),
    code("family"),
    count("size"),
    digest("digest"),
    doc("notes"),
    # The blinded copy that pages may show; None where there is none.
    ref("blob", NULL, to="blob.digest"),
    words("media_type", default=None),
    count("copy_size", NULL),
    # A PDF of how an Office file prints; None where there is none.
    ref("pages", NULL, to="blob.digest"),
    count("pages_size", NULL),
    # Identity of its text without its looks, where these were compared; None elsewhere.
    digest("content", NULL),
    UniqueConstraint("view_id", "position"),
)

# What stood in a file before it was redacted, for after the reveal; nothing reads it before.
file_original = table(
    "file_original",
    ref("file_id", to="view_file.id", primary_key=True),
    ref("view"),
    # A JSON string, as in `artifact`.
    doc("name"),
    # [[start, end, words]] in the text that a judge was given.
    doc("places"),
    # The copy with the original words; None where the blinded one holds them.
    ref("blob", NULL, to="blob.digest"),
    words("media_type", default=None),
    count("size", NULL),
)

# The only way from a view to a run; neither the judge's nor the reviewer's path reads it.
view_source = table(
    "view_source",
    ref("view", primary_key=True),
    ref("snapshot"),
)

output_check = table(
    "output_check",
    pk(),
    ref("project"),
    words("name"),
    ref("created_by", NULL, to="person.id", index=False),
    when("created_at"),
    # Words as they stand, or an RE2 pattern.
    words("pattern"),
    flag("is_regex"),
    flag("match_case"),
    UniqueConstraint("project_id", "name"),
)

# How often it was found in a view; none where the content is gone.
check_count = table(
    "check_count",
    ref("check_id", to="output_check.id", primary_key=True),
    ref("view", primary_key=True),
    count("found", NULL),
    Index("ix_check_count_view_id", "view_id"),
)
