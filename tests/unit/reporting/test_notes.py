"""Benchmark notes: one sentence for what stands out, the same on every run."""

from __future__ import annotations

from comparator.reporting.results.candidates import Names
from comparator.reporting.results.run_usage import RunUsage
from comparator.reporting.why.expectations import Expectation, ExpectationMet
from comparator.reporting.why.notes import expectation_notes, usage_notes

NAMES = Names("with", "without")


def expectation(text: str, one: int, two: int, *, n: int = 4, varies: int = 0) -> Expectation:
    pairs = dict.fromkeys(ExpectationMet, 0) | {
        ExpectationMet.VARIES: varies,
        ExpectationMet.BOTH: n - varies,
    }
    return Expectation(id=text, text=text, pairs=pairs, met_one=one, met_two=two, assessed=n)


def used(name: str, tokens: float | None, seconds: float | None) -> RunUsage:
    return RunUsage(id=name, name=name, runs=3, tokens=tokens, with_tokens=3, seconds=seconds, with_seconds=3)


def test_each_expectation_gets_the_sentence_that_fits() -> None:
    found = [
        expectation("is a PDF", 4, 4),
        expectation("flies", 0, 0),
        expectation("names the cause", 3, 0),
        expectation("has a date", 0, 2),
        expectation("has a total", 4, 1),
        expectation("reads well", 2, 3, varies=1),
    ]

    assert expectation_notes(found, NAMES) == (
        "Expectation 'flies' fails in all 4 pairs with both with and without - may be broken or beyond both",
        "Expectation 'has a date' passes only with without: in 2 of 4 pairs",
        "Expectation 'has a total' always passes with with, and fails only with without: in 3 of 4 pairs",
        "Expectation 'is a PDF' passes in all 4 pairs with both with and without - may not differentiate them",
        "Expectation 'names the cause' passes only with with: in 3 of 4 pairs",
        "Expectation 'reads well' passes in 2 of 4 pairs with with and in 3 with without",
        "Expectation 'reads well' varies between runs of the same task in 1 of 4 pairs",
    )
    assert expectation_notes(found[::-1], NAMES) == expectation_notes(found, NAMES)


def test_tokens_and_time_are_compared_where_they_are_known() -> None:
    assert usage_notes([used("with", 1800, 30), used("without", 1000, None)]) == (
        "with uses 80% more tokens than without: 1,800 against 1,000 a run (3 runs of with, 3 of without)",
    )
    assert usage_notes([used("with", 1000, 12), used("without", 1000, 24)]) == (
        "with and without use about the same tokens: 1,000 against 1,000 a run",
        "without uses 100% more time than with: 24 s against 12 s a run (3 runs of with, 3 of without)",
    )
    assert usage_notes([used("with", 1, 1)]) == ()
