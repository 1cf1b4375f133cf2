"""Starting a batch: which project's unjudged pairs, by which judge, for how much at most."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.jobs import orders
from comparator.jobs.orders import BatchOrder
from comparator.store.batches import Via
from comparator.ui import safe, session, shell, words
from comparator.ui.batches_words import VIAS, estimated


def start_batch() -> None:
    """The part of the page that orders a batch of the chosen project; a sentence where nothing waits."""
    services = session.services()
    allowed = session.projects(Act.JUDGE)
    chosen = session.project_id()
    projects = [each for each in allowed if chosen in (None, each.id)]
    with services.database.read() as connection:
        waiting = {each.id: len(orders.waiting(connection, each.id)) for each in projects}
    projects = [each for each in projects if waiting[each.id]]
    if not projects:
        st.caption("No pair waits for a judge. What you import or set up is offered here.")
        return
    names = {each.id: each.name for each in projects}
    with st.container(border=True):
        st.subheader("Judge what waits", anchor=False)
        row = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
        project_id = row[0].selectbox(
            "Project",
            list(names),
            format_func=lambda id: f"{names.get(id, '')} ({words.counted(waiting.get(id, 0), 'pair')})",
            key="batches_project",
        )
        via = row[1].selectbox(
            "How", (Via.MESSAGES, Via.BATCHES), index=0, format_func=VIAS.__getitem__, key="batches_via"
        )
        budget = row[2].number_input(
            "Budget, USD", min_value=0.0, value=None, step=1.0, placeholder="none", key="batches_budget"
        )
        first = row[3].toggle("Before other batches", key="batches_first")
        order = BatchOrder(
            project_id=project_id,
            via=Via(via),
            priority=1 if first else 0,
            money=Decimal(str(budget)) if budget else None,
        )
        _offer(order)


def _offer(order: BatchOrder) -> None:
    services = session.services()
    try:
        # What the start itself would refuse is told before it is pressed.
        orders.judge_of(services, order)
        about = orders.estimate_of(services, order)
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            safe.text(f"Judge {words.counted(about.comparisons, 'pair')}"),
            key="batches_start",
            type="primary",
            icon=":material/play_arrow:",
        )
        st.caption(safe.text(estimated(about)))
    if pressed:
        orders.start(services, order, person_id=session.me().id)
        shell.tell_next("The batch has begun. It goes on while you work elsewhere.")
        st.rerun()
