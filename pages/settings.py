"""Settings: the projects, the people, the judge, where things are kept, and what this app is."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import session
from comparator.ui.settings.parts import about_part, audit_part, judge_part, storage_part
from comparator.ui.settings.people import people_part
from comparator.ui.settings.projects import project_part

WIDTH = 920

with st.container(width=WIDTH):
    st.title("Settings", anchor=False)
    project_part()

    st.subheader("People and this installation", anchor=False)
    signs_in = session.services().settings.signs_in
    with st.expander("People and roles", expanded=signs_in):
        people_part()
    with st.expander("Keys and models of this installation"):
        st.caption("Set by environment or .env before the start; keys are never shown or stored.")
        judge_part()
    if session.may(Act.OPERATE, project_id=None):
        with st.expander("Storage"):
            storage_part()
    if session.may(Act.SEE_AUDIT, project_id=None):
        with st.expander("Audit"):
            audit_part()
    with st.expander("About"):
        about_part()
