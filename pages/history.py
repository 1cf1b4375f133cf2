"""History: a figure over time and below it every comparison, or a grid of them alone, filtered and searched."""

import streamlit as st

from comparator.ui.frame import session
from comparator.ui.frame.notices import demo_note
from comparator.ui.history.filters import filters, own_projects
from comparator.ui.history.page import LIST, every_project, history_list, view_chosen
from comparator.ui.history.picture import history_picture

st.title("History", anchor=False)
demo_note()
above = st.container()
with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
    view = view_chosen()
    history_filter = filters()
# Picture and list agree.
with session.services().database.one_moment():
    with above:
        if view == LIST and not history_picture(history_filter) and session.project_id() is None:
            every_project(own_projects())
    history_list(history_filter, view)
