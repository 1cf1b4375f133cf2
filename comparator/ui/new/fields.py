"""The fields of the page New beside the outputs: prompt, project, judge with its cost, and what stands under More."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.pair.task import TaskText, worded
from comparator.domain.scoring.judgment import JudgeIdentity
from comparator.jobs.estimate_batches import estimate_pairs
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs.choices import (
    NO_JUDGE,
    ask_what_first,
    further_words,
    project_sees_first,
    set_price,
)
from comparator.ui.frame.state import SessionKey
from comparator.ui.new.draft import OUTPUTS, Draft, Slot, widget
from comparator.ui.new.outputs import source
from comparator.workflow.judging.paying import money
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.submit.intake import DEFAULT_PROJECT

LONGEST_PROMPT = 400_000
MOST_EXPECTATIONS = 200
OFFLINE = "Offline check"


def ask_prompt(draft: Draft) -> None:
    """Ask what the candidates were asked."""
    draft.prompt = st.text_area(
        "What was asked",
        key=widget("prompt"),
        persist_state="session",
        height=110,
        max_chars=LONGEST_PROMPT,
        placeholder="The full prompt, as both candidates received it",
    )


def more(draft: Draft) -> None:
    """Ask for what few comparisons need."""
    draft.expectations = st.text_area(
        "Expectations, one per line",
        key=widget("expectations"),
        persist_state="session",
        height=110,
        placeholder="Every line item has a quantity and a price\nThe total equals the sum of the items",
        help="Statements that an output meets or does not meet. They decide only if the scores are equal.",
    )
    for column, slot in zip(st.columns(2, gap="medium"), (Slot.INPUTS, Slot.REFERENCE), strict=True):
        with column:
            source(draft, slot)
    title, tags = st.columns(2, gap="medium")
    draft.title = title.text_input(
        "Title",
        key=widget("title"),
        persist_state="session",
        max_chars=200,
        placeholder="The prompt's first line",
    )
    known = st.session_state.get(widget("tags"), [])
    draft.tags = tuple(
        tags.multiselect(
            "Tags",
            known,
            key=widget("tags"),
            persist_state="session",
            accept_new_options=True,
            placeholder="Type and press Enter",
        )
    )
    draft.redact_also = further_words(key=widget("redact_also"))


def more_is_used(draft: Draft) -> bool:
    """Whether anything was given there."""
    typed = (draft.expectations, draft.title, draft.tags)
    return any(typed) or any(map(draft.reading, (Slot.INPUTS, Slot.REFERENCE)))


def ask_judge(draft: Draft, projects: Mapping[str, str]) -> JudgeIdentity | None:
    """Ask for the project (`projects` are ids by name), the judge and what reviewers see first.

    Returns who will judge; None where that judge cannot be used, which is said here.
    """
    services = session.services()
    try:
        usual = services.judge().identity
        with st.container(horizontal=True, gap="medium"):
            draft.project = _ask_project(projects)
            if usual.kind == "offline":
                st.caption(NO_JUDGE, width=560)
                return usual
            chosen = st.selectbox(
                "Judge",
                (usual.model, OFFLINE),
                key=widget("judge"),
                persist_state="session",
                accept_new_options=True,
                width=230,
                help="Type a name to ask another model. The offline check is free: it says whether the files open.",
            )
            draft.judge = "offline" if chosen == OFFLINE else None
            draft.model = None if chosen in (usual.model, OFFLINE) else chosen
            if draft.project in projects:
                project_sees_first(projects[draft.project])
            else:
                draft.blind = ask_what_first(blind=False, key=widget("blind"))
        identity = services.judge(draft.judge, draft.model).identity
    except ComparatorError as error:
        safe.problem(error)
        return None
    return identity


def price(draft: Draft, judge: JudgeIdentity) -> None:
    """Say what the judge will cost about, once outputs and task are there."""
    task = task_of(draft)
    if draft.scan is None or task is None:
        return
    about = estimate_pairs(session.services(), judge, [(task, draft.scan.characters)])
    cost = "" if about.cost is None else f"About {money(about.cost)}: "
    reads = f"{cost}{judge.model} reads the pair {about.calls - 1} times, half of them in each order."
    safe.caption(reads, width="content")
    if about.cost is None:
        set_price()


def _ask_project(projects: Mapping[str, str]) -> str:
    """The name of the project into which the pair goes: at first the one that is looked at."""
    here = st.session_state[SessionKey.PROJECT_NAME] or DEFAULT_PROJECT
    # A project that is chosen on the left goes before what was chosen here before.
    key = widget(f"project_{session.project_id() or ''}")
    names = list(dict.fromkeys([*projects, here, st.session_state.get(key) or here]))
    chosen = st.selectbox(
        "Goes into project",
        names,
        index=names.index(here),
        key=key,
        persist_state="session",
        accept_new_options=True,
        width=300,
        help="Choose one, or type the name of a new one.",
    )
    return chosen.strip()


def task_of(draft: Draft) -> TaskText | None:
    """The task as far as it can be used; None while the prompt is empty."""
    return worded(draft.prompt, draft.expectations.splitlines()) if draft.prompt.strip() else None


def problem_of(draft: Draft) -> str | None:
    """What is missing of outputs and task, as a plain sentence."""
    missing = [slot for slot in OUTPUTS if draft.snapshot(slot) is None]
    if missing:
        return "Choose two outputs." if len(missing) == 2 else f"Choose the {missing[0]} output."
    if not draft.prompt.strip():
        return "Write what was asked."
    lines = sum(bool(line.strip()) for line in draft.expectations.splitlines())
    if lines > MOST_EXPECTATIONS:
        return f"There are {lines} expectations; {MOST_EXPECTATIONS} are allowed. Shorten the list."
    return None


def redacts(draft: Draft, projects: Mapping[str, str]) -> bool:
    """Whether the chosen project redacts full names by default; a new project does."""
    project_id = projects.get(draft.project)
    return project_id is None or project_settings(session.services(), project_id).redact_names
