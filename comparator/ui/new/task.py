"""Step two of the page New: what was asked, and what came with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from comparator.domain.pair.task import TaskText, worded
from comparator.ui.frame.inputs.choices import ask_what_first
from comparator.ui.new.draft import OpenDraft, Slot, start_with, widget
from comparator.ui.new.outputs import names_of_candidates, several_files
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.services import Services
from comparator.workflow.submit.submission import DEFAULT_PROJECT

LONGEST_PROMPT = 400_000
MOST_EXPECTATIONS = 200


def task_step(services: Services, page: OpenDraft, *, projects: Sequence[str], project: str) -> None:
    """Ask for the task. `project` is the one that is looked at now, if any."""
    draft = page.draft
    prompt = st.text_area(
        "What was asked",
        key=start_with("prompt", draft.prompt),
        height=130,
        max_chars=LONGEST_PROMPT,
        placeholder="The full prompt, as both candidates received it",
    )
    page.keep(prompt=prompt or "")
    with st.expander(
        "More: expectations, files, project, names", expanded=_has_more(page), key=widget("extras")
    ):
        expectations = st.text_area(
            "Expectations, one per line (optional)",
            key=start_with("expectations", draft.expectations),
            height=110,
            placeholder="Every line item has a quantity and a price\nThe total equals the sum of the items",
            help="Statements that an output meets or does not meet. They decide only if the scores are equal.",
        )
        page.keep(expectations=expectations or "")
        left, right = st.columns(2, gap="medium")
        with left:
            several_files(services, page, Slot.INPUTS)
        with right:
            several_files(services, page, Slot.REFERENCE)
        names_of_candidates(page)
        _labels(page, projects=projects, project=project)


def task_of(page: OpenDraft) -> TaskText | None:
    """The task as far as it can be used; None while the prompt is empty."""
    if not page.draft.prompt.strip():
        return None
    return worded(page.draft.prompt, page.draft.expectations.splitlines())


def task_problem(page: OpenDraft) -> str | None:
    """What keeps the task from being used, as a plain sentence."""
    if not page.draft.prompt.strip():
        return "Write what was asked."
    lines = [line for line in page.draft.expectations.splitlines() if line.strip()]
    if len(lines) > MOST_EXPECTATIONS:
        return f"There are {len(lines)} expectations; {MOST_EXPECTATIONS} are allowed. Shorten the list."
    return None


def project_redacts(services: Services, page: OpenDraft, *, projects: Mapping[str, str]) -> bool:
    """Whether the chosen project redacts full names by default; a new project does."""
    project_id = projects.get(page.draft.project)
    return project_id is None or project_settings(services, project_id).redact_names


def _labels(page: OpenDraft, *, projects: Sequence[str], project: str) -> None:
    draft = page.draft
    typed_project = st.session_state.get(widget("project"))
    names = list(dict.fromkeys([*projects, DEFAULT_PROJECT, *filter(None, [draft.project, typed_project])]))
    title, tags, where = st.columns([3, 2, 2], gap="medium")
    typed = title.text_input(
        "Title (optional)",
        key=start_with("title", draft.title),
        max_chars=200,
        placeholder="The prompt's first line",
    )
    given = tags.multiselect(
        "Tags (optional)",
        options=list(draft.tags),
        key=start_with("tags", list(draft.tags)),
        accept_new_options=True,
        placeholder="Type and press Enter",
    )
    chosen = where.selectbox(
        "Project",
        options=names,
        key=start_with("project", draft.project or project or DEFAULT_PROJECT),
        accept_new_options=True,
        help="Choose one, or type the name of a new one.",
    )
    page.keep(title=typed or "", tags=tuple(given), project=(chosen or "").strip())
    if page.draft.project not in projects:
        blind = ask_what_first(blind=draft.blind, key=widget("blind"), label="What reviewers see first")
        page.keep(blind=blind)


def _has_more(page: OpenDraft) -> bool:
    draft = page.draft
    typed = (draft.expectations, draft.title, draft.tags, draft.first_name, draft.second_name)
    return any(typed) or any(draft.reading(slot) for slot in (Slot.INPUTS, Slot.REFERENCE))
