"""How often a judge reads a pair: a fixed number of times, or again where a rule finds the judgment unsure."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from comparator.domain.labels import Order, Winner
from comparator.domain.scoring.judgment import Pass, merge
from comparator.domain.scoring.rubric import Rubric

MOST_READINGS = 9
Repetitions = Annotated[int, Field(ge=1, le=MOST_READINGS)] | Literal["auto"]
MOST_AUTO = 3
CLOSE = Decimal("0.5")
UNSURE = 60
RULE = (
    f"auto-2: one reading in each order; a second where a first one contradicts itself or states a confidence of "
    f"{UNSURE}% or less; up to {MOST_AUTO} in each order while the overall scores differ by at most {CLOSE} of 10 or "
    "the orders name different winners; a tie that both first readings state with more confidence is not read again"
)
"""The rule as it is printed with a result. A change of it is a new rule with a new name."""


def first_round(repetitions: Repetitions) -> int:
    """How many readings in each order there are in any case."""
    return 1 if repetitions == "auto" else repetitions


def rule_in_words(repetitions: Repetitions) -> str:
    """The rule in words.

    >>> rule_in_words(3)
    '3 readings in each order'
    """
    if repetitions == "auto":
        return RULE
    return "1 reading in each order" if repetitions == 1 else f"{repetitions} readings in each order"


def is_read_again(rubric: Rubric, passes: Sequence[Pass]) -> bool:
    """Whether a pair that was read equally often in each order is read once more.

    The rule looks at nothing but the readings, so that it decides the same after a restart.
    """
    rounds = [sum(p.order is order for p in passes) for order in Order]
    if min(rounds) < 1 or max(rounds) >= MOST_AUTO:
        return False
    judgment = merge(rubric, tuple(passes))
    if judgment.verdict is None or (both := judgment.verdict.totals) is None:
        return False
    if not judgment.orders_agree:
        return True
    first, sure = len(judgment.passes) == len(Order), judgment.stated_confidence > UNSURE
    tie = judgment.verdict.winner is Winner.TIE and all(
        p.answer.better is Winner.TIE for p in judgment.passes
    )
    if first and tie and sure:
        return False
    close = abs(both.A.overall_score - both.B.overall_score) <= CLOSE
    # What the first readings say of themselves asks for a second look, not for a third.
    return close or (first and not (judgment.self_consistent and sure))
