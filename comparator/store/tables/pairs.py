"""Tasks, what did them, the comparisons of what came out, where each stands, and which run is output A (the key)."""

import sqlalchemy as sa
from sqlalchemy import CheckConstraint, Column, Index, Integer, UniqueConstraint

from comparator.store.tables.base import (
    NULL,
    code,
    count,
    digest,
    doc,
    flag,
    pk,
    rate,
    real,
    ref,
    score,
    table,
    when,
    words,
)

task = table(
    "task",
    pk(),
    ref("project", index=False),
    words("key"),
    words("title"),
    doc("tags"),
    when("created_at"),
    # Words that group it with other tasks; empty for none, NULL while not grouped since its last wording.
    words("topic", NULL),
    UniqueConstraint("project_id", "key"),
)

task_version = table(
    "task_version",
    pk(),
    ref("task", index=False),
    count("number"),
    # Of the wording with its files.
    digest("identity"),
    words("prompt"),
    doc("expectations"),
    when("created_at"),
    ref("input_snapshot", NULL, to="snapshot.id"),
    ref("reference_snapshot", NULL, to="snapshot.id"),
    UniqueConstraint("task_id", "identity"),
    UniqueConstraint("task_id", "number"),
)

candidate = table(
    "candidate",
    pk(),
    ref("project", index=False),
    words("name"),
    words("iteration", NULL),
    words("model", NULL),
    words("skill_hash", NULL),
    # Of name, iteration, model and skill hash, and of the workspace where there is one.
    digest("identity"),
    # "candidate 1", "candidate 2" until the reveal; drawn.
    count("neutral_number"),
    ref("merged_into", NULL, to="candidate.id", later=True),
    when("created_at"),
    # Its path within the import, where that had several.
    words("workspace", NULL),
    UniqueConstraint("project_id", "identity"),
    UniqueConstraint("project_id", "neutral_number"),
)

run = table(
    "run",
    pk(),
    ref("task_version", index=False),
    ref("candidate"),
    count("repetition"),
    ref("snapshot"),
    # Where it came from; the same address with new bytes supersedes the old run.
    words("origin", NULL),
    count("input_tokens", NULL),
    count("output_tokens", NULL),
    count("total_tokens", NULL),
    real("seconds", NULL),
    # What other people's graders said of it.
    doc("grading", NULL),
    doc("details"),
    code("state"),
    words("state_reason"),
    ref("superseded_by", NULL, to="run.id", later=True),
    when("created_at"),
    UniqueConstraint("task_version_id", "candidate_id", "repetition", "snapshot_id"),
)

ab_key = table(
    "ab_key",
    ref("comparison", primary_key=True),
    ref("run_a", to="run.id"),
    ref("run_b", to="run.id"),
    # What was decided about words that would tell who made an output.
    doc("leak_decisions"),
    when("created_at"),
    CheckConstraint("run_a <> run_b", name="two_runs"),
)

# Which two runs a comparison is of, without saying which is A.
run_pair = table(
    "run_pair",
    ref("comparison", primary_key=True),
    ref("task_version", index=False),
    ref("run_low", to="run.id"),
    ref("run_high", to="run.id"),
    CheckConstraint("run_low < run_high", name="ordered"),
    UniqueConstraint("task_version_id", "run_low", "run_high"),
)

reveal = table(
    "reveal",
    pk(),
    ref("project"),
    ref("person", NULL, index=False),
    words("reason"),
    doc("plan", NULL),
    when("at"),
)

comparison = table(
    "comparison",
    pk(),
    ref("project"),
    ref("task_version"),
    words("title"),
    # The task's wording as judges and reviewers get it, redacted where that was decided.
    words("prompt"),
    doc("expectations"),
    ref("view_a", to="view.id"),
    ref("view_b", to="view.id"),
    ref("input_view", NULL, to="view.id"),
    ref("reference_view", NULL, to="view.id"),
    code("source"),
    ref("created_by", NULL, to="person.id", index=False),
    # Which output is A was drawn by chance; else whoever set it up said so.
    flag("drawn"),
    when("created_at"),
    # A passage in one of the outputs tells outright which run it is.
    flag("may_reveal"),
    # The audit sample: drawn at import with its probability, before any judge.
    real("audit_probability", default=0),
    flag("audited", default=False),
    ref("reveal", NULL),
    CheckConstraint("audit_probability >= 0 AND audit_probability <= 1", name="audit_probability"),
)

