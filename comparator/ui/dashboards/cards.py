"""All projects at a glance: a card each with the last verdict, the win rate over its iterations, and what waits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from comparator.domain.counted import natural
from comparator.reporting.findings import Doubt, Findings, findings_of
from comparator.reporting.history.listing import QueueCounts, counts
from comparator.reporting.results.candidates import ProjectState, project_state
from comparator.reporting.results.spending import cost
from comparator.store.core.database import Database
from comparator.store.people.projects import Project
from comparator.ui.dashboards import advice, sentences
from comparator.ui.dashboards.cost_words import times_of
from comparator.ui.dashboards.first_screen import Tile, colour_and_icon, overview_chart, tiles
from comparator.ui.dashboards.open import hidden_badge
from comparator.ui.dashboards.tabs.cost import in_money
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Lines
from comparator.ui.frame.charts.plotting import plain
from comparator.ui.frame.charts.theme import theme
from comparator.ui.frame.lists.filters import filters, one_of
from comparator.ui.frame.state import SessionKey
from comparator.ui.frame.words import counted

MOST = 12
"""So many cards are shown at first, and so many more with each click: each of them reads a project's result."""
ABREAST = 3
EXCEPTIONS = {"other_way": "{label} {value}", "regressed": "{value} regressed", "now": "{label}: {value}"}
"""How a card says what these tiles of the first screen name, where they name something."""
HEIGHT = 126
"""Pixels of a card's line chart."""


class Card(NamedTuple):
    """A project with what waits in it and, once it is revealed, its result over all iterations."""

    project: Project
    state: ProjectState
    waiting: QueueCounts
    findings: Findings | None


ORDERS: dict[str, tuple[str, Callable[[Card], tuple[object, ...]]]] = {
    "check": ("Needs attention", lambda card: (-_to_check(card), -card.waiting.to_review)),
    "name": ("Name", lambda card: natural(card.project.name)),
    "rate": ("Win rate", lambda card: (-_share_of(card),)),
    "tokens": (
        "Cost",
        lambda card: (-_cost_of(card),),
    ),
    "waiting": ("To review", lambda card: (-card.waiting.to_review,)),
}
"""The orders of the cards: the label and the sort key of each. Projects come by name."""


def _to_check(card: Card) -> int:
    """How many doubts, tasks that regressed, kinds that go the other way and falls of the rate there are."""
    findings = card.findings
    if findings is None:
        return 0
    exceptions = len(findings.regressed) + len(findings.other_way) + findings.fell
    return len(findings.warnings) + findings.untested + exceptions


def project_cards(database: Database, projects: Sequence[Project]) -> None:
    """The cards, three to a row where there is room."""
    number = st.session_state.get(SessionKey.CARDS, MOST)
    labels = {name: words for name, (words, _) in ORDERS.items()}
    if len(projects) > MOST:
        # Any other order reads the results of all.
        labels = {"name": labels["name"], **labels}
    order = one_of("sort", labels, "Sort by") if len(projects) > ABREAST else "check"
    cards = [_card_of(database, project) for project in (projects[:number] if order == "name" else projects)]
    visible = sorted(cards, key=ORDERS[order][1])[:number]
    for first in range(0, len(visible), ABREAST):
        for card, column in zip(visible[first : first + ABREAST], st.columns(ABREAST), strict=False):
            with column, st.container(border=True, height="stretch", key=f"card_{card.project.id}"):
                _card(database, card)
    if left := len(projects) - len(visible):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                safe.text(
                    f"{counted(left, 'more project')}. You can also choose a project by name in the sidebar."
                )
            )
            st.button(
                safe.text(f"Show {min(left, MOST)} more"),
                key="cards_more",
                icon=":material/expand_more:",
                on_click=_show_more,
                args=(number,),
            )


def _show_more(number: int) -> None:
    st.session_state[SessionKey.CARDS] = number + MOST


def _share_of(card: Card) -> float:
    share = card.findings.result.share if card.findings else None
    return -1.0 if share is None else share


def _cost_of(card: Card) -> float:
    relative = card.findings.usage_now.relative if card.findings else None
    return relative[0] if relative else 0.0


