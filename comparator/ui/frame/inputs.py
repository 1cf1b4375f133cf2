"""What several pages ask for: a project, what a reviewer sees first, what becomes of a telling word, and files."""

import hashlib
import os
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from comparator.domain.blinding.leak_patterns import LeakKind
from comparator.domain.blinding.redaction import PatternDecision
from comparator.domain.errors import InputError
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.outputs.snapshot import Given, OnDisk, Upload
from comparator.reporting.queue import NextStep, next_step
from comparator.store.people.projects import Project
from comparator.ui.components import component
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.lists.list_rows import open_pair
from comparator.ui.frame.state import PageScript, SessionKey
from comparator.ui.frame.words import counted
from comparator.web.files import folder_of, offer
from comparator.workflow.importing.audit import Leak
from comparator.workflow.projects.settings import change_settings, project_settings
from comparator.workflow.review.panel import Scope, take_next


def choose_project(projects: Sequence[Project], *, why: str) -> None:
    """Say why one is needed, and offer them; the choice holds for all pages, as that on the left does."""
    names = {project.id: project.name for project in projects}
    safe.caption(why)
    st.selectbox(
        "Project to look at",
        list(names),
        index=None,
        format_func=lambda id: names[id],
        placeholder="Choose a project",
        key=_CHOICE,
        on_change=_look_at,
        width=420,
    )


def _look_at() -> None:
    session.look_at(st.session_state[_CHOICE])


_CHOICE = "project_choice"


NO_JUDGE = (
    "No judge is set up: you review without one, and a free check says whether the files open. "
    "To have pairs judged first, set ANTHROPIC_API_KEY and start again; Help says where, under Settings."
)
FIRST = {False: "Judge first: correct its scores", True: "Blind first: hide them until I decide"}
ANCHORING = "Scores seen first pull people towards them (anchoring)."


def ask_what_first(*, blind: bool, key: str) -> bool:
    """What reviewers see first; True for blind first. `blind` is what it begins with."""
    with st.container(width=420, gap="xsmall"):
        chosen = st.segmented_control(
            "What reviewers see first",
            list(FIRST),
            default=blind,
            format_func=lambda choice: safe.text(FIRST[choice]),
            key=key,
            required=True,
            help=ANCHORING,
        )
    return bool(chosen)


def project_sees_first(project_id: str) -> None:
    """Ask what reviewers of the project see first, where the person may change that; it holds at once."""
    if not session.may(Act.CHANGE_SETTINGS, project_id=project_id):
        return
    mode = project_settings(session.services(), project_id).mode
    # Another window may change it: a new value is a new widget.
    blind = ask_what_first(blind=mode.blind, key=f"sees_first_{project_id}_{mode.blind}")
    if blind != mode.blind:
        changed = ReviewMode.of(blind=blind, prefers=mode.prefers)
        change_settings(session.as_me(), project_id, mode=changed)
        st.rerun()


def set_price(why: str = "Price unknown") -> None:
    """Say that a model has no known price, and lead to where one is set."""
    label = safe.text(f"{why.rstrip('.')}; set it in Settings")
    st.page_link(PageScript.SETTINGS, label=label, icon=":material/payments:")


def edited_table(
    rows: Sequence[Mapping[str, Any]],
    *,
    key: str,
    columns: Mapping[str, Any],
    disabled: Sequence[str] = (),
    height: int | Literal["auto"] = "auto",
    num_rows: Literal["fixed", "dynamic"] = "fixed",
) -> list[dict[str, Any]]:
    """Show the rows (at least one) for editing; the rows as edited. Edits are kept when the page is left."""
    import pandas as pd

    start, kept = f"{key}_start", f"{key}_kept"
    if key not in st.session_state:
        # The table keeps its edits itself while it is shown, and wants the rows as they were at first.
        st.session_state[start] = st.session_state.get(kept, list(rows))
    frame = pd.DataFrame(st.session_state[start], columns=list(rows[0]), dtype="object")
    edited = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=list(disabled),
        column_config=dict(columns),
        height=height,
        num_rows=num_rows,
    )
    records = [{str(name): value for name, value in row.items()} for row in edited.to_dict("records")]
    st.session_state[kept] = records
    return records


def ticked_rows(
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    *,
    tick: str,
    key: str,
    at_first: Container[str] = (),
) -> list[str]:
    """Show a row for each name with a box to tick; the names that are ticked. Nothing is shown without names."""
    if not names:
        return []
    edited = edited_table(
        [{tick: name in at_first, **row} for name, row in zip(names, rows, strict=True)],
        key=f"{key}_{hashlib.sha256(repr((names, at_first)).encode()).hexdigest()[:12]}",
        disabled=list(rows[0]),
        columns={tick: st.column_config.CheckboxColumn(width=100)},
    )
    return [name for name, row in zip(names, edited, strict=True) if row[tick]]


DECIDED = {
    PatternDecision.REDACT: "Replaced",
    PatternDecision.MARK: "Counted apart",
    PatternDecision.KEEP: "Kept",
}
"""What a decision on a word does."""


