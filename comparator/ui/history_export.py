"""The Export dialog of the history: what is listed goes out in one file of a chosen format."""

from __future__ import annotations

import tempfile
from pathlib import Path

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.interop.exported import ExportFormat, doubt
from comparator.reporting.history import found_ids
from comparator.reporting.history_conditions import HistoryFilter
from comparator.ui import safe, session, words
from comparator.workflow.exporting import ExportRequest, file_name, write_export
from comparator.workflow.exporting_beside import together

MOST = 20_000
"""More comparisons than this are written by the command line only."""
REVIEWED = "Only what a person has reviewed"
FORMATS = {
    ExportFormat.RESULTS: "comparison.json and provenance of each (.zip)",
    ExportFormat.CSV: "Scores in long form (.csv)",
    ExportFormat.PARQUET: "Scores in long form (.parquet)",
    ExportFormat.JSONL: "One comparison a line (.jsonl)",
    ExportFormat.DPO: "Preference pairs for training (.jsonl)",
    ExportFormat.LLM_COMPARATOR: "LLM Comparator (.json)",
    ExportFormat.FIX_LIST: "Fix list of a candidate (.md)",
    ExportFormat.HTML: "Report to mail or print (.html)",
}


def export_button(asked: HistoryFilter, total: int) -> None:
    """The button that opens the dialog, for who may export."""
    allowed = (
        session.may(Act.EXPORT, project_id=asked.project_id)
        if asked.project_id
        else session.sees_all(Act.EXPORT)
    )
    if allowed and st.button("Export", key="export", icon=":material/download:"):
        _dialog(asked, total)


@st.dialog("Export what is listed")
def _dialog(asked: HistoryFilter, total: int) -> None:
    chosen = st.selectbox("Format", list(FORMATS), format_func=FORMATS.__getitem__, key="export_format")
    reviewed = st.checkbox(REVIEWED, key="export_reviewed")
    candidate = ""
    if chosen is ExportFormat.FIX_LIST:
        candidate = st.text_input("Candidate, by its name after the reveal", key="export_candidate").strip()
    st.caption(
        safe.text(
            f"{words.counted(total, 'comparison')} fit the filters; those without a verdict are left out. "
            "Each says whose verdict it is. Candidates are named only where they are revealed."
        )
    )
    if total > MOST:
        st.info(safe.text(f"More than {MOST:,} go out by the command line: comparator export {chosen.value}"))
        return
    if not st.button("Write", key="export_write", type="primary"):
        return
    ids = found_ids(session.services().database, asked)
    request = ExportRequest(format=chosen, comparisons=ids, reviewed_only=reviewed, candidate=candidate)
    try:
        with st.spinner("Writing …"), tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / file_name(request)
            written = write_export(session.services(), request, target, person_id=session.me().id)
            target = together(target)
            data = target.read_bytes()
    except ComparatorError as error:
        st.error(safe.message(error))
        return
    lines = [f"{count} {reason}" for reason, count in written.left_out.items()]
    left = f" Left out: {', '.join(lines)}." if lines else ""
    st.success(safe.text(f"{words.counted(written.written, 'comparison')} written. {written.whose}{left}"))
    for note in written.notes:
        st.caption(safe.text(note))
    if warning := doubt(written, chosen):
        st.warning(safe.text(f"{warning} “{REVIEWED}” leaves them out."), icon=":material/warning:")
    st.download_button(
        "Save",
        data=data,
        file_name=target.name,
        key="export_save",
        icon=":material/save:",
        on_click="ignore",
    )
