"""Benchmark notes: what a list of figures does not show at once, as sentences from templates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from comparator.reporting.results.candidates import Names
from comparator.reporting.results.run_usage import RunUsage, pooled_usage, run_usage
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.expectations import Expectation, ExpectationMet, by_expectation
from comparator.store.core.database import Database


def benchmark_notes(database: Database, asked: ResultFilter, names: Names) -> tuple[str, ...]:
    """The notes, in an order that depends on nothing but themselves. Raises BlindnessError."""
    found = by_expectation(database, asked)
    used, ones = run_usage(database, asked), {met.one for met in asked.meetings}
    sides = ([each for each in used if each.id in ones], [each for each in used if each.id not in ones])
    pooled = [pooled_usage(side, name) for side, name in zip(sides, names, strict=True) if side]
    return (*expectation_notes(found, names), *usage_notes(pooled))


def expectation_notes(found: Sequence[Expectation], names: Names) -> tuple[str, ...]:
    """What always passes, never does, passes with one only, or varies."""
    every = sorted(found, key=lambda each: (each.text, each.id))
    return tuple(note for each in every for note in _of(each, names))


def _of(each: Expectation, names: Names) -> Iterator[str]:
    one, two = names
    subject, n = f"Expectation '{each.text}'", each.assessed
    if not n:
        yield f"{subject} was assessed in none of {each.n} pairs"
        return
    if each.met_one == each.met_two == n:
        yield f"{subject} passes in all {n} pairs with both {one} and {two} - may not differentiate them"
    elif not each.met_one and not each.met_two:
        yield f"{subject} fails in all {n} pairs with both {one} and {two} - may be broken or beyond both"
    elif not each.met_two:
        yield f"{subject} passes only with {one}: in {each.met_one} of {n} pairs"
    elif not each.met_one:
        yield f"{subject} passes only with {two}: in {each.met_two} of {n} pairs"
    elif each.met_one == n:
        yield f"{subject} always passes with {one}, and fails only with {two}: in {n - each.met_two} of {n} pairs"
    elif each.met_two == n:
        yield f"{subject} always passes with {two}, and fails only with {one}: in {n - each.met_one} of {n} pairs"
    else:
        yield f"{subject} passes in {each.met_one} of {n} pairs with {one} and in {each.met_two} with {two}"
    if varies := each.pairs.get(ExpectationMet.VARIES, 0):
        yield f"{subject} varies between runs of the same task in {varies} of {each.n} pairs"


def usage_notes(found: Sequence[RunUsage]) -> tuple[str, ...]:
    """How much more of tokens and time one of two candidates uses a run."""
    if len(found) != 2:
        return ()
    one, two = sorted(found, key=lambda each: each.name)
    lines = []
    for what, unit, first, second, runs in (
        ("tokens", "", one.tokens, two.tokens, (one.with_tokens, two.with_tokens)),
        ("time", " s", one.seconds, two.seconds, (one.with_seconds, two.with_seconds)),
    ):
        if not first or not second:
            continue
        more, less = (one, two) if first >= second else (two, one)
        high, low = max(first, second), min(first, second)
        share = high / low - 1
        amount = f"{high:,.0f}{unit} against {low:,.0f}{unit} a run"
        if share < 0.005:
            lines.append(f"{one.name} and {two.name} use about the same {what}: {amount}")
        else:
            lines.append(
                f"{more.name} uses {share:.0%} more {what} than {less.name}: {amount} "
                f"({runs[0]} runs of {one.name}, {runs[1]} of {two.name})"
            )
    return tuple(lines)
