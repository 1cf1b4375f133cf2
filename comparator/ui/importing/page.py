"""The steps of the page Import, each opened by the one before and folded once it is done: scan, choose pairs, check,
import and judge. Each runs in a thread and survives a reload of the page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.project import ReviewMode
from comparator.domain.rights import Act
from comparator.jobs import start_batches
from comparator.jobs.estimate_batches import estimate_import, in_words
from comparator.reporting.queue import NextStep, next_step
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs import NO_JUDGE, ask_what_first, begin_review, set_price
from comparator.ui.frame.per_process import Once
from comparator.ui.frame.state import PageScript
from comparator.ui.importing.audit import ALL_RUNS, as_known, audit_step
from comparator.ui.importing.pairs import pairs_step
from comparator.ui.importing.source import PASTED, ask_project, columns_read, source_step
from comparator.workflow.importing.pairs import ImportRequest, OnStep, Step
from comparator.workflow.importing.plan import plan_import, scan_source
from comparator.workflow.importing.planned import Plan
from comparator.workflow.importing.run import import_path, replaced_in_words, to_judge, unmatched
from comparator.workflow.importing.store import Imported
from comparator.workflow.judging.paying import cost_text
from comparator.workflow.people.people import may
from comparator.workflow.projects.settings import outputs_left
from comparator.workflow.submit.intake import title_of

LONGEST_NAME = 50
"""Characters of the name that a project gets from what was pasted."""
STEPS = ("1. Scan", "2. Choose pairs", "3. Check", "4. Import")
TO_COME = (
    "what the scan found, and which pairs to make of it",
    "what is wrong or odd with these pairs, and words that may reveal who made which output",
    "what judging costs; then the pairs wait in the queue",
)
"""What the steps after the first will show."""


class Judging(NamedTuple):
    """Whether to judge the new pairs at once, also those with an unusable output, and what reviewers see first."""

    wanted: bool
    all_runs: bool
    blind: bool


def steps() -> None:
    """Show the page: the steps that can be taken, then what is to come."""
    begun = _begun()
    if DONE in works()(session.me().id):
        return
    for step, shows in zip(STEPS[begun:], TO_COME[begun - 1 :], strict=True):
        with st.container(border=True):
            safe.caption(f"{step}: {shows}")


def _begun() -> int:
    """Show the steps that can be taken; how many these are."""
    st.caption(
        "A skill-creator workspace, a promptfoo run, a preference set or a table of pairs. "
        "Nothing is judged or charged before the last step."
    )
    services, mine = session.services(), works()(session.me().id)
    if _ended(mine, DONE):
        _done(*mine[DONE].result)
    scanned = _ended(mine, FOUND)
    label = "Import another" if DONE in mine else STEPS[0]
    if scanned:
        label = f"{STEPS[0]}: {as_known(str(mine[FOUND].request.path))}"
    # Another key is another box: it folds once its step is done.
    box = f"import_step_1_{scanned}_{id(mine.get(FOUND))}"
    with st.expander(safe.text(label), expanded=not scanned and DONE not in mine, key=box):
        failed = mine[FOUND].problem if FOUND in mine else ""
        scan = source_step(first=not scanned, problem=as_known(failed))
    if scan is not None:
        forget_choices()
        start(FOUND, scan, lambda on_step: scan_source(scan, on_step))
    if (looked := _finished(FOUND)) is None:
        return 1
    planned_before = _ended(mine, PLAN)
    label = f"{STEPS[1]}: {_pairs(mine[PLAN].result)}" if planned_before else STEPS[1]
    with st.expander(safe.text(label), expanded=not planned_before, key=f"import_step_2_{planned_before}"):
        columns_read(looked.request)
        chosen = pairs_step(looked.result)
        if chosen is None:
            return 2
        request = looked.request.model_copy(update=chosen.model_dump())
        name = request.project_for(looked.result)
        if request.path.stem == PASTED:
            name = safe.beginning(title_of(looked.result.runs[0].prompt), LONGEST_NAME).rstrip(".")
        request = request.copy_with(project=ask_project(name))
        checked = planned_before and mine[PLAN].request == request
        # Once these pairs are checked, importing them is what comes next.
        if st.button(
            "Check these pairs",
            key="import_look",
            type="secondary" if checked else "primary",
            icon=":material/search:",
        ):
            start(PLAN, request, lambda on_step: plan_import(services, request, on_step=on_step))
    if (planned := _finished(PLAN)) is None:
        return 2
    if not checked:
        st.caption("Your choice has changed. Check these pairs again.")
        return 2
    st.subheader(STEPS[2], anchor=False)
    decided = audit_step(planned.result)
    st.subheader(STEPS[3], anchor=False)
    judging = _start_step(planned.result)
    if judging is not None:
        mode, me = ReviewMode.of(blind=judging.blind, prefers=False), session.me().id
        whole = request.copy_with(**decided._asdict(), mode=mode)
        start(DONE, whole, lambda on_step: (_carry_out(whole, judging, me, on_step), judging))
    # Why it could not be imported.
    _finished(DONE)
    return len(STEPS)


def _ended(mine: Mapping[str, Work], name: str) -> bool:
    return name in mine and mine[name].succeeded


def _pairs(plan: Plan) -> str:
    already = f" ({plan.report.already:,} already imported)" if plan.report.already else ""
    used = {run.key for pair in plan.pairs for run in (pair.first, pair.second)}
    return f"{words.counted(plan.report.new, 'new pair')}{already}, {words.counted(len(used), 'run')}"


def forget_choices() -> None:
    """Drop the choices and decisions about one scan before the next; the form keeps its values."""
    form = (
        "path",
        "format",
        "project",
        "way",
        "folder",
        "upload",
        "pasted",
        "unpacked",
        "column",
        "find",
        "entered",
    )
    kept = tuple(f"import_{name}" for name in form)
    for key in [str(key) for key in st.session_state]:
        if key.startswith("import_") and not key.startswith(kept):
            del st.session_state[key]


def _finished(name: str) -> Work | None:
    """The finished work of a step; until then None, with progress or the problem shown on the page. That of a scan
    stands beside what was to be scanned."""
    work = works()(session.me().id).get(name)
    if work is not None and not work.done.is_set():
        _follow(name)
    elif work is not None and work.problem and name != FOUND:
        st.error(safe.text(as_known(work.problem)), icon=":material/error:")
    return work if work is not None and work.succeeded else None


@st.fragment(run_every=0.7)
def _follow(name: str) -> None:
    with shell.guard():
        session.require_somewhere(Act.SUBMIT)
        work = works()(session.me().id).get(name)
        if work is None or work.done.is_set():
            # Else its last step would stand beside the result until the page is drawn anew.
            st.empty()
            st.rerun()
        elif isinstance(work.step, Step):
            st.progress(work.step.share, text=safe.text(work.step))
        else:
            # Nobody knows how much there is to do.
            st.caption(f":material/hourglass_top: {safe.text(as_known(work.step))}")


def _start_step(plan: Plan) -> Judging | None:
    """Ask whether to judge at once; the answer once Import is pressed, None before."""
    judging, price, report = False, "", plan.report
    if not report.new:
        safe.caption(report.no_pairs or "No new pairs to judge.")
    elif session.may_somewhere(Act.JUDGE):
        # Asked beside the finding that it is about.
        judging, price = _ask_judging(plan, all_runs=bool(st.session_state.get(ALL_RUNS)))
    if replacing := replaced_in_words(report):
        safe.caption(f"{replacing}.")
    known = {project.name for project in session.projects()}
    blind = judging and report.project not in known and ask_what_first(blind=False, key="import_blind")
    pressed = st.button(
        safe.text(
            f"Import {'and judge ' if judging else ''}{words.counted(report.new, 'pair')} into "
            f"{safe.cut(report.project, 60)}{price}"
        ),
        key="import_now",
        type="primary",
        icon=":material/download:",
        disabled=not plan.adds,
    )
    all_runs = bool(st.session_state.get(ALL_RUNS))
    return Judging(judging, all_runs, blind) if pressed else None


def _ask_judging(plan: Plan, *, all_runs: bool) -> tuple[bool, str]:
    """Whether a model is to read the new pairs in the background, and what that costs, for the button."""
    try:
        judge = session.services().judge().identity
        about = estimate_import(session.services(), plan, judge, all_runs=all_runs)
    except ComparatorError as error:
        safe.caption(str(error))
        return False, ""
    if judge.kind == "offline":
        st.caption(NO_JUDGE)
        return False, ""
    with shell.row():
        wanted = st.checkbox(
            "Judge the new pairs in the background", key="import_judge", persist_state="session"
        )
        later = "They can be reviewed at once, and judged later from Batches."
        safe.caption(f"{judge.model}: {in_words(about)}" if wanted else later, width="content")
    if wanted and about.cost is None:
        set_price()
    return wanted, f", {cost_text(about.cost)}" if wanted and about.cost else ""


def _carry_out(request: ImportRequest, judging: Judging, person_id: str, on_step: OnStep) -> Imported:
    """Import, and start the judging of what is new."""
    services = session.services()
    imported = import_path(services.by(person_id), request, on_step=on_step)
    chosen = to_judge(services, imported.unjudged, all_runs=judging.all_runs)
    if chosen and may(services.by(person_id), Act.JUDGE, project_id=imported.project_id):
        on_step(
            "Queuing the pairs for the judge" if judging.wanted else "Queuing the pairs for the free check"
        )
        start_batches.start_for(services.by(person_id), chosen, kind=None if judging.wanted else "offline")
    if outputs_left(services, imported.project_id):
        session.wake_worker()
    return imported


def _done(imported: Imported, judging: Judging) -> None:
    """Show what was imported and where to continue."""
    report, here = imported.report, (imported.project_id,)
    already = f"; already there: {report.already:,}" if report.already else ""
    into = session.project_name(imported.project_id)
    st.success(
        safe.text(f"{words.counted(report.new, 'pair')} imported into {into}{already}."),
        icon=":material/check:",
    )
    left_out = (
        f"{words.counted(len(report.left_out), 'part')} of the source left out" if report.left_out else ""
    )
    for sentence in filter(None, (replaced_in_words(report), unmatched(report), left_out)):
        safe.caption(f"{sentence}.")
    with st.container(horizontal=True):
        if st.button("Review them", key="import_queue", type="primary", on_click=session.look_at, args=here):
            # It was used: who comes back begins anew.
            del works()(session.me().id)[DONE]
            begin_review()
        if judging.wanted and st.button(
            "Watch the batch", key="import_batches", on_click=session.look_at, args=here
        ):
            session.go(PageScript.BATCHES)
        may_see = session.may(Act.SEE_RESULTS, project_id=imported.project_id)
        step = next_step(session.services().database, imported.project_id)
        if (
            may_see
            and step is NextStep.RESULTS
            and st.button(safe.text(step.value), key="import_result", on_click=session.look_at, args=here)
        ):
            session.go(PageScript.DASHBOARDS)


log = logging.getLogger(__name__)

FOUND, PLAN, DONE = WORKS = ("found", "plan", "done")
PEOPLE = 12
"""How many people's steps are kept: those of the latest visitors."""
BUG = "Something went wrong; the log of the app says what. Start again."


