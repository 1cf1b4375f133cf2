"""The tab Guidance: the corrections, the versions with their trials, and which one the judges go by."""

import streamlit as st

from comparator.domain.counted import counted
from comparator.domain.project import FEWEST_LEARNT, LONGEST_GUIDANCE
from comparator.domain.rights import Act
from comparator.jobs import estimate_batches, guidance
from comparator.jobs.guidance import ProjectGuidance, Trial
from comparator.jobs.start_batches import start
from comparator.judges.prices import cost_of_calls
from comparator.judges.protocol import Judge, QuestionResult
from comparator.stats.intervals import TooFew
from comparator.store.bulk.batches import BatchRequest
from comparator.store.people.projects import GuidanceVersion
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import numbers
from comparator.ui.frame.inputs import choose_project
from comparator.ui.frame.notices import empty_page, follow_draft
from comparator.ui.frame.state import PageScript
from comparator.ui.judge.trust import follow_trials
from comparator.workflow.judging.asking import judge_of_project
from comparator.workflow.judging.paying import cost_text, money
from comparator.workflow.judging.registry import Membership


def show(project_id: str | None) -> None:
    """Show the project's guidance; leads draft, try and adopt it."""
    if project_id is None or not session.may(Act.CHANGE_SETTINGS, project_id=project_id):
        choose_project(
            session.projects(Act.CHANGE_SETTINGS),
            why="Guidance belongs to a project: it is what its judges learnt from people's corrections. Leads see it.",
        )
        return
    state = guidance.project_guidance(session.as_me(), project_id)
    if not (state.versions or state.corrections):
        empty_page(
            "No guidance yet",
            "Notes that teach the judge what people corrected, and how much more often it then agrees with them. A "
            f"model drafts them once blind reviews have changed {FEWEST_LEARNT} of its scores; or write some below.",
            step=("Review pairs", PageScript.QUEUE, ":material/inbox:"),
            key="guidance_review",
        )
        _new_version(project_id, state)
        return
    with st.container(horizontal=True, gap="medium"):
        st.metric("In force", f"version {state.adopted:d}" if state.adopted else "none", width="content")
        st.metric("Corrections to learn from", f"{len(state.corrections):,d}", width="content")
        st.metric("Held-out pairs", f"{state.held_out:,d}", width="content")
    st.caption(
        "Guidance is a text for the judge, drafted from what people corrected. Half of the tasks are held out, "
        "drawn once and for all. A version can be adopted once a trial on held-out pairs shows that the judge agrees "
        f"with people more often. A trial takes {FEWEST_LEARNT} pairs that people scored before the judge's values "
        "opened.",
        width=860,
    )
    _new_version(project_id, state)
    running = follow_trials(project_id)
    for version in state.versions:
        with st.container(border=True, key=f"guidance_{version.number}", width=860):
            _version(project_id, state, version, running=running)


def _new_version(project_id: str, state: ProjectGuidance) -> None:
    services, me = session.as_me(), session.me()
    with st.expander(
        "New version", key="guidance_new", expanded=not state.versions and bool(state.corrections)
    ):
        if state.corrections:
            numbers(
                "corrections",
                [
                    {"Task": correction.task, "Correction": correction.said}
                    for correction in state.corrections
                ],
            )
        text = st.text_area(
            "Notes to the judge", key=f"guidance_text_{project_id}", max_chars=LONGEST_GUIDANCE
        )
        with shell.row():
            if st.button("Keep as a version", key="guidance_write", disabled=not (text or "").strip()):
                with shell.guard():
                    guidance.keep(services, project_id, text or "", author=me.name)
                    st.rerun()
            _draft(project_id, state)


