"""Rows of the queue and the history, as they are sent to the browser."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from comparator.domain.labels import Winner
from comparator.domain.verdict import DecidedBy, VerdictSource
from comparator.reporting.history import HistoryRow
from comparator.store.comparisons import Line, Source
from comparator.store.standings import Status
from comparator.ui.history_rows import history_row, status_of

AT = datetime(2026, 3, 1, tzinfo=UTC)
LINE = Line(
    id="c",
    project_id="p",
    project_name="Invoices",
    task_id="t",
    task_key="invoice",
    tags=(),
    title="Invoice",
    source=Source.IMPORT,
    created_at=AT,
    touched_at=AT,
    status=Status.FAILED,
    judge_kind="anthropic",
    judge_model="claude-sonnet-5-5",
    judge_winner=Winner.B,
    judge_overall_a=Decimal("4.1"),
    judge_overall_b=Decimal("8.3"),
    position_consistent=False,
    stated_confidence=80,
    quotes_found=1,
    quotes_total=3,
    judge_cost=Decimal("0.0777"),
    problem="claude-sonnet-5-5 declined: B shows how it was made.",
    verdict_source=VerdictSource.JUDGE,
    winner=Winner.B,
    decided_by=DecidedBy.RUBRIC,
    overall_a=Decimal("4.1"),
    overall_b=Decimal("8.3"),
    content_a=Decimal("2.0"),
    content_b=Decimal("4.2"),
    structure_a=Decimal("2.1"),
    structure_b=Decimal("4.1"),
    final_reviews=0,
    open_reviews=0,
)


def test_of_a_pair_that_is_still_to_be_answered_blind_a_row_holds_nothing_of_the_judge() -> None:
    told = (
        *("claude", "declined", "8.3", "4.2", "0.0777"),
        *("80%", "by the rubric", "orders differ", '"winner":"B"'),
    )
    open_row = HistoryRow(line=LINE, families=())
    closed_row = open_row.model_copy(update={"covered": True})

    shown, hidden = (history_row(row).model_dump_json() for row in (open_row, closed_row))

    assert [words for words in told if words not in shown.replace(": ", ":")] == []
    assert [words for words in told if words in hidden] == []
    assert status_of(open_row).hover == LINE.problem
    assert status_of(closed_row).hover == ""
