"""The tab Confidence: what each version's stated confidence is worth, once enough blind reviews say so."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.trust.confidence import calibrated
from comparator.reporting.trust.record import VersionRecord
from comparator.stats.raters.calibration import NEEDED, Calibration
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Chart, Lines, ends
from comparator.ui.frame.charts import show as show_charts
from comparator.ui.frame.inputs.choices import choose_project
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
    charts = tuple(
        _calibration_chart(each.version, each.calibration)
        for each in found
        if isinstance(each.calibration, Calibration)
    )
    few = [each for each in found if not isinstance(each.calibration, Calibration)]
    if not charts:
        most = max((each.calibration.n for each in few), default=0)
        _box(
            "The judge's confidence is not calibrated yet",
            f"Its stated confidence is not a probability. Calibration takes {NEEDED} blind reviews of pairs that one "
            f"version of the judge read; there are {most:,} so far.",
        )
        return
    show_charts(charts)
    for each in few:
        reviews = counted(each.calibration.n, "blind review")
        st.caption(safe.text(f"{called(each.version)}: {reviews}, {NEEDED} are needed."))


def _box(title: str, text: str) -> None:
    with st.container(border=True, width=720):
        st.subheader(safe.text(title), anchor=False)
        st.caption(safe.text(text))


def _calibration_chart(version: VersionRecord, found: Calibration) -> Chart:
    better = "better" if found.helps else "no better"
    levels = [level for level in found.levels if level.n]
    rows = [("Observed", each, each.right / each.n, each.interval) for each in levels]
    rows += [("As stated", each, each.confidence / 100, None) for each in levels]
    rows += [("Calibrated", each, each.probability, None) for each in levels]
    return Chart(
        f"calibration_{version.digest[:8]}",
        f"How often people named the judge's winner, by stated confidence: {called(version)}",
        [
            {
                "Stated confidence": f"{each.confidence}%",
                "Share": round(share, 3),
                "Line": line,
                **ends(interval),
                "Blind reviews": each.n,
            }
            for line, each, share, interval in rows
        ],
        Lines("Stated confidence", "Share", [f"{level.confidence}%" for level in levels], by="Line"),
        note=f"{counted(found.n, 'blind review')}; {METHODS[found.method]}. The calibrated forecast is {better} than "
        "the stated one.",
        help=f"Squared error of a forecast: {found.brier_before:.3f} as stated, {found.brier_after:.3f} calibrated "
        f"(each review left out in turn), {found.brier_constant:.3f} with one figure for all. Stated and observed are "
        f"{found.error_before * 100:.0f} points apart on average.",
    )
