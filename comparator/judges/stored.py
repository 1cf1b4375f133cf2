"""A judge whose answers were written down before: of an import, and of the examples."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from comparator.domain.labels import Order
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import JudgeIdentity, Pass
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.protocol import AsksNoModel, PassReply, QuestionResult
from comparator.judges.quotes import QuoteIndex

MODEL = "example-judgment"
DEMO = "demo-judgment"
"""The judge of the demo, which has a record in that project, so that the page Judge shows one."""
WRITTEN = frozenset({MODEL, DEMO})
"""Judges whose answers were written for the examples; no model was asked."""


class RecordedJudge(AsksNoModel):
    """Gives the readings of a judge that read the same pair elsewhere; their quotes are looked up anew."""

    def __init__(self, identity: JudgeIdentity, rubric: Rubric, passes: Sequence[Pass]) -> None:
        self.identity, self._rubric = identity, rubric
        self._answers = {(reading.order, reading.repetition): reading.answer for reading in passes}

    @property
    def repetitions(self) -> int:
        """How often the pair was read in both orders; 0 where one of them is missing."""
        return next(n for n in count() if not all((order, n) in self._answers for order in Order))

    async def write_rubric(self, task: TaskText, **_: Any) -> QuestionResult[Rubric]:  # noqa: ARG002  it gave one
        """The recorded rubric."""
        return QuestionResult(self._rubric)

    async def read_pair(
        self,
        pair: BlindedPair,
        rubric: Rubric,  # noqa: ARG002  the one that it gave
        *,
        order: Order,
        repetition: int = 0,
        **_: Any,
    ) -> PassReply:
        """The recorded answer."""
        indexes = pair.outputs.map(QuoteIndex)
        answer = self._answers[order, repetition]
        return PassReply(
            answer=answer.with_quotes(lambda label, quote: indexes[label].find(quote.file, quote.text))
        )

    async def check(self) -> str:
        """Always ready."""
        return "The recorded judgment is ready; no model is asked."
