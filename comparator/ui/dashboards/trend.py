"""The win rate over all iterations, with what all of them come to and where it changed."""

from __future__ import annotations

from comparator.reporting.results.over_iterations import History
from comparator.reporting.results.series import Over
from comparator.reporting.scope import ResultFilter
from comparator.stats.figures import Estimate
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe
from comparator.ui.frame.charts import PAIRS, Chart, Lines, break_marks, ends
from comparator.ui.frame.estimates import interval, percent
from comparator.ui.frame.words import counted

NAME = 24
"""Characters of a candidate's name in the title of the chart."""


def trend_chart(found: History, asked: ResultFilter) -> Chart:
    """Every iteration as a dot; a click lists its pairs."""
    names = [each.name for each in found.iterations]
    what = {each.at: break_marks.what(each) for each in found.breaks or ()}
    breaks = [break_marks.mark_of(each, step=names[each.at], at=each.at) for each in found.breaks or ()]
    level = turned = None
    if isinstance(found.pooled, Estimate):
        across = f" ({counted(len(breaks), 'break')})" if breaks else ""
        level = (found.pooled.value, f"all: {percent(found.pooled.value)}{across}")
    if found.step is not None:
        before = f"before: {percent(found.step.before)}{_too(found)}"
        turned = (
            found.step.at,
            f"mean since {names[found.step.at]}: {percent(found.step.after)} ({before})",
        )
    by = "iteration" if found.over is Over.ITERATIONS else "version"
    return Chart(
        "trend",
        f"Win rate of {safe.cut(found.one, NAME)} against {safe.cut(found.two, NAME)} by {by}",
        [
            {
                "Iteration": each.name,
                "Win rate": None if each.share is None else round(each.share, 3),
                **ends(each.rate),
                "Pairs": each.n,
                "Won": each.won,
                "Tied": each.tied,
                "Lost": each.lost,
                "Mean lead": None if each.lead is None else round(each.lead, 2),
                f"Expectations met by {found.one}": None if each.met_one is None else round(each.met_one, 3),
                f"Expectations met by {found.two}": None if each.met_two is None else round(each.met_two, 3),
                "Not comparable with the iteration before": what.get(at, ""),
            }
            for at, each in enumerate(found.iterations)
        ],
        Lines(
            "Iteration",
            "Win rate",
            names,
            n="Pairs",
            even=0.5,
            breaks=breaks,
            level=level,
            turned=turned,
        ),
        {
            PAIRS: [
                pairs_link(asked.model_copy(update={"one": each.one, "two": each.two, "also": ()}))
                for each in found.iterations
            ]
        },
        note=break_marks.NOT_CHECKED if found.breaks is None else "",
        help=summary(found),
    )


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
