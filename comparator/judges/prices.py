"""What a request cost, from the price list in prices.toml."""

import datetime
import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib import resources

from pydantic import Field

from comparator.domain.labels import Frozen
from comparator.domain.usage import Call, Usage, added

BATCHED = Decimal("0.5")
"""The share of the price that is paid for what was sent in a Message Batch, by the providers' price lists."""
_MILLION = Decimal(1_000_000)
_RELEASE = re.compile(r"-20\d{6}$")


class Rates(Frozen):
    """US dollars for one million tokens of each kind."""

    input: Decimal = Field(ge=0)
    cache_write: Decimal = Field(ge=0)
    cache_read: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)


class LongRates(Rates):
    """Rates for requests whose prompt has more than `above` tokens."""

    above: int = Field(gt=0)


class Price(Rates):
    """What a model costs, with other rates for long prompts where it has some, and the day and document it is from."""

    long: LongRates | None = None
    names: tuple[str, ...] = ()
    date: datetime.date | None = None
    source: str = ""


@cache
def price_list() -> dict[str, Price]:
    """All known prices by model."""
    text = resources.files("comparator.judges").joinpath("prices.toml").read_text(encoding="utf-8")
    prices = [Price.model_validate(entry) for entry in tomllib.loads(text)["model"]]
    return {name: price for price in prices for name in price.names}


def set_prices(prices: Mapping[str, tuple[Decimal, Decimal]]) -> None:
    """Let models that the list does not have cost this, sent and received; what is cached costs as much as the rest."""
    for model, (sent, received) in prices.items():
        price = Price(input=sent, cache_write=sent, cache_read=sent, output=received)
        price_list().setdefault(model, price)


def price_of(model: str) -> Price | None:
    """The price of a model, with or without the day of its release in the name, or None if none is known."""
    return price_list().get(model) or price_list().get(_RELEASE.sub("", model))


def cost_of(model: str, usage: Usage) -> Decimal | None:
    """What one request cost in US dollars, cached tokens at their own rates; None if no price is known, never zero.

    The rate can depend on the length of a prompt, so that several requests are added up by `cost_of_calls`.
    """
    price = price_of(model)
    if price is None:
        return None
    rates: Rates = price.long if price.long is not None and usage.prompt_tokens > price.long.above else price
    return (
        usage.input_tokens * rates.input
        + usage.cached_tokens * rates.cache_read
        + usage.cache_written_tokens * rates.cache_write
        + usage.output_tokens * rates.output
    ) / _MILLION


def cost_of_calls(calls: tuple[Call, ...]) -> Decimal | None:
    """What several requests cost in US dollars; None if nothing was used or the price of one of them is unknown."""
    used = [call for call in calls if call.usage.input_tokens or call.usage.output_tokens]
    costs = ((call, cost_of(call.model, call.usage)) for call in used)
    return added(cost * BATCHED if cost and call.batched else cost for call, cost in costs)