def decide_words(words: Sequence[Leak], *, key: str) -> dict[str, PatternDecision]:
    """List words that may tell who made which output, ask which of them stay, and return the decision on each."""
    if not words:
        st.caption(":material/visibility_off: No words were found that would reveal who made which output.")
        return {}
    by_decision = {
        decision: [word.pattern for word in words if word.decision is decision] for decision in DECIDED
    }
    at_first = by_decision[PatternDecision.KEEP]
    label = f"{counted(len(words), 'word')} may reveal who made which output"
    for decision, own in by_decision.items():
        label += f". {DECIDED[decision]}: {safe.cut(', '.join(own), 60)}" if own else ""
    with st.expander(safe.text(label), key=f"{key}_list"):
        st.caption(
            "A word that is not kept becomes an ordinary noun, the same on both sides, for judge and reviewers. A "
            "passage that reveals the run cannot be made neutral: its pair is counted apart."
        )
        kept = ticked_rows(
            [word.pattern for word in words],
            [
                {
                    "Word": word.pattern,
                    "Kind": word.kind.value,
                    "Found": word.in_words,
                    "First place": word.excerpt,
                }
                for word in words
            ],
            tick="Keep word",
            key=key,
            at_first=at_first,
        )
    return {
        word.pattern: PatternDecision.KEEP
        if word.pattern in kept
        else PatternDecision.MARK
        if word.kind is LeakKind.TELLING
        else PatternDecision.REDACT
        for word in words
    }


def further_words(*, key: str) -> tuple[str, ...]:
    """Ask for words that are to be neutralised beside those that were found."""
    return tuple(
        st.multiselect(
            "Other words to neutralise",
            st.session_state.get(key, []),
            key=key,
            persist_state="session",
            accept_new_options=True,
            placeholder="Type a word that would reveal who made an output",
        )
    )


def begin_review(batch_id: str | None = None) -> None:
    """Open the pair that comes next, of the batch if there is one; where none is left, the queue, which says why."""
    following = take_next(session.as_me(), Scope(project_id=session.project_id(), batch_id=batch_id))
    if following is None:
        session.go(PageScript.QUEUE)
    st.session_state[SessionKey.FROM_QUEUE] = True
    st.session_state[SessionKey.BATCH] = batch_id
    # The pair is one of a project that was just chosen.
    st.session_state.pop(SessionKey.PROJECT_CHOSEN, None)
    open_pair(following)


def result_button(project_id: str, *, key: str, batch_id: str | None = None) -> None:
    """Lead on to the project's results on a click: to the first pair, of the batch, while some wait for a review, else
    to the dashboards, where they are revealed."""
    step = next_step(session.services().database, project_id)
    if st.button(safe.text(step.value), key=key, on_click=session.look_at, args=(project_id,)):
        if step is NextStep.REVIEW:
            begin_review(batch_id)
        session.go(PageScript.DASHBOARDS)


def file_to_save(
    label: str,
    written: Callable[[], str | bytes],
    *,
    name: str,
    key: str,
    icon: str,
) -> None:
    """Show the button; what it saves is called `name`."""

    @st.fragment
    def button() -> None:
        if st.button(safe.text(label), key=key, icon=icon):
            st.session_state[SessionKey.TO_WRITE] = (written, name, session.project_id())
            write_what_is_left()

    # A fragment is a block, which takes all the width it gets.
    with st.container(width="content"):
        button()


def write_what_is_left() -> None:
    """Write the file that was asked for, unless the project has changed since.

    The app calls this again after each page: a click elsewhere, as on another tab or page, breaks the writing off.
    """
    waiting = st.session_state.get(SessionKey.TO_WRITE)
    if waiting is None:
        return
    written, name, project_id = waiting
    if project_id == session.project_id():
        with shell.guard(), st.spinner("Writing …"):
            save(written(), name=name)
    del st.session_state[SessionKey.TO_WRITE]


def save(data: str | bytes, *, name: str) -> None:
    """Have the browser save this as a file."""
    address = offer(session.services().settings, data, name=name, person_id=session.me().id)
    component("save", "components/save.js")(key=f"save_{name}", data=address)


def folder_uploader(label: str, *, key: str) -> Sequence[Any]:
    """The uploaded files, whose names say where in the folder each lies; none while nothing is uploaded."""
    files: Sequence[Any] = st.file_uploader(
        safe.text(label),
        accept_multiple_files="directory",
        key=key,
        help="Press Upload and choose the folder. A dropped folder loses its subfolders.",
    )
    return files


def given(file: Any) -> Given:
    """The file that Streamlit's uploader returned. Raises InputError where it is not kept any more.

    Behind our server Streamlit holds an empty file of the name; without it (`streamlit run`) it holds the bytes.
    """
    settings, context = session.services().settings, get_script_run_ctx()
    place = folder_of(settings) / (context.session_id if context else "") / file.file_id
    if place.is_file():
        # Read again now: it is kept for longer.
        os.utime(place)
        return OnDisk(file.name, place, place.stat().st_size)
    if not file.size:
        raise InputError(
            f"{file.name} is empty, or was uploaded more than {settings.upload_minutes} minutes ago and is not kept "
            "any more. Upload it again."
        )
    return Upload(file.name, file.getvalue())
