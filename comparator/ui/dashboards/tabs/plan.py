"""The decision plan, fixed before the reveal, the analysis of what to change, and what can be sent on: the report."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode, urlsplit

import streamlit as st

from comparator.api.analysing import analysis, fix_list_text
from comparator.domain.project import LOOK_ONCE, LOOK_WHENEVER, DecisionPlan
from comparator.domain.rights import Act
from comparator.outputs.pictures.finder import BROWSERS
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import Meeting, ProjectState, newest, project_state
from comparator.reporting.why.pairs import PairOutcome
from comparator.ui.dashboards import advice
from comparator.ui.dashboards.tabs.report import report, to_pdf
from comparator.ui.dashboards.why.changes import changes_chart, what_to_change
from comparator.ui.dashboards.why.themes import theme_forms
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import numbers
from comparator.ui.frame.inputs import file_to_save
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import fix_plan
from comparator.workflow.projects.settings import project_settings


def analysis_part(top: Findings) -> None:
    """What to change, with the pairs behind it, and the files that have all of it."""
    losers = {PairOutcome.LOST.value: top.names.one, PairOutcome.WON.value: top.names.two}
    with st.container(border=True, key="analysis"):
        st.subheader("What to change in the outputs of", anchor=False)
        lost = PairOutcome(one_of("fix", losers, "What to change in", label_visibility="collapsed"))
        with st.spinner("Reading the lost pairs"):
            result = what_to_change(top, lost)
        if result.loser_skill != losers[lost]:
            st.caption(
                safe.text(f"{losers[lost]} lost none of these pairs, so this is about {result.loser_skill}.")
            )
        chart = changes_chart(top, result)
        st.caption(safe.text(chart.note), help=safe.text(chart.help))
        numbers(chart.name, chart.numbers)
        with st.container(horizontal=True):
            file_to_save(
                "Fix list for an issue (Markdown)",
                lambda: fix_list_text(session.services(), top.filter, candidate=losers[lost], lost=lost),
                name="fix-list.md",
                key="analysis_fix_list",
                icon=":material/checklist:",
            )
            file_to_save(
                "analysis.json",
                lambda: analysis(session.services(), top.filter, (top.names.one, top.names.two)).text(),
                name="analysis.json",
                key="analysis_json",
                icon=":material/data_object:",
            )


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
    services, project_id = session.services(), top.filter.project_id
    stem = re.sub(r"\W+", "-", session.project_name(project_id)).strip("-")[:LONGEST_NAME]
    name = f"{stem}-report-{services.now():%Y-%m-%d}"

    def printed() -> bytes:
        return to_pdf(
            report(top, on_paper=True),
            named=services.settings.chromium,
            browsers=services.environment.get(BROWSERS, ""),
        )

    with st.container(horizontal=True):
        file_to_save(
            "Report as PDF", printed, name=f"{name}.pdf", key="report_pdf", icon=":material/picture_as_pdf:"
        )
        file_to_save(
            "Report as HTML",
            lambda: report(top),
            name=f"{name}.html",
            key="report_html",
            icon=":material/summarize:",
        )
        # The address may still name the tab from which one came.
        chosen = {name: st.query_params.get_all(name) for name in st.query_params} | {
            "part": ["Plan and report"]
        }
        with (
            st.popover("Link to this page", key="link_button", icon=":material/link:"),
            st.container(key="page_link"),
        ):
            st.code(f"{st.context.url}?{urlencode(chosen, doseq=True)}", language=None, wrap_lines=True)
            if urlsplit(st.context.url or "").hostname in ("127.0.0.1", "localhost"):
                st.caption("It opens only on this computer; send others the report.")
    st.caption("One page to send, then every chart as an appendix. A summary to paste:")
    with st.container(key="page_summary"):
        st.code(advice.summary(top), language=None, wrap_lines=True)
    left = "; ".join(f"{counted(exclusion.pairs, 'pair')}, {exclusion.reason}" for exclusion in top.excluded)
    st.caption(safe.text(f"{advice.plan(top)}{f' Not counted: {left}.' if left else ''}"))
    if (plan := top.plan) is not None:
        numbers(
            "plan_kept",
            [
                {"Promise": promise.promise, "Kept": _yes_or_no(promise.kept), "Why": promise.why}
                for promise in plan.kept
            ],
        )
    plan_part(project_id)
    analysis_part(top)
    theme_forms(project_id)


def _form(plans: Sequence[DecisionPlan], project_id: str, blind: tuple[Meeting, ...]) -> None:
    """Ask for the plan of two of these candidates, those of the last plan or the newest at first."""
    by_ids = {f"{met.one}.{met.two}": met for met in blind}
    options = list(by_ids)
    fixed = {_question(plan, by_ids): plan for plan in plans}
    kept = next((ids for ids in reversed(fixed) if ids in by_ids), None)
    usual = newest(session.services().database, blind)
    question = st.selectbox(
        "To decide between",
        options,
        index=options.index(kept or f"{usual.one}.{usual.two}"),
        format_func=lambda ids: _question_in_words(by_ids[ids]),
        key="plan_question",
        width=480,
    )
    meeting = by_ids[question]
    pairs = meeting.pairs
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
                candidates=(meeting.one, meeting.two),
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


def _question_in_words(met: Meeting) -> str:
    return f"{met.one_name.capitalize()} and {met.two_name} ({counted(met.pairs, 'pair')})"


def _yes_or_no(kept: bool | None) -> str:
    return "for you to judge" if kept is None else "yes" if kept else "NO"
