"""The tab Guidance: what is learnt from, the versions with their trials, and which one the judges go by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import streamlit as st

from comparator.domain.counted import counted
from comparator.domain.errors import ComparatorError
from comparator.domain.guidance import FEWEST, LONGEST, WEAK_BELOW
from comparator.domain.rights import Act
from comparator.jobs import guidance_trials as trials
from comparator.jobs import trial_words as words
from comparator.jobs.guidance_trials import ProjectGuidance, Trial, TrialRequest, adopt, guided
from comparator.judges.protocol import Judge
from comparator.stats.raters.proof import ProofFigures
from comparator.store.judging.guidance import StoredSplit, Version
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts import Chart, Dots, ends, numbers
from comparator.ui.frame.charts.chart import draw
from comparator.ui.frame.inputs.choices import choose_project
from comparator.ui.frame.model_progress import model_progress
from comparator.ui.judge.scope import Scope
from comparator.workflow.guidance import writing
from comparator.workflow.guidance.splitting import freeze
from comparator.workflow.judging.paying import NO_PRICE, money
from comparator.workflow.judging.registry import Membership
from comparator.workflow.judging.which_judges import judge_of_project


def show(scope: Scope) -> None:
    """Show the project's guidance; leads draft, try and adopt it."""
    project_id = scope.one
    if project_id is None or not session.may(Act.CHANGE_SETTINGS, project_id=project_id):
        choose_project(
            session.projects(Act.CHANGE_SETTINGS),
            why="Guidance belongs to a project: it is what its judges learnt from people's corrections. Leads see it.",
        )
        return
    state = guided(session.services(), project_id, person_id=session.me().id)
    if state.split is None:
        _begin(project_id)
        return
    _headline(state, state.split)
    _learn(project_id, state.split)
    for version in state.versions:
        _version(project_id, state, version)


def _begin(project_id: str) -> None:
    with st.container(border=True, width=720):
        st.subheader("This project has no guidance yet", anchor=False)
        st.caption(
            safe.text(
                "Guidance is a list of notes to the judge, learnt from what people corrected. The corrections are "
                "split by task: half are learnt from, half are held out. Notes can be adopted only once a "
                "trial on the held-out half shows that the judge agrees with people more often. It takes "
                f"{FEWEST} corrections, and {FEWEST} held-out pairs that were scored before the judge's "
                "values were shown; below "
                f"{WEAK_BELOW} the trial is weak."
            )
        )
        if st.button("Split the corrections", key="guidance_split", type="primary"):
            _do(partial(freeze, session.services(), project_id, person_id=session.me().id))


def _headline(state: ProjectGuidance, split: StoredSplit) -> None:
    adopted, content = state.adopted, split.content
    with st.container(horizontal=True, gap="medium"):
        st.metric("In force", safe.text(f"version {adopted.number}" if adopted else "none"), width="content")
        st.metric("Corrections to learn from", f"{len(content.corrections):,d}", width="content")
        st.metric("Held-out pairs", f"{len(content.held_out):,d}", width="content")
    few = f" With fewer than {WEAK_BELOW} corrections or held-out pairs, a trial is weak."
    weak = few if content.weak else ""
    st.caption(
        safe.text(
            f"Split {split.number} of {split.created_at:%d %b %Y}, {split.digest[:12]}: "
            f"{counted(len(content.learn), 'task')} to learn from, "
            f"{counted(len(content.test), 'task')} held out.{weak}"
        )
    )


