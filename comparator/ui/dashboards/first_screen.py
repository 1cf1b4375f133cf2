"""The first screen: the verdict, one bar, the trend over all iterations, and how far to trust it in three figures."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from comparator.domain.pair.notes import SAME_IN_BOTH_ORDERS
from comparator.reporting.results.result import Result
from comparator.reporting.scope import PEOPLE
from comparator.reporting.why.pairs import PairOutcome as Ended
from comparator.reporting.why.pairs import Slice
from comparator.stats.decision import DecisionOutcome
from comparator.stats.figures import ENOUGH
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.data import Headline, best_agreement
from comparator.ui.dashboards.pairs_behind import pairs_link, void_pairs_link
from comparator.ui.dashboards.trend import trend_chart
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import Bars, Chart, Tone
from comparator.ui.frame.charts.chart import draw
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted

BADGES = {DecisionOutcome.ADOPT: "green", DecisionOutcome.KEEP: "blue", DecisionOutcome.CANNOT_TELL: "gray"}
ICONS = {
    DecisionOutcome.ADOPT: ":material/check_circle:",
    DecisionOutcome.KEEP: ":material/undo:",
    DecisionOutcome.CANNOT_TELL: ":material/help:",
}


def first_screen(top: Headline) -> None:
    """The answer on one screen."""
    outcome = top.advice.decision.outcome if top.latest else DecisionOutcome.CANNOT_TELL
    with st.container(horizontal=True, vertical_alignment="center", key="dashboards_answer"):
        st.badge(
            safe.text(sentences.badge(top)),
            icon=ICONS[outcome] if top.latest else ":material/history:",
            color=BADGES[outcome],  # type: ignore[arg-type]  # one of Streamlit's own names
        )
        st.subheader(
            safe.text(sentences.headline(top.result, one=top.names.one, two=top.names.two)), anchor=False
        )
    st.caption(
        safe.linked(sentences.under_headline(top), sentences.void_in_words(top), void_pairs_link(top.asked))
    )
    if not top.result.n:
        _next_step(top)
        return
    for each in pictures(top):
        if each.name == "trend":
            st.subheader(safe.text(each.title), anchor=False, help=safe.text(each.help))
        draw(each)
    _trust(top)


def pictures(top: Headline) -> Iterator[Chart]:
    """The bar, and the trend if there is one; nothing where no pair is counted."""
    if not top.result.n:
        return
    found, (one, two) = top.result, top.names
    series = {
        f"{one} wins": (Tone.ONE, Ended.WON),
        "tied": (Tone.EVEN, Ended.TIED),
        f"{two} wins": (Tone.TWO, Ended.LOST),
    }
    yield Chart(
        "headline",
        "",
        [{"": "", **dict(zip(series, (found.won, found.tied, found.lost), strict=True))}],
        Bars("", {name: tone for name, (tone, _) in series.items()}, overall=True),
        {name: [pairs_link(top.asked, Slice(outcome=ended))] for name, (_, ended) in series.items()},
    )
    if top.history is not None:
        yield trend_chart(top.history, top.asked)


def _trust(top: Headline) -> None:
    found = top.result
    taken = [each for each in found.by_kind if each.kind in top.asked.kinds]
    reviewed = sum(each.n for each in taken if each.kind in PEOPLE)
    best = best_agreement(top.agreement)
    first, second, third = st.columns(3)
    first.metric(
        "Counted pairs reviewed",
        safe.text(_share(reviewed, found.n)),
        help=safe.text(
            f"{reviewed:,} of {counted(found.n, 'counted pair')} have a person's verdict. The others rest on the judge "
            f"alone.{_uncounted(found)}"
        ),
    )
    second.metric(
        "Judge agrees",
        safe.text(_share(best.same, best.n) if best else "not known"),
        help=safe.text(sentences.agreement(best) if best else sentences.NOT_COMPARED),
    )
    third.metric(
        SAME_IN_BOTH_ORDERS,
        safe.text(_share(found.consistent, found.read_twice)),
        help=safe.text(sentences.consistency(found)),
    )


def _uncounted(found: Result) -> str:
    left = sum(each.n for each in found.by_kind) - found.n
    return (
        f" {counted(left, 'more pair')} of these candidates {'is' if left == 1 else 'are'} not counted."
        if left
        else ""
    )


def _share(some: int, n: int) -> str:
    """A percentage; of few, the counts."""
    if not n:
        return "not known"
    return estimates.percent(some / n) if n >= ENOUGH else f"{some} of {n}"


def _next_step(top: Headline) -> None:
    """Why nothing is counted, and what to do about it."""
    with st.container(border=True, width=720):
        if not top.result.by_kind:
            st.subheader("No model has judged these pairs, and nobody has reviewed them", anchor=False)
            st.caption(
                "Have a model judge the pairs, or review them. The offline check gives no verdict: it looks "
                "at form only and counts in no figure."
            )
            with st.container(horizontal=True):
                here = (top.asked.project_id,)
                if st.button(
                    "Judge with a model",
                    key="next_judge",
                    type="primary",
                    icon=":material/gavel:",
                    on_click=session.look_at,
                    args=here,
                ):
                    st.switch_page(PageScript.BATCHES)
                if st.button(
                    "Start reviewing",
                    key="next_review",
                    icon=":material/rate_review:",
                    on_click=session.look_at,
                    args=here,
                ):
                    st.switch_page(PageScript.QUEUE)
            return
        st.caption(safe.text(sentences.certainty(top.result, one=top.names.one, two=top.names.two)))
