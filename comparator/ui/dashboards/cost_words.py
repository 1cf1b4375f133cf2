"""What the candidates' runs cost in words: amounts of money, and how many times the other's it is."""

from math import floor, log10

from comparator.reporting.results.spending import APART, Usage
from comparator.stats.intervals import Interval

SAME = 1.1
"""Up to so many times as much is about as much."""


def times_of(times: float) -> str:
    """How many times as much, with the digits that tell it from as much.

    >>> times_of(2.04), times_of(1.02)
    ('2.0', '1.02')
    """
    return f"{times:.{2 if 1 / APART < times < APART else 1}f}"


def dollars(cost: Interval) -> str:
    """An amount, or from what to what it may be, with two digits that count.

    >>> dollars(Interval(low=0.0126, high=0.0631)), dollars(Interval(low=1.5, high=1.5))
    ('$0.013 to $0.063', '$1.50')
    """
    return " to ".join(dict.fromkeys(_amount(end) for end in (cost.low, cost.high)))


def _amount(dollars: float) -> str:
    places = 2 if dollars >= 0.1 else min(6, 1 - floor(log10(dollars))) if dollars > 0 else 0
    return f"${dollars:.{places}f}"


def runs_took(usage: Usage) -> str:
    """How many times the cost, tokens and seconds of two a run of one takes; empty where no run says so."""
    known = {what: times for what in ("cost", "tokens", "seconds") if (times := usage.times(what))}
    if not (known and usage.one and usage.two):
        return ""
    parts = [f"{times_of(times)} times the {what}" for what, times in known.items()]
    *first, last = parts
    figures = f"{', '.join(first)} and {last}" if first else last
    if all(map(about_the_same, known.values())):
        return f"A run of {usage.one.name} takes about as much as one of {usage.two.name}: {figures}"
    return f"A run of {usage.one.name} takes {figures} of {usage.two.name}"


def about_the_same(times: float) -> bool:
    """Whether it is as much, to within a tenth.

    >>> about_the_same(0.95), about_the_same(1.2)
    (True, False)
    """
    return 1 / SAME < times < SAME
