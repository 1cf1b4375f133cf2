"""The picture above the list: one figure over iterations or days; a box drawn across it filters the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from comparator.domain.project import ChartNote
from comparator.domain.rights import Act
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import number_of_comparisons
from comparator.reporting.history.picture import (
    SHARES,
    Axis,
    ChartLine,
    Metric,
    MetricPicture,
    Reference,
    picture,
)
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Chart, Lines, Row, break_marks, ends, name_source, numbers
from comparator.ui.frame.charts.chart import sign
from comparator.ui.frame.charts.lines import MOST_BANDS, MOST_NOISE
from comparator.ui.frame.charts.theme import theme
from comparator.ui.frame.lists.filters import one_of_many
from comparator.ui.frame.words import counted
from comparator.ui.history.filters import looked_at
from comparator.ui.history.review_days import review_days_chart
from comparator.ui.history.step_filter import AXES, filter_by, filtered_span, steps_chip
from comparator.workflow.projects.settings import change_settings, project_settings

METRIC, OVER, REFERENCE, DRAWN = "metric", "over", "against", "picture_drawn"
METRICS = {
    Metric.WIN_RATE: "Win rate",
    Metric.SCORE: "Mean score",
    Metric.EXPECTATIONS: "Expectations met",
    Metric.GRADERS: "Imported graders' pass rate",
    Metric.TOKENS: "Tokens",
    Metric.SECONDS: "Seconds",
    Metric.COST: "Cost in USD",
    Metric.AGREEMENT: "Judge agrees with reviewers",
}
RESTS = {
    Metric.WIN_RATE: "share of pairs won, ties counted as half; reviews, else the judge",
    Metric.SCORE: "mean overall score, 2 to 10; reviews, else the judge",
    Metric.EXPECTATIONS: "mean share of expectations met; reviews, else the judge",
    Metric.GRADERS: "mean share of expectations met by graders that came with the runs",
    Metric.TOKENS: "mean tokens of a run",
    Metric.SECONDS: "mean seconds of a run",
    Metric.COST: "mean cost of a run, in USD",
    Metric.AGREEMENT: "share of final reviews that name the judge's winner",
}
MISSING = {
    Metric.GRADERS: "No grader's result came with these runs.",
    Metric.TOKENS: "These runs do not say how many tokens they used.",
    Metric.SECONDS: "These runs do not say how long they took.",
    Metric.COST: "These runs do not say what they cost.",
    Metric.AGREEMENT: "Nobody has reviewed what a model judged in these pairs.",
}
BOX = 240
"""Pixels across a box of choices."""
MOST = 20_000
"""With more pairs, the picture is drawn on request."""


class Pictured(NamedTuple):
    """The project that the picture is of, and the number of its pairs."""

    project_id: str
    pairs: int

    @property
    def at_once(self) -> bool:
        """Whether they are few enough to be counted without being asked."""
        return self.pairs <= MOST

    @property
    def drawn(self) -> bool:
        """Whether the picture is drawn: at once, or as the reader asked."""
        return self.at_once or bool(st.session_state.get(DRAWN))


def pictured() -> Pictured | None:
    """What there is to picture; None where no project is chosen, or its results are not this person's to see."""
    project_id = looked_at()
    if project_id is None:
        return None
    pairs = number_of_comparisons(session.services().database, project_id=project_id)
    return Pictured(project_id, pairs) if pairs else None


def history_picture(asked: HistoryFilter, of: Pictured) -> None:
    """Ask for a figure, and draw it."""
    with st.container(border=True, key="picture"):
        if not of.at_once:
            st.toggle(
                safe.text(f"Draw the figure ({of.pairs:,} comparisons)"),
                key=DRAWN,
                bind="query-params",
            )
        if of.drawn:
            _asked_for(asked.model_copy(update={"project_id": of.project_id}))


def _asked_for(asked: HistoryFilter) -> None:
    banded = 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = _first(asked)
        metric, axis = _figure(first[0]), _axis(first[1])
        database = session.services().database
        found = picture(database, asked, metric, axis=axis)
        if found.reference is not None and len(found.offered) > 1:
            against = _against(found.offered)
            if against != found.reference:
                found = picture(database, asked, metric, axis=axis, reference=against.id)
        if len(found.steps) > 1 and _asks_whose(found.lines):
            banded = _banded(found.lines)
    if not found.lines:
        _before_the_reveal(asked, found)
        return
    project_id = str(asked.project_id)
    name_source(project_id, found.pairs)
    notes = project_settings(session.services(), project_id).notes
    chart = chart_of(found, chosen=filtered_span(found), banded=banded, notes=notes)
    where = "" if session.project_id() else f"{_name(project_id)}. "
    st.caption(safe.text(where + chart.note), help=safe.text(chart.help))
    _draw(chart, found)
    with st.container(horizontal=True):
        steps_chip(found)
        if session.may(Act.CHANGE_SETTINGS, project_id=project_id):
            _note_form(project_id, found, notes)
    with st.expander("The numbers", key="numbers_picture"):
        numbers("picture", chart.numbers)


