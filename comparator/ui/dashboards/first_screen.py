"""The first screen: the answer in a sentence, its tiles, the trend over all iterations, and how far to trust it."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import streamlit as st

from comparator.domain.counted import listed
from comparator.domain.rights import Act
from comparator.reporting.findings import Doubt, Findings, Verdict
from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.series import Over
from comparator.reporting.scope import By, ResultFilter, Within
from comparator.stats.intervals import Estimate
from comparator.ui.dashboards import advice, doubts, sentences
from comparator.ui.dashboards.pairs_behind import against_graders, pairs_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Bars, Chart, Lines, Tone, break_marks, outcome
from comparator.ui.frame.charts.chart import FOLLOWED, Link, draw
from comparator.ui.frame.charts.trend import trend
from comparator.ui.frame.estimates import percent, share_or_counts
from comparator.ui.frame.lists.filters import narrow
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted

BADGES = {
    Verdict.ADOPT: ("green", ":material/check_circle:"),
    Verdict.ONE_BETTER: ("green", ":material/check_circle:"),
    Verdict.KEEP: ("blue", ":material/undo:"),
    Verdict.TWO_BETTER: ("blue", ":material/undo:"),
    Verdict.ONE_LEADS: ("orange", ":material/pending:"),
    Verdict.TWO_LEADS: ("blue", ":material/undo:"),
    Verdict.OPPOSED: ("orange", ":material/compare_arrows:"),
    Verdict.DOUBTED: ("orange", ":material/compare_arrows:"),
    Verdict.LENGTH: ("orange", ":material/straighten:"),
}
UNSURE = ("gray", ":material/help:")
FITS = 110
"""Characters of the six lines below the figure of a tile, where six stand in a row."""


class Tile(NamedTuple):
    """A figure with what it is and what it rests on; a click opens the tab `part`, its tasks in the order `rows`, or
    this list of pairs, or narrows the page."""

    name: str
    label: str
    value: str
    rests_on: str
    part: str = ""
    rows: str = ""
    applies: bool = True
    """Whether there is what the tile is about."""
    pairs: Link | None = None
    within: Within | None = None


def colour_and_icon(findings: Findings) -> tuple[str, str]:
    """Of the verdict's badge."""
    return BADGES.get(findings.verdict, UNSURE)


def first_screen(findings: Findings) -> None:
    """The answer above all tabs; where nothing is counted, what to do about that."""
    color, icon = colour_and_icon(findings)
    with st.container(horizontal=True, vertical_alignment="center", key="dashboards_answer"):
        st.badge(safe.text(safe.cut(advice.decision(findings), sentences.NAME + 20)), icon=icon, color=color)  # type: ignore[arg-type]  # one of Streamlit's own names
        st.subheader(safe.text(sentences.finding(findings)), anchor=False)
    if not findings.result.n:
        st.caption(safe.text(sentences.rests_on(findings)))
        _left_out(findings)
        _next_step(findings)


def _left_out(findings: Findings) -> None:
    if void := sentences.void_in_words(findings):
        st.button(
            safe.text(f"{void} ›"),
            key="left_out",
            type="tertiary",
            on_click=st.session_state.update,
            args=({FOLLOWED: pairs_link(findings.filter, "void")},),
        )


def overview(findings: Findings) -> None:
    """The tab that is open at first: the tiles, the trend, how far to trust it, and what to do next."""
    with st.container(horizontal=True, gap="small", key="tiles"):
        for tile in tiles(findings):
            with st.container(border=True, height="stretch", key=f"card_tile_{tile.name}"):
                st.metric(safe.text(tile.label), safe.text(tile.value))
                opens = {FOLLOWED: tile.pairs} if tile.pairs else _opens(tile)
                st.button(
                    safe.text(tile.rests_on),
                    key=f"card_open_{tile.name}",
                    type="tertiary",
                    help=safe.text(tile.rests_on) if len(tile.rests_on) > FITS else None,
                    on_click=_go,
                    args=(opens, tile.within),
                )
    first, *then = [
        (f"next_step_{number}", step) for number, step in enumerate(advice.steps_with_parts(findings), 1)
    ]
    with st.container(gap=None):
        for further in islice(doubts.warnings(findings), 1, None):
            safe.say(f"{further}.")
        decision, whole = advice.decision(findings), advice.with_conditions(findings)
        said = "Next: " if whole == decision else f"{whole}. Next: "
        if first[1].words.startswith(decision):
            said = ""
        _show_step(*first, findings, said=said)
    left, right = st.columns([7, 2], gap="medium")
    with left:
        chart = overview_chart(findings)
        st.subheader(safe.text(chart.title), anchor=False, help=safe.text(chart.help))
        if chart.note:
            st.caption(safe.text(chart.note))
        draw(chart)
    for name, value, words in trust_figures(findings):
        right.metric(safe.text(name), safe.text(value), help=safe.text(words))
    with st.container(gap=None):
        safe.write(safe.Markdown(f":small[{safe.text(sentences.rests_on(findings))}]"))
        _left_out(findings)
    if then:
        with st.container(border=True, gap="xxsmall", key="next_steps_short"):
            st.subheader("Also to do", anchor=False)
            for step in then:
                _show_step(*step, findings)


