"""The lead's page: progress by person, pairs to settle, and closing, for the project looked at."""

from __future__ import annotations

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.trust.panel import PanelProgress, panel_progress, reviewers
from comparator.stats.intervals import Estimate, TooFew, Undefined
from comparator.store.reviewing.queue import EXPIRES_AFTER
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.inputs.choices import choose_project, result_button
from comparator.ui.frame.state import PageScript
from comparator.ui.panel.adjudicate import adjudication
from comparator.workflow.projects.reveal import close_project, open_again, open_reviews
from comparator.workflow.review.panel import assign, take_back

HOURS = EXPIRES_AFTER.total_seconds() / 3600
MOST_AT_ONCE = 500
PARTS = ("Progress", "Settle", "Close and reveal")
MOST_NAMED = 12


def panel() -> None:
    """All of the page; a sentence where no single project is looked at."""
    project_id = session.project_id()
    if project_id is None:
        here = session.projects()
        if len(here) != 1:
            choose_project(here, why="A panel works on one project.")
            return
        project_id = here[0].id
    services = session.as_me()
    found = panel_progress(services.database, project_id, at=services.now())
    _figures(found)
    st.page_link(
        PageScript.SETTINGS, label="Plan the reviews and write the brief", icon=":material/settings:"
    )
    progress, disputes, end = st.tabs([safe.text(name) for name in PARTS], key="panel_tabs")
    with progress:
        _people(found)
        _assigning(project_id)
    with disputes:
        adjudication(project_id)
    with end:
        _closing(project_id, disputed=found.disputed)


def _figures(found: PanelProgress) -> None:
    minutes = "–" if found.minutes is None else f"{found.minutes:.1f}"
    with st.container(horizontal=True, gap="medium"):
        st.metric("Pairs", f"{found.pairs:d}", width="content")
        st.metric("Final reviews", f"{found.reviews:d}", width="content")
        st.metric("Planned", f"{found.wanted:d}", width="content", help="Reviews that the plan asks for.")
        st.metric("Median minutes", safe.text(minutes), width="content")
        st.metric("To settle", f"{found.disputed:d}", width="content")
    if found.wanted:
        st.progress(min(found.reviews / found.wanted, 1.0), width=640)


def _people(found: PanelProgress) -> None:
    if not session.services().settings.signs_in:
        st.info(
            "Sign-in is off, so everybody who opens this app is the same reviewer.",
            icon=":material/person_add:",
        )
        shell.sign_in_help()
    elif not found.people:
        st.info(
            "Nobody reviews here yet. Invite experts, or give people the role of a reviewer, on the page Settings.",
            icon=":material/person_add:",
        )
    if not found.people:
        return
    st.dataframe(
        [
            {
                "Reviewer": each.name,
                "Done": each.done,
                "Open": each.open,
                "Assigned": each.assigned,
                "Claimed": each.claimed,
                "Median minutes": "–" if each.minutes is None else f"{each.minutes:.1f}",
                "Suspiciously fast": each.quick,
                "Nothing confirmed": each.untouched,
                "Same winner as others": _same(each.same, each.compared),
            }
            for each in found.people
        ],
        key="panel_people",
        hide_index=True,
    )
    st.caption(
        "Minutes run from opening a pair to finalising it; a pause counts at most five. "
        "Suspiciously fast: under a quarter of the panel's median, or under ten seconds. Nothing "
        "confirmed: finalised without confirming or changing a value. Same winner: of all final "
        "reviews that others made of this person's pairs."
    )
    raw, alpha = found.overlap.raw, found.overlap.alpha
    overlap = f"Pairs with two or more final reviews: {found.overlap.cases:d}. "
    if isinstance(raw, Estimate):
        overlap += (
            f"Two reviewers of one pair name the same winner in {_between(raw)}; Krippendorff's alpha: "
        )
        overlap += f"{_plain(alpha)}."
    else:
        overlap += f"From {raw.needed:d} on, their agreement is shown here."
    safe.caption(overlap)


