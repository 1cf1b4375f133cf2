"""The decision plan, fixed before the reveal, and what can be sent on: the report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from comparator.domain.project import LOOK_ONCE, LOOK_WHENEVER, DecisionPlan
from comparator.domain.rights import Act
from comparator.outputs.pictures.finder import Machine
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import Meeting, ProjectState, newest, project_state
from comparator.reporting.results.result import reviewed_by
from comparator.ui.dashboards import sentences
from comparator.ui.dashboards.tabs.report import every_chart, narrowed_to, report, to_pdf
from comparator.ui.dashboards.why.next_steps import next_steps
from comparator.ui.dashboards.why.themes import theme_forms
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import numbers
from comparator.ui.frame.inputs.file_to_save import file_to_save
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import fix_plan
from comparator.workflow.projects.settings import project_settings

STOP_RULES = (LOOK_ONCE, LOOK_WHENEVER)
USUAL_PAIRS = 60
LONGEST_NAME = 60
"""Characters of the project's name in that of a file."""


def plan_part(project_id: str) -> None:
    """The project's plans; a lead can fix one for two candidates of which nothing is revealed."""
    services = session.services()
    plans = project_settings(services, project_id).plans
    state = project_state(services.database, project_id)
    blind = tuple(met for met in state.meetings if not met.revealed)
    if not plans and not blind:
        return
    with st.container(border=True, key="decision_plan"):
        st.subheader("Decision plan", anchor=False)
        for plan in plans:
            st.caption(safe.text(_sentence(plan, state)))
        if blind and (not plans or state.revealed_meetings):
            st.caption(
                "Decide in advance what settles the question: the two candidates, the smallest "
                "difference that matters, how many pairs are reviewed, and when to stop."
            )
        if state.revealed_meetings and blind:
            st.caption("Only two candidates without a revealed pair between them can be chosen.")
        if blind and session.may(Act.CHANGE_SETTINGS, project_id=project_id):
            _form(plans, project_id, blind)


def plan_and_report(top: Findings) -> None:
    """The tab: what to send, what the plan says, what to change next, and reading the reasons with a model."""
    services, project_id = session.services(), top.asked.project_id
    stem = re.sub(r"\W+", "-", session.project_name(project_id)).strip("-")[:LONGEST_NAME]
    name = f"{stem}-report-{services.now():%Y-%m-%d}"

    def printed() -> bytes:
        return to_pdf(
            report_of(top), named=services.settings.chromium, machine=Machine.of(services.environment)
        )

    with st.container(horizontal=True):
        file_to_save(
            "Report as PDF",
            printed,
            name=f"{name}.pdf",
            key="report_pdf",
            icon=":material/picture_as_pdf:",
            note="Needs Chromium on the server. Without it, save the HTML and print it.",
        )
        file_to_save(
            "Report as HTML",
            lambda: report_of(top),
            name=f"{name}.html",
            key="report_html",
            icon=":material/summarize:",
            note="One page to send, then every chart as an appendix. One file; it needs no network.",
        )
    st.caption("Link to this page with all that is chosen:")
    # The address may still name the tab from which one came.
    chosen = {name: st.query_params.get_all(name) for name in st.query_params} | {"part": ["Plan and report"]}
    with st.container(key="page_link"):
        st.code(f"{st.context.url}?{urlencode(chosen, doseq=True)}", language=None, wrap_lines=True)
    with st.container(border=True):
        st.subheader("What the plan says", anchor=False)
        st.caption(safe.text(sentences.plan(top)))
        if (plan := top.plan) is not None:
            numbers(
                "plan_kept",
                [{"Promise": each.promise, "Kept": _kept(each.kept), "Why": each.why} for each in plan.kept],
            )
        if top.excluded:
            left = "; ".join(f"{each.pairs:,} ({each.reason})" for each in top.excluded)
            st.caption(safe.text(f"Not counted: {left}."))
    plan_part(project_id)
    next_steps(top)
    theme_forms(project_id)