def _opens(what: Tile | advice.Step) -> dict[str, Any]:
    return {name: value for name, value in (("part", what.part), ("rows", what.rows)) if value}


def _go(opens: Mapping[str, Any], within: Within | None) -> None:
    """In a callback: narrow the page, and open what is to be seen."""
    if within is not None:
        narrow(within)
    st.session_state.update(opens)


def _show_step(key: str, step: advice.Step, findings: Findings, *, said: str = "") -> None:
    """What to do; a click opens the tab, or the pairs, that show it."""
    opens = _opens(step)
    if step.against_graders:
        opens = {FOLLOWED: against_graders(findings)}
    elif step.left_out:
        opens = {FOLLOWED: pairs_link(findings.filter, "void")}
    elif not step.part:
        safe.say(f"{said}{step.words}")
        return
    sets = step.set and session.may(Act.CHANGE_SETTINGS, project_id=findings.filter.project_id)
    clicked = st.button(
        safe.text(f"{said}{step.words} ›"),
        key=key,
        type="tertiary",
        on_click=_go,
        args=({} if sets else opens, step.within),
    )
    if clicked and sets:
        session.go(PageScript.SETTINGS)


def tiles(findings: Findings) -> tuple[Tile, ...]:
    """Overall, now against before, where it is reversed, what regressed, what it costs, and the gravest warning."""
    result, history = findings.result, findings.history
    ties = f"; {counted(result.tied, 'tie')} counted as half" if result.tied else ""
    rests_on = f"{counted(result.n, 'pair')}, {counted(result.tasks, 'task')}{ties}"
    overall = Tile(
        "overall",
        f"Win rate of {findings.names.one}",
        percent(result.share or 0.0)
        if isinstance(result.rate, Estimate)
        else f"{result.won:,} of {result.n:,}",
        f"{sentences.interval(result.rate)} · {rests_on}",
        pairs=pairs_link(findings.filter),
    )
    if findings.opposed:
        overall = overall._replace(
            rests_on=f"{overall.rests_on} by people; {percent(findings.opposed.judge)} by the judge",
            pairs=pairs_link(findings.filter, "agreement", what="other"),
        )
    every = [overall, _now(findings, history) if history else _lead(findings), _other_way(findings)]
    if history:
        every.append(_regressed(findings, history))
    elif result.met_one is not None and result.met_two is not None:
        every.append(
            Tile(
                "expectations",
                "Expectations met",
                percent(result.met_one),
                f"{percent(result.met_two)} by {findings.names.two}",
                "why",
            )
        )
    if apart := findings.usage_now.apart:
        times, what = apart
        every.append(
            Tile(
                "cost",
                "Cost",
                f"{times:.1f} times",
                f"the {what} of {findings.names.two}{sentences.latest(findings)}",
                "cost",
            )
        )
    if findings.warnings:
        gravest = findings.warnings[0]
        part = "differ" if gravest is Doubt.LENGTH else "trust"
        pairs = pairs_link(findings.filter, "void") if gravest is Doubt.UNUSABLE else None
        figure, words = doubts.warning(gravest, findings)
        every.append(Tile("warning", f"Warning: {gravest.value}", figure, words, part, pairs=pairs))
    return tuple(every)


def _now(findings: Findings, history: History) -> Tile:
    if findings.now is None:
        over = counted(sum(iteration.n > 0 for iteration in history.iterations), "iteration")
        return Tile(
            "now", f"Over {over}", "No lasting change", "none beyond chance", "overview", applies=False
        )
    rests_on = f"{sentences.levels(findings)} ({sentences.interval(findings.now.rate)})"
    within = None
    if history.over is Over.ITERATIONS:
        within = Within(by=By.SINCE, value=history.steps[findings.now.at])
    change = " → ".join(percent(level.share or 0.0) for level in history.levels[-2:])
    turn = "Fell" if findings.fell else "Rose"
    at = sentences.step(history, findings.now.at)
    return Tile("now", f"{turn} at {at}", change, rests_on, applies=findings.fell, within=within)


def _lead(findings: Findings) -> Tile:
    lead, ends = sentences.mean_and_interval(findings.result.overall)
    why = sentences.scores_against_winners(findings)
    return Tile("lead", "Mean lead, of 10 points", lead, f"{ends}. {why}" if why else ends, "why")


def _other_way(findings: Findings) -> Tile:
    if not findings.other_way:
        return Tile("other_way", "Exceptions", *sentences.no_exceptions(findings), "where", applies=False)
    first, *more = findings.other_way
    others = f"; and {counted(len(more), 'more kind')}" if more else ""
    return Tile(
        "other_way",
        sentences.other_way(first),
        first.name,
        f"{sentences.of_part(first)}{others}",
        "where",
    )


