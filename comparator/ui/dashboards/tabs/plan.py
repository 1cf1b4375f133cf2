"""The decision plan, fixed before the reveal, the analysis of what to change, and what can be sent on: the report."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from comparator.api.analysing import analysis, fix_list_text
from comparator.domain.project import LOOK_ONCE, LOOK_WHENEVER, DecisionPlan
from comparator.domain.rights import Act
from comparator.interop.written.analysis import OURS, Analysis
from comparator.outputs.pictures.finder import BROWSERS
from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import Meeting, ProjectState, newest, project_state
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.ui.dashboards import advice, sentences
from comparator.ui.dashboards.pairs_behind import MOST, part_link
from comparator.ui.dashboards.tabs.report import report, to_pdf
from comparator.ui.dashboards.why.themes import theme_forms
from comparator.ui.frame import estimates, safe, session
from comparator.ui.frame.charts import PAIRS, Cell, numbers
from comparator.ui.frame.inputs import file_to_save
from comparator.ui.frame.lists.filters import one_of
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import fix_plan
from comparator.workflow.projects.settings import project_settings

KEPT = "analysis_kept"
"""In the session's state: of which pairs, and the analysis that is shown."""


def analysis_part(top: Findings) -> None:
    """The analysis of what to change, once it is asked for, and its files."""
    services, result_filter, names = session.services(), top.filter, (top.names.one, top.names.two)
    with st.container(border=True, key="analysis"):
        st.subheader("What to change in the outputs", anchor=False)
        lost = PairOutcome(one_of("fix", _losers(top), "What to change in"))
        to_change = _losers(top)[lost.value]
        st.caption(
            safe.text(
                f"What would flip the most pairs that {to_change} lost comes first, with the pairs behind each entry. "
                "It uses criteria, expectations, themes and reviewers' reasons of the counted pairs. analysis.json "
                "is about the candidate that lost more, as its format requires."
            )
        )
        with st.container(horizontal=True):
            show = st.button(
                "Show the analysis", key="analysis_show", type="primary", icon=":material/insights:"
            )
            file_to_save(
                "analysis.json",
                lambda: analysis(services, result_filter, names).text(),
                name="analysis.json",
                key="analysis_json",
                icon=":material/data_object:",
            )
            file_to_save(
                "Fix list for an issue (Markdown)",
                lambda: fix_list_text(services, result_filter, candidate=to_change, lost=lost),
                name="fix-list.md",
                key="analysis_fix_list",
                icon=":material/checklist:",
            )
        if show:
            # Reading all pairs takes a while: what was read stays until other pairs are asked for.
            with st.status("Reading the pairs") as status:
                result = analysis(
                    services,
                    result_filter,
                    names,
                    fix=lost,
                    on_step=lambda done, of: status.update(label=f"Reading the pairs: {done:d} of {of:d}"),
                )
                st.session_state[KEPT] = ((result_filter, lost), result)
                status.update(state="complete")
        kept = st.session_state.get(KEPT)
        if kept is not None and kept[0] == (result_filter, lost):
            _show_analysis(top, kept[1], lost)


def _losers(top: Findings) -> dict[str, str]:
    """Each candidate's name under the outcome of the pairs that it lost; the one under test first."""
    return {PairOutcome.LOST.value: top.names.one, PairOutcome.WON.value: top.names.two}


def _show_analysis(top: Findings, analysis: Analysis, lost: PairOutcome) -> None:
    to_change = _losers(top)[lost.value]
    other = top.names.two if to_change == top.names.one else top.names.one
    if not (top.result.lost if lost is PairOutcome.LOST else top.result.won):
        st.caption(safe.text(f"{to_change} lost none of these pairs, so this shows what {other} lacks."))
        to_change, other = other, to_change
    document: dict[str, Any] = analysis.document()
    evidence = document[OURS]["evidence"]
    st.caption(safe.text(analysis.reasoning))
    for key, title in (
        ("winner_strengths", f"What {other} does better"),
        ("loser_weaknesses", f"What {to_change} lacks"),
    ):
        st.caption(safe.text(title))
        numbers(
            key,
            [
                {"Finding": text, **evidence_columns(top.filter, entry)}
                for text, entry in zip(document[key], evidence[key], strict=True)
            ],
            pinned=PAIRS,
        )
    st.caption(safe.text(f"What to fix in {to_change}, starting with what would flip the most lost pairs"))
    numbers(
        "improvement_suggestions",
        [
            {
                "Priority": suggestion["priority"],
                "Suggestion": suggestion["suggestion"],
                "Would flip": len(behind["flips"]),
                **evidence_columns(top.filter, behind),
                "Expected": suggestion["expected_impact"],
            }
            for suggestion, behind in zip(
                document["improvement_suggestions"], evidence["improvement_suggestions"], strict=True
            )
        ],
        pinned=PAIRS,
    )
    st.caption(safe.text(f"Priority: {document[OURS]['priority_rule']}."))


def evidence_columns(result_filter: ResultFilter, evidence: Mapping[str, Any]) -> dict[str, Cell]:
    """The columns of one entry of these counted pairs, from its evidence in the document.

    The link lists its pairs; of very many, the first.
    """
    every = evidence["pairs"]
    only = Slice(comparisons=tuple(every[:MOST]), first_of=len(every) if len(every) > MOST else 0)
    return {
        "Pairs": evidence["n"],
        "Status": evidence["status"],
        "Said by": evidence["said"],
        "Quote": "; ".join(evidence["quotes"]),
        PAIRS: part_link(result_filter, only) if only.comparisons else None,
    }


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
            report(top), named=services.settings.chromium, browsers=services.environment.get(BROWSERS, "")
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
    st.caption("One page to send, then every chart as an appendix. A summary to paste:")
    with st.container(key="page_summary"):
        st.code(advice.summary(top), language=None, wrap_lines=True)
    here = urlsplit(st.context.url or "").hostname in ("127.0.0.1", "localhost")
    only = " (it opens only on this computer; send others the report)" if here else ""
    st.caption(f"Link to this page with all that is chosen{only}:")
    # The address may still name the tab from which one came.
    chosen = {name: st.query_params.get_all(name) for name in st.query_params} | {"part": ["Plan and report"]}
    with st.container(key="page_link"):
        st.code(f"{st.context.url}?{urlencode(chosen, doseq=True)}", language=None, wrap_lines=True)
    with st.container(border=True):
        st.subheader(safe.text(advice.decision(top)), anchor=False)
        safe.write(safe.text(sentences.finding(top)))
        st.caption(safe.text(advice.plan(top)))
        if (plan := top.plan) is not None:
            numbers(
                "plan_kept",
                [
                    {"Promise": promise.promise, "Kept": _yes_or_no(promise.kept), "Why": promise.why}
                    for promise in plan.kept
                ],
            )
        if top.excluded:
            left = "; ".join(
                f"{counted(exclusion.pairs, 'pair')}, {exclusion.reason}" for exclusion in top.excluded
            )
            st.caption(safe.text(f"Not counted: {left}."))
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
