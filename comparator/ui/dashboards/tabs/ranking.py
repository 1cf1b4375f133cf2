"""The charts of more than two candidates: their order, who beat whom, and the trends over iterations and versions."""

from __future__ import annotations

from collections.abc import Iterator

import plotly.graph_objects as go

from comparator.reporting.results.candidates import natural
from comparator.reporting.results.ranking import Field, Ranking
from comparator.reporting.results.series import Over, Trend
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs_behind import ANY, OR
from comparator.stats.figures import ENOUGH, Interval, TooFew
from comparator.ui.dashboards.pairs_behind import pairs_link, tally_link
from comparator.ui.frame import charts, estimates
from comparator.ui.frame.charts import break_marks
from comparator.ui.frame.charts.box import PAIRS, Box, Link, linked
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.charts.trend import trend_chart
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

MOST_IN_MATRIX = 12
LEAST_IN_MATRIX = 3
MOST_IN_TREND = 12
"""More steps than that are drawn without their numbers beside them."""
TRENDS = {
    Over.ITERATIONS: "Share of pairs that {one} won against {two}, iteration by iteration",
    Over.VERSIONS: "Share of pairs that {one} won against {two}, version by version",
    Over.SUCCESSORS: "Share of pairs that each version won against the one before it, {one}",
}


def field_boxes(found: Field, *, asked: ResultFilter, theme: ColourTheme) -> Iterator[Box]:
    """Ranking, matrix and trends, where there are any; counted as `asked` counts its two candidates."""
    for at, trend in enumerate(found.trends):
        yield _trend(trend, at, asked, theme)
    if found.ranking is not None:
        yield _order(found.ranking, asked.project_id, theme)
        yield _matrix(found.ranking, asked, theme)


def _of(asked: ResultFilter, one: str, two: str) -> Link:
    """The pairs of two other candidates, counted alike."""
    return pairs_link(asked.model_copy(update={"one": one, "two": two}))


def _order(found: Ranking, project_id: str, theme: ColourTheme) -> Box:
    shown = PALETTES[theme]
    title = "Ranking: the share of pairs that each candidate would win against the others"
    if found.apart:
        groups = _groups(found)
        return Box(
            "ranking",
            title=title,
            counts=f"{counted(len(groups), 'group')} of candidates cannot be ranked together: some never met, or one "
            "won every pair. Compare across the groups.",
            figure=None,
            rows=[
                {"Group": at, "Candidates": ", ".join(found.called[id] for id in group)}
                for at, group in enumerate(groups, 1)
            ],
        )
    links = [
        tally_link(project_id, "won", f"{each.id}|{ANY}{OR}{ANY}|{each.id}|{ANY}") for each in found.order
    ]
    pairs = sum(met.won + met.lost + met.tied for met in found.met)
    return Box(
        "ranking",
        title=title,
        counts=f"{counted(pairs, 'revealed pair')} of {len(found.order)} candidates, by Bradley and Terry; ties count "
        "as half; the line is the 95% interval of 200 resamples. Where two lines overlap, their order is open.",
        figure=charts.points(
            [
                charts.Point(
                    found.called[each.id],
                    each.against_others.value * 100,
                    Interval(
                        low=each.against_others.interval.low * 100,
                        high=each.against_others.interval.high * 100,
                    ),
                    f"{percent(each.against_others.value)} ({each.against_others.interval.low * 100:.0f} to "
                    f"{each.against_others.interval.high * 100:.0f}), {counted(each.against_others.n, 'pair')}",
                )
                for each in found.order
            ],
            colour=shown.ink,
            even=50.0,
            low="loses more",
            high="wins more",
            palette=shown,
            between=(0, 100),
        ),
        rows=linked(
            [
                {
                    "Place": place,
                    "Candidate": found.called[each.id],
                    "Share won": round(each.against_others.value, 3),
                    "Interval from": round(each.against_others.interval.low, 3),
                    "Interval to": round(each.against_others.interval.high, 3),
                    "Pairs": each.against_others.n,
                }
                for place, each in enumerate(found.order, 1)
            ],
            {PAIRS: links},
        ),
        marks=[links],
    )


