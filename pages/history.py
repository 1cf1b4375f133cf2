"""History: a figure over time, then every comparison, as a list or a grid, filtered and searched."""

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.frame.notices import demo_note
from comparator.ui.history.filters import filters, own_projects
from comparator.ui.history.page import chart_place, every_project, history_list, view_switch
from comparator.ui.history.picture import history_picture

st.title("History", anchor=False)
demo_note()
above, tools = st.container(), st.container(horizontal=True, vertical_alignment="center")
with tools:
    view_switch()
    history_filter = filters()
# Picture and list agree.
with session.services().database.one_moment():
    with chart_place(above):
        if not history_picture(history_filter) and session.project_id() is None:
            every_project(own_projects())
    history_list(history_filter, tools)
