"""The codebook on the page: its themes with their tests, and what a lead does with them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from comparator.domain.rights import Act
from comparator.domain.themes import LONGEST_NAME, LONGEST_TEST, Codebook, Finding, Theme
from comparator.ui.frame import safe, session
from comparator.ui.frame.words import counted
from comparator.workflow.themes import edit

RENAME, MERGE, SPLIT, MOVE, DELETE = CHANGES = ("Rename", "Merge into", "Split", "Move findings", "Delete")
NONE = "none"


def codebook_box(project_id: str) -> None:
    """The themes; a lead changes them here."""
    state = edit.state(session.services(), project_id)
    book, last = state.book, state.to_undo
    if not state.changed:
        return
    with st.expander(
        safe.text(f"Codebook: {counted(len(book.themes), 'theme')}"), key="codebook", icon=":material/book_2:"
    ):
        for theme in book.themes:
            mark = " · changed by a person" if theme.id in book.kept else ""
            safe.write(safe.text(f"{theme.name}{mark}"))
            st.caption(safe.text(theme.test))
        if not session.may(Act.CHANGE_SETTINGS, project_id=project_id):
            return
        if book.themes:
            _change(project_id, book)
        if last is not None and st.button(
            safe.text(f"Undo: {last.kind.value}"), key="theme_undo", icon=":material/undo:"
        ):
            edit.undo(session.services(), project_id, person_id=session.me().id)
            st.rerun()


def _change(project_id: str, book: Codebook) -> None:
    names = book.names
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Theme", list(names), format_func=names.__getitem__, key="theme_chosen", width=320
        )
        chosen_change = st.segmented_control(
            "What to do",
            CHANGES,
            format_func=safe.inked,
            default=RENAME,
            required=True,
            key="theme_act",
        )
    theme = next(each for each in book.themes if each.id == chosen)
    services, me = session.services(), session.me().id
    if chosen_change == RENAME:
        name, test = _wording(theme, f"rename_{theme.id}")
        if _do("Rename"):
            edit.rename(services, project_id, theme.id, name=name, test=test, person_id=me)
            st.rerun()
    elif chosen_change == MERGE:
        into = _other(names, theme.id, none=False)
        if into is not None and _do("Merge"):
            edit.merge(services, project_id, theme.id, into=into, person_id=me)
            st.rerun()
    elif chosen_change == SPLIT:
        name, test = _wording(None, f"split_{theme.id}")
        picked = _findings(project_id, theme.id)
        if _do("Split"):
            edit.split(services, project_id, theme.id, name=name, test=test, findings=picked, person_id=me)
            st.rerun()
    elif chosen_change == MOVE:
        into = _other(names, theme.id, none=True)
        picked = _findings(project_id, theme.id)
        if _do("Move"):
            edit.move(
                services,
                project_id,
                theme.id,
                into=None if into == NONE else into,
                findings=picked,
                person_id=me,
            )
            st.rerun()
    else:
        st.caption("Its findings then belong to none of the themes, unless they belong to others too.")
        if _do("Delete"):
            edit.delete(services, project_id, theme.id, person_id=me)
            st.rerun()


def _do(label: str) -> bool:
    return st.button(safe.text(label), key="theme_do", type="primary")


def _wording(theme: Theme | None, key: str) -> tuple[str, str]:
    name = st.text_input(
        "Name", theme.name if theme else "", max_chars=LONGEST_NAME, key=f"theme_name_{key}", width=480
    )
    test = st.text_input(
        "Test, in one sentence",
        theme.test if theme else "The finding says that ",
        max_chars=LONGEST_TEST,
        key=f"theme_test_{key}",
    )
    return name, test


def _other(names: dict[str, str], own: str, *, none: bool) -> str | None:
    options = {id: name for id, name in names.items() if id != own}
    if none:
        options[NONE] = "None of the themes"
    if not options:
        st.caption("There is no other theme.")
        return None
    return st.selectbox(
        "Into", list(options), format_func=options.__getitem__, key=f"theme_into_{own}_{none}", width=320
    )


def _findings(project_id: str, theme: str) -> Sequence[str]:
    found: tuple[Finding, ...] = edit.of_theme(session.services(), project_id, theme)
    words = {each.id: safe.beginning(safe.visible(each.words), 120) for each in found}
    return st.multiselect(
        "Findings",
        list(words),
        format_func=words.__getitem__,
        key=f"theme_findings_{theme}",
        placeholder="Choose findings",
    )
