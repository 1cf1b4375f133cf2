"""Page config and navigation of the app; `comparator serve` runs it."""

import streamlit as st

from comparator.ui.frame import shell
from comparator.ui.frame.inputs import write_what_is_left

st.set_page_config(page_title="Blind Comparator", page_icon=shell.ICON, layout="wide")

queue = st.Page("pages/queue.py", title="Queue", icon=":material/inbox:", default=True)
new = st.Page("pages/new.py", title="New", icon=":material/add_circle:")
import_ = st.Page("pages/import.py", title="Import", icon=":material/upload_file:")
batches = st.Page("pages/batches.py", title="Batches", icon=":material/stacks:")
panel = st.Page("pages/panel.py", title="Panel", icon=":material/groups:")
history = st.Page("pages/history.py", title="History", icon=":material/history:")
dashboards = st.Page("pages/dashboards.py", title="Dashboards", icon=":material/bar_chart:")
judge = st.Page("pages/judge.py", title="Judge", icon=":material/gavel:")
settings = st.Page("pages/settings.py", title="Settings", icon=":material/settings:")
review = st.Page("pages/review.py", title="Review", icon=":material/balance:", visibility="hidden")
help_ = st.Page("pages/help.py", title="Help", icon=":material/help:")

page = st.navigation(
    [queue, new, import_, batches, history, dashboards, judge, panel, settings, help_, review],
    position="hidden",
)
shell.run(
    page,
    menu=[queue, new, import_, batches, history, dashboards, judge, panel, settings, help_],
    wide=[review],
)
write_what_is_left()
