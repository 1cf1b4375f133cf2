"""Charts of judges on labelled pairs, beside what others published, with the parts of the set and what was missed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from comparator.domain.pair.notes import SAME_IN_BOTH_ORDERS
from comparator.domain.pair.view import Family
from comparator.judges.protocol import OFFLINE_CHECK
from comparator.reporting.trust.labelled_record import (
    AS_GIVEN,
    Beyond,
    LabelledRecord,
    hidden_from,
    labelled_records,
)
from comparator.reporting.trust.published import figures_on
from comparator.reporting.trust.record import JudgeVersion, versions
from comparator.reporting.trust.record_words import lines_of, parts_of, right_in_both, right_verdicts
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.accuracy import Counts, accuracy
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import PAIR, Chart, ends
from comparator.ui.frame.charts.drawing import Dots, Row
from comparator.ui.frame.words import FAMILIES, counted

PUBLISHED = "Hollow dots are too few pairs for an interval, or what others published on that set."
NOTHING = "These judges have no data for this figure."
MOST_MISSED = 200
"""Pairs that are listed of those that a judge got wrong."""


def who(found: LabelledRecord, known: Mapping[str, JudgeVersion]) -> str:
    """The judge and its version."""
    if found.judge.kind == "offline":
        return OFFLINE_CHECK
    version = known.get(found.judge.digest)
    return f"{found.judge.model} v{version.number}" if version else found.judge.model


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
            lambda counts: Taken(right_verdicts(counts), counts.covered),
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
            lambda counts: Taken(counts.first, counts.first + counts.second),
        ),
        "to_longer": ChartFigure(
            "Length bias",
            "Readings that named the longer output",
            "Of the readings that named a winner, on pairs whose outputs differ in length by a tenth or more. Longer "
            "may be better: a judge without length bias names the longer output as often as the labels do.",
            "the shorter",
            "the longer",
            lambda counts: Taken(counts.longer, counts.longer + counts.shorter),
        ),
    }
)


def first_figure(found: Sequence[LabelledRecord]) -> str:
    """The figure that a chart begins with: the first one that others published on one of the sets, else accuracy."""
    for project in dict.fromkeys(each.project for each in found):
        for key in FIGURES:
            if any(getattr(other, key, None) is not None for other in figures_on(project)):
                return key
    return next(iter(FIGURES))


def record_charts(project_id: str) -> Iterator[Chart]:
    """The charts of all judges that read labelled pairs of the project; none where nobody has."""
    database = session.services().database
    found = labelled_records(database, [project_id])
    if found:
        yield from labelled_charts(
            found,
            versions(database),
            figure=first_figure(found),
            hidden=hidden_from(database, found, session.me().id),
        )


def labelled_charts(
    found: Sequence[LabelledRecord],
    known: Mapping[str, JudgeVersion],
    *,
    figure: str,
    hidden: Collection[str],
) -> Iterator[Chart]:
    """The chart of this figure, a table of all figures, the parts of the sets, and the pairs that judges missed.

    `hidden` are pairs of which this person may not see yet what a judge said.
    """
    if not found:
        return
    yield _figure(figure, found, known)
    yield Chart(
        "labelled_all",
        "All figures on labelled pairs",
        [
            {
                "Set": each.project,
                "Judge": who(each, known),
                "Mode": each.mode,
                **{name.capitalize(): value for name, value in lines_of(each)},
            }
            for each in found
        ],
        help="Mode: how the pairs were read (one request, tools, repetitions or a judge panel). In each order, a panel "
        "names the winner that most of its judges name. Without ties: only readings that named a winner, on pairs "
        "whose label names one.",
    )
    yield Chart(
        "labelled_parts",
        "Right in both orders, by kind of file and part of the set",
        [
            {
                "Set": each.project,
                "Judge": who(each, known),
                "Of": name if what == "part" else _family(name),
                "Right in both orders": right_in_both(counts),
                "Pairs": counts.covered,
            }
            for each in found
            for what, name, counts in parts_of(each)
        ],
        help="A pair counts for each kind of file in its outputs, and for each tag of its task.",
    )
    missed = [(each, id) for each in found for id in each.missed if id not in hidden]
    if missed:
        yield Chart(
            "labelled_missed",
            "Pairs that a judge did not get right in both orders",
            [{PAIR: id, "Set": each.project, "Judge": who(each, known)} for each, id in missed[:MOST_MISSED]],
            note=f"{counted(len(missed), 'pair')}"
            + (f", of which {MOST_MISSED} are listed." if len(missed) > MOST_MISSED else "."),
        )


def _figure(key: str, found: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion]) -> Chart:
    about = FIGURES[key]
    rows: list[Row] = []
    for name in dict.fromkeys(each.project for each in found):
        of_set = [each for each in found if each.project == name]
        rows += [row for each in of_set if (row := _measured(key, each, known))]
        if key == "to_longer":
            rows += _labels(name, of_set)
        rows += [
            _row(name, f"published, {other.judge}", value, other.n, source=other.source)
            for other in figures_on(name)
            if (value := getattr(other, key, None)) is not None
        ]
    return Chart(
        f"labelled_{key}",
        about.title,
        rows,
        Dots("Judge", "Share", (0, 1), sides=(about.low, about.high), n="Pairs"),
        note=PUBLISHED if rows else NOTHING,
        help=about.counts,
    )


def _measured(key: str, each: LabelledRecord, known: Mapping[str, JudgeVersion]) -> Row | None:
    """None where nothing of this kind was counted."""
    taken = FIGURES[key].taken(each.counts)
    if not taken.n or (each.mode == AS_GIVEN and key != "verdict"):
        return None
    estimate: Estimate | TooFew = getattr(accuracy(each.counts), key)
    judge = f"{who(each, known)}, {each.mode}"
    return _row(each.project, judge, taken.hits / taken.n, int(taken.n), estimate)


def _labels(name: str, rows: Sequence[LabelledRecord]) -> list[Row]:
    """How often the set's labels name the longer output, by the judge that read most of it."""
    counts = max((each.counts for each in rows), key=lambda each: each.label_longer + each.label_shorter)
    n = counts.label_longer + counts.label_shorter
    return [_row(name, "its labels", counts.label_longer / n, n)] if n else []


