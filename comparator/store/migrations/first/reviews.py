"""Reviews and everything a person says, as revision 0001 made them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def create() -> None:
    """Create these tables."""
    op.create_table(
        "claim",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("by", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["by"], ["person.id"], name="fk_claim_by"),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_claim_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_claim_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_claim"),
    )
    op.create_index("ix_claim_comparison_id", "claim", ["comparison_id"], unique=False)
    op.create_index("ix_claim_person_id", "claim", ["person_id"], unique=False)
    op.create_table(
        "review",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=40), nullable=False),
        sa.Column("rubric_id", sa.String(length=64), nullable=True),
        sa.Column("judgment_set", sa.String(length=64), nullable=True),
        sa.Column("knows", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_review_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_review_person_id"),
        sa.ForeignKeyConstraint(["rubric_id"], ["rubric.id"], name="fk_review_rubric_id"),
        sa.PrimaryKeyConstraint("id", name="pk_review"),
        sa.UniqueConstraint("comparison_id", "person_id", name="uq_review_comparison_id_person_id"),
    )
    op.create_index("ix_review_person_id", "review", ["person_id"], unique=False)
    op.create_table(
        "change",
        sa.Column("review_id", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("target", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("code", sa.String(length=60), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undoes", sa.String(length=64), nullable=True),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("unblinded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["author"], ["person.id"], name="fk_change_author"),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name="fk_change_review_id"),
        sa.PrimaryKeyConstraint("review_id", "id", name="pk_change"),
        sa.UniqueConstraint("review_id", "seq", name="uq_change_review_id_seq"),
    )
    op.create_table(
        "finalisation",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("review_id", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("last_change", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("winner", sa.String(length=40), nullable=True),
        sa.Column("decided_by", sa.String(length=40), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("prose", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("unblinded", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_finalisation_person_id"),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name="fk_finalisation_review_id"),
        sa.PrimaryKeyConstraint("id", name="pk_finalisation"),
        sa.UniqueConstraint("review_id", "seq", name="uq_finalisation_review_id_seq"),
    )
    op.create_table(
        "answer",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("withdraws", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_answer_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_answer_person_id"),
        sa.ForeignKeyConstraint(["withdraws"], ["answer.id"], name="fk_answer_withdraws"),
        sa.PrimaryKeyConstraint("id", name="pk_answer"),
    )
    op.create_index("ix_answer_comparison_id", "answer", ["comparison_id"], unique=False)
    op.create_index("ix_answer_person_id", "answer", ["person_id"], unique=False)
    op.create_index("ix_answer_withdraws", "answer", ["withdraws"], unique=False)
    op.create_table(
        "evidence",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("review_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=200), nullable=False),
        sa.Column("file_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=True),
        sa.Column("end", sa.BigInteger(), nullable=True),
        sa.Column("withdraws", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["view_file.id"], name="fk_evidence_file_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_evidence_person_id"),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name="fk_evidence_review_id"),
        sa.ForeignKeyConstraint(["withdraws"], ["evidence.id"], name="fk_evidence_withdraws"),
        sa.PrimaryKeyConstraint("id", name="pk_evidence"),
    )
    op.create_index("ix_evidence_review_id", "evidence", ["review_id"], unique=False)
    op.create_index("ix_evidence_withdraws", "evidence", ["withdraws"], unique=False)
    op.create_table(
        "comment",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("file_id", sa.String(length=64), nullable=True),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=True),
        sa.Column("end", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("replies_to", sa.String(length=64), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_comment_comparison_id"),
        sa.ForeignKeyConstraint(["file_id"], ["view_file.id"], name="fk_comment_file_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_comment_person_id"),
        sa.ForeignKeyConstraint(["replies_to"], ["comment.id"], name="fk_comment_replies_to"),
        sa.PrimaryKeyConstraint("id", name="pk_comment"),
    )
    op.create_index("ix_comment_comparison_id", "comment", ["comparison_id"], unique=False)
    op.create_table(
        "guess",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("candidate_a", sa.BigInteger(), nullable=True),
        sa.Column("sure", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_guess_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_guess_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_guess"),
        sa.UniqueConstraint("comparison_id", "person_id", name="uq_guess_comparison_id_person_id"),
    )
    op.create_index("ix_guess_person_id", "guess", ["person_id"], unique=False)
    op.create_table(
        "adjudication",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("comparison_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("winner", sa.String(length=40), nullable=False),
        sa.Column("decided_by", sa.String(length=40), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("prose", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("unblinded", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["comparison_id"], ["comparison.id"], name="fk_adjudication_comparison_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_adjudication_person_id"),
        sa.PrimaryKeyConstraint("id", name="pk_adjudication"),
        sa.UniqueConstraint("comparison_id", "number", name="uq_adjudication_comparison_id_number"),
    )
    op.create_table(
        "looked",
        sa.Column("review_id", sa.String(length=64), nullable=False),
        sa.Column("file_id", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["view_file.id"], name="fk_looked_file_id"),
        sa.ForeignKeyConstraint(["review_id"], ["review.id"], name="fk_looked_review_id"),
        sa.PrimaryKeyConstraint("review_id", "file_id", name="pk_looked"),
    )