def _draft(project_id: str, state: ProjectGuidance) -> None:
    """The button that has a model draft, with what that costs; while it does, how far it is."""
    services = session.as_me()
    drafting = session.guidance_drafting()
    begun = drafting.look(project_id)
    if begun is not None and not begun.done:
        follow_draft(drafting, project_id, "The model drafts", act=Act.CHANGE_SETTINGS)
        return
    judge = judge_of_project(services, project_id)
    model = judge.identity.model
    if begun is not None:
        drafting.forget(project_id)
        if (reply := begun.reply) is not None:
            with shell.guard():
                guidance.keep(
                    services, project_id, reply.value, author=model, cost=cost_of_calls(reply.calls)
                )
                st.rerun()
        if begun.problem:
            safe.problem(begun.problem)
    if judge.identity.kind == "offline" or len(state.corrections) < FEWEST_LEARNT:
        st.caption(f"A model drafts notes where one is set up and there are {FEWEST_LEARNT} corrections.")
        return
    present = next((version for version in state.versions if version.number == state.adopted), None)
    question = guidance.draft_question(state.corrections, present)
    tokens, about = guidance.draft_cost(judge, question)
    help_text = safe.text(f"{model}: 1 request, about {tokens:,} tokens in, {cost_text(about)}.")
    if st.button("Have a model draft it", key="guidance_draft", help=help_text):

        async def write(writer: Judge, here: Membership) -> QuestionResult[str]:
            return await guidance.draft(here, writer, question)

        drafting.begin(project_id, write)
        st.rerun()


def _version(project_id: str, state: ProjectGuidance, version: GuidanceVersion, *, running: bool) -> None:
    services = session.as_me()
    holds = state.adopted == version.number
    st.subheader(f"Version {version.number:d}{', in force' if holds else ''}", anchor=False)
    cost = f", drafted for {money(version.cost)}" if version.cost else ""
    safe.caption(f"By {version.author}, {version.created_at:%d %b %Y}{cost}")
    for line in version.text.splitlines():
        safe.say(line)
    for trial in state.trials.get(version.number, ()):
        if trial.figures is not None:
            if trial.passes:
                st.success(safe.text(in_words(trial)))
            else:
                st.warning(safe.text(in_words(trial)))
    if holds:
        if st.button("Stop using guidance", key=f"guidance_none_{version.number}"):
            with shell.guard():
                guidance.adopt(services, project_id, None)
                st.rerun()
        return
    with st.container(horizontal=True):
        if state.may_be_adopted(version.number) and st.button(
            "Adopt", key=f"guidance_adopt_{version.number}", type="primary"
        ):
            with shell.guard():
                guidance.adopt(services, project_id, version.number)
                st.rerun()
        if not running and st.toggle("Try it on held-out pairs", key=f"guidance_test_{version.number}"):
            _try(BatchRequest(project_id=project_id, tries=version.number))


def _try(request: BatchRequest) -> None:
    services = session.as_me()
    with shell.guard():
        about = estimate_batches.estimate_of(services, request)
        safe.caption(f"{estimate_batches.in_words(about)} Finished readings are not charged again.")
        if st.button("Try it", key=f"guidance_try_{request.tries}", type="primary"):
            start(services, request)
            session.wake_worker()
            st.rerun()


def in_words(trial: Trial) -> str:
    """What came of a trial that has ended."""
    proof = trial.figures
    if proof is None or isinstance(proof, TooFew):
        n, needed = (proof.n, proof.needed) if proof else (0, FEWEST_LEARNT)
        return f"Not enough: {counted(n, 'pair')} read by both judges; {needed} are needed."
    baseline = trial.tries.baseline
    low, high = (f"{round(end * 100):+d}" for end in (proof.difference.low, proof.difference.high))
    look = (
        f" The pairs were looked at {proof.proofs} times, so the bar is higher." if proof.proofs > 1 else ""
    )
    chance = f"p = {proof.p:.3f}" if proof.p >= 0.001 else "p < 0.001"
    return (
        f"{'Passed' if proof.passes else 'Not passed'}. Agreement with people on {counted(proof.n, 'pair')}: "
        f"{proof.before / proof.n:.0%} {f'with version {baseline}' if baseline else 'without guidance'}, "
        f"{proof.after / proof.n:.0%} with this version, {proof.constant / proof.n:.0%} for the best constant guess. "
        "Difference "
        f"{round((proof.after - proof.before) / proof.n * 100):+d} points, {proof.level * 100:.3g}% interval "
        f"{low} to {high}. Better on {counted(proof.better, 'task')}, worse on {proof.worse} ({chance}).{look}"
    ).replace("-", "\N{MINUS SIGN}")
