"""Batches in words: what a batch is doing, what it costs, and how long it still takes."""

from __future__ import annotations

from comparator.jobs.batches.estimate_batches import BatchEstimate
from comparator.jobs.batches.manage_batches import BatchReport
from comparator.judges.protocol import judge_called
from comparator.store.bulk.batches import BatchState, Via
from comparator.ui.frame import words
from comparator.workflow.judging.paying import money, name_of, paid

STATES = {
    BatchState.RUNNING: "running",
    BatchState.PAUSED: "paused",
    BatchState.CANCELLED: "cancelled",
    BatchState.DONE: "done",
}
VIAS = {
    Via.MESSAGES: "At once",
    Via.BATCHES: "Within a day, at half the price",
}


def facts(report: BatchReport) -> str:
    """One line: how many, by which judge, for how much, and how long it still takes."""
    counts = report.counts
    parts = [f"{counts.done:,} of {counts.total:,} done"]
    if counts.failed:
        parts.append(f"{counts.failed:,} failed")
    if counts.left and report.batch.state is not BatchState.CANCELLED:
        parts.append(f"{counts.left:,} waiting")
    if counts.out:
        parts.append(f"{counts.out:,} of them at the provider")
    if counts.cancelled:
        parts.append(f"{counts.cancelled:,} cancelled")
    judge = report.batch.judge
    parts.append(judge_called(judge.kind, judge.model))
    if judge.kind != "offline":
        parts.append(spent(report))
    if report.waits_for:
        parts.append(report.waits_for)
    if report.waits_for_worker:
        parts.append("waiting for a worker")
    elif report.seconds_left is not None and counts.left:
        parts.append(f"about {duration(report.seconds_left)} left")
    return " · ".join(parts)


def spent(report: BatchReport) -> str:
    """What was paid so far, and of which budget."""
    cost = paid(report.batch, report.cost)
    if report.budget is None:
        return cost
    name = name_of(report.budget).removeprefix("The batch's ")
    return f"{cost} ({name})"


def duration(seconds: float) -> str:
    """About how long.

    >>> duration(200)
    '3 minutes'
    """
    if seconds < 90:
        return words.counted(max(1, round(seconds)), "second")
    if seconds < 5400:
        return words.counted(round(seconds / 60), "minute")
    return f"{seconds / 3600:.1f} hours"


def estimated(estimate: BatchEstimate) -> str:
    """What a batch would take."""
    apart = _apart(estimate)
    if not estimate.calls:
        return f"{words.counted(estimate.comparisons, 'pair')}, no cost: the offline check reads them.{apart}"
    cost = "no price is known for this model" if estimate.cost is None else f"about {money(estimate.cost)}"
    pairs, calls = words.counted(estimate.comparisons, "pair"), words.counted(estimate.calls, "request")
    return f"{pairs}, about {calls}, {cost}.{apart}"


def _apart(estimate: BatchEstimate) -> str:
    cut_off = f" Probably cut off: {estimate.cut_off:,}." if estimate.cut_off else ""
    void = (
        f" Left out: {words.counted(estimate.void, 'pair')} with an unusable output." if estimate.void else ""
    )
    return cut_off + void
