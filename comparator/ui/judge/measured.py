"""What was measured of each judge on labelled pairs, beside what the field published, and what goes beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from comparator.domain.pair.flags import SAME_IN_BOTH_ORDERS
from comparator.domain.pair.view import Family
from comparator.judges.protocol import OFFLINE_CHECK
from comparator.reporting.trust.benchmarks import Beyond, lines_of
from comparator.reporting.trust.published import Published, figures_on
from comparator.reporting.trust.record import JudgeVersion
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.accuracy import Counts, accuracy
from comparator.store.judging.benchmarks import TOGETHER, Benchmark, BenchmarkSource
from comparator.ui.frame import charts, safe
from comparator.ui.frame.charts.box import Box, Cell
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import FAMILIES, counted

HALF = 0.5
PUBLISHED = "Hollow dots are too few pairs for an interval, or what others published on that set."
NOTHING = "These benchmarks have none."


def who(found: Benchmark, known: Mapping[str, JudgeVersion]) -> str:
    """The judge and its version."""
    if found.judge_kind == "offline":
        return OFFLINE_CHECK
    if found.mode.startswith(TOGETHER):
        # Its digest is that of its members and the quorum.
        return f"{found.judge_model} {found.judge_digest[:6]}"
    version = known.get(found.judge_digest)
    return f"{found.judge_model} v{version.number}" if version else found.judge_model


class ChartFigure(NamedTuple):
    """A figure that a chart can show: its name on the button, what it counts, and what both ends mean."""

    name: str
    title: str
    counts: str
    low: str
    high: str
    taken: Callable[[Counts], Taken]


class Taken(NamedTuple):
    """How many pairs or readings have what a figure counts, and of how many."""

    hits: float
    n: int
    unit: str = "pair"


FIGURES: Mapping[str, ChartFigure] = MappingProxyType(
    {
        "mean": ChartFigure(
            "Accuracy",
            "Accuracy on labelled pairs, averaged over both orders",
            "A reading is right if it names the label's winner; a tie is right only if the label is one.",
            "as a coin",
            "right",
            lambda counts: Taken(counts.right / 2, counts.covered),
        ),
        "both": ChartFigure(
            "Right in both orders",
            "Pairs on which the judge was right in both orders",
            "A judge that follows the order is right in one of the two.",
            "wrong",
            "right",
            lambda counts: Taken(counts.both, counts.covered),
        ),
        "verdict": ChartFigure(
            "Verdict right",
            "Pairs on which the verdict of all readings was right",
            "Both orders and all repetitions together.",
            "as a coin",
            "right",
            lambda counts: Taken(sum(row[at] for at, row in enumerate(counts.verdicts)), counts.covered),
        ),
        "consistent": ChartFigure(
            SAME_IN_BOTH_ORDERS,
            "Pairs on which the judge named the same winner in both orders, right or wrong",
            "The rest depends on the order.",
            "follows the order",
            "consistent",
            lambda counts: Taken(counts.consistent, counts.covered),
        ),
        "to_first": ChartFigure(
            "Position bias",
            "Readings that named the output shown first",
            "Of the readings that named a winner. Each pair is read in both orders, so a judge without position bias "
            "is at 50%, the dashed line.",
            "the second",
            "the first",
            lambda counts: Taken(counts.first, counts.first + counts.second, "reading"),
        ),
        "to_longer": ChartFigure(
            "Length bias",
            "Readings that named the longer output",
            "Of the readings that named a winner, on pairs whose outputs differ in length by a tenth or more. Longer "
            "may be better: a judge without length bias names the longer output as often as the labels do.",
            "the shorter",
            "the longer",
            lambda counts: Taken(counts.longer, counts.longer + counts.shorter, "reading"),
        ),
    }
)


def first_figure(found: Sequence[Benchmark]) -> str:
    """The figure that a chart begins with: the first one that others published on the newest set, else accuracy."""
    for each in reversed(_done(found)):
        for key in FIGURES:
            if any(getattr(other, key, None) is not None for other in figures_on(each.name)):
                return key
    return next(iter(FIGURES))


def measured_boxes(
    found: Sequence[Benchmark], known: Mapping[str, JudgeVersion], *, figure: str, theme: ColourTheme
) -> Iterator[Box]:
    """The chart of this figure, the newest set first and of each judge its newest reading of it, and a table of all."""
    done = _done(found)
    if not done:
        return
    names = list(dict.fromkeys(each.name for each in reversed(done)))
    rows = [each for name in names for each in done if each.name == name]
    newest = {(each.name, each.judge_model, each.judge_digest, each.mode): each for each in rows}
    yield _figure(figure, tuple(newest.values()), names, known, theme=theme)
    yield _all_figures(rows, known)


def _done(found: Sequence[Benchmark]) -> list[Benchmark]:
    return [
        each
        for each in found
        if each.source is not BenchmarkSource.PROBES and each.figures and each.figures.counts.covered
    ]


def _figure(
    key: str,
    rows: Sequence[Benchmark],
    names: Sequence[str],
    known: Mapping[str, JudgeVersion],
    *,
    theme: ColourTheme,
) -> Box:
    shown, about = PALETTES[theme], FIGURES[key]
    drawn: list[charts.Point] = []
    table: list[dict[str, Cell]] = []
    for name in names:
        for each in rows:
            if each.name == name and (shown_as := _measured(key, each, known)) is not None:
                point, row = shown_as
                drawn.append(point)
                table.append(row)
        if key == "to_longer":
            labels = _labels(name, rows)
            drawn += [point for point, _ in labels]
            table += [row for _, row in labels]
        for other in figures_on(name):
            value = getattr(other, key, None)
            if value is not None:
                drawn.append(_published(name, other, value))
                table.append(
                    {
                        "Set": name,
                        "Judge": f"published: {other.judge}",
                        "Share": f"{value:.1%}",
                        "Pairs": other.n,
                        "Source": other.source,
                    }
                )
    return Box(
        f"measured_{key}",
        title=about.title,
        counts=f"{about.counts} {PUBLISHED if drawn else NOTHING}",
        figure=charts.points(
            drawn,
            colour=shown.accent,
            even=HALF,
            low=about.low,
            high=about.high,
            palette=shown,
            between=(-0.03, 1.04),
        )
        if drawn
        else None,
        rows=table,
    )


def _measured(
    key: str, each: Benchmark, known: Mapping[str, JudgeVersion]
) -> tuple[charts.Point, dict[str, Cell]] | None:
    """None where nothing of this kind was counted."""
    assert each.figures is not None
    counts = each.figures.counts
    taken = FIGURES[key].taken(counts)
    if not taken.n:
        return None
    estimate: Estimate | TooFew = getattr(accuracy(counts), key)
    share = taken.hits / taken.n
    name = f"{each.name}: {who(each, known)}, {each.mode}"
    point = charts.Point(
        name,
        share,
        estimate.interval if isinstance(estimate, Estimate) else None,
        f"{share:.0%} of {counted(taken.n, taken.unit)}",
    )
    return point, {
        "Set": each.name,
        "Judge": f"{who(each, known)}, {each.mode}",
        "Share": f"{share:.1%}",
        "Pairs": counts.covered,
        "Source": f"{each.created_at:%d %b %Y}",
    }


def _labels(name: str, rows: Sequence[Benchmark]) -> list[tuple[charts.Point, dict[str, Cell]]]:
    """How often the set's labels name the longer output, by its largest benchmark."""
    known = [each.figures.counts for each in rows if each.name == name and each.figures is not None]
    counts = max(known, key=lambda each: each.label_longer + each.label_shorter)
    n = counts.label_longer + counts.label_shorter
    if not n:
        return []
    share = counts.label_longer / n
    point = charts.Point(f"{name}: its labels", share, None, f"{share:.0%} of {counted(n, 'pair')}")
    row: dict[str, Cell] = {
        "Set": name,
        "Judge": "its labels",
        "Share": f"{share:.1%}",
        "Pairs": n,
        "Source": "",
    }
    return [(point, row)]


