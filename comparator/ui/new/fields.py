"""The fields of the page New beside the outputs: the prompt's judge with its cost, and what stands under More."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.pair.task import TaskText, worded
from comparator.jobs.estimate_batches import estimate_pair
from comparator.settings import JudgeKind
from comparator.ui.frame import safe, session
from comparator.ui.frame.inputs.choices import ask_what_first, further_words, project_sees_first
from comparator.ui.frame.state import SessionKey
from comparator.ui.frame.words import JUDGE_KINDS
from comparator.ui.new.draft import OUTPUTS, Draft, Slot, widget
from comparator.ui.new.outputs import source
from comparator.workflow.judging.paying import NO_PRICE, money
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.submit.intake import DEFAULT_PROJECT

LONGEST_PROMPT = 400_000
MOST_EXPECTATIONS = 200
KINDS: dict[JudgeKind, str] = {
    "auto": "Automatic",
    "anthropic": JUDGE_KINDS["anthropic"],
    "offline": JUDGE_KINDS["offline"],
}
OFFLINE = (
    "The offline check looks at form only: whether an output is empty, does not open, or lacks a file that the task "
    "names. It gives no scores, cannot tell right from wrong, and is free."
)
NO_MODEL = "No key is set, so “Automatic” uses the offline check."


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


def more(draft: Draft, projects: Mapping[str, str]) -> None:
    """Ask for what few comparisons need; `projects` are ids by name."""
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
    title, tags, where = st.columns([3, 2, 2], gap="medium")
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
    here = st.session_state[SessionKey.PROJECT_NAME] or DEFAULT_PROJECT
    names = list(dict.fromkeys([*projects, here, st.session_state.get(widget("project")) or here]))
    chosen = where.selectbox(
        "Project",
        names,
        index=names.index(here),
        key=widget("project"),
        persist_state="session",
        accept_new_options=True,
        help="Choose one, or type the name of a new one.",
    )
    draft.project = chosen.strip()
    left, right, model = st.columns([2, 2, 3], gap="medium")
    told = "Hidden until the reveal. If empty, the folder in which the two paths differ is used."
    first, second = (
        column.text_input(
            safe.text(f"Who made the {slot.value}"),
            key=widget(f"{slot}_name"),
            persist_state="session",
            max_chars=200,
            help=told,
        )
        for column, slot in zip((left, right), OUTPUTS, strict=True)
    )
    draft.first_name, draft.second_name = first, second
    asked = model.text_input(
        "Judge's model",
        key=widget("model"),
        persist_state="session",
        placeholder=session.services().settings.model or "as set",
        max_chars=200,
    )
    draft.model = asked.strip() or None
    draft.redact_also = further_words(key=widget("redact_also"))


def more_is_used(draft: Draft) -> bool:
    """Whether anything was given there."""
    typed = (draft.expectations, draft.title, draft.tags, draft.first_name, draft.second_name, draft.model)
    return any(typed) or any(map(draft.reading, (Slot.INPUTS, Slot.REFERENCE)))


def ask_judge(draft: Draft, projects: Mapping[str, str]) -> str | None:
    """Ask for the judge and what reviewers see first; why the judge cannot be used, as a plain sentence, or None."""
    services = session.services()
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        draft.judge = st.segmented_control(
            "Judge",
            list(KINDS),
            default="auto",
            format_func=lambda each: safe.text(KINDS[each]),
            key=widget("judge"),
            persist_state="session",
            required=True,
            help="Automatic uses a model if one is configured, otherwise the offline check.",
        )
        if draft.project in projects:
            project_sees_first(projects[draft.project])
        else:
            draft.blind = ask_what_first(blind=False, key=widget("blind"))
    try:
        identity = services.judge(draft.judge, draft.model).identity
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return "Choose a judge that can be used."
    task = task_of(draft)
    if identity.kind == "offline":
        st.caption(f"{NO_MODEL} {OFFLINE}" if draft.judge == "auto" else OFFLINE)
    elif draft.scan is None or task is None:
        st.caption(f"{safe.text(identity.model)} reads the pair in both orders.")
    else:
        about = estimate_pair(services, identity, task=task, characters=draft.scan.characters)
        price = NO_PRICE if about.cost is None else f"about {money(about.cost)}"
        st.caption(
            safe.text(
                f"{identity.model} reads the pair {about.calls - 1} times, half of them in each order: about "
                f"{about.input_tokens:,} tokens in and {about.output_tokens:,} out, {price}."
            )
        )
    return None


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
