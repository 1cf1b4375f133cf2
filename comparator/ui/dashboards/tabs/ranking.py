"""The charts of more than two candidates: their order, who beat whom, and the trends over iterations and versions."""

from __future__ import annotations

from collections.abc import Iterator

from comparator.reporting.results.candidates import natural
from comparator.reporting.results.ranking import Field, Ranking
from comparator.reporting.results.series import Over, Trend
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs_behind import ANY, OR
from comparator.stats.figures import Estimate
from comparator.ui.dashboards.pairs_behind import pairs_link, tally_link
from comparator.ui.frame.charts import PAIRS, Chart, Dots, Lines, Link, break_marks, ends
from comparator.ui.frame.charts.heat_map import HeatMap, Square
from comparator.ui.frame.estimates import percent
from comparator.ui.frame.words import counted

MOST_IN_MATRIX, LEAST_IN_MATRIX = 12, 3
TRENDS = {
    Over.ITERATIONS: "Share of pairs that {one} won against {two}, iteration by iteration",
    Over.VERSIONS: "Share of pairs that {one} won against {two}, version by version",
    Over.SUCCESSORS: "Share of pairs that each version won against the one before it, {one}",
}


def field_charts(found: Field, *, asked: ResultFilter) -> Iterator[Chart]:
    """Ranking, matrix and trends, where there are any; counted as `asked` counts its two candidates."""
    for at, trend in enumerate(found.trends):
        yield _trend(trend, at, asked)
    if found.ranking is not None:
        yield _order(found.ranking, asked.project_id)
        if (matrix := _matrix(found.ranking, asked)).is_drawn:
            yield matrix


def _of(asked: ResultFilter, one: str, two: str) -> Link:
    """The pairs of two other candidates, counted alike."""
    return pairs_link(asked.model_copy(update={"one": one, "two": two}))


def _order(found: Ranking, project_id: str) -> Chart:
    title = "Ranking: the share of pairs that each candidate would win against the others"
    if found.apart:
        groups = _groups(found)
        return Chart(
            "ranking",
            title,
            [
                {"Group": at, "Candidates": ", ".join(found.called[id] for id in group)}
                for at, group in enumerate(groups, 1)
            ],
            note=f"{counted(len(groups), 'group')} of candidates cannot be ranked together: some never met, or one "
            "won every pair.",
        )
    return Chart(
        "ranking",
        title,
        [
            {
                "Candidate": found.called[each.id],
                "Share won": round(each.against_others.value, 3),
                **ends(each.against_others),
                "Pairs": each.against_others.n,
            }
            for each in found.order
        ],
        Dots("Candidate", "Share won", (0, 1), sides=("loses more", "wins more"), n="Pairs"),
        {
            PAIRS: [
                tally_link(project_id, "won", f"{each.id}|{ANY}{OR}{ANY}|{each.id}|{ANY}")
                for each in found.order
            ]
        },
        note="Where two lines overlap, their order is open.",
        help="By Bradley and Terry; ties count as half; the line is the 95% interval of 200 resamples.",
    )


def _matrix(found: Ranking, asked: ResultFilter) -> Chart:
    # Of groups that never met, only the largest has something to show.
    ids = ([each.id for each in found.order] or max(_groups(found), key=len))[:MOST_IN_MATRIX]
    points: dict[tuple[str, str], tuple[float, int]] = {}
    for met in found.met:
        n = met.won + met.lost + met.tied
        points[met.one, met.two] = (met.won + met.tied / 2) / n, n
        points[met.two, met.one] = (met.lost + met.tied / 2) / n, n
    cells = [
        (row, column, *points[one, two])
        for row, one in enumerate(ids)
        for column, two in enumerate(ids)
        if (one, two) in points
    ]
    names = [found.called[id] for id in ids]
    squares = [
        Square(
            row,
            column,
            (share - 0.5) * 2,
            f"{percent(share)}<br>of {n}",
            f"{names[row]} against {names[column]}: {percent(share)} of {n}",
        )
        for row, column, share, n in cells
    ]
    shares = {(row, column): f"{percent(share)} of {n}" for row, column, share, n in cells}
    return Chart(
        "matrix",
        "Share of pairs that the candidate of the row won against that of the column",
        [
            {"Candidate": name, **{other: shares.get((row, column)) for column, other in enumerate(names)}}
            for row, name in enumerate(names)
        ],
        HeatMap("Candidate", names, squares, written=True) if len(ids) >= LEAST_IN_MATRIX else None,
        cells=lambda at: _of(asked, ids[cells[at][0]], ids[cells[at][1]]),
        note=f"The first {len(ids)} candidates are shown." if len(ids) < len(found.called) else "",
        help="Ties count as half. An empty cell: the two never met.",
    )


def _trend(found: Trend, at: int, asked: ResultFilter) -> Chart:
    step = "Iteration" if found.over is Over.ITERATIONS else "Version"
    names = [each.name for each in found.steps]
    what = {each.at: break_marks.what(each) for each in found.breaks or ()}
    return Chart(
        f"trend_{at}",
        TRENDS[found.over].format(one=found.one, two=found.two),
        [
            {
                step: each.name,
                "Win rate": None if each.share is None else round(each.share, 3),
                **ends(each.rate if isinstance(each.rate, Estimate) else None),
                "Won": each.won,
                "Tied": each.tied,
                "Lost": each.lost,
                "Pairs": each.n,
                f"Not comparable with the {step.lower()} before": what.get(place, ""),
            }
            for place, each in enumerate(found.steps)
        ],
        Lines(
            step,
            "Win rate",
            names,
            n="Pairs",
            even=0.5,
            breaks=[
                break_marks.mark_of(each, step=names[each.at], at=each.at) for each in found.breaks or ()
            ],
        ),
        {PAIRS: [_of(asked, each.one, each.two) for each in found.steps]},
        note=break_marks.sentence(found.breaks, names),
        help="Ties count as half. With the 95% interval; a hollow dot has too few tasks for one.",
    )


def _groups(found: Ranking) -> list[list[str]]:
    """The candidates that can be compared with each other, by id, in the order of their names."""

    def by_name(id: str) -> tuple[object, ...]:
        return natural(found.called[id])

    groups = [sorted(group, key=by_name) for group in found.apart]
    return sorted(groups, key=lambda group: by_name(group[0]))
