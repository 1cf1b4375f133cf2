"""The tab Probes: how often each judge passed where a good one always does, and what it fell for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from comparator.judges.probes.cases import MUST, ProbeKind
from comparator.reporting.trust.benchmarks import measurements, passed_in_words, rate
from comparator.reporting.trust.record import JudgeVersion, versions
from comparator.stats.figures import Estimate
from comparator.store.judging.benchmarks import Benchmark, BenchmarkSource, Passed
from comparator.ui.frame import charts, session
from comparator.ui.frame.charts.box import Box, Cell
from comparator.ui.frame.charts.box import show as show_boxes
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.words import counted
from comparator.ui.judge.measured import who
from comparator.ui.judge.scope import Scope
from comparator.ui.judge.start import running, start_of_probes

ALWAYS = 1.0


def show(scope: Scope) -> None:
    """Show the newest run of the probes by each version of each judge; before the first one, what will stand here."""
    database = session.services().database
    waiting = running()
    found = [
        each
        for each in measurements(database, scope.readable)
        if each.source is BenchmarkSource.PROBES
        and each.id not in waiting
        and each.figures
        and each.figures.counts.covered
    ]
    newest = {(each.judge_kind, each.judge_model, each.judge_digest, each.mode): each for each in found}
    if not newest:
        with st.container(border=True, width=720):
            st.subheader("No probe has been run yet", anchor=False)
            st.caption(
                "This tab will show how often the judge falls for a trick: the same output twice, a planted defect, "
                "padding, reformatting, a compliment, a changed label, and injections in names, text, metadata, hidden "
                "sheets and pages. About 150 short requests."
            )
            if not waiting:
                start_of_probes()
        return
    if not waiting:
        start_of_probes()
    show_boxes(tuple(probe_boxes(tuple(newest.values()), versions(database), theme=scope.theme)))


def probe_boxes(
    found: Sequence[Benchmark], known: Mapping[str, JudgeVersion], *, theme: ColourTheme
) -> Iterator[Box]:
    """A chart for each judge and version, the newest first, and what it fell for."""
    shown = PALETTES[theme]
    for at, each in enumerate(sorted(found, key=lambda each: each.created_at, reverse=True)):
        assert each.figures is not None
        probes = {kind: each.figures.probes.get(kind.value, Passed()) for kind in ProbeKind}
        rows = [(kind, passed) for kind, passed in probes.items() if passed.readings]
        fell = each.figures.fell_for
        yield Box(
            f"probes_{at}",
            title=f"{who(each, known)}, {each.mode}, {each.created_at:%d %b %Y}",
            counts="How often a reading passed where a good judge always does. "
            + (f"It failed on {counted(len(fell), 'pair')}." if fell else "It passed on every pair."),
            figure=charts.points(
                [
                    charts.Point(
                        f"{kind.value}: {MUST[kind]}",
                        passed.passed / passed.readings,
                        estimate.interval if isinstance(estimate, Estimate) else None,
                        f"{passed.passed} of {counted(passed.readings, 'reading')}",
                    )
                    for kind, passed in rows
                    for estimate in (rate(passed),)
                ],
                colour=shown.accent,
                even=ALWAYS,
                low="fell for it",
                high="passed",
                palette=shown,
                between=(-0.03, 1.04),
            ),
            rows=[
                *(_row(kind, passed) for kind, passed in rows),
                *({"Probe": f"fell for: {name}"} for name in fell),
            ],
        )


def _row(kind: ProbeKind, passed: Passed) -> dict[str, Cell]:
    return {"Probe": kind.value, "Must": MUST[kind], "Passed": passed_in_words(passed), "Pairs": passed.pairs}
