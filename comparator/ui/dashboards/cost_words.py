"""What the candidates' runs cost in words: the gain for it, amounts of money, and how many times the other's it is."""

from math import floor, log10

from comparator.reporting.results.spending import GainForCost, Usage
from comparator.stats.intervals import Interval

CHANGED = 0.15
"""Where the latest cost differs by more than this share from that over all iterations, both are told."""


def gain(found: GainForCost, now: Usage) -> tuple[str, str]:
    """The gain in points, wins minus losses of 100 pairs, and what it costs, and `now` costs where that changed."""
    ends = f"({found.ends.low * 100:+.0f} to {found.ends.high * 100:+.0f}) " if found.ends else ""
    extra = f"; about {dollars(found.extra_win)} per extra win" if found.extra_win else ""
    latest = now.times(found.what)
    changed = (
        f" ({latest:.1f} in the latest iteration)"
        if latest and abs(latest / found.times - 1) > CHANGED
        else ""
    )
    cost = f"{found.times:.1f} times the {found.what}{changed}"
    return f"{found.gain * 100:+.0f} points", f"{ends}for {cost}{extra}"


def dollars(cost: Interval) -> str:
    """An amount, or from what to what it may be, with two digits that count.

    >>> dollars(Interval(low=0.0126, high=0.0631)), dollars(Interval(low=1.5, high=1.5))
    ('$0.013 to $0.063', '$1.50')
    """
    return " to ".join(dict.fromkeys(_amount(end) for end in (cost.low, cost.high)))


def _amount(dollars: float) -> str:
    places = 2 if dollars >= 0.1 else min(6, 1 - floor(log10(dollars))) if dollars > 0 else 0
    return f"${dollars:.{places}f}"


def runs_took(found: Usage) -> str:
    """How many times the tokens and seconds of two a run of one takes; empty where no run says so."""
    parts = [
        f"{times:.1f} times the {what}" for what in ("tokens", "seconds") if (times := found.times(what))
    ]
    if not (parts and found.one and found.two):
        return ""
    return f"A run of {found.one.name} takes {' and '.join(parts)} of {found.two.name}"