def _same(same: int, compared: int) -> str:
    return f"{same} of {compared} ({same / compared:.0%})" if compared else "–"


def _between(found: Estimate) -> str:
    return f"{found.value:.0%} (95% interval {found.interval.low:.0%} to {found.interval.high:.0%})"


def _plain(found: Estimate | TooFew | Undefined) -> str:
    if isinstance(found, Estimate):
        return f"{found.value:.2f} ({found.interval.low:.2f} to {found.interval.high:.2f})"
    return "undefined, as all answers are the same"


def _assigning(project_id: str) -> None:
    services = session.as_me()
    names = reviewers(services.database, project_id)
    st.subheader("Who does what", anchor=False)
    st.caption(
        f"Starting a review claims the next pair; a claim ends {HOURS:.0f} hours after the last "
        "change. Assigned pairs come first and stay assigned until you take them back."
    )
    if not names:
        return
    with shell.row("bottom"):
        who = st.selectbox(
            "Reviewer", list(names), format_func=lambda id: names[id], key="panel_who", width=260
        )
        number = st.number_input(
            "Pairs", min_value=1, max_value=MOST_AT_ONCE, value=10, key="panel_count", width=120
        )
        if st.button("Assign the next pairs", key="panel_assign", icon=":material/assignment_ind:"):
            given = assign(services, project_id, to=who, count=int(number))
            shell.tell_next(f"{words.counted(len(given), 'pair')} assigned to {names[who]}.")
            st.rerun()
        if st.button("Take back assigned pairs", key="panel_take_back", icon=":material/undo:"):
            back = take_back(services, project_id, of=who)
            shell.tell_next(f"{words.counted(back, 'pair')} taken back from {names[who]}.")
            st.rerun()


def _closing(project_id: str, *, disputed: int) -> None:
    """One act that ends review and reveals everything; `disputed` pairs are still to be settled."""
    services = session.as_me()
    project = next(each for each in session.projects() if each.id == project_id)
    if project.closed_at is not None:
        st.success(
            safe.text(f"Closed and revealed on {project.closed_at:%d %B %Y, %H:%M} UTC."),
            icon=":material/lock_open:",
        )
        st.caption(
            "If you reopen it, new pairs can be reviewed. Reviews of revealed pairs count as not blind."
        )
        with st.container(horizontal=True):
            if session.may(Act.SEE_RESULTS, project_id=project_id):
                result_button(project_id, key="panel_result")
            again = st.button("Open for review again", key="panel_open_again")
        if again:
            open_again(services, project_id)
            st.rerun()
        return
    st.caption(
        "Closing ends reviewing in this project and reveals all its pairs. Until then no "
        "reviewer sees results; afterwards all do."
    )
    open_now = open_reviews(services, project_id)
    if disputed:
        st.warning(
            safe.text(
                f"{words.counted(disputed, 'pair')} still to settle; otherwise they count in no result."
            ),
            icon=":material/balance:",
        )
    if open_now:
        st.warning(
            safe.text(
                f"{words.counted(len(open_now), 'review')} still open: "
                + "; ".join(
                    f"{each.person}, {safe.beginning(each.title, 40)}" for each in open_now[:MOST_NAMED]
                )
            ),
            icon=":material/edit_note:",
        )
    reason = st.text_input("Note for the audit log", key="panel_close_reason", max_chars=400, width=640)
    end_them = bool(open_now) and st.checkbox("End the open reviews without a verdict", key="panel_close_out")
    sure = st.checkbox("Reveal who made which, of every pair in this project", key="panel_close_sure")
    if st.button(
        "Close and reveal", key="panel_close", type="primary", disabled=not sure, icon=":material/visibility:"
    ):
        with shell.guard():
            close_project(services, project_id, reason=reason, close_out=end_them)
            st.rerun()
