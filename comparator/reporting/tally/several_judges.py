"""What a comparison that several judges have read adds to the record of them together and of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from comparator.reporting.tally.facts import Facts
from comparator.reporting.tally.truth import truth_of
from comparator.reporting.tally.versions import part

TOGETHER = "together"
"""Keys: the digest of all judges together, and what is counted."""
EACH = "together_judge"
"""Keys: that digest, the judge's place among them, its name and model, and what is counted."""
WRONG = "together_wrong"
"""Keys: that digest, the places of two judges, and which of them named another winner than the label."""


def together(facts: Facts) -> Iterator[tuple[str, str, int]]:
    """How each of several judges voted, what it named by position, its cost, and its errors where a label tells."""
    if not facts.judges:
        return
    start = f"{facts.judge_digest}|"
    yield TOGETHER, f"{start}pairs", 1
    truth = truth_of(facts)
    if truth is not None:
        yield TOGETHER, f"{start}labelled", 1
        yield TOGETHER, f"{start}right", int(facts.judge_winner == truth.value)
    for place, judge in enumerate(facts.judges):
        own = f"{start}{place}|{judge.name}|{part(judge.model)}|"
        yield EACH, f"{own}vote:{judge.vote}", 1
        yield EACH, f"{own}first", judge.first
        yield EACH, f"{own}second", judge.second
        if truth is not None:
            yield EACH, f"{own}right", int(judge.vote == truth.value)
        for each in facts.tries:
            if (each.kind, each.model, each.digest) == (judge.kind, judge.model, judge.digest):
                used = each.input_tokens + each.output_tokens > 0
                yield EACH, f"{own}cost", each.cost or 0
                yield EACH, f"{own}unpriced", int(each.cost is None and used)
    if truth is not None:
        wrong = [judge.vote != truth.value for judge in facts.judges]
        for (one, first), (other, second) in combinations(enumerate(wrong), 2):
            if first or second:
                which = "both" if first and second else "one" if first else "other"
                yield WRONG, f"{start}{one}|{other}|{which}", 1
