"""History: every comparison, filtered and searched, to open or export."""

import streamlit as st

from comparator.ui import charts
from comparator.ui.components.paper.component import fit_to_paper
from comparator.ui.history_filters import filters
from comparator.ui.history_list import history_list
from comparator.ui.history_timeline import task_timeline
from comparator.ui.state import Page
from comparator.ui.theme import theme
from comparator.ui.way_back import come_back

come_back(Page.HISTORY)
st.title("History", anchor=False)
asked = filters()
if asked.task_id is not None:
    task_timeline(asked.task_id)
history_list(asked)
fit_to_paper(key="paper", colours=charts.paper_colours(theme()))