def _row(
    name: str, judge: str, share: float, n: int | None, estimate: object = None, *, source: str = ""
) -> Row:
    return {
        "Judge": f"{name}: {judge}",
        "Share": round(share, 3),
        **ends(estimate),
        "Pairs": n,
        "Source": source,
    }


def warnings(found: Sequence[Beyond], *, model: str) -> None:
    """Say where the project goes beyond what was measured of this judge."""
    if not found:
        return
    never = [
        f"{_family(each.family)} ({counted(each.pairs, 'pair')})"
        for each in found
        if not each.measured and not each.by_others
    ]
    few = [
        f"{_family(each.family)} ({each.measured:d} measured, {counted(each.pairs, 'pair')} here)"
        for each in found
        if each.measured
    ]
    sentences = [f"{model} was never measured on {', '.join(never)}."] if never else []
    sentences += [f"This version of {model} was measured on only a few {', '.join(few)}."] if few else []
    others = [
        f"{_family(each.family)} ({counted(each.by_others, 'pair')})" for each in found if each.by_others
    ]
    if others:
        sentences.append(
            f"Other versions of {model}, with other prompts, tools or guidance, were measured on {', '.join(others)}."
        )
    sentences.append("How well it judges such outputs is not known. Measure it on reviewed pairs.")
    st.warning(safe.text(" ".join(sentences)), icon=":material/warning:")


def _family(family: str) -> str:
    try:
        return f"{FAMILIES[Family(family)]} files"
    except (KeyError, ValueError):
        return f"{family} files"
