"""A page that puts hostile texts into every kind of Streamlit Markdown, through the one function that escapes."""

import json
import os
from pathlib import Path

import streamlit as st

from comparator.ui.frame import safe

TEXTS: list[str] = json.loads(Path(os.environ["HOSTILE_TEXTS"]).read_text("utf-8"))

for index, hostile in enumerate(TEXTS):
    with st.container(key=f"text-{index}"):
        safe.write(safe.text(hostile))
    with st.container(key=f"caption-{index}"):
        st.caption(safe.text(hostile))
    with st.container(key=f"code-{index}"):
        safe.write(safe.code(hostile))
    with st.container(key=f"button-{index}"):
        st.button(safe.text(hostile), key=f"b{index}")

if TEXTS:
    st.tabs([safe.text(hostile) for hostile in TEXTS[:8]])
    with st.expander(safe.text(TEXTS[0])):
        st.error(safe.text(TEXTS[0]))
safe.write(safe.Markdown("finished"))