def _card_of(database: Database, project: Project) -> Card:
    state, findings = project_state(database, project.id), None
    if state.revealed_meetings:
        first = filters(state.revealed_meetings, project.id, ask=False)
        findings = findings_of(database, first.filter, first.names)
    return Card(project, state, counts(database, project_id=project.id), findings)


def _card(database: Database, card: Card) -> None:
    project, state = card.project, card.state
    st.button(
        safe.text(project.name),
        key=f"card_open_{project.id}",
        type="tertiary",
        icon=":material/chevron_right:",
        icon_position="right",
        on_click=session.look_at,
        args=(project.id,),
    )
    if not state.comparisons:
        st.caption("No comparisons yet.")
    elif card.findings is not None:
        _verdict(database, project.id, card.findings)
    elif state.unrevealed:
        hidden_badge()
        progress = f"{state.reviewed:,} of {counted(state.comparisons, 'pair')} reviewed"
        st.progress(state.reviewed / state.comparisons, text=safe.text(progress))
    else:
        st.caption("No two candidates to compare.")
    if waiting := _waits(card.waiting, state):
        st.caption(safe.text(waiting))


def _verdict(database: Database, project_id: str, findings: Findings) -> None:
    color, icon = colour_and_icon(findings)
    st.badge(safe.text(advice.decision(findings)), icon=icon, color=color)  # type: ignore[arg-type]  # one of Streamlit's own names
    if not findings.result.n:
        return
    overall, *others = tiles(findings)
    if check := ". ".join(_to_look_at(findings, others)):
        safe.write(safe.Markdown(f":small[:orange[:material/priority_high:] {safe.text(check)}]"))
    st.metric(safe.text(overall.label), safe.text(overall.value))
    st.caption(safe.text(overall.rests_on))
    trend = overview_chart(findings)
    if isinstance(trend.drawing, Lines):
        # To one scale on all cards, without room for words above.
        breaks = [mark._replace(short="") for mark in trend.drawing.breaks]
        drawing = replace(
            trend.drawing, height=HEIGHT, levels=(), notes=(), breaks=breaks, between=(-0.05, 1.05)
        )
        trend = replace(trend, drawing=drawing)
    if line := trend.figure(theme()):
        if isinstance(trend.drawing, Lines):
            first, *_, last = (plain(safe.cut(step, 14)) for step in trend.drawing.steps)
            line.update_xaxes(tickvals=[0, len(trend.drawing.steps) - 1], ticktext=[first, last], title=None)
            line.update_layout(margin_t=8, margin_b=24, yaxis_tickvals=[0, 0.5, 1])
            line.update_traces(marker_size=4)
        else:
            line.update_layout(showlegend=False, height=HEIGHT / 2, margin_t=0)
        st.plotly_chart(
            line,
            key=f"card_line_{project_id}",
            theme=None,
            config={"displayModeBar": False, "staticPlot": True},
        )
    took = []
    if relative := findings.usage_now.relative:
        times, what = relative
        took.append(f"{times_of(times)} times the {what} of {findings.names.two}")
    if money := in_money(cost(database, project_id, of=findings.filter)):
        took.append(f"judging: {money}")
    if took:
        st.caption(safe.text("; ".join(took)))


def _to_look_at(findings: Findings, tiles: Sequence[Tile]) -> Iterator[str]:
    """Why it needs attention, in a few words each."""
    for tile in tiles:
        if tile.name in EXCEPTIONS and tile.applies:
            yield EXCEPTIONS[tile.name].format(label=tile.label, value=tile.value)
    if findings.untested:
        yield sentences.UNTESTED.capitalize()
    if checks := [doubt.value for doubt in findings.warnings if doubt is not Doubt.UNTESTED]:
        yield f"Check {' and '.join(checks)}"


def _waits(queue_counts: QueueCounts, state: ProjectState) -> str:
    waiting = [
        f"{number:,} {what}"
        for number, what in (
            (queue_counts.to_judge, "to judge"),
            (queue_counts.failed, "failed"),
            (queue_counts.to_review, "to review"),
            (queue_counts.drafts, "in draft"),
            (state.unrevealed, "to reveal"),
        )
        if number
    ]
    return ", ".join(waiting)
