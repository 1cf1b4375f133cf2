"""How a benchmark says in which way its pairs were read."""

from __future__ import annotations

import pytest

from comparator.domain.labels import Order, Winner
from comparator.jobs.benchmarks.results import mode_of
from comparator.stats.raters.accuracy import LabelledReading, count


@pytest.mark.parametrize(
    ("tools", "again", "several", "mode"),
    [
        (False, False, False, "one request"),
        (True, False, False, "tools"),
        (False, True, False, "repetitions"),
        (True, True, False, "tools + repetitions"),
        (False, False, True, "judge panel"),
        (True, True, True, "judge panel + tools + repetitions"),
    ],
)
def test_one_pair_that_was_read_with_tools_or_again_names_the_mode(
    tools: bool, again: bool, several: bool, mode: str
) -> None:
    plain = LabelledReading(
        truth=Winner.A, by_order=dict.fromkeys(Order, Winner.A), verdict=Winner.A, first_verdict=Winner.A
    )
    special = plain.model_copy(update={"tools": tools, "again": again})

    assert mode_of(count([plain, special, plain]), several=several) == mode


def test_what_was_not_read_in_both_orders_names_no_mode() -> None:
    half = LabelledReading(truth=Winner.A, by_order={Order.A_FIRST: Winner.A}, tools=True, again=True)

    assert mode_of(count([half]), several=False) == "one request"
