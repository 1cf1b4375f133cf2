"""New: two outputs, the prompt, a judge; then on to the review."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.ui.frame import safe, session, shell
from comparator.ui.new.draft import OUTPUTS, discard, open_draft, widget
from comparator.ui.new.fields import (
    ask_judge,
    ask_outputs,
    ask_prompt,
    more,
    more_is_used,
    price,
    problem_of,
    redacts,
    task_of,
    warn_of_identical,
)
from comparator.ui.new.leaks import ask_about_words, find_telling, judge_and_review, redactions_of
from comparator.ui.new.rubric import edit_rubric, write_rubric, writing_rubric

session.wake_worker()
draft = open_draft()
projects = {project.name: project.id for project in session.projects(Act.SUBMIT)}

with st.container(width=1080):
    st.title("New comparison", anchor=False)
    output_places = ask_outputs(draft)
    prompt_place = ask_prompt(draft)
    judge_line = st.container()
    with st.expander("More", expanded=more_is_used(draft), key=widget("extras")):
        more(draft)
    rubric_problem = writing_rubric(draft) or edit_rubric(draft)
    buttons = st.container(horizontal=True, vertical_alignment="center")
    # Below the buttons: what appears while somebody types must not move them away from a click.
    warn_of_identical(draft)
    task = task_of(draft)
    if task is not None and draft.outputs is not None:
        find_telling(draft, task)
        ask_about_words(draft, redacts=redacts(draft, projects))
    with judge_line:
        identity = ask_judge(draft, projects)
    problem = (
        problem_of(draft) or rubric_problem or (None if identity else "Choose a judge that can be used.")
    )

    with buttons:
        unjudged = identity is not None and identity.kind == "offline"
        judge = st.button(
            "Review" if unjudged else "Judge and review",
            key=widget("judge_now"),
            type="primary",
            icon=":material/rate_review:" if unjudged else ":material/gavel:",
        )
        if identity is not None and not unjudged:
            price(draft, identity)
        write = draft.rubric is None and st.button(
            "Edit the criteria first",
            key=widget("write_rubric"),
            icon=":material/edit_note:",
            help="Shows the criteria of this task, to read, change, lock or reuse before anything is scored.",
        )
        if draft.prompt or any(map(draft.reading, OUTPUTS)):
            st.button("Start over", key=widget("discard"), type="tertiary", on_click=discard)

    if judge or write:
        missing = [slot for slot in OUTPUTS if draft.snapshot(slot) is None]
        for slot in missing:
            # Why one cannot be read stands there already.
            if draft.reading(slot) is None:
                output_places[slot].badge("Output missing", icon=":material/error:", color="red")
        if task is None:
            prompt_place.badge("Prompt missing", icon=":material/error:", color="red")
        elif problem and not missing:
            buttons.badge(safe.text(problem), icon=":material/error:", color="red")
        elif not missing:
            with shell.guard():
                if write:
                    write_rubric(draft, task, redactions_of(draft))
                    st.rerun()
                judge_and_review(draft, task)