def _learn(project_id: str, split: StoredSplit) -> None:
    services, me = session.services(), session.me()
    with st.expander("New version", key="guidance_new", expanded=False):
        numbers(
            "corrections",
            [
                {
                    "No.": each.number,
                    "Task": each.task,
                    "About": each.about,
                    "Output": each.label.value if each.label else "",
                    "Judge": each.judge,
                    "Person": each.person,
                    "Reason": each.reason,
                }
                for each in split.content.corrections
            ],
        )
        text = st.text_area(
            "Notes to the judge, one a line",
            key=f"guidance_text_{split.id}",
            max_chars=LONGEST,
            placeholder="A longer output earns nothing for its length. [3, 7]",
            help="“[3, 7]” at the end of a line names the corrections that it rests on.",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Keep as a version", key="guidance_write", disabled=not (text or "").strip()):
                _do(
                    partial(
                        writing.write_by_hand, services, split, text or "", author=me.name, person_id=me.id
                    )
                )
            _draft(project_id, split)
            if st.button(
                "Split again",
                key="guidance_split",
                type="tertiary",
                help="Draws a new random split of all corrections so far. Earlier versions and trials stay.",
            ):
                _do(partial(freeze, services, project_id, person_id=me.id))


def _draft(project_id: str, split: StoredSplit) -> None:
    """The button that has a model draft, with what that costs; while it does, how far it is."""
    services, me = session.services(), session.me()
    drafting = session.guidance_drafting()
    begun = drafting.look(project_id)
    if begun is not None and not begun.done:
        _follow(project_id)
        return
    if begun is not None:
        drafting.forget(project_id)
        if begun.reply is not None:
            reply, model = begun.reply, services.judge_identity().model
            _do(partial(writing.keep_draft, services, split, reply, model=model, person_id=me.id))
        st.error(safe.text(begun.problem or ""), icon=":material/error:")
    judge = judge_of_project(services, project_id)
    try:
        if judge.identity.kind == "offline":
            st.caption("A model can draft notes where one is set up; write them by hand here.")
            return
        about = writing.draft_cost(services, split, judge)
    finally:
        asyncio.run(judge.close())
    cost = NO_PRICE if about.cost is None else money(about.cost)
    if st.button(
        "Have a model draft it",
        key="guidance_draft",
        help=safe.text(
            f"{judge.identity.model}: {counted(about.requests, 'request')}, about {about.input_tokens:,} tokens in, "
            f"{cost}."
        ),
    ):

        async def write(writer: Judge, here: Membership) -> writing.GuidanceReply:
            return await writing.draft(here, split, writer)

        drafting.begin(project_id, write, kind=None, model=None)
        st.rerun()


@st.fragment(run_every=0.5)
def _follow(project_id: str) -> None:
    with shell.guard():
        begun = session.guidance_drafting().look(project_id)
        if begun is None or begun.done:
            st.rerun()
        model_progress("The model drafts", begun.began)


def _version(project_id: str, state: ProjectGuidance, version: Version) -> None:
    services, me = session.services(), session.me()
    holds = state.adopted is not None and state.adopted.id == version.id
    with st.container(border=True, key=f"guidance_{version.number}", width=860):
        st.subheader(f"Version {version.number:d}{', in force' if holds else ''}", anchor=False)
        cost = f", drafted for {money(version.cost)}" if version.cost else ""
        st.caption(safe.text(f"By {version.author}, {version.created_at:%d %b %Y}{cost}"))
        numbers(
            f"guidance_{version.number}",
            [
                {"Note": each.text, "Rests on corrections": ", ".join(map(str, each.rests_on)) or "–"}
                for each in version.sentences
            ],
        )
        for trial in state.trials_of(version):
            if state.split is not None:
                _trial(project_id, trial, state.split)
        with st.container(horizontal=True):
            if holds:
                if st.button("Stop using guidance", key=f"guidance_none_{version.number}"):
                    _do(partial(adopt, services, project_id, None, person_id=me.id))
            elif state.may_be_adopted(version) and st.button(
                "Adopt", key=f"guidance_adopt_{version.number}", type="primary"
            ):
                _do(partial(adopt, services, project_id, version.number, person_id=me.id))
        if not any(trial.result is None for trial in state.trials_of(version)):
            _try(project_id, version)


def _try(project_id: str, version: Version) -> None:
    if not st.toggle("Try it on held-out pairs", key=f"guidance_test_{version.number}"):
        return
    services, request = session.services(), TrialRequest(project_id=project_id, number=version.number)
    try:
        about = trials.estimate(services, request)
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    cost = NO_PRICE if about.cost is None else money(about.cost)
    st.caption(
        safe.text(
            f"{counted(about.pairs, 'held-out pair')} read without this version and with it, in both orders: about "
            f"{counted(about.requests, 'request')}, {cost}. Finished readings are not charged again."
        )
    )
    if st.button("Try it", key=f"guidance_try_{version.number}", type="primary"):
        _do(partial(_start, request))


def _start(request: TrialRequest) -> None:
    trials.begin(session.services(), request, person_id=session.me().id)
    session.wake_worker()


def _trial(project_id: str, trial: Trial, split: StoredSplit) -> None:
    if trial.result is None:
        _wait(project_id)
        return
    passed = words.verdict(trial)
    if trial.result.passes:
        st.success(safe.text(passed))
    else:
        st.warning(safe.text(passed))
    found = trial.result.figures
    if isinstance(found, ProofFigures):
        draw(_chart(trial, found))
        for line in words.trial_lines(trial, split)[1:]:
            st.caption(safe.text(line))


@st.fragment(run_every=2.0)
def _wait(project_id: str) -> None:
    with shell.guard():
        st.caption("The trial is running. The page Batches shows its progress.")
        if not trials.is_under_way(session.services(), project_id):
            st.rerun()


def _chart(trial: Trial, found: ProofFigures) -> Chart:
    baseline = trial.test.baseline
    before = "Without guidance" if baseline is None else f"Version {baseline}"
    return Chart(
        f"trial_{trial.test.number}_{trial.test.after.digest[:8]}",
        "How often the judge named people's winner on the held-out pairs",
        [
            {
                "Judge": name,
                "Share": round(right / found.n, 3),
                **ends(interval),
                "Pairs": found.n,
            }
            for name, right, interval in (
                (before, found.before.right, found.before.interval),
                ("This version", found.after.right, found.after.interval),
                (f"Always “{found.constant_winner.value}”", found.constant, None),
            )
        ],
        Dots(
            "Judge",
            "Share",
            (0, 1),
            even=found.constant / found.n,
            sides=("as the constant guess", "agree"),
            n="Pairs",
        ),
    )


def _do(operation: Callable[[], object]) -> None:
    """Carry the operation out and show the page anew; what it is refused with is shown."""
    try:
        operation()
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
    else:
        st.rerun()
