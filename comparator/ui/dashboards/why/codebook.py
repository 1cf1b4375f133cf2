"""The codebook on the page: one table of its themes, in which a lead renames, merges and deletes."""

from __future__ import annotations

import hashlib

import pandas as pd
import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Codebook, CodebookRow
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import numbers
from comparator.ui.frame.words import counted
from comparator.workflow.themes.edit import codebook_of, save_codebook


def codebook_box(project_id: str) -> None:
    """The themes with their tests; a lead edits them here."""
    book = codebook_of(session.services(), project_id)
    if not book.themes:
        return
    with st.expander(
        safe.text(f"Codebook: {counted(len(book.themes), 'theme')}"), key="codebook", icon=":material/book_2:"
    ):
        if session.may(Act.CHANGE_SETTINGS, project_id=project_id):
            _edit(project_id, book)
        else:
            numbers("codebook", [{"Theme": theme.name, "Test": theme.test} for theme in book.themes])


def _edit(project_id: str, book: Codebook) -> None:
    names = book.names
    # Edits are kept by row number: to another codebook they must not be applied.
    version = hashlib.sha256(book.model_dump_json().encode("utf-8", "replace")).hexdigest()[:12]
    frame = pd.DataFrame(
        [
            {"name": theme.name, "test": theme.test, "into": None, "kept": theme.id in book.kept}
            for theme in book.themes
        ],
        index=list(names),
    ).astype({"into": "object"})
    with st.form("codebook_form", border=False):
        st.caption(
            "Edit a theme's name and test in the table. Merge it into another theme, or select its row and "
            "delete it: its findings then have no theme, unless they also belong to another one."
        )
        edited = st.data_editor(
            frame,
            key=f"codebook_{version}",
            num_rows="delete",
            hide_index=True,
            column_config={
                "name": st.column_config.TextColumn("Theme", required=True, max_chars=LONGEST_NAME),
                "test": st.column_config.TextColumn(
                    "Test, in one sentence", required=True, max_chars=LONGEST_TEST, width="large"
                ),
                "into": st.column_config.SelectboxColumn(
                    "Merge into", options=list(names), format_func=lambda id: safe.visible(names[str(id)])
                ),
                "kept": st.column_config.CheckboxColumn("Changed by a lead", disabled=True),
            },
        )
        if not st.form_submit_button("Save the codebook", key="codebook_save", type="primary"):
            return
    rows = [
        # An empty cell comes back as None or NaN.
        CodebookRow(id=str(id), **{str(name): cell for name, cell in row.items() if isinstance(cell, str)})
        for id, row in edited.drop(columns="kept").to_dict("index").items()
    ]
    save_codebook(session.services(), project_id, rows, before=book, person_id=session.me().id)
    st.rerun()
