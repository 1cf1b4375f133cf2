"""What was measured of each judge: its benchmarks and probes, and what a project asks of it beyond them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import sqlalchemy as sa

from comparator.domain.labels import Frozen
from comparator.domain.pair.flags import SCORES_DISAGREE
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.raters.accuracy import Accuracy, Counts, accuracy
from comparator.stats.raters.several_judges import JointWorth
from comparator.stats.shares import share
from comparator.store import tables
from comparator.store.core.database import Database
from comparator.store.judging import benchmarks
from comparator.store.judging.benchmarks import Benchmark, BenchmarkResult, BenchmarkSource, Passed

FEW = 20
"""Pairs with a kind of file below which nothing is said to be measured on it."""


class Beyond(Frozen):
    """A kind of file in a project's outputs on which the judge was hardly measured, or never."""

    family: str
    pairs: int
    """Of the project, with such a file."""
    measured: int
    """Labelled pairs with such a file that this version of the judge has read."""
    by_others: int = 0
    """The same of other versions of its model: with other prompts, tools or guidance."""


def measurements(database: Database, project_ids: Sequence[str]) -> tuple[Benchmark, ...]:
    """All benchmarks and probes on pairs of these projects, and all answers of other judges; the oldest first."""
    with database.read() as connection:
        return benchmarks.listed(connection, project_ids=project_ids)


def beyond(
    database: Database, project_id: str, known: Sequence[Benchmark], *, model: str, digest: str
) -> tuple[Beyond, ...]:
    """The kinds of files of a project on which this version of a judge was measured on fewer than 20 labelled pairs."""
    measured: Counter[str] = Counter()
    by_others: Counter[str] = Counter()
    for each in known:
        if (
            each.figures is not None
            and each.judge_model == model
            and each.source is not BenchmarkSource.PROBES
        ):
            # The same set may be read again: the largest of its measurements counts.
            where = measured if each.judge_digest == digest else by_others
            for family, number in each.figures.families.items():
                where[family] = max(where[family], number)
    comparison, view_file = tables.comparison.c, tables.view_file.c
    sides = [
        sa.select(comparison.id, view_file.family)
        .join_from(tables.comparison, tables.view_file, view_file.view_id == side)
        .where(comparison.project_id == project_id)
        for side in (comparison.view_a, comparison.view_b)
    ]
    both = sa.union(*sides).subquery()
    query = sa.select(both.c.family, sa.func.count().label("pairs")).group_by(both.c.family)
    with database.read() as connection:
        found = [
            Beyond(
                family=row.family,
                pairs=row.pairs,
                measured=measured[row.family],
                by_others=by_others[row.family],
            )
            for row in connection.execute(query)
        ]
    return tuple(
        sorted((each for each in found if each.measured < FEW), key=lambda each: (-each.pairs, each.family))
    )


def lines_of(found: Benchmark) -> tuple[tuple[str, str], ...]:
    """The figures of a benchmark, each with its name and its words."""
    figures = found.figures
    if figures is None:
        return (("state", "nothing is read yet"),)
    if figures.probes:
        return (
            *((kind, passed_in_words(passed)) for kind, passed in figures.probes.items()),
            *_took(found),
            ("failed", ", ".join(figures.fell_for) or "none"),
        )
    counts, known = figures.counts, accuracy(figures.counts)
    n = counts.covered
    return (
        ("pairs", f"{counts.pairs:,}"),
        ("read in both orders", f"{n:,} ({'all' if n == counts.pairs else _words(known.coverage)})"),
        ("mean accuracy over both orders", _words(known.mean, raw=_ratio(counts.right, 2 * n))),
        ("without ties", _words(known.without_ties, raw=_ratio(counts.right_decided, counts.decided))),
        ("right in both orders", _words(known.both, raw=_ratio(counts.both, n))),
        ("same winner in both orders", _words(known.consistent, raw=_ratio(counts.consistent, n))),
        ("verdict of all readings right", _words(known.verdict)),
        ("kappa", _coefficient(known.kappa)),
        (SCORES_DISAGREE, f"{counts.contradicted:,} of {n:,}"),
        (
            "named the output shown first",
            _words(known.to_first, raw=_ratio(counts.first, counts.first + counts.second)),
        ),
        *_lengths(counts, known),
        *_together(figures),
        *_took(found),
    )


