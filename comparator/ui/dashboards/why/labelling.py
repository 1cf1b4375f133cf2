"""Labelling findings on the page: a person says to which themes each belongs, without seeing the assignment."""

from __future__ import annotations

import streamlit as st

from comparator.domain.errors import InputError
from comparator.domain.themes import TO_LABEL
from comparator.ui.frame import safe, session
from comparator.workflow.themes import edit


def labelling_box(project_id: str) -> None:
    """The next finding to label, and how far this person is."""
    with st.expander(
        safe.text(f"Check the assignment: label {TO_LABEL} findings yourself"),
        key="labelling",
        icon=":material/fact_check:",
        expanded=bool(st.session_state.get("labelling_open")),
    ):
        services, me = session.services(), session.me().id
        try:
            finding, done = edit.to_label(services, project_id, person_id=me)
        except InputError as error:
            st.caption(safe.message(error))
            return
        names = edit.state(services, project_id).book.names
        st.caption(
            safe.text(
                f"{done} of {TO_LABEL} labelled by you. Choose every theme whose test is true of it, or none."
            )
        )
        with st.container(border=True):
            st.caption(
                safe.text(f"A {finding.source.value} of one output, stated by the {finding.speaker.value}")
            )
            safe.write(safe.text(finding.words))
        chosen = st.pills(
            "Themes",
            list(names),
            selection_mode="multi",
            format_func=lambda id: safe.inked(names[id]),
            key=f"label_{finding.id}",
        )
        if st.button(
            "Save and next" if chosen else "None of these",
            key="label_save",
            type="primary",
            icon=":material/arrow_forward:",
        ):
            edit.label(services, project_id, finding.id, list(chosen), person_id=me)
            st.session_state["labelling_open"] = True
            st.rerun()
