"""A Streamlit page with nothing but the score sheet of a stored pair, which says what the review page asks for."""

from __future__ import annotations

from contextlib import nullcontext

import streamlit as st

from comparator.ui.components.sheet.component import Reply, pressed, score_sheet
from comparator.ui.frame import session
from comparator.ui.review.commands import carry_out, opened_at
from comparator.ui.review.parts import candidates
from comparator.workflow.review.sheet import read_sheet

st.set_page_config(page_title="Score sheet", layout="wide")


@st.fragment
def show(comparison_id: str) -> None:
    me = session.me()
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.text(f"Run {st.session_state['runs']}")
    # Another pair, where the reply names one, is not opened here: the page that does is tested as a whole.
    command = pressed(comparison_id, key="sheet")
    reply = carry_out(comparison_id, command) if command else Reply()
    # In a container, Streamlit makes the element anew.
    with st.container() if st.session_state.get("other") == "made anew" else nullcontext():
        sheet = read_sheet(session.services(), comparison_id, person_id=me.id, files=False)
        score_sheet(
            sheet,
            key="sheet",
            owner=me.id,
            began=opened_at(comparison_id),
            reply=reply,
            names=candidates(sheet),
        )


st.sidebar.text("Queue")
st.text_input("Another field", key="other")
show(st.query_params["c"])