def _published(name: str, other: Published, value: float) -> charts.Point:
    number = f", n = {other.n:,}" if other.n else ""
    return charts.Point(f"{name}: published, {other.judge}", value, None, f"{value:.0%}{number}")


def _all_figures(rows: Sequence[Benchmark], known: Mapping[str, JudgeVersion]) -> Box:
    return Box(
        "measured_all",
        title="All figures of these benchmarks",
        counts="One request, tools, repetitions or a judge panel: how the pairs were read. In an order, a judge panel "
        "names the winner that most of its judges name. Without ties: readings that named a winner. Coverage: pairs "
        "read in both orders.",
        figure=None,
        rows=[
            {
                "Set": each.name,
                "Judge": who(each, known),
                "Mode": each.mode,
                **{name.capitalize(): value for name, value in lines_of(each)},
                "Day": f"{each.created_at:%d %b %Y}",
                "Digest of the set": each.set_digest[:8],
            }
            for each in rows
        ],
    )


def warnings(found: Sequence[Beyond], *, model: str) -> None:
    """Say where the project goes beyond what was measured of this judge."""
    if not found:
        return
    never = [
        f"{_family(each)} ({counted(each.pairs, 'pair')})"
        for each in found
        if not each.measured and not each.by_others
    ]
    few = [
        f"{_family(each)} ({each.measured:d} measured, {counted(each.pairs, 'pair')} here)"
        for each in found
        if each.measured
    ]
    sentences = [f"{model} was never measured on {', '.join(never)}."] if never else []
    sentences += [f"This version of {model} was measured on only a few {', '.join(few)}."] if few else []
    others = [f"{_family(each)} ({counted(each.by_others, 'pair')})" for each in found if each.by_others]
    if others:
        sentences.append(
            f"Other versions of {model}, with other prompts, tools or guidance, were measured on {', '.join(others)}."
        )
    sentences.append(
        "How well it judges such outputs is not known. A benchmark on reviewed pairs would tell."
    )
    st.warning(safe.text(" ".join(sentences)), icon=":material/warning:")


def _family(each: Beyond) -> str:
    try:
        return f"{FAMILIES[Family(each.family)]} files"
    except (KeyError, ValueError):
        return f"{each.family} files"