# What judges and people said comes to, one row a comparison, kept in step by store/facts/fact.py.
fact = table(
    "fact",
    ref("comparison", primary_key=True),
    ref("project", index=False),
    when("created_at"),
    code("status"),
    # the judge's side
    code("judge_kind", NULL),
    words("judge_model", NULL),
    code("judge_winner", NULL),
    score("judge_overall_a"),
    score("judge_overall_b"),
    flag("position_consistent", NULL),
    count("stated_confidence", NULL),
    count("quotes_found", NULL),
    count("quotes_total", NULL),
    words("problem", NULL),
    # What the offline check found, in a few words such as "B does not open".
    words("form", NULL),
    # the settled side: a review's, a panel's or an adjudication's, else the judge's
    code("verdict_source", NULL),
    code("winner", NULL),
    code("decided_by", NULL),
    score("overall_a"),
    score("overall_b"),
    score("content_a"),
    score("content_b"),
    score("structure_a"),
    score("structure_b"),
    rate("pass_rate_a"),
    rate("pass_rate_b"),
    count("final_reviews"),
    count("open_reviews"),
    when("touched_at"),
    # A later import replaced one of its runs; set by store/facts/fact.py when that happens.
    flag("superseded", NULL),
    # Whether no reading names another winner than its own scores give.
    flag("self_consistent", NULL),
    # How many criteria and expectations do not count, because nobody assessed them for both outputs.
    count("left_out", NULL),
    # "void" or "cut_off" where a run of this comparison is; set when it is made.
    code("state_a", NULL),
    code("state_b", NULL),
    # Whether all of several judges name the same winner; None where one judge read it.
    flag("judges_agree", NULL),
    # By what the judgment was made: the rubric, whether that is the project's, and the version of the judge.
    digest("rubric_id", NULL),
    flag("shared_rubric", NULL),
    digest("judge_digest", NULL),
    # The winner by the first reading of each order, which agreement is measured on, and those of each order alone.
    code("first_winner", NULL),
    code("winner_a_first", NULL),
    code("winner_b_first", NULL),
    # Readings that count, whether an order was read more than once, and whether a reading opened files.
    count("readings", NULL),
    flag("read_again", NULL),
    flag("used_tools", NULL),
    # Of several judges: name, kind, model, digest, vote, and how often its first readings named either position.
    doc("judges", NULL),
    # What the people knew whose verdict it is.
    code("blindness", NULL),
    # A's lead by each criterion in half points; a letter for each expectation: both meet it (b), neither (n), A, B, or
    # not assessed (-).
    doc("criteria", NULL),
    words("met", NULL),
    # How many scores people changed of A's output and of B's, by kind of reason.
    doc("reasons", NULL),
    # What each final review says against the judge; see store/facts/review_facts.py.
    doc("reviews", NULL),
    # Why, in the words of the verdict that holds.
    words("reasoning", NULL),
    Index("ix_fact_created", "created_at", "comparison_id"),
    Index("ix_fact_project_created", "project_id", "created_at", "comparison_id"),
    Index("ix_fact_status", "status", "created_at", "comparison_id"),
    Index("ix_fact_project_status", "project_id", "status", "created_at", "comparison_id"),
    Index("ix_fact_counted", "project_id", "status", "final_reviews", "judge_model"),
)
# In a project whose judge is a model, few pairs have been read by the offline check alone.
Index(
    "ix_fact_form",
    fact.c.project_id,
    fact.c.status,
    sqlite_where=fact.c.form.is_not(None),
    postgresql_where=fact.c.form.is_not(None),
)
# Few pairs are: they come first in the review queue.
Index(
    "ix_fact_self_contradicted",
    fact.c.created_at,
    fact.c.comparison_id,
    sqlite_where=sa.text("self_consistent = 0"),
    postgresql_where=sa.text("self_consistent = false"),
)

# Of which pairs the Office files are turned into pages, or were.
office_pages = table(
    "office_pages",
    ref("comparison", primary_key=True),
    # waiting, made or text
    code("state"),
    # Which files, by the digests of the originals, and the words to be replaced in them; no judge or reviewer reads it.
    doc("files"),
    count("tries"),
    when("touched_at"),
    Index("ix_office_pages_state", "state", "touched_at"),
)

label = table(
    "label",
    pk(),
    ref("comparison"),
    # gold, human, judge or imported_grader
    code("kind"),
    words("author"),
    code("winner", NULL),
    doc("value", NULL),
    # None: the source does not say.
    flag("blind", NULL),
    words("source"),
    when("at"),
)


blob = table("blob", pk("digest"), count("size"), when("created_at"))

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
    words("media_type", NULL),
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
    words("media_type", NULL),
    count("size", NULL),
)

# The only way from a view to a run; neither the judge's nor the reviewer's path reads it.
view_source = table("view_source", ref("view", primary_key=True), ref("snapshot"))

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
