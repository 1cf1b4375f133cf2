"""The panes alone, for one pair after the other: "Next pair" opens the next one. Run by bench/previews_server.py."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import streamlit as st

from comparator.domain.labels import Label
from comparator.domain.view import Family
from comparator.ui.components.panes.component import output_panes
from comparator.workflow.sheet import SheetFile

folder = Path(os.environ["BENCH_PREVIEWS"])
st.set_page_config(page_title="Previews", layout="wide")
if st.button("Next pair", key="next"):
    st.session_state["at"] = st.session_state.get("at", 0) + 1
at = st.session_state.get("at", 0)
shown = []
for path in sorted(folder.glob(f"p{at:03d}-*")):
    _, label, name = path.name.split("-", 2)
    shown.append(
        SheetFile(
            id=path.name,
            label=Label(label),
            role="output",
            name=name,
            family=Family.PDF if name.endswith("pdf") else Family.TEXT,
            size=path.stat().st_size,
            digest=hashlib.sha256(path.name.encode()).hexdigest(),
            notes=(),
        )
    )
output_panes(shown, key=f"panes-{at}")
