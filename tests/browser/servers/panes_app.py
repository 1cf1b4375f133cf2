"""A page with nothing but the panes, for one set of files: `?set=NAME`."""

import json
import os
from pathlib import Path

import streamlit as st

from comparator.domain.labels import Label
from comparator.domain.pair.view import Family
from comparator.ui.review.parts import review_component
from comparator.web.review.shown import files_shown
from comparator.workflow.review.sheet import SheetFile

folder = Path(os.environ["PANES_FOLDER"])
name = st.query_params.get("set", "families")
rows = json.loads((folder / "manifest.json").read_text("utf-8"))[name]
st.set_page_config(page_title="Panes", layout="wide")
files = files_shown(
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
    ]
)
review_component(data={"id": name, "owner": "", "panes": files})
if st.button("Count", key="count"):
    st.session_state["counted"] = st.session_state.get("counted", 0) + 1
st.text(f"Counted: {st.session_state.get('counted', 0)}")
