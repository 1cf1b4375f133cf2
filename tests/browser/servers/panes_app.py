"""A page with nothing but the panes, for one set of files: `?set=NAME`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import streamlit as st

from comparator.domain.labels import Label
from comparator.domain.pair.view import Family
from comparator.ui.components.panes.component import output_panes
from comparator.workflow.review.sheet import SheetFile

folder = Path(os.environ["PANES_FOLDER"])
name = st.query_params.get("set", "families")
rows = json.loads((folder / "manifest.json").read_text("utf-8"))[name]
st.set_page_config(page_title="Panes", layout="wide")
output_panes(
    [
        SheetFile(
            id=row["id"],
            view_id="",
            position=0,
            label=Label(row["label"]) if row["label"] else None,
            role=row["role"],
            name=row["name"],
            family=Family(row["family"]),
            size=(folder / row["id"]).stat().st_size,
            digest=row["digest"],
            notes=tuple(row.get("notes", ())),
        )
        for row in rows
    ],
    key=f"panes-{name}",
)
if st.button("Count", key="count"):
    st.session_state["counted"] = st.session_state.get("counted", 0) + 1
st.text(f"Counted: {st.session_state.get('counted', 0)}")
