"""What people say of a pair: a ruling, else their final reviews, of which several are read as one verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from statistics import median
from typing import NamedTuple

from comparator.domain.labels import Label, PerOutput
from comparator.domain.scoring.arithmetic import half_step_mean
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import Assessment, DecidedBy, Verdict, VerdictSource, settle


class PeoplesVerdict(NamedTuple):
    """What people say of a pair; `rubric` is that of the final reviews."""

    source: VerdictSource
    verdict: Verdict | None
    """None where reviewers disagree on the winner, or went by several rubrics."""
    rubric: Rubric | None = None


def peoples_verdict(
    ruling: Verdict | None,
    finals: Sequence[tuple[Verdict, str | None]],
    rubric_of: Callable[[str], Rubric | None],
) -> PeoplesVerdict | None:
    """The ruling, else the final reviews, each with the id of its rubric; None where the judge's verdict holds."""
    if ruling is not None:
        return PeoplesVerdict(VerdictSource.ADJUDICATION, ruling)
    if not finals:
        return None
    source = VerdictSource.REVIEW if len(finals) == 1 else VerdictSource.PANEL
    ids = {rubric_id for _, rubric_id in finals}
    rubric_id = ids.pop()
    rubric = None if ids or rubric_id is None else rubric_of(rubric_id)
    if rubric is None:
        return PeoplesVerdict(source, None)
    return PeoplesVerdict(source, settle_reviews(rubric, [verdict for verdict, _ in finals]), rubric)


def settle_reviews(rubric: Rubric, verdicts: Sequence[Verdict]) -> Verdict | None:
    """The verdict of at least one final review; None where they disagree on the winner, which needs adjudication.

    One review stands as it is. Of several, each criterion's median counts (half steps kept, a quarter rounded up), an
    expectation is met if more than half say so, and the winner rules decide; a winner that all reviewers set outright
    stays. A review without a value does not vote on it.
    """
    if len(verdicts) == 1:
        return verdicts[0]
    if len({verdict.winner for verdict in verdicts}) != 1:
        return None
    outright = all(verdict.decided_by is DecidedBy.REVIEWER for verdict in verdicts)
    return settle(
        rubric, median_of(rubric, verdicts), set_by_reviewer=verdicts[0].winner if outright else None
    )


def median_of(rubric: Rubric, verdicts: Sequence[Verdict]) -> PerOutput[Assessment]:
    """The median of each criterion and the majority on each expectation of at least one verdict by this rubric."""

    def of(label: Label) -> Assessment:
        assessments = [verdict.assessments[label] for verdict in verdicts]
        return Assessment(
            scores={
                path: half_step_mean([Decimal(median(votes))])
                for path in rubric.paths
                if (votes := [s.scores[path] for s in assessments if path in s.scores])
            },
            expectations=tuple(
                _majority(votes) for votes in zip(*(s.expectations for s in assessments), strict=True)
            ),
        )

    return PerOutput[Assessment](A=of(Label.A), B=of(Label.B))


def _majority(votes: Sequence[bool | None]) -> bool | None:
    given = [vote for vote in votes if vote is not None]
    return sum(given) * 2 > len(given) if given else None
