"""Costs come from the price list, each price with its day and source; an unknown price is no cost, never zero."""

from decimal import Decimal

import pytest

from comparator.bootstrap import load_settings
from comparator.domain.usage import Call, Usage
from comparator.judges import prices
from comparator.judges.prices import cost_of, cost_of_calls, price_list, price_of

MILLION = 1_000_000


def test_a_request_costs_its_tokens_at_their_own_rates() -> None:
    price = price_of("claude-sonnet-5-5")
    assert price is not None
    usage = Usage(
        input_tokens=MILLION, output_tokens=MILLION, cached_tokens=MILLION, cache_written_tokens=MILLION
    )
    assert (
        cost_of("claude-sonnet-5-5", usage)
        == price.input + price.output + price.cache_read + price.cache_write
    )
    assert cost_of("claude-sonnet-5-5", Usage(input_tokens=1000, output_tokens=100)) == Decimal("0.003")


def test_a_long_prompt_is_charged_at_the_long_rate_in_full() -> None:
    short = cost_of("claude-haiku-5-5", Usage(input_tokens=100_000, output_tokens=1000))
    long = cost_of("claude-haiku-5-5", Usage(input_tokens=50_000, cached_tokens=50_001, output_tokens=1000))
    assert short == Decimal("0.0105")
    assert long == (50_000 * Decimal("0.50") + 50_001 * Decimal("0.05") + 1000 * Decimal("2.50")) / MILLION


@pytest.mark.parametrize("model", ["offline-baseline-1", "local-model", "", "anthropic.claude-sonnet-5-5"])
def test_a_model_without_a_known_price_has_no_cost(model: str) -> None:
    assert cost_of(model, Usage(input_tokens=MILLION)) is None


def test_a_model_that_the_list_does_not_have_costs_what_the_setting_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usage = Usage(input_tokens=MILLION, cached_tokens=MILLION, output_tokens=MILLION)
    before, known = cost_of("claude-sonnet-5-5", usage), dict(price_list())
    monkeypatch.setattr(prices, "price_list", lambda: known)
    monkeypatch.setenv("COMPARATOR_PRICES", "my-model=3/15, ns/other=0.5/2, claude-sonnet-5-5=1/1")

    load_settings()

    assert cost_of("my-model", usage) == 3 + 3 + 15
    assert cost_of("ns/other", usage) == 3
    # What is published holds.
    assert cost_of("claude-sonnet-5-5", usage) == before


def test_requests_are_added_up_one_by_one_and_an_unknown_one_makes_the_sum_unknown() -> None:
    usage = Usage(input_tokens=1000, output_tokens=100)
    call = Call(model="claude-sonnet-5-5", usage=usage)
    refused = Call(model="local-model", problem="529")
    assert cost_of_calls((call, call, refused)) == Decimal("0.006")
    assert cost_of_calls((call, Call(model="local-model", usage=usage))) is None
    assert cost_of_calls(()) is None
    assert cost_of_calls((refused,)) is None