@dataclass
class Work:
    """One step of one person's import: its progress, and then its result or why it failed."""

    request: ImportRequest
    step: str = "Starting"
    result: Any = None
    problem: str = ""
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def succeeded(self) -> bool:
        """Whether it ended without an error."""
        return self.done.is_set() and not self.problem

    def say(self, step: str) -> None:
        """Store the progress."""
        self.step = step


def _none_yet(person_id: str) -> dict[str, Work]:
    del person_id
    return {}


works = Once(lambda: lru_cache(maxsize=PEOPLE)(_none_yet))
"""The import steps of all people in this process, by person and name."""


def start(name: str, request: ImportRequest, task: Callable[[OnStep], Any]) -> None:
    """Begin a step in the background, which replaces the same step and all later ones, and show the page anew."""
    mine = works()(session.me().id)
    for step in WORKS[WORKS.index(name) :]:
        mine.pop(step, None)
    work = mine[name] = Work(request)

    def run() -> None:
        try:
            work.result = task(work.say)
            if mine.get(DONE) is work:
                # They hold all texts of the import.
                mine.pop(FOUND, None)
                mine.pop(PLAN, None)
        except ComparatorError as error:
            work.problem = str(error)
        except Exception:
            log.exception("import of %s", request.path)
            work.problem = BUG
        finally:
            work.done.set()

    threading.Thread(target=run, name=f"import-{name}", daemon=True).start()
    st.rerun()