def report_of(top: Findings) -> str:
    """The report as HTML, with the filters of the page and who reviewed how many."""
    services = session.services()
    return report(
        top,
        every_chart(top),
        reviewers=reviewed_by(services.database, top.asked),
        only=narrowed_to(top),
        project=session.project_name(top.asked.project_id),
        at=services.now(),
    )


def _form(plans: Sequence[DecisionPlan], project_id: str, blind: tuple[Meeting, ...]) -> None:
    """Ask for the plan of two of these candidates, those of the last plan or the newest at first."""
    by_ids = {f"{met.one}.{met.two}": met for met in blind}
    options = list(by_ids)
    fixed = {_question(plan, by_ids): plan for plan in plans}
    kept = next((each for each in reversed(fixed) if each in by_ids), None)
    usual = newest(session.services().database, blind)
    question = st.selectbox(
        "To decide between",
        options,
        index=options.index(kept or f"{usual.one}.{usual.two}"),
        format_func=lambda ids: _called(by_ids[ids]),
        key="plan_question",
        width=480,
    )
    asked = by_ids[question]
    pairs = asked.pairs
    own = fixed.get(question)
    like = own or (plans[-1] if plans else None)
    with st.form("plan_form", border=False):
        smallest, reviews, rule = st.columns([3, 3, 6], vertical_alignment="bottom")
        difference = smallest.number_input(
            "Smallest difference that matters (points of win rate)",
            min_value=0,
            max_value=45,
            value=round(like.smallest_difference * 100) if like else 5,
            step=1,
            key=f"plan_difference_{question}",
            help="5 means: adopt only if the whole interval of the win rate lies above 55%.",
        )
        number = reviews.number_input(
            "Pairs to be counted",
            min_value=1,
            value=own.reviews if own else max(1, min(USUAL_PAIRS, pairs)),
            step=1,
            key=f"plan_reviews_{question}",
            help=f"There {'is' if pairs == 1 else 'are'} {pairs:d} of them.",
        )
        stop = rule.selectbox(
            "Stop rule",
            STOP_RULES,
            index=STOP_RULES.index(like.stop_rule) if like and like.stop_rule in STOP_RULES else 0,
            accept_new_options=True,
            key=f"plan_stop_{question}",
        )
        if st.form_submit_button("Change the plan" if own else "Fix the plan", icon=":material/lock_clock:"):
            fix_plan(
                session.as_me(),
                project_id,
                smallest_difference=difference / 100,
                reviews=number,
                stop_rule=stop or "",
                candidates=(asked.one, asked.two),
            )
            st.rerun()


def _question(plan: DecisionPlan, by_ids: Mapping[str, Meeting]) -> str | None:
    """The two that the plan is about, if they are among these."""
    return next((ids for ids, met in by_ids.items() if {met.one, met.two} == plan.of), None)


def _sentence(plan: DecisionPlan, state: ProjectState) -> str:
    fixed = f", fixed on {plan.fixed_at:%Y-%m-%d %H:%M} UTC" if plan.fixed_at else ""
    threshold = estimates.percent(0.5 + plan.smallest_difference)
    rule = f" {plan.stop_rule}." if plan.stop_rule else ""
    pairs = counted(plan.reviews, "pair")
    met = next((met for met in state.meetings if plan.of == {met.one, met.two}), None)
    between = f" Between {met.one_name} and {met.two_name}." if met else ""
    if not plan.of:
        between = " Between any two without a plan of their own."
    return (
        f"Adopt if the interval of the win rate lies above {threshold}, over {pairs}{fixed}.{between}{rule}"
    )


def _called(met: Meeting) -> str:
    return f"{met.one_name.capitalize()} and {met.two_name} ({counted(met.pairs, 'pair')})"


def _kept(kept: bool | None) -> str:
    return "for you to judge" if kept is None else "yes" if kept else "NO"
