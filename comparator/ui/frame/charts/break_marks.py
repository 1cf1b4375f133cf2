"""Marks on a chart where figures stop to compare: a dashed line before a step, a short name, and words to point at."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from comparator.reporting.results.breaks import Break
from comparator.ui.frame.charts.plotting import LETTER, LINE, caption, marks, upright
from comparator.ui.frame.charts.theme import Palette
from comparator.ui.frame.words import counted

WIDTH = 300
"""Pixels of a narrow chart."""
LISTED = 4
"""Breaks that a sentence names."""
NOT_CHECKED = "With so many pairs, changes of judge, guidance, model, rubric and tasks are not checked."


class BreakMark(NamedTuple):
    """A mark half a step before `at`, so that a break stands between two steps: a short name, and what it says when
    it is pointed at."""

    at: float
    short: str
    words: str


def marks_of(breaks: Sequence[Break] | None, steps: Sequence[str]) -> list[BreakMark]:
    """The marks of breaks between these steps."""
    return [
        # There is little room above a chart.
        BreakMark(
            change.at,
            ", ".join(changes(change)).replace("candidates' ", ""),
            f"At {steps[change.at]}: {what(change)}",
        )
        for change in breaks or ()
    ]


def changes(change: Break) -> tuple[str, ...]:
    """What is otherwise since a break, a word each."""
    parts = (
        ("judge", change.judge),
        ("guidance", change.guidance),
        ("candidates' model", change.models),
        ("rubric", change.rubrics),
        ("tasks", change.tasks),
    )
    return tuple(name for name, there in parts if there)


def what(change: Break) -> str:
    """What is otherwise since a break."""
    parts = []
    if change.judge:
        before, now = change.judge
        parts.append(
            f"another judge, {now} after {before}"
            if before != now
            else f"{now} with other prompts or settings"
        )
    if change.guidance:
        before, now = change.guidance
        parts.append(f"other guidance, {now} after {before}")
    if change.models:
        before, now = change.models
        parts.append(f"another model behind the candidates, {now} after {before}")
    if change.rubrics:
        parts.append(f"another rubric for {counted(change.rubrics, 'task')}")
    if change.tasks:
        parts.append(f"{counted(change.tasks, 'task')} new, removed or reworded")
    return "; ".join(parts)


def sentence(breaks: Sequence[Break] | None, steps: Sequence[str]) -> str:
    """What the dashed lines are, in a sentence, or that nobody looked for breaks; empty where there are none."""
    if breaks is None:
        return NOT_CHECKED
    if not breaks:
        return ""
    return f"A dashed line separates what cannot be compared ({first_breaks(breaks, steps)})."


def first_breaks(breaks: Sequence[Break], steps: Sequence[str]) -> str:
    """The first breaks, each by its step and what is otherwise there."""
    first = "; ".join(f"{steps[change.at]}: {what(change)}" for change in breaks[:LISTED])
    return f"{first}; and {len(breaks) - LISTED} more" if len(breaks) > LISTED else first


def rules(break_marks: Sequence[BreakMark], palette: Palette, *, dash: str = "dash") -> list[dict[str, Any]]:
    """The lines across the chart."""
    return [upright(mark.at - 0.5, palette.muted, dash=dash) for mark in break_marks]


def heads(break_marks: Sequence[BreakMark], palette: Palette, *, top: float) -> dict[str, Any]:
    """A mark to point at on top of each break; `top` is the upper end of the y axis."""
    marker = {"size": 10, "symbol": "triangle-down", "color": palette.muted}
    return marks(
        [mark.at - 0.5 for mark in break_marks],
        [top] * len(break_marks),
        [mark.words for mark in break_marks],
        marker=marker,
    )


def above(words: Sequence[tuple[float, str]], steps: int, *, shift: int, colour: str) -> list[dict[str, Any]]:
    """Words above places of the chart, `shift` pixels up, in a second row where they would run into each other on a
    narrow chart; what has room in neither is left out."""
    captions, free = [], [0.0, 0.0]
    for at, text in words:
        middle, width = (at + 0.5) / max(steps, 1) * WIDTH, len(text) * LETTER
        anchor = "left" if middle < width / 2 else "right" if WIDTH - middle < width / 2 else "center"
        left = middle - {"left": 0, "center": width / 2, "right": width}[anchor]
        row = next((row for row, end in enumerate(free) if end <= left), None)
        if row is None:
            continue
        free[row] = left + width + 12
        look = {
            "yref": "paper",
            "yanchor": "bottom",
            "xanchor": anchor,
            "font": {"color": colour, "size": 12},
        }
        captions.append(caption(text, at, 1, yshift=shift + LINE * row, **look))
    return captions
