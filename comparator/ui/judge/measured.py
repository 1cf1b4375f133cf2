"""What was measured of each judge on labelled pairs, beside what the field published, and what goes beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from comparator.domain.pair.view import Family
from comparator.reporting.trust.benchmarks import Beyond, lines_of
from comparator.reporting.trust.published import Published, beside
from comparator.reporting.trust.record import Version
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.accuracy import accuracy
from comparator.store.judging.benchmarks import Benchmark, BenchmarkSource
from comparator.ui.frame import charts, safe
from comparator.ui.frame.charts.panel_box import Cell, Panel
from comparator.ui.frame.charts.theme import PALETTES, Theme
from comparator.ui.frame.words import FAMILIES, counted

HALF = 0.5
PUBLISHED = "Hollow dots are too few pairs for an interval, or what others published on that set."


def who(found: Benchmark, known: Mapping[str, Version]) -> str:
    """The judge and its version."""
    if found.judge_kind == "offline":
        return "offline check"
    version = known.get(found.judge_digest)
    return f"{found.judge_model} v{version.number}" if version else found.judge_model


class ChartFigure(NamedTuple):
    """A figure that a chart can show: its name on the button, what it counts, and what the left end means."""

    name: str
    title: str
    counts: str
    low: str


FIGURES: Mapping[str, ChartFigure] = MappingProxyType(
    {
        "mean": ChartFigure(
            "Accuracy",
            "Accuracy on labelled pairs, averaged over both orders",
            "A reading is right if it names the label's winner; a tie is right only if the label is one.",
            "as a coin",
        ),
        "both": ChartFigure(
            "Right in both orders",
            "Pairs on which the judge was right in both orders",
            "A judge that follows the order is right in one of the two.",
            "wrong",
        ),
        "verdict": ChartFigure(
            "Verdict right",
            "Pairs on which the verdict of all readings was right",
            "Both orders and all repetitions together.",
            "as a coin",
        ),
        "consistent": ChartFigure(
            "Same in both orders",
            "Pairs on which the judge named the same winner in both orders, right or wrong",
            "The rest depends on the order.",
            "follows the order",
        ),
    }
)


def measured_panels(
    found: Sequence[Benchmark], known: Mapping[str, Version], *, figure: str, theme: Theme
) -> Iterator[Panel]:
    """The chart of this figure, the newest set first and of each judge its newest reading of it, and a table of all."""
    done = [each for each in found if each.source is not BenchmarkSource.PROBES and _read(each)]
    if not done:
        return
    names = list(dict.fromkeys(each.name for each in reversed(done)))
    rows = [each for name in names for each in done if each.name == name]
    newest = {(each.name, each.judge_model, each.judge_digest, each.mode): each for each in rows}
    yield _figure(figure, tuple(newest.values()), names, known, theme=theme)
    yield _all_figures(rows, known)


def _read(each: Benchmark) -> bool:
    return each.figures is not None and each.figures.counts.covered > 0


def _figure(
    key: str,
    rows: Sequence[Benchmark],
    names: Sequence[str],
    known: Mapping[str, Version],
    *,
    theme: Theme,
) -> Panel:
    shown, told = PALETTES[theme], FIGURES[key]
    drawn: list[charts.Point] = []
    table: list[dict[str, Cell]] = []
    for name in names:
        for each in rows:
            if each.name == name:
                point, row = _measured(key, each, known)
                drawn.append(point)
                table.append(row)
        for other in beside(name):
            value = getattr(other, key)
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
    return Panel(
        f"measured_{key}",
        title=told.title,
        counts=f"{told.counts} {PUBLISHED}",
        figure=charts.points(
            drawn,
            colour=shown.accent,
            even=HALF,
            low=told.low,
            high="consistent" if key == "consistent" else "right",
            palette=shown,
            between=(-0.03, 1.04),
        ),
        rows=table,
    )


def _measured(
    key: str, each: Benchmark, known: Mapping[str, Version]
) -> tuple[charts.Point, dict[str, Cell]]:
    assert each.figures is not None
    counts = each.figures.counts
    raw = {
        "mean": counts.right / 2,
        "both": float(counts.both),
        "consistent": float(counts.consistent),
        "verdict": float(sum(row[at] for at, row in enumerate(counts.verdicts))),
    }[key]
    estimate: Estimate | TooFew = getattr(accuracy(counts), key)
    share = raw / counts.covered
    name = f"{each.name}: {who(each, known)}, {each.mode}"
    point = charts.Point(
        name,
        share,
        estimate.interval if isinstance(estimate, Estimate) else None,
        f"{share:.0%} of {counted(counts.covered, 'pair')}",
    )
    return point, {
        "Set": each.name,
        "Judge": f"{who(each, known)}, {each.mode}",
        "Share": f"{share:.1%}",
        "Pairs": counts.covered,
        "Source": f"{each.created_at:%d %b %Y}",
    }


def _published(name: str, other: Published, value: float) -> charts.Point:
    number = f", n = {other.n}" if other.n else ""
    return charts.Point(f"{name}: published, {other.judge}", value, None, f"{value:.0%}{number}")


def _all_figures(rows: Sequence[Benchmark], known: Mapping[str, Version]) -> Panel:
    return Panel(
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
                "Day": f"{each.created_at:%d %b %Y}",
                "Set's digest": each.set_digest[:8],
                **{name.capitalize(): value for name, value in lines_of(each)},
            }
            for each in rows
        ],
    )


def warnings(found: Sequence[Beyond], *, model: str) -> None:
    """Say where the project goes beyond what was measured of this judge."""
    if not found:
        return
    never = [f"{_family(each)} ({counted(each.pairs, 'pair')})" for each in found if not each.measured]
    few = [
        f"{_family(each)} ({each.measured:d} measured, {counted(each.pairs, 'pair')} here)"
        for each in found
        if each.measured
    ]
    told = [f"{model} was never measured on {', '.join(never)}."] if never else []
    told += [f"It was measured on only a few {', '.join(few)}."] if few else []
    told.append("How well it judges such outputs is not known. A benchmark on reviewed pairs would tell.")
    st.warning(safe.text(" ".join(told)), icon=":material/warning:")


def _family(each: Beyond) -> str:
    try:
        return f"{FAMILIES[Family(each.family)]} files"
    except (KeyError, ValueError):
        return f"{each.family} files"
