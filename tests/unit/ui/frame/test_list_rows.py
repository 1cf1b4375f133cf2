"""What a list says of a winner."""

from __future__ import annotations

from decimal import Decimal

from comparator.domain.labels import PerOutput, Winner
from comparator.ui.frame.list_rows import margin

EQUAL = PerOutput[Decimal](A=Decimal("7.0"), B=Decimal("7.0"))


def test_equal_scores_with_a_winner_say_which_rule_decided() -> None:
    assert margin(Winner.A, EQUAL, rule="by the expectations") == "by the expectations"
    assert margin(Winner.TIE, EQUAL, rule="level in everything") == "level on scores"
    assert margin(Winner.B, PerOutput[Decimal](A=Decimal("6.5"), B=Decimal("7.0")), rule="by the rubric") == (
        "ahead by 0.5"
    )
