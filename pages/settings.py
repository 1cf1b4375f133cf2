"""Settings: the project that is looked at, its people, and what this installation is."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import session
from comparator.ui.settings.parts import audit_part, installation_part, people_part
from comparator.ui.settings.projects import project_part, projects_part

WIDTH = 920

with st.container(width=WIDTH):
    st.title("Settings", anchor=False)
    services = session.services()
    project_id = session.project_id() or session.only_project(Act.CHANGE_SETTINGS)
    if project_id and session.may(Act.CHANGE_SETTINGS, project_id=project_id):
        if len(session.projects(Act.CHANGE_SETTINGS)) > 1:
            st.button(
                "All projects",
                key="settings_all",
                icon=":material/arrow_back:",
                type="tertiary",
                on_click=session.look_at,
                args=("",),
            )
        project_part(project_id)
    else:
        st.subheader("Projects", anchor=False)
        projects_part()
    with st.expander("This installation: judge, key, storage, limits, version", expanded=not project_id):
        installation_part()
    with st.expander("People and roles", expanded=services.settings.signs_in):
        people_part(project_id)
    if session.may(Act.SEE_AUDIT, project_id=None):
        with st.expander("Audit log"):
            audit_part()
