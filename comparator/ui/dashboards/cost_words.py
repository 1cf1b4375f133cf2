"""What the candidates' runs cost in words: the gain for it, amounts of money, and how many times the other's it is."""

from math import floor, log10

from comparator.reporting.results.spending import GainForCost, Usage
from comparator.stats.intervals import Interval

CHANGED = 0.15
"""Where the latest cost differs by more than this share from that over all iterations, both are told."""


def gain(gain_for_cost: GainForCost, now: Usage) -> tuple[str, str]:
    """The gain in points, wins minus losses of 100 pairs, and what it costs, and `now` costs where that changed."""
    ends = (
        f"({gain_for_cost.ends.low * 100:+.0f} to {gain_for_cost.ends.high * 100:+.0f}) "
        if gain_for_cost.ends
        else ""
    )
    extra = f"; about {dollars(gain_for_cost.extra_win)} per extra win" if gain_for_cost.extra_win else ""
    latest = now.times(gain_for_cost.what)
    changed = (
        f" ({latest:.1f} in the latest iteration)"
        if latest and abs(latest / gain_for_cost.times - 1) > CHANGED
        else ""
    )
    cost = f"{gain_for_cost.times:.1f} times the {gain_for_cost.what}{changed}"
    return f"{gain_for_cost.gain * 100:+.0f} points", f"{ends}for {cost}{extra}"


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
    """How many times the tokens and seconds of two a run of one takes; empty where no run says so."""
    parts = [
        f"{times:.1f} times the {what}" for what in ("tokens", "seconds") if (times := usage.times(what))
    ]
    if not (parts and usage.one and usage.two):
        return ""
    return f"A run of {usage.one.name} takes {' and '.join(parts)} of {usage.two.name}"
