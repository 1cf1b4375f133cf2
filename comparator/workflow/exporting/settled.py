"""The verdict that holds for a comparison, as the result that is exported."""

from __future__ import annotations

import re
from typing import NamedTuple

from comparator.domain.errors import InputError
from comparator.domain.labels import PerOutput
from comparator.domain.pair.task import TaskText
from comparator.domain.scoring.judgment import MergedJudgment, Prose
from comparator.domain.scoring.result import (
    OVERALL,
    ComparisonResult,
    OverallScores,
    compose,
    with_overall_scores,
)
from comparator.domain.scoring.rubric import Rubric
from comparator.domain.scoring.verdict import DecidedBy, Verdict, VerdictSource
from comparator.store.core.database import Connection
from comparator.store.facts import verdicts
from comparator.store.facts.verdicts import JudgedPasses
from comparator.store.pairs import comparisons, reveals, tasks
from comparator.store.pairs.comparisons import Comparison
from comparator.workflow.services import Services

_LACKS = (
    "This pair was decided without scores. comparison.json needs four whole numbers from 1 to 5: content and "
    "structure of A, then of B{sentence}. Export on the pair's page asks for them; on the command line, use "
    "--scores 4,3,2,3{option}."
)
_FOUR = re.compile(r"\s*([1-5])[\s,]+([1-5])[\s,]+([1-5])[\s,]+([1-5])(?:[\s,.:;]+(.*))?", re.DOTALL)


class WithoutScores(InputError):
    """What a single pair lacks for comparison.json."""


class ScoresGiven(NamedTuple):
    """What a person adds where a pair was decided by its winner alone."""

    scores: OverallScores
    sentence: str = ""
    """Why the winner wins, where the review does not say."""

    @classmethod
    def read(cls, typed: str) -> ScoresGiven:
        """The four numbers of a line, and the sentence after them. Raises InputError for anything else.

        >>> ScoresGiven.read("4, 3, 2, 3: A has the total.").sentence
        'A has the total.'
        """
        match = _FOUR.fullmatch(typed)
        if match is None:
            raise InputError(
                f"{typed[:40]!r} is not four whole numbers from 1 to 5. Write content and structure of A, then of B, "
                "such as 4,3,2,3."
            )
        a_content, a_structure, b_content, b_structure = (int(match[n]) for n in range(1, 5))
        scores = OverallScores(
            content=PerOutput[int](A=a_content, B=b_content),
            structure=PerOutput[int](A=a_structure, B=b_structure),
        )
        return cls(scores, (match[5] or "").strip())


class SettledResult(NamedTuple):
    """The result of a comparison that is exported, and whose it is."""

    comparison: Comparison
    wording: TaskText
    """The task as it was handed in; until the reveal as judge and reviewer got it, since it may name a candidate."""
    result: ComparisonResult | None
    """None where a reviewer chose the winner alone: the format needs scores."""
    source: VerdictSource
    verdict: Verdict
    prose: Prose
    rubric: Rubric
    judged: JudgedPasses | None
    """What the judge says, whoever's verdict holds; None where none has begun."""
    given: OverallScores | None = None
    """The scores that were given for this export alone."""

    @property
    def form(self) -> str:
        """What the offline check found, where nobody else has spoken; else empty."""
        form = self.judged.form if self.judged else None
        return form.words if form is not None and self.source is VerdictSource.OFFLINE else ""

    @property
    def scored(self) -> ComparisonResult:
        """The result. Raises WithoutScores, with what is missing."""
        if self.result is None:
            raise WithoutScores(self.lacks)
        return self.result

    @property
    def lacks(self) -> str:
        """What a verdict without scores lacks for comparison.json, in a sentence."""
        silent = not self.prose.reasoning.strip()
        return _LACKS.format(
            sentence=", and a sentence on why" if silent else "", option=" and --why" if silent else ""
        )

    def with_scores(self, given: ScoresGiven, expectations: tuple[str, ...]) -> SettledResult:
        """The same with these numbers where it has none."""
        if self.result is not None:
            return self
        reasoning = self.prose.reasoning.strip() or given.sentence.strip()
        if not reasoning:
            return self
        nothing = PerOutput[tuple[str, ...]](A=(), B=())
        prose = self.prose.model_copy(
            update={"reasoning": reasoning, "strengths": nothing, "weaknesses": nothing}
        )
        verdict = with_overall_scores(self.verdict, given.scores)
        result = compose(OVERALL, verdict, prose, expectations=expectations)
        return self._replace(verdict=verdict, prose=prose, result=result, rubric=OVERALL, given=given.scores)

    @property
    def decided_by(self) -> DecidedBy:
        """The rule that decided."""
        return self.verdict.decided_by


def settled(services: Services, comparison_id: str, *, given: ScoresGiven | None = None) -> SettledResult:
    """The verdict that holds: an adjudication, else the final reviews', else the judge's.

    Raises InputError where there is none, or where reviews disagree on the winner.
    """
    with services.database.read() as connection:
        return settled_on(connection, comparisons.get(connection, comparison_id), given=given)


def settled_on(
    connection: Connection, comparison: Comparison, *, given: ScoresGiven | None = None
) -> SettledResult:
    """As `settled`, on a connection at hand; `given` are scores for a pair that was decided without any."""
    finals = verdicts.final_reviews(connection, comparison.id)
    judged = verdicts.judged(connection, comparison.id)
    effective = verdicts.effective_verdict(connection, comparison.id, judged, finals)
    if effective.source is None:
        raise InputError("There is no verdict to export yet. Have the pair judged, or finalise a review.")
    if effective.verdict is None or effective.prose is None or effective.rubric is None:
        raise InputError("The final reviews disagree on the winner. Settle them first, then export.")
    revealed = reveals.of_comparison(connection, comparison.id) is not None
    wording = (
        tasks.get_version(connection, comparison.task_version_id).text if revealed else comparison.wording
    )
    texts = wording.expectations
    found = SettledResult(
        comparison=comparison,
        wording=wording,
        result=compose(effective.rubric, effective.verdict, effective.prose, expectations=texts)
        if effective.verdict.totals
        else None,
        source=effective.source,
        verdict=effective.verdict,
        prose=effective.prose,
        rubric=effective.rubric,
        judged=judged,
    )
    return found.with_scores(given, texts) if given else found


def judged_result(judgment: MergedJudgment | None, expectations: tuple[str, ...]) -> ComparisonResult | None:
    """What the judge said as a result of its own; None where it gave no verdict."""
    if judgment is None or judgment.verdict is None:
        return None
    return compose(judgment.rubric, judgment.verdict, judgment.prose, expectations=expectations)