def _name(project_id: str) -> str:
    return next((each.name for each in session.projects() if each.id == project_id), "")


def _before_the_reveal(asked: HistoryFilter, found: MetricPicture) -> None:
    """What may be told while nobody knows who made which output: reviews by day."""
    st.caption(safe.text(_nothing(found)))
    review_days_chart(asked)


def _first(asked: HistoryFilter) -> tuple[Metric, Axis]:
    """The first figure with two points, by iteration before by day; asked once for each project that is opened."""
    before: tuple[str | None, tuple[Metric, Axis]] | None = st.session_state.get(_FIRST)
    if before is not None and before[0] == asked.project_id:
        return before[1]
    database, project = session.services().database, HistoryFilter(project_id=asked.project_id)
    found = next(
        (
            (metric, axis)
            for axis in Axis
            for metric in Metric
            if len(picture(database, project, metric, axis=axis).steps) > 1
        ),
        (Metric.WIN_RATE, Axis.ITERATIONS),
    )
    st.session_state[_FIRST] = (asked.project_id, found)
    for key in (METRIC, OVER):
        # What was the first of another project is none of this one's.
        if key not in st.query_params and before is not None:
            st.session_state.pop(key, None)
    return found


_FIRST = "picture_first"


def _figure(first: Metric) -> Metric:
    return Metric(
        st.selectbox(
            "Figure",
            [each.value for each in Metric],
            index=list(Metric).index(first),
            format_func=lambda each: METRICS[Metric(each)],
            key=METRIC,
            bind="query-params",
            width=BOX,
        )
        or first
    )


def _axis(first: Axis) -> Axis:
    names = [AXES[each] for each in Axis]
    chosen = st.selectbox(
        "Over", names, index=names.index(AXES[first]), key=OVER, bind="query-params", width=140
    )
    return next(each for each in Axis if AXES[each] == chosen)


def _against(offered: Sequence[Reference]) -> Reference:
    """Ask for the reference; only candidates that are revealed are offered, so that the address may name them."""
    chosen = st.selectbox(
        "Against", [each.name for each in offered], key=REFERENCE, bind="query-params", width=BOX
    )
    return next((each for each in offered if each.name == chosen), offered[0])


def _asks_whose(drawn: Sequence[ChartLine]) -> bool:
    """Whether a person chooses the line whose noise or interval is drawn."""
    if len(drawn) > MOST_BANDS:
        return True
    return len(drawn) > MOST_NOISE and any(each.noise is not None for each in drawn)


def _banded(drawn: Sequence[ChartLine]) -> int:
    """Ask whose noise is drawn, or with many lines whose interval, and return that line's place.

    All of them would hide each other.
    """
    called = {each.id: each.name for each in drawn}
    label = "Interval of" if len(drawn) > MOST_BANDS else "Noise of"
    return list(called).index(one_of_many("band", called, label, width=BOX))


def _nothing(found: MetricPicture) -> str:
    if found.pairs == 0 and found.metric in MISSING:
        return MISSING[found.metric]
    return "Candidates are compared here once they are judged and revealed. Until then: reviews by day, as A and B."


def _draw(chart: Chart, found: MetricPicture) -> None:
    figure = chart.figure(theme())
    if figure is None:
        return
    sign(figure, chart.title, theme())
    # A chosen box stays in the browser; each choice gets a new chart, as a second one would say nothing.
    brushed = st.session_state.setdefault("brushed", 0)
    key = f"chart_picture_{brushed:d}"

    def brush() -> None:
        chosen = st.session_state[key].selection
        if chosen.points or chosen.box:
            st.session_state["brushed"] = brushed + 1
            filter_by(found, chosen)

    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        config={
            "displaylogo": False,
            "modeBarButtons": [["select2d", "pan2d", "toImage"]],
            "displayModeBar": True,
            "toImageButtonOptions": {"filename": "history", "scale": 2},
        },
        on_select=brush,
        selection_mode=("points", "box"),
    )