def _regressed(findings: Findings, history: History) -> Tile:
    number = len(findings.regressed)
    if not history.counted_by_task:
        return Tile(
            "regressed",
            "Regressed",
            "not looked for",
            "too many pairs; narrow the page first",
            "time",
            applies=False,
        )
    if not number:
        perhaps = [
            f"{task.name} since {history.steps[task.perhaps.at]}" for task in history.tasks if task.perhaps
        ]
        rests_on = f"no task beyond chance{f'; perhaps {listed(perhaps, most=3)}' if perhaps else ''}"
        return Tile("regressed", "Regressed", "None", rests_on, "time", "change", applies=False)
    latest = findings.regressed[0].turned
    names = ", ".join(task.title for task in findings.regressed)
    since = f"since {sentences.step(history, latest.at)}: " if latest else ""
    return Tile("regressed", "Regressed", counted(number, "task"), f"{since}{names}", "time", "change")


def trust_figures(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """Three figures: how much people have seen, how far judge and others agree, and whether order mattered."""
    result = findings.result
    yield (
        "Decided by people",
        share_or_counts(findings.own, result.n),
        f"A person set, changed or confirmed something. {sentences.counted_verdicts(findings)}",
    )
    if findings.independent is None and (graded := findings.graded):
        same = f"{graded.author} names the same winner in {graded.same:,} of {counted(graded.n, 'pair')}"
        words = f"{same}; guessing gets {percent(graded.by_chance)}."
        yield "Graders agree", share_or_counts(graded.same, graded.n), words
    elif seen := findings.independent:
        words = f"Reviewers who scored first named the judge's winner in {seen.same:,} of {counted(seen.n, 'review')}."
        yield "Judge agrees", share_or_counts(seen.same, seen.n), words
    else:
        yield "Judge tested", "not yet", doubts.whom_to_trust(findings)
    yield (
        "Judge repeats itself",
        share_or_counts(result.consistent, result.read_twice) if result.read_twice else "not known",
        f"The judge named the same winner in both orders on {result.consistent:,} of "
        f"{counted(result.read_twice, 'pair')}."
        if result.read_twice
        else "No model has read a counted pair in both orders.",
    )


def overview_chart(findings: Findings) -> Chart:
    """The trend over iterations or days; where there is only one of either, the overall bar."""
    if findings.timeline is not None:
        return trend_chart(findings.timeline, findings.filter)
    result, (one, two) = findings.result, findings.names
    series = {f"Won by {one}": Tone.ONE, "Tied": Tone.TIE, f"Won by {two}": Tone.TWO}
    return Chart(
        "overall",
        f"{one} won {result.won:,}, {two} {result.lost:,} of {counted(result.n, 'pair')}",
        [{"": "", **dict(zip(series, (result.won, result.tied, result.lost), strict=True))}],
        Bars("", series, overall=True),
        note="All are from one day. With a second day or iteration, a trend appears here.",
    )


STEPS = {Over.ITERATIONS: "Iteration", Over.DAYS: "Day"}


def _links(history: History, result_filter: ResultFilter) -> list[Link]:
    return [
        pairs_link(result_filter, day=iteration.name)
        if history.over is Over.DAYS
        else pairs_link(result_filter.over(iteration.met))
        for iteration in history.iterations
    ]


def trend_chart(history: History, result_filter: ResultFilter) -> Chart:
    """Every iteration, version or day as a dot; a click lists its pairs."""
    step = STEPS.get(history.over, "Version")
    what = {change.at: break_marks.what(change) for change in history.breaks or ()}

    def rounded(value: float | None, places: int = 3) -> float | None:
        return None if value is None else round(value, places)

    return trend(
        "trend",
        f"Win rate of {safe.cut(history.one, sentences.NAME)}",
        [
            {
                step: iteration.name,
                **outcome(iteration),
                "Mean lead": rounded(iteration.lead, 2),
                f"Expectations met by {history.one}": rounded(iteration.met_one),
                f"Expectations met by {history.two}": rounded(iteration.met_two),
                f"Not comparable with the {step.lower()} before": what.get(at, ""),
            }
            for at, iteration in enumerate(history.iterations)
        ],
        Lines(step, "Win rate", history.steps, n="Pairs", even=0.5),
        levels=history.levels,
        breaks=history.breaks,
        regressed=history.regressed,
        opens={PAIRS: _links(history, result_filter)},
        method=f"Share of pairs that {history.one} won against {history.two}, ties as half, with its 95% interval. "
        "A level ends where chance does not explain the change (t test, corrected for all places tried; where the "
        "judge, its guidance, a model or a rubric changed, of those places alone).",
    )


def _next_step(findings: Findings) -> None:
    """Why nothing is counted, and what to do about it."""
    with st.container(border=True, width=720):
        if findings.result.by_kind:
            st.caption(safe.text(sentences.instead(findings.result)))
            return
        st.subheader("No model has judged these pairs, and nobody has reviewed them", anchor=False)
        st.caption(
            "Have a model judge the pairs, or review them. The offline check gives no verdict: it looks "
            "at form only and counts in no figure."
        )
        with st.container(horizontal=True):
            for label, key in (("Judge with a model", "next_judge"), ("Start reviewing", "next_review")):
                if st.button(
                    safe.text(label), key=key, on_click=session.look_at, args=(findings.filter.project_id,)
                ):
                    session.go(PageScript.QUEUE)
