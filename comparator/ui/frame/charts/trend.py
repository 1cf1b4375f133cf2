"""The trend over iterations or days, as dashboards, cards, report and history draw it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from comparator.domain.project import ChartNote
from comparator.reporting.results.breaks import Break
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.chart import Chart, Link
from comparator.ui.frame.charts.drawing import Row
from comparator.ui.frame.charts.lines import Lines
from comparator.ui.frame.estimates import percent

NEAR = 0.15
"""Rates that lie no farther apart are near their mean."""


class Stretch(NamedTuple):
    """Steps from place `at` up to, not including, `end` between two changes beyond chance, and what they share."""

    at: int
    end: int
    share: float


def trend(
    name: str,
    title: str,
    rows: Sequence[Row],
    lines: Lines,
    *,
    levels: Sequence[Stretch] = (),
    breaks: Sequence[Break] | None = (),
    notes: Sequence[ChartNote] = (),
    opens: Mapping[str, Sequence[Link | None]] | None = None,
    note: str = "",
    method: str = "",
) -> Chart:
    """The lines with levels, breaks and notes marked. With `levels`, the title says what the figure did."""
    steps = lines.steps
    # The levels are those of the first line.
    first = [row for row in rows if not lines.by or row[lines.by] == rows[0][lines.by]]
    known = {
        steps.index(str(row[lines.x])): row[lines.value] for row in first if row[lines.value] is not None
    }
    return Chart(
        name,
        f"{title} {_changes(levels, breaks or (), steps, known)}" if levels else title,
        rows,
        replace(
            lines,
            breaks=break_marks.marks_of(breaks, steps),
            levels=[(*level, f"mean {percent(level.share)}") for level in levels] if len(levels) > 1 else (),
            notes=[
                break_marks.BreakMark(
                    steps.index(chart_note.step) + 0.5,
                    chart_note.words,
                    f"{chart_note.step}: {chart_note.words}",
                )
                for chart_note in notes
                if chart_note.step in steps
            ],
        ),
        opens or {},
        note=note or (break_marks.NOT_CHECKED if breaks is None else ""),
        help=f"{method} {break_marks.sentence(breaks, steps)}".strip(),
    )


def _changes(
    levels: Sequence[Stretch], breaks: Sequence[Break], steps: Sequence[str], known: Mapping[int, Any]
) -> str:
    """What the rate did, with what else changed since the step before it; `known` are the rates by their steps."""
    if len(levels) < 2:
        least, most = min(known.values()), max(known.values())
        if most - least <= NEAR:
            return f"stays near {percent(levels[0].share)}: no change beyond chance"
        return f"lies between {percent(least)} and {percent(most)}: no change beyond chance"
    turns = []
    for before, stretch in pairwise(levels):
        last = max((at for at in known if at < stretch.at), default=stretch.at)
        changed = dict.fromkeys(
            part for mark in breaks if last < mark.at <= stretch.at for part in break_marks.changes(mark)
        )
        also = f" ({' and '.join(changed)} changed too)" if changed else ""
        turns.append(f"{'rose' if stretch.share > before.share else 'fell'} at {steps[stretch.at]}{also}")
    return ", ".join(turns)
