"""The trend over iterations or days, as dashboards, cards, report and history draw it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from comparator.domain.project import ChartNote
from comparator.reporting.results.breaks import Break
from comparator.reporting.results.over_iterations import Stretch
from comparator.reporting.results.task_history import TaskHistory
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.break_marks import BreakMark
from comparator.ui.frame.charts.chart import Chart, Link
from comparator.ui.frame.charts.drawing import Row
from comparator.ui.frame.charts.lines import Lines
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted


def trend(
    name: str,
    title: str,
    rows: Sequence[Row],
    lines: Lines,
    *,
    levels: Sequence[Stretch] = (),
    breaks: Sequence[Break] | None = (),
    regressed: Sequence[TaskHistory] = (),
    notes: Sequence[ChartNote] = (),
    opens: Mapping[str, Sequence[Link | None]] | None = None,
    note: str = "",
    method: str = "",
) -> Chart:
    """The lines, with marks at breaks, regressions and notes. With `levels`, the title says what the figure did."""
    steps = lines.steps
    # The levels are those of the first line.
    first = [row for row in rows if not lines.by or row[lines.by] == rows[0][lines.by]]
    known = {
        steps.index(str(row[lines.x])): row[lines.value] for row in first if row[lines.value] is not None
    }
    return Chart(
        name,
        f"{title} {_changes(levels, breaks or (), lines, known)}" if levels else title,
        rows,
        replace(
            lines,
            breaks=break_marks.marks_of(breaks, steps),
            levels=[(level.at, level.end, level.share or 0.0) for level in levels] if len(levels) > 1 else (),
            notes=[
                *falls(regressed, steps),
                *(
                    BreakMark(steps.index(own.step) + 0.5, own.words, f"{own.step}: {own.words}")
                    for own in notes
                    if own.step in steps
                ),
            ],
        ),
        opens or {},
        note=note or (break_marks.NOT_CHECKED if breaks is None else ""),
        help=f"{method} {break_marks.sentence(breaks, steps)}".strip(),
    )


def falls(regressed: Sequence[TaskHistory], steps: Sequence[str]) -> Iterator[BreakMark]:
    """A mark where tasks turned from won to lost."""
    for at in sorted({task.turned.at for task in regressed if task.turned}):
        names = [task.name for task in regressed if task.turned and task.turned.at == at]
        words = f"{counted(len(names), 'task')} lost since {steps[at]}, won before: {', '.join(names)}"
        yield BreakMark(at + 0.5, f"{len(names)} regressed", words)


def _changes(
    levels: Sequence[Stretch], breaks: Sequence[Break], lines: Lines, known: Mapping[int, Any]
) -> str:
    """What the rate did, with what else changed since the step before it; `known` are the rates by their steps."""
    if len(levels) == 1:
        least, most = min(known.values()), max(known.values())
        steps = f"{lines.x.lower()}s"
        return (
            f"ranges from {percent(least)} to {percent(most)} across {steps}: no lasting change beyond chance"
        )
    turns: list[str] = []
    for before, stretch in pairwise(levels):
        last = max((at for at in known if at < stretch.at), default=stretch.at)
        changed = dict.fromkeys(
            part for mark in breaks if last < mark.at <= stretch.at for part in break_marks.changes(mark)
        )
        also = f" ({' and '.join(changed)} changed too)" if changed else ""
        turn = "rose" if (stretch.share or 0.0) > (before.share or 0.0) else "fell"
        step = lines.steps[stretch.at]
        unit = f"{lines.x.lower()} " if step.isdigit() and not turns else ""
        turns.append(f"{turn} at {unit}{step}{also}")
    return ", ".join(turns)