def _matrix(found: Ranking, asked: ResultFilter, theme: ColourTheme) -> Box:
    # Of groups that never met, only the largest has something to show.
    ids = [each.id for each in found.order] or max(_groups(found), key=len)
    points: dict[tuple[str, str], tuple[float, int]] = {}
    for met in found.met:
        n = met.won + met.lost + met.tied
        points[met.one, met.two] = (met.won + met.tied / 2) / n, n
        points[met.two, met.one] = (met.lost + met.tied / 2) / n, n
    listed = ids[:MOST_IN_MATRIX]
    drawn = len(listed) >= LEAST_IN_MATRIX
    cut = f" {len(listed)} are drawn; the table has all." if len(listed) < len(found.called) else ""

    def cell(row: str, column: str) -> str:
        if (row, column) not in points:
            return ""
        share, n = points[row, column]
        return f"{percent(share)}<br>of {n}"

    return Box(
        "matrix",
        title="Share of pairs that the candidate of the row won against that of the column",
        counts="Ties count as half. The darker a cell, the clearer the row won; an empty cell: the two "
        f"never met.{cut}"
        if drawn
        else "Ties count as half. Each candidate met one other.",
        figure=charts.matrix(
            [found.called[id] for id in listed],
            [[cell(row, column) for column in listed] for row in listed],
            [
                [points[row, column][0] if (row, column) in points else None for column in listed]
                for row in listed
            ],
            palette=PALETTES[theme],
        )
        if drawn
        else None,
        rows=[
            {
                "One": found.called[met.one],
                "Two": found.called[met.two],
                "Won by one": met.won,
                "Tied": met.tied,
                "Won by two": met.lost,
                PAIRS: _of(asked, met.one, met.two),
            }
            for met in sorted(
                found.met, key=lambda met: sorted(natural(found.called[id]) for id in (met.one, met.two))
            )
        ],
        marks=[
            (),
            [_of(asked, row, column) for row in listed for column in listed if (row, column) in points],
        ],
    )


def _trend(found: Trend, at: int, asked: ResultFilter, theme: ColourTheme) -> Box:
    links = [_of(asked, step.one, step.two) for step in found.steps]
    each = "Iteration" if found.over is Over.ITERATIONS else "Version"
    what = {each.at: break_marks.what(each) for each in found.breaks or ()}
    return Box(
        f"trend_{at}",
        title=TRENDS[found.over].format(one=found.one, two=found.two),
        counts=f"{counted(sum(step.n for step in found.steps), 'pair')} in "
        f"{counted(len(found.steps), each.lower())}; ties count as half. With the 95% interval; an empty dot "
        f"stands for fewer than {ENOUGH} pairs, too few for an interval. "
        f"{break_marks.sentence(found.breaks, [step.name for step in found.steps])}".rstrip(),
        figure=_steps(found, theme),
        rows=linked(
            [
                {
                    each: step.name,
                    "Won": step.won,
                    "Tied": step.tied,
                    "Lost": step.lost,
                    "Win rate": estimates.interval(step.rate),
                    f"Not comparable with the {each.lower()} before": what.get(place, ""),
                }
                for place, step in enumerate(found.steps)
            ],
            {PAIRS: links},
        ),
        marks=[links],
    )


def _steps(found: Trend, theme: ColourTheme) -> go.Figure:
    colour, palette = charts.CANDIDATES[theme][0], PALETTES[theme]
    few = len(found.steps) <= MOST_IN_TREND
    points = [
        charts.Point(
            step.name,
            step.share or 0.0,
            None if isinstance(step.rate, TooFew) else step.rate.interval,
            f"{percent(step.share or 0.0)}\nn = {step.n}"
            if few
            else f"{step.name}: {percent(step.share or 0.0)} of {counted(step.n, 'pair')}",
        )
        for step in found.steps
    ]
    breaks = [
        break_marks.mark_of(each, step=found.steps[each.at].name, at=each.at) for each in found.breaks or ()
    ]
    if few:
        return charts.steps(points, colour=colour, even=0.5, palette=palette, breaks=breaks)
    return trend_chart(points, colour=colour, palette=palette, breaks=breaks)


def _groups(found: Ranking) -> list[list[str]]:
    """The candidates that can be compared with each other, by id, in the order of their names."""

    def by_name(id: str) -> tuple[object, ...]:
        return natural(found.called[id])

    groups = [sorted(group, key=by_name) for group in found.apart]
    return sorted(groups, key=lambda group: by_name(group[0]))
