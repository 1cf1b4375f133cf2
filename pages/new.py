"""New: a task, two outputs of it, a judge; then on to the review."""

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.ui.components.fields.kept_typing import keep_typing
from comparator.ui.frame import safe, session, shell
from comparator.ui.new.draft import open_draft, typed, widget
from comparator.ui.new.judge import judge_step
from comparator.ui.new.leaks import leaks_step, redactions_of, set_aside_part
from comparator.ui.new.outputs import outputs_problem, outputs_step
from comparator.ui.new.rubric import edit_rubric, write_rubric, writing_rubric
from comparator.ui.new.submit import judge_and_review, open_review, prepare
from comparator.ui.new.task import project_redacts, task_of, task_problem, task_step

WIDTH = 920

services = session.services()
session.wake_worker()

page = open_draft(services)
projects = session.projects(Act.SUBMIT)

with st.container(width=WIDTH):
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title("New comparison", anchor=False)
        # Before the fields, so that it listens once they can be typed into.
        keep_typing(
            draft=page.draft.id, saved=page.draft.begun, on_server=typed(page.draft), key=widget("typing")
        )
        st.button("Start over", key=widget("discard"), type="tertiary", on_click=page.discard)

    st.subheader("1. The outputs", anchor=False)
    outputs_step(services, page)

    st.subheader("2. The task", anchor=False)
    task_step(services, page, projects=[p.name for p in projects], project=shell.project_name() or "")
    task = task_of(page)
    redacts = project_redacts(services, page, projects={p.name: p.id for p in projects})
    if task is not None:
        set_aside_part(services, page, task.prompt)
        leaks_step(services, page, task, redacts=redacts)

    st.subheader("3. The judge", anchor=False)
    judge_problem = judge_step(services, page, task)
    rubric_problem = writing_rubric(page) or edit_rubric(page)

    problems = [p for p in (outputs_problem(page), task_problem(page), judge_problem, rubric_problem) if p]
    with st.container(horizontal=True, vertical_alignment="center"):
        judge = st.button(
            "Judge and review",
            key=widget("judge_now"),
            type="primary",
            icon=":material/gavel:",
            disabled=bool(problems),
        )
        write = page.draft.rubric is None and st.button(
            "Write rubric first",
            key=widget("write_rubric"),
            icon=":material/edit_note:",
            disabled=bool(problems),
            help="The judge writes the scoring guide now, for you to read, edit, lock or reuse before it scores.",
        )
        if problems:
            st.caption(safe.text(problems[0]))

    if task is not None and not problems and not (judge or write):
        prepare(page, task, redactions_of(page.draft, redacts=redacts))
    if task is not None and (judge or write):
        redactions = redactions_of(page.draft, redacts=redacts)
        try:
            if write:
                write_rubric(services, page, task, redactions)
                st.rerun()
            open_review(judge_and_review(services, page, task, redactions))
        except ComparatorError as error:
            st.error(safe.message(error), icon=":material/error:")
