"""The figures of a judge's record on labelled pairs, in words."""

from __future__ import annotations

from comparator.domain.pair.notes import SCORES_DISAGREE
from comparator.reporting.trust.labelled_record import AS_GIVEN, LabelledRecord
from comparator.stats.figures import Estimate, TooFew, Undefined
from comparator.stats.raters.accuracy import Accuracy, Counts, accuracy
from comparator.stats.raters.several_judges import JointWorth


def lines_of(found: LabelledRecord) -> tuple[tuple[str, str], ...]:
    """The figures of a record, each with its name and its words."""
    counts, known = found.counts, accuracy(found.counts)
    n = counts.covered
    if found.mode == AS_GIVEN:
        return (
            ("pairs", f"{counts.pairs:,}"),
            ("with an answer", f"{n:,}"),
            ("verdict right", _words(known.verdict, raw=_ratio(right_verdicts(counts), n))),
            ("kappa", _coefficient(known.kappa)),
        )
    return (
        ("pairs", f"{counts.pairs:,}"),
        ("read in both orders", f"{n:,} ({'all' if n == counts.pairs else _words(known.coverage)})"),
        ("mean accuracy over both orders", _words(known.mean, raw=_ratio(counts.right, 2 * n))),
        ("without ties", _words(known.without_ties, raw=_ratio(counts.right_decided, counts.decided))),
        ("right in both orders", _words(known.both, raw=_ratio(counts.both, n))),
        ("same winner in both orders", _words(known.consistent, raw=_ratio(counts.consistent, n))),
        ("verdict of all readings right", _words(known.verdict, raw=_ratio(right_verdicts(counts), n))),
        ("kappa", _coefficient(known.kappa)),
        (SCORES_DISAGREE, f"{counts.contradicted:,} of {n:,}"),
        (
            "named the output shown first",
            _words(known.to_first, raw=_ratio(counts.first, counts.first + counts.second)),
        ),
        *_named_a(counts),
        *_lengths(counts, known),
        *_together(found),
        *_took(found),
    )


def parts_of(found: LabelledRecord) -> tuple[tuple[str, str, Counts], ...]:
    """The counts by the kinds of files and by the parts of the set: what kind of part, its name, its counts."""
    return (
        *(("file", name, counts) for name, counts in found.by_file.items()),
        *(("part", name, counts) for name, counts in found.by_part.items()),
    )


def right_verdicts(counts: Counts) -> int:
    """Pairs of which the verdict of all readings is the label's."""
    return sum(row[at] for at, row in enumerate(counts.verdicts))


def _named_a(counts: Counts) -> tuple[tuple[str, str], ...]:
    """How often the verdict named output A, and how often the labels do: the sides are drawn, so it is about half."""
    a, b, _ = (sum(row) for row in counts.verdicts)
    label_a, label_b, _ = (sum(column) for column in zip(*counts.verdicts, strict=True))
    return (
        ("named output A", _ratio(a, a + b)),
        ("labels that name output A", _ratio(label_a, label_a + label_b)),
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


def _together(found: LabelledRecord) -> tuple[tuple[str, str], ...]:
    """What is said of several judges only."""
    worth = found.worth
    if worth is None:
        return ()
    without = ("no joint verdict", f"{found.counts.undecided:,} of {found.counts.covered:,}")
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
    better = "better" if worth.beats_best else "not better"
    return f"right on {worth.panel_right} of {worth.n}, {best.name} on {best.right}: {better} beyond chance"


def _took(found: LabelledRecord) -> tuple[tuple[str, str], ...]:
    cost = f"{found.cost:.4f} USD" + (f", {found.unpriced:,} tries unpriced" if found.unpriced else "")
    return (
        ("tries", f"{found.tries:,}, {found.failed:,} failed"),
        ("tokens", f"{found.tokens:,}"),
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
