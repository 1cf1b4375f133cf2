"""The steps of the picture by which the list is filtered: chosen in it, named under it, and cleared there."""

from __future__ import annotations

from datetime import date
from typing import Any

import streamlit as st

from comparator.reporting.history.picture import Axis, MetricPicture
from comparator.ui.frame import safe
from comparator.ui.history.filters import ITERATION, SINCE, UNTIL

AXES = {Axis.ITERATIONS: "Iterations", Axis.DAYS: "Days"}


def filter_by(found: MetricPicture, chosen: Any) -> None:
    """Filter the list by the steps in the box, or the one that was clicked."""
    if chosen.box:
        low, high = sorted(chosen.box[0]["x"][:2])
        steps = [step for at, step in enumerate(found.steps) if low <= at <= high]
    else:
        steps = [found.steps[round(chosen.points[0]["x"])]]
    if not steps:
        return
    if found.axis is Axis.DAYS:
        st.session_state[SINCE], st.session_state[UNTIL] = (
            date.fromisoformat(steps[0]),
            date.fromisoformat(steps[-1]),
        )
    else:
        st.session_state[ITERATION] = steps


def steps_chip(found: MetricPicture) -> None:
    """The steps by which the list is filtered; a click takes them away."""
    span = filtered_span(found)
    if span is None:
        return
    first, last = (found.steps[at] for at in span)
    steps = first if first == last else f"{first} to {last}"
    st.button(
        safe.text(f"{AXES[found.axis]}: {steps}"),
        key="picture_span",
        icon=":material/close:",
        on_click=_all_steps,
        help="Clear this filter",
    )


def _all_steps() -> None:
    st.session_state[ITERATION] = []
    st.session_state[SINCE] = st.session_state[UNTIL] = None


def filtered_span(found: MetricPicture) -> tuple[int, int] | None:
    """The first and last of the steps by which the list is filtered."""
    if found.axis is Axis.DAYS:
        first, last = st.session_state.get(SINCE), st.session_state.get(UNTIL)
        places = [
            at
            for at, step in enumerate(found.steps)
            if (first is None or step >= str(first)) and (last is None or step <= str(last))
        ]
        if first is None and last is None:
            return None
    else:
        wanted = set(st.session_state.get(ITERATION) or ())
        places = [at for at, step in enumerate(found.steps) if step in wanted]
    return (places[0], places[-1]) if places else None
