"""A judge whose answers were written down before: examples show by them what a model's judgment looks like."""

import hashlib
import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen, Order
from comparator.domain.pair.task import TaskText
from comparator.domain.pair.view import BlindedPair
from comparator.domain.scoring.judgment import JudgeIdentity, Pass
from comparator.domain.scoring.rubric import Rubric
from comparator.judges.model.answers import Unusable, read_answer, read_rubric
from comparator.judges.protocol import AsksNoModel, PassReply, QuestionResult
from comparator.judges.quotes import QuoteIndex

MODEL = "example-judgment"
DEMO = "demo-judgment"
"""The judge of the demo, which has a record in that project, so that the page Judge shows one."""
WRITTEN = frozenset({MODEL, DEMO})
"""Judges whose answers were written for the examples; no model was asked."""
VERSION = "1"


class _Stored(Frozen):
    about: str
    rubric: dict[str, Any]
    readings: dict[Order, dict[str, Any]]


class StoredJudge(AsksNoModel):
    """Gives the rubric and the two answers of a file, which are read as a model's are, quotes included."""

    def __init__(self, file: Path) -> None:
        """Raises InputError for a file without a rubric and an answer in each order."""
        try:
            text = file.read_text(encoding="utf-8")
            self._stored = _Stored.model_validate_json(text)
            self._rubric = read_rubric(json.dumps(self._stored.rubric))
        except (OSError, ValidationError, Unusable) as error:
            raise InputError(f"The judgment {file} cannot be read: {error}") from error
        if missing := set(Order) - set(self._stored.readings):
            raise InputError(f"The judgment {file} has no answer in the order {min(missing)}.")
        # One judge, whichever file it reads.
        self.identity = JudgeIdentity(
            kind="anthropic", model=MODEL, digest=hashlib.sha256(f"{MODEL}:{VERSION}".encode()).hexdigest()
        )

    async def write_rubric(self, task: TaskText, **_: Any) -> QuestionResult[Rubric]:  # noqa: ARG002  the file is of one task
        """The rubric of the file."""
        return QuestionResult(self._rubric)

    async def read_pair(self, pair: BlindedPair, rubric: Rubric, *, order: Order, **_: Any) -> PassReply:
        """The file's answer in this order. Raises InputError for one that does not fit the pair."""
        try:
            answer = read_answer(json.dumps(self._stored.readings[order]), rubric, pair)
        except Unusable as error:
            raise InputError(
                f"The stored answer in the order {order} does not fit the pair: {error}"
            ) from error
        return PassReply(answer=answer)

    async def check(self) -> str:
        """Always ready."""
        return "The stored judgment is ready; no model is asked."


class RecordedJudge(StoredJudge):
    """Gives the readings of a judge that read the same pair elsewhere; their quotes are looked up anew."""

    def __init__(self, identity: JudgeIdentity, rubric: Rubric, passes: Sequence[Pass]) -> None:
        self.identity, self._rubric = identity, rubric
        self._answers = {(reading.order, reading.repetition): reading.answer for reading in passes}

    @property
    def repetitions(self) -> int:
        """How often the pair was read in both orders; 0 where one of them is missing."""
        return next(n for n in count() if not all((order, n) in self._answers for order in Order))

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
