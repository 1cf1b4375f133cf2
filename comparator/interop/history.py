"""What judges and people said of a pair, and when it was revealed, as our own lines carry it."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from comparator.domain.labels import Frozen
from comparator.domain.scoring.judgment import Pass
from comparator.domain.scoring.review import Change
from comparator.domain.scoring.rubric import Rubric


class RecordedJudgment(Frozen):
    """All readings of one judge, with the rubric that it went by. Times are UTC."""

    at: AwareDatetime
    kind: Literal["anthropic", "offline"]
    model: str
    digest: str
    rubric: Rubric
    passes: tuple[Pass, ...] = Field(min_length=2)


class RecordedReview(Frozen):
    """One person's review: the changes in their order, and when it was final; the author of each is the reviewer."""

    reviewer: str = Field(min_length=1, max_length=200)
    began: AwareDatetime
    finalised: AwareDatetime | None
    knew: bool = False
    """Whether the reviewer knew the candidates."""
    changes: tuple[Change, ...] = ()


class PairHistory(Frozen):
    """Judgment, reviews and reveal of one pair, whose A and B are those of its line."""

    judgment: RecordedJudgment | None = None
    reviews: tuple[RecordedReview, ...] = ()
    revealed: AwareDatetime | None = None
    whole: bool = True
    """Whether the pair's verdict follows from it: something was said, and no ruling, which is not exported, decided."""