def _note_form(project_id: str, found: MetricPicture, notes: Sequence[ChartNote]) -> None:
    """Mark a note at a step of the chart, or take one away."""

    def keep(left: Sequence[ChartNote]) -> None:
        change_settings(session.as_me(), project_id, notes=tuple(left))

    with st.popover("Notes", key="picture_notes", icon=":material/flag:"):
        for at, note in enumerate(notes):
            st.button(
                safe.text(f"{note.step}: {note.words}"),
                key=f"note_{at}",
                icon=":material/delete:",
                type="tertiary",
                help="Remove this note",
                on_click=keep,
                args=([each for each in notes if each != note],),
            )
        with st.form("note_form", border=False, clear_on_submit=True):
            step = st.selectbox(safe.text(AXES[found.axis][:-1]), found.steps[::-1], key="note_step")
            words = st.text_input("Note", key="note_words", max_chars=40, placeholder="new prompt")
            if st.form_submit_button("Mark in the chart", icon=":material/flag:") and words.strip():
                keep([*notes, ChartNote(step=step, words=words.strip())])
                st.rerun()


def chart_of(
    found: MetricPicture,
    *,
    chosen: tuple[int, int] | None = None,
    banded: int = 0,
    notes: Sequence[ChartNote] = (),
) -> Chart:
    """The lines, with the breaks between them; of several, the one at place `banded` has the noise, of many both."""
    what = {each.at: break_marks.what(each) for each in found.breaks}
    each_step = AXES[found.axis][:-1]
    rows: list[Row] = [
        {
            each_step: step,
            "Candidate": line.name,
            METRICS[found.metric]: round(dot.value, 4),
            **ends(dot.interval),
            f"{_counts(found.metric).capitalize()}s": dot.n,
            "Tasks": dot.tasks,
            "Not comparable with the step before": what.get(at, ""),
        }
        for line in found.lines
        for at, step in enumerate(found.steps)
        if (dot := line.dots[at]) is not None
    ]
    return Chart(
        "picture",
        METRICS[found.metric],
        rows,
        Lines(
            each_step,
            METRICS[found.metric],
            found.steps,
            by="Candidate",
            n=f"{_counts(found.metric).capitalize()}s",
            form=_form(found.metric),
            breaks=[
                break_marks.mark_of(each, step=found.steps[each.at], at=each.at) for each in found.breaks
            ],
            notes=[
                break_marks.BreakMark(found.steps.index(note.step), note.words, f"{note.step}: {note.words}")
                for note in notes
                if note.step in found.steps
            ],
            noise={each.name: each.noise for each in found.lines if each.noise is not None},
            banded=found.lines[banded].name,
            chosen=chosen,
            selects=True,
        ),
        note=_caption(found, banded=banded),
        help="The band is the 95% interval; a hollow mark has fewer than 20 tasks and none. Grey: where 95 of 100 "
        "marks lie if nothing changes from one step to the next. Of many lines the chosen one alone has them.",
    )


def _form(metric: Metric) -> str:
    if metric in SHARES:
        return ".0%"
    return ".4f" if metric is Metric.COST else ".2f" if metric is Metric.SCORE else ",.1f"


def _noise(metric: Metric, value: float) -> str:
    return f"{value * 100:.0f} points" if metric in SHARES else format(value, _form(metric))


def _counts(metric: Metric) -> str:
    """What a mark is the mean of."""
    return "review" if metric is Metric.AGREEMENT else "pair"


def _caption(found: MetricPicture, *, banded: int = 0) -> str:
    against = f" against {found.reference.name}" if found.reference else ""
    counts = f"{METRICS[found.metric]}{against}: {RESTS[found.metric]}, {counted(found.pairs, 'pair')}."
    if len(found.steps) < 2:
        return f"{counts} All belong to {found.steps[0]}: a chart appears once there is something to compare it with."
    with_noise = found.lines if len(found.lines) <= MOST_NOISE else found.lines[banded : banded + 1]
    noise = ", ".join(
        f"{each.name} ±{_noise(found.metric, each.noise)}" for each in with_noise if each.noise is not None
    )
    return " ".join(
        filter(
            None,
            (
                counts,
                f"Noise: {noise}." if noise else "",
                break_marks.sentence(found.breaks, found.steps),
                "Click a mark to filter the list; for several, choose the box at the top right and drag.",
            ),
        )
    )
