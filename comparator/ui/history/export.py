"""The Export dialog of the history: what is listed, or a selection of it, goes out in a chosen format."""

import tempfile
from pathlib import Path

import streamlit as st

from comparator.domain.rights import Act
from comparator.interop.exported import ExportFormat, doubt, summary
from comparator.reporting.history.conditions import HistoryFilter
from comparator.reporting.history.listing import found_ids, history, neutral_rows
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs import save
from comparator.ui.frame.lists.list_rows import status_of
from comparator.workflow.exporting.formats import ExportRequest, file_name, write_back, write_export

MOST = 20_000
"""More comparisons than this are written by the command line only."""
OFFERED = 300
"""So many comparisons are offered for a selection."""
REVIEWED = "Only what a person has reviewed"
FORMATS = {
    ExportFormat.RESULTS: "comparison.json and provenance of each that has scores (.zip)",
    ExportFormat.CSV: "Scores in long form (.csv)",
    ExportFormat.JSONL: "Every verdict, with or without scores, one a line (.jsonl)",
    ExportFormat.DPO: "Preference pairs for training (.jsonl)",
    ExportFormat.DPO_CHAT: "Preference pairs as messages, for trl (.jsonl)",
    ExportFormat.LLM_COMPARATOR: "LLM Comparator (.json)",
    ExportFormat.FIX_LIST: "Fix list of a candidate (.md)",
    ExportFormat.ANALYSIS: "Analysis of a pair or of two candidates (.json)",
    ExportFormat.HTML: "Report to mail or print (.html)",
    ExportFormat.WORKSPACE: "comparison-N.json beside each eval, on this machine",
}


def export_button(history_filter: HistoryFilter, total: int) -> None:
    """The button that opens the dialog, for who may export."""
    allowed = (
        session.may(Act.EXPORT, project_id=history_filter.project_id)
        if history_filter.project_id
        else session.sees_all(Act.EXPORT)
    )
    if allowed and st.button("Export", key="export", icon=":material/download:"):
        _dialog(history_filter, total)


@st.dialog("Export")
def _dialog(history_filter: HistoryFilter, total: int) -> None:
    picked = _picked(history_filter, total)
    local = session.may(Act.USE_SERVER_FILES, project_id=None)
    offered = [kind for kind in FORMATS if local or kind is not ExportFormat.WORKSPACE]
    chosen = st.selectbox("Format", offered, format_func=FORMATS.__getitem__, key="export_format")
    reviewed = st.checkbox(REVIEWED, key="export_reviewed")
    candidate = ""
    if chosen is ExportFormat.FIX_LIST:
        candidate = st.text_input("Candidate, by its name after the reveal", key="export_candidate").strip()
    number = words.counted(len(picked) or total, "comparison")
    safe.caption(
        f"{number} {'picked' if picked else 'in the list'}; those without a verdict are left out. "
        "Each says whose verdict it is. Candidates are named only where they are revealed."
    )
    if not picked and total > MOST:
        st.info(safe.text(f"More than {MOST:,} go out by the command line: comparator export {chosen.value}"))
        return
    label = "Write into the workspace" if chosen is ExportFormat.WORKSPACE else "Write"
    if not st.button(safe.text(label), key="export_write", type="primary"):
        return
    ids = picked or found_ids(session.services().database, history_filter)
    request = ExportRequest(format=chosen, comparisons=ids, reviewed_only=reviewed, candidate=candidate)
    with shell.guard():
        if chosen is ExportFormat.WORKSPACE:
            _write_back(request)
        else:
            _write(request)


def _picked(history_filter: HistoryFilter, total: int) -> tuple[str, ...]:
    """The listed comparisons that are picked, by id; none of them stands for all."""
    database = session.services().database
    rows = neutral_rows(database, history(database, history_filter, limit=OFFERED).rows)
    # Several pairs of a task have one title; the id's beginning also stands in the names of saved files.
    names = {
        row.line.id: f"{safe.visible(row.line.title)} · {status_of(row).text} · {row.line.id[:8]}"
        for row in rows
    }
    picked = st.multiselect(
        "Comparisons",
        list(names),
        format_func=lambda id: names.get(id, id),
        key="export_selection",
        placeholder="All in the list; type a title to pick some",
        filter_mode="contains",
    )
    if total > len(names):
        safe.caption(
            f"The first {len(names):,} in the list's order are offered. To pick others, filter or sort the list."
        )
    return tuple(picked)


def _write(request: ExportRequest) -> None:
    """Write one file and have the browser save it. Raises InputError."""
    with st.spinner("Writing …"), tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / file_name(request.format)
        written = write_export(session.as_me(), request, target)
        data = target.read_bytes()
    lines = [f"{count} {reason}" for reason, count in written.left_out.items()]
    left = f" Left out: {', '.join(lines)}." if lines else ""
    st.success(
        safe.text(
            f"{words.counted(written.written, 'comparison')} written. {written.verdicts_in_words}{left}"
        )
    )
    for note in written.notes:
        safe.caption(note)
    if warning := doubt(written, request.format):
        st.warning(safe.text(f"{warning} “{REVIEWED}” leaves them out."), icon=":material/warning:")
    save(data, name=target.name)


def _write_back(request: ExportRequest) -> None:
    """Write into the workspace on this machine, and say what was written. Raises InputError, RightsError."""
    with st.spinner("Writing …"):
        written = write_back(session.as_me(), request)
    first, *further = summary(written, "")
    if written.written:
        st.success(safe.text(first))
    else:
        st.info(safe.text(first))
    for line in further:
        safe.caption(line)
