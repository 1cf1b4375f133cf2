"""The picture above the list: one figure over iterations or days; a box drawn across it filters the list."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from math import ceil
from typing import Any

import streamlit as st

from comparator.domain.project import ChartNote
from comparator.domain.rights import Act
from comparator.reporting.facts import facts_of
from comparator.reporting.history.activity import review_days, score_leads
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import number_of_comparisons
from comparator.reporting.history.picture import (
    SETTLED,
    SHARES,
    Axis,
    Metric,
    MetricPicture,
    picture,
)
from comparator.reporting.scope import VERDICT_NAMES, Verdicts
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import (
    Bars,
    Chart,
    Dots,
    Lines,
    Tone,
    break_marks,
    ends,
    name_source,
    numbers,
)
from comparator.ui.frame.charts.chart import draw
from comparator.ui.frame.charts.drawing import HIGH, LOW
from comparator.ui.frame.charts.trend import trend
from comparator.ui.frame.lists.filters import one_of_many
from comparator.ui.frame.words import counted
from comparator.ui.history.filters import CHOSEN, ITERATION, SINCE, UNTIL, looked_at, tasks_lost
from comparator.workflow.projects.settings import change_settings, project_settings

METRIC, OVER, REFERENCE = "metric", "over", "against"
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
    Metric.WIN_RATE: "share of pairs won against {}, ties counted as half",
    Metric.SCORE: "mean overall score, 2 to 10",
    Metric.EXPECTATIONS: "mean share of expectations met",
    Metric.GRADERS: "mean share of expectations met by graders that came with the runs",
    Metric.TOKENS: "mean tokens of a run",
    Metric.SECONDS: "mean seconds of a run",
    Metric.COST: "mean cost of a run, in USD",
    Metric.AGREEMENT: "share of final reviews that name the judge's winner",
}
MISSING = {
    Metric.GRADERS: "No imported grader says which expectations these runs meet. Whom graders prefer stands on the "
    "dashboards, under Trust.",
    Metric.TOKENS: "These runs do not say how many tokens they used.",
    Metric.SECONDS: "These runs do not say how long they took.",
    Metric.COST: "These runs do not say what they cost.",
    Metric.AGREEMENT: "Nobody has reviewed what a model judged in these pairs.",
}
AXES = {Axis.ITERATIONS: "Iterations", Axis.DAYS: "Days"}
MOST = 20_000
"""With more pairs, the picture is drawn on request."""
HEIGHT = 185
"""Pixels: the list begins on the first screen."""
NUMBERS = 720
"""Pixels of the table of numbers, so that each column is seen whole."""
MOST_TOLD = 2
"""Candidates whose first and latest figure stand in the title."""
_FIRST = "picture_first"


def history_picture(history_filter: HistoryFilter) -> bool:
    """The figure of the project that is looked at; False where several are, or there is nothing to be seen of it."""
    project_id = looked_at()
    if project_id is None:
        return False
    pairs = number_of_comparisons(session.services().database, project_id=project_id)
    if not pairs:
        return False
    with st.container(border=True, key="picture", gap=None):
        label = safe.text(f"Draw the figure ({pairs:,} comparisons)")
        if pairs <= MOST or st.toggle(label, key="picture_drawn", bind="query-params"):
            _show_finding(history_filter.copy_with(project_id=project_id))
    return True


def _show_finding(history_filter: HistoryFilter) -> None:
    """The finding and its chart; what it is a figure of is chosen beside the finding."""
    project_id, database = str(history_filter.project_id), session.services().database
    usual_metric, usual_axis = _first(history_filter)
    head = st.container(horizontal=True, horizontal_alignment="distribute")
    finding = head.container(gap=None, width="stretch")
    tools = head.container(horizontal=True, width="content")
    with tools, st.popover("Figure", key="picture_figure", icon=":material/monitoring:"):
        metric = one_of_many(METRIC, METRICS, "Figure", usual=usual_metric, kept="session")
        axis = one_of_many(OVER, AXES, "Over", usual=usual_axis, kept="session")
        figure = picture(database, history_filter, metric, axis=axis)
        if figure.reference is not None and len(figure.offered) > 1:
            against = one_of_many(REFERENCE, {offer.name: offer.name for offer in figure.offered}, "Against")
            if against != figure.reference.name:
                reference = next(offer.id for offer in figure.offered if offer.name == against)
                figure = picture(database, history_filter, metric, axis=axis, reference=reference)
    if not figure.lines:
        # After the reveal, A and B mean nothing.
        if _is_revealed(project_id):
            finding.caption(safe.text(MISSING.get(metric, "None of these pairs has a verdict that counts.")))
            return
        chart = blind_chart(history_filter)
        with finding:
            if chart.rows:
                st.subheader(safe.text(chart.title), anchor=False)
            until = f". So far: {chart.words}" if chart.words else "; until then, A and B are."
            safe.caption(f"Candidates are compared here once they are judged and revealed{until}")
        draw(chart)
        return
    name_source(project_id, figure.pairs)
    notes = project_settings(session.services(), project_id).notes
    several = len(figure.steps) > 1
    scope = _wider_than(history_filter)
    chart = (
        chart_of(figure, chosen=_filtered_span(figure), notes=notes, scope=scope)
        if several
        else one_step_chart(figure)
    )
    with tools:
        if several and session.may(Act.CHANGE_SETTINGS, project_id=project_id):
            _note_form(project_id, figure, notes)
        with (
            st.popover("Numbers", key="numbers_picture", icon=":material/table:"),
            st.container(width=NUMBERS),
        ):
            numbers("picture", chart.numbers)
    where = "" if session.project_id() else f"{session.project_name(project_id)}: "
    with finding:
        st.subheader(safe.text(f"{where}{chart.title}"), anchor=False, help=safe.text(chart.help))
        safe.caption(chart.note)
        turns = {task.task_id: task.turned.at for task in figure.regressed if task.turned}
        if turns:
            last = max(turns.values())
            tasks_lost([id for id, at in turns.items() if at == last], since=figure.steps[last])
    draw(chart, partial(filter_by, figure) if several else None)


def _is_revealed(project_id: str) -> bool:
    with facts_of(session.services().database, project_id) as facts:
        return bool(facts.pairs.revealed.any())


def _first(history_filter: HistoryFilter) -> tuple[Metric, Axis]:
    """The first figure with two points, by iteration before by day."""
    database, project = session.services().database, HistoryFilter(project_id=history_filter.project_id)

    def read() -> tuple[Metric, Axis]:
        return next(
            (
                (metric, axis)
                for axis in Axis
                for metric in Metric
                if len(picture(database, project, metric, axis=axis).steps) > 1
            ),
            (Metric.WIN_RATE, Axis.DAYS),
        )

    with facts_of(database, str(history_filter.project_id)) as facts:
        first = facts.kept("first figure", read)
    before, st.session_state[_FIRST] = st.session_state.get(_FIRST), (history_filter.project_id, first)
    for key in (METRIC, OVER):
        # What was the first of another project, or before the reveal, is none any more.
        if key not in st.query_params and before not in (None, st.session_state[_FIRST]):
            st.session_state.pop(key, None)
    return first


def _note_form(project_id: str, figure: MetricPicture, notes: Sequence[ChartNote]) -> None:
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
                args=([chart_note for chart_note in notes if chart_note != note],),
            )
        with st.form("note_form", border=False, clear_on_submit=True):
            step = st.selectbox(safe.text(AXES[figure.axis][:-1]), figure.steps[::-1], key="note_step")
            words = st.text_input("Note", key="note_words", max_chars=40, placeholder="new prompt")
            if st.form_submit_button("Mark in the chart", icon=":material/flag:") and words.strip():
                keep([*notes, ChartNote(step=step, words=words.strip())])
                st.rerun()


def _form(metric: Metric) -> str:
    if metric in SHARES:
        return ".0%"
    return {Metric.COST: ".4f", Metric.SCORE: ".2f", Metric.TOKENS: ",.0f"}.get(metric, ",.1f")


def _verdicts(figure: MetricPicture) -> str:
    """Whose verdicts are counted."""
    people = "people alone, as the judge names another winner"
    if 0 < figure.people_alone < figure.pairs:
        return f"reviews, else the judge; of {counted(figure.people_alone, 'pair')} {people}"
    return people if figure.people_alone else VERDICT_NAMES[Verdicts.EITHER]


def _rests_on(figure: MetricPicture, scope: str = "") -> str:
    """What the figure is and of how many pairs; `scope` says of which, where the list has fewer."""
    whose = f"; {_verdicts(figure)}" if figure.metric in SETTLED else ""
    rests_on = RESTS[figure.metric].format(figure.reference.name if figure.reference else "")
    pairs = f"{figure.pairs:,} of " if figure.pairs < figure.fitting else ""
    pairs += counted(figure.fitting, "pair") + (f", all {scope}" if scope else "")
    return f"{rests_on[0].upper()}{rests_on[1:]}{whose}; {pairs}."


def _wider_than(history_filter: HistoryFilter) -> str:
    """What the list is filtered by and the picture is not."""
    narrowed = {
        "iterations": history_filter.iterations,
        "days": history_filter.since or history_filter.until,
        "winners": history_filter.winner or history_filter.won_by,
    }
    return " and ".join(name for name, chosen in narrowed.items() if chosen)


def _rows(figure: MetricPicture) -> list[dict[str, Any]]:
    """A row for each candidate and step, with what does not compare with the step before."""
    what = {change.at: break_marks.what(change) for change in figure.breaks}
    return [
        {
            AXES[figure.axis][:-1]: step,
            "Candidate": line.name,
            METRICS[figure.metric]: round(dot.value, 4),
            **ends(dot.interval),
            _counts(figure): dot.n,
            "Tasks": dot.tasks,
            "Not comparable with the step before": what.get(at, ""),
        }
        for line in figure.lines
        for at, (step, dot) in enumerate(zip(figure.steps, line.dots, strict=True))
        if dot is not None
    ]


def _counts(figure: MetricPicture) -> str:
    return "Reviews" if figure.metric is Metric.AGREEMENT else "Pairs"


def one_step_chart(figure: MetricPicture) -> Chart:
    """A dot for each candidate, where all pairs are of one iteration or day."""
    metric, form, rows = METRICS[figure.metric], _form(figure.metric), _rows(figure)
    if figure.reference and len(rows) == 1:
        # What one of two did not win is won by the other.
        (won,) = rows
        low, high = (None if won[end] is None else 1 - won[end] for end in (HIGH, LOW))
        rows.append(won | {"Candidate": figure.reference.name, metric: 1 - won[metric], LOW: low, HIGH: high})
    highest = max(row[HIGH] or row[metric] for row in rows)
    figures = ", ".join(f"{row['Candidate']} {format(row[metric], form)}" for row in rows)
    between = (0, 1 if figure.metric in SHARES else 1.1 * highest)
    another = AXES[figure.axis][:-1].lower()
    return Chart(
        "picture",
        f"{metric}: {figures}",
        rows,
        Dots("Candidate", metric, between=between, form=form, n=_counts(figure)),
        note=f"{_rests_on(figure)} All are from {figure.steps[0]}; a second {another} makes a trend.",
        help="The bar is the 95% interval.",
    )


def chart_of(
    figure: MetricPicture,
    *,
    chosen: tuple[int, int] | None = None,
    notes: Sequence[ChartNote] = (),
    scope: str = "",
) -> Chart:
    """The lines, with the breaks between them."""
    step, metric = AXES[figure.axis][:-1], METRICS[figure.metric]
    title = f"{metric} against {figure.reference.name}" if figure.reference else metric
    if figure.levels and figure.reference:
        title = f"{figure.lines[0].name}'s win rate"
    elif not figure.reference:
        form = _form(figure.metric)
        known = {line.name: [dot.value for dot in line.dots if dot] for line in figure.lines}
        ranges = [
            f"{name} {format(dots[0], form)} → {format(dots[-1], form)}"
            for name, dots in known.items()
            if dots
        ]
        title = f"{metric}: {', '.join(ranges[:MOST_TOLD])}"
    return trend(
        "picture",
        title,
        _rows(figure),
        Lines(
            step,
            metric,
            figure.steps,
            by="Candidate",
            n=_counts(figure),
            form=_form(figure.metric),
            even=0.5 if figure.metric is Metric.WIN_RATE else None,
            chosen=chosen,
            selects=True,
            height=HEIGHT,
        ),
        levels=figure.levels,
        regressed=figure.regressed,
        breaks=figure.breaks,
        notes=notes,
        note=_rests_on(figure, scope),
        method="The band is the 95% interval. Dotted: the mean between two changes beyond chance, or since something "
        "else changed. Pairs without a verdict, or with an unusable output, are not counted. "
        "Click a mark to filter the list; for several, choose the box at the top right and drag.",
    )


def filter_by(figure: MetricPicture, chosen: Any) -> None:
    """Filter the list by the steps in the box, or the one that was clicked; a mark above the lines says what is
    otherwise from its step on."""
    if chosen.box:
        low, high = sorted(chosen.box[0]["x"][:2])
    else:
        low = high = chosen.points[0]["x"]
        if chosen.points[0]["curve_number"] == len(figure.lines):
            high = len(figure.steps)
    steps = [step for at, step in enumerate(figure.steps) if low <= at <= max(high, ceil(low))]
    if not steps:
        return
    st.session_state[CHOSEN] = True
    if figure.axis is Axis.DAYS:
        first, last = (date.fromisoformat(step) for step in (steps[0], steps[-1]))
        st.session_state.update({SINCE: first, UNTIL: last})
    else:
        st.session_state[ITERATION] = steps


def _filtered_span(figure: MetricPicture) -> tuple[int, int] | None:
    """The first and last of the steps by which the list is filtered."""
    wanted = set(st.session_state.get(ITERATION) or ())
    if figure.axis is Axis.DAYS:
        first, last = st.session_state.get(SINCE), st.session_state.get(UNTIL)
        if first or last:
            wanted = {step for step in figure.steps if str(first or "") <= step <= str(last or "9")}
    places = [at for at, step in enumerate(figure.steps) if step in wanted]
    return (places[0], places[-1]) if places else None


def blind_chart(history_filter: HistoryFilter) -> Chart:
    """The last days with reviews; before there are two, how far apart the scores of A and B are."""
    database, sides = session.services().database, ("A wins", "Tie", "B wins")
    title, label, frame = "Reviews by day", "Day", review_days(database, history_filter)
    if len(frame) < 2:
        sides = ("A leads", "Even", "B leads")
        title, label, frame = (
            "By how many points A or B leads",
            "Points",
            score_leads(database, history_filter),
        )
        frame.index = [
            f"{points} to {points + 1} points ahead" if points else "under 1 point ahead"
            for points in frame.index
        ]
    rows = [{label: name, **dict(zip(sides, numbers, strict=True))} for name, *numbers in frame.itertuples()]
    tones = dict(zip(sides, (Tone.A, Tone.TIE, Tone.B), strict=True))
    return Chart("blind_picture", title, rows, Bars(label, tones))
