"""The tab Confidence: what each version's stated confidence is worth, once enough blind reviews say so."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.trust.confidence import calibrated
from comparator.reporting.trust.record import VersionRecord
from comparator.stats.raters.calibration import NEEDED, Calibration
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import parts
from comparator.ui.frame.charts.box import Box
from comparator.ui.frame.charts.box import show as show_boxes
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme, Palette
from comparator.ui.frame.inputs.project_choice import choose_project
from comparator.ui.frame.words import counted
from comparator.ui.judge.record import called
from comparator.ui.judge.scope import Scope

METHODS = {"platt": "Platt scaling", "isotonic": "isotonic regression"}


def show(scope: Scope) -> None:
    """Show the calibration of each version in the project that is looked at."""
    if scope.one is None:
        choose_project(
            session.projects(Act.SEE_RESULTS),
            why="A judge's confidence is calibrated for each project by itself.",
        )
        return
    found = calibrated(session.services().database, scope.one)
    boxes = tuple(
        _calibration_box(each.version, each.calibration, scope.theme)
        for each in found
        if isinstance(each.calibration, Calibration)
    )
    few = [each for each in found if not isinstance(each.calibration, Calibration)]
    if not boxes:
        most = max((each.calibration.n for each in few), default=0)
        _box(
            "The judge's confidence is not calibrated yet",
            f"Its stated confidence is not a probability. Calibration takes {NEEDED} blind reviews of pairs that one "
            f"version of the judge read; there are {most:,} so far.",
        )
        return
    show_boxes(boxes)
    for each in few:
        reviews = counted(each.calibration.n, "blind review")
        st.caption(safe.text(f"{called(each.version)}: {reviews}, {NEEDED} are needed."))


def _box(title: str, text: str) -> None:
    with st.container(border=True, width=720):
        st.subheader(safe.text(title), anchor=False)
        st.caption(safe.text(text))


def _calibration_box(version: VersionRecord, found: Calibration, theme: ColourTheme) -> Box:
    shown = PALETTES[theme]
    better = "better" if found.helps else "no better"
    return Box(
        f"calibration_{version.digest[:8]}",
        title=f"How often people named the judge's winner, by stated confidence: {called(version)}",
        counts=f"{counted(found.n, 'blind review')}; {METHODS[found.method]}. Squared error of a forecast: "
        f"{found.brier_before:.3f} as stated, {found.brier_after:.3f} calibrated (each review left out in turn), "
        f"{found.brier_constant:.3f} with one figure for all. The calibrated forecast is {better} than the stated one. "
        f"Stated and observed are {found.error_before * 100:.0f} points apart on average.",
        figure=_picture(found, shown),
        rows=[
            {
                "Stated confidence (%)": level.confidence,
                "Named the same winner": level.right,
                "Blind reviews": level.n,
                "Share": f"{level.right / level.n:.0%}" if level.n else "–",
                "Interval": f"{level.interval.low:.0%} to {level.interval.high:.0%}"
                if level.interval
                else "–",
                "Probability": f"{level.probability:.0%}",
            }
            for level in found.levels
        ],
    )


def _picture(found: Calibration, shown: Palette) -> go.Figure:
    """The observed shares with their intervals, the calibration's line, and what a calibrated judge would state."""
    seen = [level for level in found.levels if level.n and level.interval]
    levels = [level.confidence / 100 for level in found.levels]
    layout = parts.frame(6, palette=shown, legend=True)
    layout["height"] = 380
    layout["margin"] |= {"b": 56}
    layout["xaxis"] |= {"title": {"text": "stated confidence"}, "tickformat": ".0%", "range": [0.47, 1.03]}
    layout["yaxis"] |= {
        "title": {"text": "named people's winner"},
        "tickformat": ".0%",
        "range": [0, 1.04],
    }
    return parts.figure(
        data=[
            _line("as stated", levels, levels, shown.muted, dash="dot"),
            _line("calibrated", levels, [level.probability for level in found.levels], shown.ink),
            {
                "type": "scatter",
                "mode": "markers",
                "name": "observed",
                "x": [level.confidence / 100 for level in seen],
                "y": [level.right / level.n for level in seen],
                "marker": {"color": shown.accent, "size": 10},
                "error_y": {
                    "type": "data",
                    "array": [
                        level.interval.high - level.right / level.n for level in seen if level.interval
                    ],
                    "arrayminus": [
                        level.right / level.n - level.interval.low for level in seen if level.interval
                    ],
                    "color": shown.accent,
                },
                "text": [counted(level.n, "review") for level in seen],
                "hovertemplate": "%{y:.0%} of %{text}<extra></extra>",
            },
        ],
        layout=layout,
    )


def _line(
    name: str, xs: Sequence[float], ys: Sequence[float], colour: str, *, dash: str = "solid"
) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(xs),
        "y": list(ys),
        "line": {"color": colour, "width": 2, "dash": dash},
        "hovertemplate": "%{y:.0%}<extra>" + name + "</extra>",
    }
