"""The last step of the page Import: what judging will cost, and start; then what was done."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.jobs.batches import start_batches
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.inputs.choices import ask_what_first, result_button
from comparator.ui.frame.state import PageScript
from comparator.ui.importing.audit import ALL_RUNS
from comparator.workflow.estimate import estimate_import
from comparator.workflow.importing.planned import Plan
from comparator.workflow.importing.request import ImportRequest, OnStep
from comparator.workflow.importing.run import import_path, replaced, to_judge
from comparator.workflow.importing.store import Imported
from comparator.workflow.projects.checks import outputs_left
from comparator.workflow.services import Services


class Judging(NamedTuple):
    """Whether the new pairs are judged at once, and whether those with an unusable output are too."""

    wanted: bool = False
    all_runs: bool = False
    blind: bool = False
    """Whether the project that the import begins is reviewed blind first."""


def start_step(services: Services, plan: Plan) -> Judging | None:
    """Ask whether to judge at once; the answer once Import is pressed, None before."""
    judging = False
    if not plan.report.new:
        st.caption(safe.text(plan.report.no_pairs or "No new pairs to judge."))
    elif session.may_somewhere(Act.JUDGE):
        judging = st.checkbox(
            "Judge the new pairs in the background", value=True, key="import_judge", persist_state="session"
        )
    if replacing := replaced(plan.report):
        st.caption(safe.text(f"{replacing}."))
    # Asked beside the finding that it is about.
    all_runs = judging and bool(st.session_state.get(ALL_RUNS))
    if judging:
        _estimate(services, plan, all_runs=all_runs)
    blind = plan.report.project not in {each.name for each in session.projects()} and ask_what_first(
        blind=False, key="import_blind", label="What reviewers see first"
    )
    pressed = st.button(
        safe.text(
            f"Import {words.counted(plan.report.new, 'pair')} into {safe.cut(plan.report.project, 60)}"
        ),
        key="import_now",
        type="primary",
        icon=":material/download:",
        disabled=not plan.adds,
    )
    return Judging(judging, all_runs, blind) if pressed else None


def carry_out(
    services: Services, request: ImportRequest, *, judging: Judging, person_id: str, on_step: OnStep
) -> Imported:
    """Import, and start the judging of what is new."""
    imported = import_path(services, request, on_step=on_step, person_id=person_id)
    chosen = to_judge(services, imported.unjudged, all_runs=judging.all_runs)
    if judging.wanted and chosen:
        on_step("Ordering the judging")
        start_batches.start_for(services, chosen, person_id=person_id)
    elif outputs_left(services, imported.project_id):
        session.wake_worker()
    return imported


def done(imported: Imported, *, judging: Judging) -> None:
    """What was imported, and where it goes on."""
    report = imported.report
    st.success(
        safe.text(
            f"{words.counted(report.new, 'pair')} imported"
            f"{f'; already there: {report.already:,}' if report.already else ''}."
        ),
        icon=":material/check:",
    )
    if replacing := replaced(report):
        st.caption(safe.text(f"{replacing}."))
    if report.left_out:
        st.caption(safe.text(f"{words.counted(len(report.left_out), 'place')} left out."))
    with st.container(horizontal=True):
        here = (imported.project_id,)
        if st.button(
            "Go to the queue", key="import_queue", type="primary", on_click=session.look_at, args=here
        ):
            st.switch_page(PageScript.QUEUE)
        if judging.wanted and st.button(
            "Watch the judging", key="import_batches", on_click=session.look_at, args=here
        ):
            st.switch_page(PageScript.BATCHES)
        if session.may(Act.SEE_RESULTS, project_id=imported.project_id):
            result_button(imported.project_id, key="import_result")


def _estimate(services: Services, plan: Plan, *, all_runs: bool) -> None:
    try:
        judge = services.judge_identity()
        found = estimate_import(services, plan, judge, all_runs=all_runs)
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    if found is None:
        st.caption("The offline check reads them: no cost, a few seconds. It cannot tell right from wrong.")
        return
    cost = "no price is known for this model" if found.cost is None else f"about {found.cost:.2f} US dollars"
    sentence = (
        f"{judge.model}: {words.counted(found.calls, 'call')}, about {found.input_tokens:,} tokens in and "
        f"{found.output_tokens:,} out, {cost}, about {words.counted(found.minutes, 'minute')}."
        + (f" Left out: {words.counted(found.void, 'pair')} with an unusable output." if found.void else "")
    )
    st.caption(safe.text(sentence))
