"""History: every comparison, filtered and searched, to open or export."""

from contextlib import nullcontext

import streamlit as st

from comparator.ui.components.page.paper import fit_to_paper
from comparator.ui.frame import session
from comparator.ui.frame.charts.theme import paper_colours, theme
from comparator.ui.frame.demo import demo_note
from comparator.ui.frame.lists.pair_links import come_back
from comparator.ui.frame.state import PageScript
from comparator.ui.history.filters import filters
from comparator.ui.history.grid import cell_followed, history_grid
from comparator.ui.history.page import history_list
from comparator.ui.history.picture import history_picture, pictured
from comparator.ui.history.timeline import task_timeline

come_back(PageScript.HISTORY)
cell_followed()
st.title("History", anchor=False)
demo_note()
asked, of = filters(), pictured()
# Picture, list and grid agree.
with nullcontext() if of is None else session.services().database.one_moment():
    if of is not None:
        history_picture(asked, of)
    # Drawn last: neither the picture nor the list waits for it.
    between = st.container()
    if asked.task_id is not None:
        task_timeline(asked.task_id)
    history_list(asked)
    if of is not None:
        with between:
            history_grid(asked, of)
fit_to_paper(key="paper", colours=paper_colours(theme()))