def _lengths(counts: Counts, known: Accuracy) -> tuple[tuple[str, str], ...]:
    """How often the longer output was named, and how often the labels name it; nothing where lengths are not known."""
    read, labelled = counts.longer + counts.shorter, counts.label_longer + counts.label_shorter
    if not read:
        return ()
    return (
        ("named the longer output", _words(known.to_longer, raw=_ratio(counts.longer, read))),
        ("labels that name the longer output", _ratio(counts.label_longer, labelled)),
    )


def _together(figures: BenchmarkResult) -> tuple[tuple[str, str], ...]:
    """What is said of several judges only."""
    worth = figures.worth
    if worth is None:
        return ()
    without = ("no joint verdict", f"{figures.counts.undecided:,} of {figures.counts.covered:,}")
    if isinstance(worth, TooFew):
        return (without, ("effective number of votes", f"too few pairs ({worth.n})"))
    return (
        without,
        ("effective number of votes", f"{worth.votes:.1f} of {len(worth.members)} judges"),
        ("against its best judge", against_best(worth)),
    )


def against_best(worth: JointWorth) -> str:
    """Whether a judge panel is right more often than its best judge, in words."""
    best = worth.members[0]
    beats = "beats it" if worth.beats_best else "does not beat it"
    return f"right on {worth.panel_right} of {worth.n}, {best.name} on {best.right}: {beats} beyond chance"


def passed_in_words(passed: Passed) -> str:
    """How many readings passed, with the interval over pairs.

    >>> passed_in_words(Passed(passed=3, readings=4, pairs=2))
    '3 of 4 readings (2 pairs)'
    """
    passed_of = f"{passed.passed:,} of {passed.readings:,} readings ({passed.pairs:,} pairs)"
    found = rate(passed)
    if isinstance(found, TooFew):
        return passed_of
    return f"{passed_of}, 95% interval {found.interval.low:.0%} to {found.interval.high:.0%}"


def rate(passed: Passed) -> Estimate | TooFew:
    """The share of readings that passed; both readings of a pair count as one observation. TooFew below 5 pairs."""
    if not passed.readings or passed.pairs < MIN_PAIRS:
        return TooFew(n=passed.pairs, needed=MIN_PAIRS)
    return share(passed.passed / passed.readings * passed.pairs, passed.pairs, needed=MIN_PAIRS)


MIN_PAIRS = 5


def _took(found: Benchmark) -> tuple[tuple[str, str], ...]:
    figures = found.figures
    assert figures is not None
    if found.source is BenchmarkSource.ANSWERS:
        return ()
    cost = f"{figures.cost:.4f} USD" + (f", {figures.unpriced:,} tries unpriced" if figures.unpriced else "")
    return (
        ("tries", f"{figures.tries:,}, {figures.failed:,} failed"),
        ("tokens", f"{figures.tokens:,}"),
        ("cost of the readings", cost),
    )


def _ratio(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" if whole else "none"


def _words(found: Estimate | TooFew, *, raw: str = "") -> str:
    if isinstance(found, TooFew):
        return raw or f"too few ({found.n})"
    ends = found.interval
    return f"{found.value:.1%}, 95% interval {ends.low:.0%} to {ends.high:.0%}, n = {found.n:,}"


def _coefficient(found: Estimate | TooFew | Undefined) -> str:
    if isinstance(found, Estimate):
        return f"{found.value:.2f} ({found.interval.low:.2f} to {found.interval.high:.2f})"
    return f"too few ({found.n})" if isinstance(found, TooFew) else found.reason
