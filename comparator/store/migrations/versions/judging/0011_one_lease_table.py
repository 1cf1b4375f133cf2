"""One table of leases; how a pair ended stands with the item that asked for it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INTERRUPTED = "Judging was interrupted. Start it again; what is done is not paid for twice."
_batch = sa.table(
    "batch",
    *(sa.column(name) for name in ("id", "project_id", "name", "state", "via", "judge", "problem")),
    sa.column("priority", sa.BigInteger),
    sa.column("single", sa.Boolean),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("finished_at", sa.DateTime(timezone=True)),
)
_item = sa.table(
    "batch_item",
    *(sa.column(name) for name in ("batch_id", "comparison_id", "state", "problem")),
    sa.column("position", sa.BigInteger),
    sa.column("touched_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    """Keep why judging ended, as an item of a batch of one; who was at work is found out anew."""
    op.add_column("batch", sa.Column("single", sa.Boolean(), nullable=True))
    connection = op.get_bind()
    connection.execute(_item.update().where(_item.c.state == "running").values(state="waiting"))
    ended = connection.execute(
        sa.text(
            "SELECT p.comparison_id, p.state, p.problem, p.judge_kind, p.judge_model, c.project_id "
            "FROM progress p JOIN comparison c ON c.id = p.comparison_id "
            "WHERE p.state <> 'done' AND NOT EXISTS (SELECT 1 FROM batch_item i "
            "WHERE i.comparison_id = p.comparison_id AND i.state IN ('waiting', 'out', 'failed'))"
        )
    ).all()
    at = datetime.now(UTC)
    if connection.dialect.name == "sqlite":
        at = at.replace(tzinfo=None)
    for row in ended:
        failed, batch_id = row.state == "failed", uuid4().hex
        judge = {"kind": row.judge_kind, "model": row.judge_model, "repetitions": 1}
        connection.execute(
            _batch.insert().values(
                id=batch_id,
                project_id=row.project_id,
                name="",
                state="done" if failed else "cancelled",
                via="messages",
                priority=0,
                judge=json.dumps(judge),
                single=True,
                created_at=at,
                finished_at=at,
            )
        )
        connection.execute(
            _item.insert().values(
                batch_id=batch_id,
                comparison_id=row.comparison_id,
                position=0,
                state="failed" if failed else "cancelled",
                problem=row.problem or INTERRUPTED,
                touched_at=at,
            )
        )
    op.drop_table("progress")
    op.drop_table("lease")
    op.create_table(
        "lease",
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("worker", sa.String(200), nullable=False),
        sa.Column("step", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "id", name="pk_lease"),
    )
    op.create_index("ix_lease_worker", "lease", ["worker"])
