"""Which finalised verdicts an upgrade of the database changed or took back, and how."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from comparator.domain.counted import counted
from comparator.domain.labels import Frozen
from comparator.store import tables

KIND = "verdict_settled_anew"
"""The event that notes one of them."""


class ChangedVerdict(Frozen):
    """A verdict that was finalised before the upgrade, by its comparison; scores are A's and B's overall."""

    comparison_id: str
    title: str
    winner: str
    left_out: tuple[str, ...]
    before: tuple[str, str]
    after: tuple[str, str]
    winner_kept: bool
    """Whether the scores that are left would give another winner; the one that was finalised stays."""
    unassessed: tuple[str, ...] = ()
    """Dimensions of which nobody assessed anything: there is no verdict, and the review is open again."""

    @property
    def in_words(self) -> str:
        """One line for a terminal."""
        kept = (
            "; the winner stays, although the remaining scores would not give it" if self.winner_kept else ""
        )
        out = f"; left out: {', '.join(self.left_out)}" if self.left_out else ""
        if self.unassessed:
            return (
                f"{self.comparison_id} {self.title}: {self.winner} {' : '.join(self.before)}, now without a verdict: "
                f"nothing of the {' or the '.join(self.unassessed)} was assessed; the review is open again"
            )
        return (
            f"{self.comparison_id} {self.title}: {self.winner} {' : '.join(self.before)}, "
            f"now {' : '.join(self.after)}{out}{kept}"
        )


def changed_verdicts(connection: sa.Connection, *, since: datetime) -> tuple[ChangedVerdict, ...]:
    """The finalised verdicts that changed since then because values in them were nobody's."""
    event, comparison = tables.event.c, tables.comparison.c
    query = (
        sa.select(event.subject_id, event.detail, comparison.title)
        .join_from(tables.event, tables.comparison, comparison.id == event.subject_id)
        .where(event.kind == KIND, event.at >= since)
        .order_by(comparison.title, event.subject_id, event.at)
    )
    return tuple(
        ChangedVerdict(
            comparison_id=row.subject_id,
            title=row.title,
            winner=row.detail["winner"],
            left_out=row.detail["left_out"],
            unassessed=row.detail.get("unassessed", ()),
            before=row.detail["overall"][0],
            after=row.detail["overall"][1],
            winner_kept=len(set(row.detail["decided_by"])) > 1 and row.detail["decided_by"][1] == "reviewer",
        )
        for row in connection.execute(query)
    )


def report(changed: tuple[ChangedVerdict, ...]) -> str:
    """All of them as a text, one per line."""
    head = (
        f"{counted(len(changed), 'finalised verdict')} changed: values that neither the judge measured nor a reviewer "
        "gave no longer count as 3 or as not met."
    )
    return "\n".join((head, *(each.in_words for each in changed))) + "\n"
