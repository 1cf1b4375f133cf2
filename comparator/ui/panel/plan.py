"""The lead's plan: how many reviews each pair gets and what that buys, the brief, and the warm-up pairs."""

from __future__ import annotations

import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.project import LONGEST_BRIEF
from comparator.reporting.trust.panel import PanelProgress, options, reviewers
from comparator.stats.figures import Estimate
from comparator.stats.raters.panel_plan import USUAL_LIKENESS, expected_width, expected_width_shared
from comparator.ui.frame import safe, session, words
from comparator.workflow.projects.settings import change_settings, project_settings

CHOICES = (1, 2, 3, 5)
SHARES = (0.1, 0.2)


def plan(project_id: str, found: PanelProgress) -> None:
    """How many reviews each pair needs, which share goes to all, and the interval that each plan buys."""
    services = session.services()
    before = project_settings(services, project_id)
    with st.form("panel_plan_form", border=True, width=640):
        needed = st.number_input(
            "Final reviews that each pair needs",
            min_value=1,
            max_value=50,
            value=before.reviews_needed,
            key=f"panel_needed_{project_id}",
            width=260,
        )
        share = st.number_input(
            "Share of pairs (%) that every reviewer gets",
            min_value=0,
            max_value=100,
            step=5,
            value=round(before.share_to_all * 100),
            key=f"panel_share_{project_id}",
            width=260,
            help="Measures how far all reviewers agree. The pairs are chosen at random.",
        )
        if st.form_submit_button("Save the plan", key="panel_save_plan"):
            change_settings(
                services,
                project_id,
                reviews_needed=int(needed),
                share_to_all=share / 100,
                person_id=session.me().id,
            )
            st.rerun()
    _bought(project_id, found, needed=before.reviews_needed, share=before.share_to_all)


def _bought(project_id: str, found: PanelProgress, *, needed: int, share: float) -> None:
    """Reviews, hours and expected interval of the usual plans, and of the one that holds."""
    people = max(len(reviewers(session.services().database, project_id)), 1)
    alpha = found.overlap.alpha
    own = isinstance(alpha, Estimate)
    likeness = min(max(alpha.value, 0.0), 1.0) if isinstance(alpha, Estimate) else USUAL_LIKENESS
    plans = sorted({(each, 0.0) for each in CHOICES} | {(1, each) for each in SHARES} | {(needed, share)})
    rows = []
    for each, part in plans:
        total = found.pairs * ((1 - part) * each + part * max(people, each))
        width = (
            expected_width_shared(found.pairs, share=part, reviews=each, reviewers=people, likeness=likeness)
            if part
            else expected_width(found.pairs, reviews=each, likeness=likeness)
        )
        rows.append(
            {
                "Plan": f"{words.counted(each, 'review')} a pair" + (f", {part:.0%} by all" if part else ""),
                "Now": "holds" if (each, part) == (needed, share) else "",
                "Reviews in all": round(total),
                "Hours at this pace": None if found.minutes is None else round(total * found.minutes / 60, 1),
                "Interval of the win rate": "–" if width is None else f"{width * 100:.0f} points wide",
            }
        )
    st.dataframe(rows, key="panel_plans", hide_index=True, width=760)
    st.caption(
        safe.text(
            "The expected width of the 95% interval, at a win rate of one half, without ties, each review counted as a "
            f"vote. Correlation of the reviews of one pair: {likeness:.2f} "
            + ("(this panel's alpha)." if own else "(assumed, until 20 pairs have two reviews).")
            + (" No interval is shown below 20 pairs." if found.pairs < 20 else "")
        )
    )


def brief(project_id: str) -> None:
    """What reviewers are told, on the queue and beside each pair."""
    services = session.services()
    text = st.text_area(
        "Brief for the reviewers",
        value=project_settings(services, project_id).brief,
        max_chars=LONGEST_BRIEF,
        height=160,
        key=f"panel_brief_{project_id}",
        help="Shown on the queue and on every review page of this project.",
    )
    if st.button("Save the brief", key="panel_save_brief"):
        change_settings(services, project_id, brief=text, person_id=session.me().id)
        st.success("Saved. Reviewers see it from now on.")


def warm_ups(project_id: str) -> None:
    """The pairs with which everybody begins."""
    services = session.services()
    before = project_settings(services, project_id).warm_up
    text = st.text_input(
        "Find pairs for the warm-up",
        key=f"panel_warm_text_{project_id}",
        placeholder="Words of the title",
        width=320,
    )
    chosen: list[str] = st.session_state.setdefault(f"panel_warm_{project_id}", list(before))
    found = {
        each.comparison_id: each.title
        for each in options(services.database, project_id, text=text, also=(*before, *chosen))
    }
    for number, id in enumerate(chosen, start=1):
        left, right = st.columns([6, 1], vertical_alignment="center")
        with left:
            safe.write(safe.text(f"{number}. {safe.beginning(found.get(id, 'Deleted pair'), 70)}"))
        right.button("Remove", key=f"panel_warm_out_{id}", on_click=chosen.remove, args=(id,))
    more = st.selectbox(
        "Three to five warm-up pairs, in their order: add one",
        [id for id in found if id not in chosen],
        index=None,
        format_func=lambda id: safe.beginning(found[id], 70),
        # A new one for each that was added, so that it is empty again.
        key=f"panel_warm_add_{project_id}_{len(chosen)}",
        help="Everybody reviews these first. They are left out of the results unless the dashboards take in all runs.",
        width=640,
    )
    if more is not None:
        chosen.append(more)
        st.rerun()
    if st.button("Save the warm-ups", key="panel_save_warm"):
        try:
            change_settings(services, project_id, warm_up=tuple(chosen), person_id=session.me().id)
            st.success("Saved.")
        except ComparatorError as error:
            st.error(safe.message(error))
