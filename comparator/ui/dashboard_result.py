"""The result of two candidates: the answer in words, then what it rests on."""

from __future__ import annotations

import streamlit as st

from comparator.reporting.candidates import Meeting
from comparator.reporting.results import Difference, Result, result
from comparator.reporting.results_pairs import pairs, strongest, weakest
from comparator.reporting.results_scope import ResultFilter
from comparator.stats.figures import TooFew
from comparator.ui import charts, dashboard_words, safe, session
from comparator.ui.dashboard_filters import OUTCOMES, outcome_filter
from comparator.ui.dashboard_panel import Cell, numbers, pair_link, panel
from comparator.ui.theme import palette, theme
from comparator.ui.words import counted

PAIRS_SHOWN = 100
ON_TIE = "#000000"
DECIDED_BY = {
    "reviewer": "set by the reviewer",
    "rubric": "score",
    "expectations": "expectations met",
    "both_orders": "judge's preference",
    "tie": "nothing",
}


def result_part(asked: ResultFilter, met: Meeting) -> None:
    """Show the result, told from the side of whoever won more pairs."""
    database = session.services().database
    found, one, two = result(database, asked), met.one_name, met.two_name
    if found.lost > found.won:
        asked = asked.model_copy(update={"one": asked.two, "two": asked.one})
        found, one, two = result(database, asked), two, one
    st.header(safe.text(dashboard_words.headline(found, one=one, two=two)), anchor=False)
    safe.write(safe.text(dashboard_words.certainty(found, one=one, two=two)))
    st.caption(safe.text(dashboard_words.on_whose_word(found, kinds=asked.kinds)))
    if caution := dashboard_words.caution(found, kinds=asked.kinds):
        st.warning(safe.text(caution), icon=":material/info:")
    _outcomes(found, asked, one=one, two=two)
    if not found.n:
        return
    _differences(found, one=one, two=two)
    _tasks(asked, one=one, two=two)
    _pairs(asked, found, one=one)


def _outcomes(found: Result, asked: ResultFilter, *, one: str, two: str) -> None:
    if not found.by_kind:
        st.info("No pair of these two has a verdict yet. Judge or review one.", icon=":material/info:")
        return
    colours, shown = charts.CANDIDATES[theme()], palette()
    names = [
        dashboard_words.KINDS[each.kind] + ("" if each.kind in asked.kinds else " (not counted)")
        for each in found.by_kind
    ]
    panel(
        "outcomes",
        title=f"Pairs won by {one}, tied, and won by {two}",
        counts=f"{counted(found.n, 'pair')} counted in {counted(found.tasks, 'task')}. "
        f"{dashboard_words.sign(found.sign_test)} {dashboard_words.consistency(found)}",
        figure=charts.stacked(
            [name.capitalize() for name in names],
            (
                charts.Segment(f"won by {one}", colours[0], shown.page, tuple(k.won for k in found.by_kind)),
                charts.Segment("tied", shown.tie, ON_TIE, tuple(k.tied for k in found.by_kind)),
                charts.Segment(f"won by {two}", colours[1], shown.page, tuple(k.lost for k in found.by_kind)),
            ),
            palette=shown,
        ),
        rows=[
            {
                "Whose verdict": name,
                f"Won by {one}": each.won,
                "Tied": each.tied,
                f"Won by {two}": each.lost,
                "Judge's orders disagreed": each.flipped,
            }
            for name, each in zip(names, found.by_kind, strict=True)
        ],
    )


def _differences(found: Result, *, one: str, two: str) -> None:
    measures = {
        "Overall (2 to 10)": found.overall,
        "Content (1 to 5)": found.content,
        "Structure (1 to 5)": found.structure,
    }
    rates = found.pass_rates
    expectations = (
        f" Expectations met, over {counted(rates.pairs, 'pair')} that have any: {one} "
        f"{dashboard_words.percent(rates.one)}, {two} {dashboard_words.percent(rates.two)}."
        if rates
        else ""
    )
    panel(
        "differences",
        title=f"Mean score of {one} minus mean score of {two}",
        counts=f"Points over {counted(found.overall.pairs, 'pair')} in {counted(found.tasks, 'task')}; the line is the "
        f"95% interval, in which pairs of one task count as alike.{expectations}",
        figure=charts.points(
            [
                charts.Point(
                    name,
                    each.mean or 0.0,
                    None if isinstance(each.estimate, TooFew) else each.estimate.interval,
                    dashboard_words.difference(each),
                )
                for name, each in measures.items()
            ],
            colour=palette().ink,
            even=0.0,
            low=f"{two} better",
            high=f"{one} better",
            palette=palette(),
        ),
        rows=[_difference_row(name, each) for name, each in measures.items()],
    )


def _difference_row(name: str, each: Difference) -> dict[str, Cell]:
    ends = None if isinstance(each.estimate, TooFew) else each.estimate.interval
    return {
        "Score": name,
        "Mean difference": None if each.mean is None else round(each.mean, 3),
        "Interval from": round(ends.low, 3) if ends else None,
        "Interval to": round(ends.high, 3) if ends else None,
        "Pairs": each.pairs,
        "Tasks": each.estimate.n,
    }


def _tasks(asked: ResultFilter, *, one: str, two: str) -> None:
    database = session.services().database
    ahead, behind = strongest(database, asked), weakest(database, asked)
    rows = (*ahead, *reversed(behind))
    if not rows:
        return
    panel(
        "tasks",
        title=f"Tasks on which {one} leads most, and trails most",
        counts=f"Mean difference of the overall score in points, {one} minus {two}; at most five tasks each way, and "
        "a link to a pair of each.",
        figure=charts.diverging(
            [(each.title, each.difference) for each in rows],
            colours=charts.CANDIDATES[theme()],
            low=f"{two} better",
            high=f"{one} better",
            palette=palette(),
        ),
        rows=[
            {
                "Task": each.title,
                "Mean difference": round(each.difference, 3),
                "Pairs": each.pairs,
                "Pair": each.comparison_id,
            }
            for each in rows
        ],
    )
    with st.container(horizontal=True):
        for each in rows:
            pair_link(each.comparison_id, label=f"{each.difference:+.1f}  {each.title}")


def _pairs(asked: ResultFilter, found: Result, *, one: str) -> None:
    with st.container(border=True):
        st.subheader("The pairs behind these numbers", anchor=False)
        outcome = outcome_filter()
        rows = pairs(
            session.services().database,
            asked,
            outcome=outcome,
            limit=PAIRS_SHOWN,
        )
        more = f"; the first {PAIRS_SHOWN} are listed" if len(rows) == PAIRS_SHOWN < found.n else ""
        st.caption(safe.text(f"{counted(found.n, 'pair')} counted, largest lead of {one} first{more}."))
        if rows:
            numbers(
                "pairs",
                [
                    {
                        "Task": row.title,
                        f"Result of {one}": OUTCOMES[row.outcome.value],
                        "Overall difference": row.difference,
                        "Whose verdict": dashboard_words.KINDS[row.kind],
                        "Decided by": DECIDED_BY.get(row.decided_by, row.decided_by),
                        "Judge's orders agreed": _yes_no(row.position_consistent),
                        "Pair": row.comparison_id,
                    }
                    for row in rows
                ],
            )


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
