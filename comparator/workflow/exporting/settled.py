"""The verdict that holds for a comparison, as the result that is exported."""

from __future__ import annotations

from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.scoring.judgment import MergedJudgment
from comparator.domain.scoring.result import ComparisonResult, compose
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import DecidedBy, Verdict, VerdictSource
from comparator.store.core.database import Connection
from comparator.store.pairs import comparisons, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.store.rollup import verdicts
from comparator.store.rollup.verdicts import JudgedPasses
from comparator.workflow.services import Services


class SettledResult(NamedTuple):
    """The result of a comparison that is exported, and whose it is."""

    comparison: Comparison
    result: ComparisonResult
    source: VerdictSource
    verdict: Verdict
    rubric: Rubric
    judged: JudgedPasses | None
    """What the judge says, whoever's verdict holds; None where none has begun."""

    @property
    def decided_by(self) -> DecidedBy:
        """The rule that decided."""
        return self.verdict.decided_by


def settled(services: Services, comparison_id: str) -> SettledResult:
    """The verdict that holds: an adjudication, else the final reviews', else the judge's.

    Raises InputError where there is none, or where reviews disagree on the winner.
    """
    with services.database.read() as connection:
        return settled_on(connection, comparisons.get(connection, comparison_id))


def settled_on(connection: Connection, comparison: Comparison) -> SettledResult:
    """As `settled`, on a connection at hand."""
    finals = verdicts.final_reviews(connection, comparison.id)
    judged = verdicts.judged(connection, comparison.id)
    effective = verdicts.effective_verdict_with(connection, comparison.id, finals, lambda: judged)
    if effective.source is None:
        raise InputError("There is no verdict to export yet. Have the pair judged, or finalise a review.")
    if effective.verdict is None or effective.prose is None or effective.rubric is None:
        raise InputError("The final reviews disagree on the winner. Settle them first, then export.")
    # The expectations as they were handed in: what was redacted for judge and reviewer belongs to the caller.
    texts = tasks.get_version(connection, comparison.task_version_id).expectations
    return SettledResult(
        comparison=comparison,
        result=compose(effective.rubric, effective.verdict, effective.prose, expectations=texts),
        source=effective.source,
        verdict=effective.verdict,
        rubric=effective.rubric,
        judged=judged,
    )


def judged_result(judgment: MergedJudgment | None, expectations: tuple[str, ...]) -> ComparisonResult | None:
    """What the judge said as a result of its own; None where it gave no verdict."""
    if judgment is None or judgment.verdict is None:
        return None
    return compose(judgment.rubric, judgment.verdict, judgment.prose, expectations=expectations)
