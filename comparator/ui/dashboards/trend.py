"""The win rate over all iterations, with what all of them come to and where it changed."""

from __future__ import annotations

from comparator.reporting.results.over_iterations import History, IterationRecord
from comparator.reporting.results.series import Over
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import Estimate, TooFew
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import charts, safe
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.box import Box, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.charts.trend import Level, Note, trend_chart
from comparator.ui.frame.estimates import interval, percent
from comparator.ui.frame.words import counted

NAME = 24
"""Characters of a candidate's name in the title of the chart."""


def trend_box(found: History, asked: ResultFilter, theme: ColourTheme) -> Box:
    """Every iteration as a dot; a click lists its pairs."""
    links = [
        pairs_link(asked.model_copy(update={"one": iteration.one, "two": iteration.two, "also": ()}))
        for iteration in found.iterations
    ]
    with_rate = [iteration for iteration in found.iterations if iteration.share is not None]
    marks = [
        link for iteration, link in zip(found.iterations, links, strict=True) if iteration.share is not None
    ]
    pooled = found.pooled.value if isinstance(found.pooled, Estimate) else None
    places = [at for at, iteration in enumerate(found.iterations) if iteration.share is not None]
    notes = []
    if found.step is not None:
        name = found.iterations[found.step.at].name
        before = f"before: {percent(found.step.before)}{_too(found)}"
        notes.append(
            Note(
                at=[iteration.name for iteration in with_rate].index(name),
                text=f"mean since {name}: {percent(found.step.after)} ({before})",
            )
        )
    what = {each.at: break_marks.what(each) for each in found.breaks or ()}
    breaks = [
        break_marks.mark_of(each, step=found.iterations[each.at].name, at=at)
        for each in found.breaks or ()
        # Before the first dot there is nothing to part.
        if 0 < (at := sum(place < each.at for place in places)) < len(places)
    ]
    return Box(
        "trend",
        title=f"Share of pairs won by {found.one} against {found.two}",
        counts=summary(found),
        figure=trend_chart(
            [
                charts.Point(
                    iteration.name,
                    iteration.share or 0.0,
                    None if isinstance(iteration.rate, TooFew) else iteration.rate.interval,
                    f"{iteration.name}: {_rate(iteration)}, {counted(iteration.n, 'pair')}",
                )
                for iteration in with_rate
            ],
            notes,
            title=_title(found),
            level=None if pooled is None else Level(pooled, _level_words(pooled, breaks=len(breaks))),
            colour=charts.CANDIDATES[theme][0],
            palette=PALETTES[theme],
            breaks=breaks,
        ),
        rows=linked(
            [
                {
                    "Iteration": iteration.name,
                    "Won": iteration.won,
                    "Tied": iteration.tied,
                    "Lost": iteration.lost,
                    "Win rate": interval(iteration.rate),
                    "Mean lead": None if iteration.lead is None else round(iteration.lead, 2),
                    f"Expectations met by {found.one}": None
                    if iteration.met_one is None
                    else round(iteration.met_one, 3),
                    f"Expectations met by {found.two}": None
                    if iteration.met_two is None
                    else round(iteration.met_two, 3),
                    "Not comparable with the iteration before": what.get(at, ""),
                }
                for at, iteration in enumerate(found.iterations)
            ],
            {"this iteration": links},
        ),
        marks=[marks],
    )


def _title(found: History) -> str:
    """What the chart is of, where it stands alone."""
    by = "iteration" if found.over is Over.ITERATIONS else "version"
    of = f"Win rate of {safe.cut(found.one, NAME)} against {safe.cut(found.two, NAME)} by {by}"
    return f"{of}\n{break_marks.NOT_CHECKED}" if found.breaks is None else of


def _level_words(pooled: float, *, breaks: int) -> str:
    """The words at the line of all iterations, in lines that fit beside the chart."""
    across = f", across\n{counted(breaks, 'break')}:\n" if breaks else ": "
    return f"all{across}{percent(pooled)}"


def _too(found: History) -> str:
    """What changed at the step besides the candidates."""
    parts = dict.fromkeys(part for each in found.at_step for part in break_marks.changed(each))
    return f"; {' and '.join(parts)} changed too" if parts else ""


def summary(found: History) -> str:
    """All iterations in a sentence or two."""
    all_pairs = counted(found.n, "pair")
    all_iterations = (
        f"All {len(found.iterations)} iterations: {interval(found.pooled)}, {all_pairs}; ties count as half."
    )
    parts = [all_iterations]
    if found.step is None:
        parts.append("No change point was found.")
    else:
        after, before = percent(found.step.after), percent(found.step.before)
        parts.append(
            f"The mean is {after} since {found.iterations[found.step.at].name} and {before} before it: "
            "a larger difference than chance explains."
        )
    if found.at_step:
        changed = "; ".join(break_marks.what(each) for each in found.at_step)
        parts.append(
            f"The comparison itself changed there too ({changed}), which may explain the difference."
        )
    parts.append(break_marks.sentence(found.breaks, [iteration.name for iteration in found.iterations]))
    return " ".join(filter(None, parts))


def _rate(each: IterationRecord) -> str:
    return interval(each.rate) if isinstance(each.rate, Estimate) else percent(each.share or 0.0)
