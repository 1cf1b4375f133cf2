"""Drafting, editing and assigning a codebook: each an act of its own, its cost shown first."""

import hashlib
from collections.abc import Awaitable, Callable
from functools import partial

import pandas as pd
import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Codebook, CodebookRow
from comparator.judges.protocol import Judge
from comparator.reporting.theme_picture import AssignmentStatus
from comparator.store.judging.inquiries import InquiryState
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts.chart import numbers
from comparator.ui.frame.notices import model_progress
from comparator.ui.frame.words import counted
from comparator.workflow import themes
from comparator.workflow.judging.registry import Membership
from comparator.workflow.themes import Reasons, codebook_of, save_codebook


def theme_work(project_id: str, *, assignment_status: AssignmentStatus | None, may_ask: bool) -> None:
    """What the themes are made of, and the next act."""
    services = session.as_me()
    model = themes.model_to_ask(services)
    if may_ask and model is None:
        return
    with st.container(border=True, key="theme_work"):
        st.subheader(
            "Themes of the reasons" if assignment_status is None else "Read the reasons again", anchor=False
        )
        if not may_ask:
            st.caption(
                "A lead of this project can have the reasons of judges and reviewers sorted into themes."
            )
            return
        if model is None or _show_progress(project_id):
            return
        if (reasons := themes.reasons_of(services, project_id)) is None:
            st.caption("Once judges or reviewers have stated reasons, a model can sort them into themes.")
        else:
            st.caption(
                safe.text(
                    f"A model can sort about {reasons.findings:,} stated reasons into named themes. "
                    f"{counted(len(reasons.book.themes), 'theme')} in the codebook."
                )
            )
            _ask(project_id, model, assignment_status, reasons)


def _ask(project_id: str, model: str, assignment_status: AssignmentStatus | None, reasons: Reasons) -> None:
    drafted = bool(reasons.book.themes)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(
            "Draft the codebook again" if drafted else "Draft a codebook",
            key="theme_draft",
            type="secondary" if drafted else "primary",
            icon=":material/edit_note:",
        ):
            _begin(project_id, themes.draft)
        st.caption(
            safe.text(f"{reasons.draft_cost(model)} Changes that a lead made to the codebook are kept.")
        )
    if not drafted:
        return
    stopped = assignment_status.unfinished if assignment_status is not None else None
    on_step = partial(session.inquiring().step, project_id)
    with st.container(horizontal=True, vertical_alignment="center"):
        if stopped is not None and assignment_status is not None:
            if st.button(
                "Continue assigning", key="theme_go_on", type="primary", icon=":material/play_arrow:"
            ):
                _begin(project_id, partial(themes.assign, stopped=stopped.id, on_step=on_step))
            why = stopped.problem if stopped.state is InquiryState.FAILED else themes.INTERRUPTED
            st.caption(safe.text(f"{counted(assignment_status.waiting, 'finding')} left. {why or ''}"))
        if st.button(
            "Assign again" if assignment_status else "Assign the findings",
            key="theme_assign",
            type="secondary" if assignment_status else "primary",
            icon=":material/label:",
        ):
            _begin(project_id, partial(themes.assign, on_step=on_step))
        st.caption(safe.text(reasons.assignment_cost(model)))


def _begin(project_id: str, act: Callable[..., Awaitable[object]]) -> None:
    """Have the model asked, whether or not the page stays open."""
    person_id = session.me().id

    async def write(judge: Judge, here: Membership) -> object:
        return await act(here, judge, project_id, person_id=person_id)

    session.inquiring().begin(project_id, write)
    st.rerun()


def _show_progress(project_id: str) -> bool:
    """Show how far the model is, if it is asked just now; what went wrong is told once."""
    writing = session.inquiring().look(project_id)
    if writing is None:
        return False
    if not writing.done:
        _follow(project_id)
        return True
    session.inquiring().forget(project_id)
    if writing.problem is not None:
        safe.problem(writing.problem)
    return False


@st.fragment(run_every=0.5)
def _follow(project_id: str) -> None:
    with shell.guard():
        session.require_here(Act.JUDGE)
        writing = session.inquiring().look(project_id)
        if writing is None or writing.done:
            st.rerun()
        model_progress(
            "The model reads the findings",
            writing.began,
            answered=writing.answered,
            then="You can leave this page.",
        )


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
    save_codebook(session.as_me(), project_id, rows, before=book)
    st.rerun()
