"""A Streamlit page with nothing but the score sheet, over a review that follows the domain's rules."""

from __future__ import annotations

import json
from contextlib import nullcontext

import streamlit as st

from comparator.domain.errors import ReviewError
from comparator.ui.components.sheet import CommandName, Download, Refusal, score_sheet, sent
from tests.browser.sheet_review import review_of

st.set_page_config(page_title="Score sheet", layout="wide")


@st.fragment
def show(scenario: str, review_name: str) -> None:
    review = review_of(scenario, review_name)
    comparison_id = review.comparison_id
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.text(f"Run {st.session_state['runs']}")
    note, download = "", None
    refused: tuple[Refusal, ...] = ()
    try:
        events = sent(comparison_id, key="sheet")
        refused = (*events.refused, *review.store(events.changes))
        if events.command:
            note = review.act(events.command)
            if events.command.name in (CommandName.EXPORT, CommandName.EXPORT_PROVENANCE):
                body = json.dumps({"winner": review.versions[-1].winner.value})
                download = Download(id=events.command.id, name="comparison.json", text=body)
    except ReviewError as error:
        note = str(error)
    # In a container, Streamlit makes the element anew.
    with st.container() if st.session_state.get("other") == "made anew" else nullcontext():
        late = score_sheet(
            review.sheet(), key="sheet", owner=review_name, refused=refused, note=note, download=download
        )
    if late:
        review.store(late.changes)
        if late.command:
            review.act(late.command)
        st.rerun(scope="fragment")


name = st.query_params.get("scenario", "plain")
st.sidebar.text("Queue")
st.text_input("Another field", key="other")
show(name, st.query_params.get("review", ""))
