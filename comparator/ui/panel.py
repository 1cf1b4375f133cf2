"""The lead's page: progress by person, pairs to settle with all their reviews, and closing, for one project."""

from decimal import Decimal
from functools import partial

import pandas as pd
import streamlit as st

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.rights import Act
from comparator.domain.scoring.verdict import Assessment
from comparator.reporting.trust.panel import PanelProgress, contested_pairs, panel_progress, reviewers
from comparator.stats.intervals import Estimate
from comparator.store.reviewing.queue import EXPIRES_AFTER
from comparator.ui.frame import safe, session, shell, words
from comparator.ui.frame.charts.chart import pair_link
from comparator.ui.frame.estimates import figure, interval
from comparator.ui.frame.inputs import choose_project, result_button
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import close_project, open_again, open_reviews
from comparator.workflow.review.panel import Case, adjudicate, assign, read_case, take_back

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
    progress = panel_progress(services.database, project_id, at=services.now())
    _figures(progress)
    st.page_link(
        PageScript.SETTINGS, label="Plan the reviews and write the brief", icon=":material/settings:"
    )
    progress_tab, disputes, end = st.tabs([safe.text(name) for name in PARTS], key="panel_tabs")
    with progress_tab:
        _people(progress)
        _assigning(project_id)
    with disputes:
        adjudication(project_id)
    with end:
        _closing(project_id, disputed=progress.disputed)


def _figures(progress: PanelProgress) -> None:
    minutes = "–" if progress.minutes is None else f"{progress.minutes:.1f}"
    with st.container(horizontal=True, gap="medium"):
        st.metric("Pairs", f"{progress.pairs:d}", width="content")
        st.metric("Final reviews", f"{progress.reviews:d}", width="content")
        st.metric("Planned", f"{progress.wanted:d}", width="content", help="Reviews that the plan asks for.")
        st.metric("Median minutes", safe.text(minutes), width="content")
        st.metric("To settle", f"{progress.disputed:d}", width="content")
    if progress.wanted:
        st.progress(min(progress.reviews / progress.wanted, 1.0), width=640)


def _people(progress: PanelProgress) -> None:
    if not session.services().settings.signs_in:
        st.info(
            "Sign-in is off, so everybody who opens this app is the same reviewer.",
            icon=":material/person_add:",
        )
        shell.sign_in_help()
    elif not progress.people:
        st.info(
            "Nobody reviews here yet. Invite experts, or give people the role of a reviewer, on the page Settings.",
            icon=":material/person_add:",
        )
    if not progress.people:
        return
    st.dataframe(
        [
            {
                "Reviewer": person.name,
                "Done": person.done,
                "Open": person.open,
                "Assigned": person.assigned,
                "Claimed": person.claimed,
                "Median minutes": "–" if person.minutes is None else f"{person.minutes:.1f}",
                "Suspiciously fast": person.quick,
                "Nothing confirmed": person.untouched,
                "Same winner as others": _same(person.same, person.compared),
            }
            for person in progress.people
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
    raw, alpha = progress.overlap.raw, progress.overlap.alpha
    overlap = f"Pairs with two or more final reviews: {progress.overlap.cases:d}. "
    if isinstance(raw, Estimate):
        overlap += f"Two reviewers of one pair name the same winner in {interval(raw)}. "
        overlap += f"Krippendorff's alpha: {figure(alpha)}."
    else:
        overlap += f"From {raw.needed:d} on, their agreement is shown here."
    safe.caption(overlap)


def _same(same: int, compared: int) -> str:
    return f"{same} of {compared} ({same / compared:.0%})" if compared else "–"


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
    project = next(project for project in session.projects() if project.id == project_id)
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
                    f"{review.person}, {safe.beginning(review.title, 40)}" for review in open_now[:MOST_NAMED]
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


SETTLED = "Settled"
WINNERS = {"": "By the scores", "A": "A", "B": "B", "TIE": Winner.TIE.in_words}


def adjudication(project_id: str) -> None:
    """The pairs with several reviews, those that disagree first, and the one that is chosen."""
    services = session.as_me()
    pairs = {pair.comparison_id: pair for pair in contested_pairs(services.database, project_id)}
    if not pairs:
        st.caption("Pairs with two or more final reviews appear here, those with different winners first.")
        return

    def label(id: str) -> str:
        pair = pairs[id]
        state = "to settle" if pair.disputed else "settled" if pair.ruled else "agreed"
        return f"{safe.beginning(pair.title, 90)} ({state}, {counted(pair.reviews, 'review')})"

    chosen = st.selectbox("Pair", list(pairs), format_func=label, key=f"panel_pair_{project_id}", width=640)
    with shell.guard():
        case = read_case(services, chosen)
        pair_link(chosen, label="Look at both outputs")
        # A column for each review; two people may have one name.
        names = [f"{number}. {review.person}" for number, review in enumerate(case.reviews, start=1)]
        _winners(case, names)
        edited = _scores(case, names)
        _reasons(case)
        _rule(case, edited)


def _winners(case: Case, names: list[str]) -> None:
    rows = [
        {
            "Review": name,
            "Winner": review.verdict.winner.value,
            **{
                f"Overall {label.value}": float(review.verdict.overall[label])
                if review.verdict.overall
                else None
                for label in Label
            },
            "Reasoning": review.reasoning,
        }
        for name, review in zip(names, case.reviews, strict=True)
    ]
    st.dataframe(rows, key=f"panel_winners_{case.comparison_id}", hide_index=True)
    for ruling in case.rulings[-1:]:
        safe.caption(f"Settled already: {ruling.winner.value}. {ruling.reason}")


def _scores(case: Case, names: list[str]) -> pd.DataFrame:
    """A row for each criterion and expectation of each output; the last column is the lead's."""
    values = [(line.name, partial(_score, path)) for path, line in case.rubric.lines()]
    values += [
        (f"met (1) or not (0): {text}", partial(_met, number))
        for number, text in enumerate(case.expectations)
    ]
    rows = [
        {
            "Criterion": what,
            "Output": label.value,
            **{
                name: value(review.verdict.assessments[label])
                for name, review in zip(names, case.reviews, strict=True)
            },
            SETTLED: value(case.start[label]),
        }
        for what, value in values
        for label in Label
    ]
    st.caption(
        "The last column is your verdict. It starts with the median; change any value. An empty "
        "value is not assessed and does not count."
    )
    return st.data_editor(
        pd.DataFrame(rows),
        key=f"panel_scores_{case.comparison_id}_{len(case.rulings)}",
        hide_index=True,
        disabled=["Criterion", "Output", *names],
        column_config={SETTLED: st.column_config.NumberColumn(min_value=0, max_value=5, step=0.5)},
    )


def _score(path: str, given: Assessment) -> float | None:
    score = given.scores.get(path)
    return None if score is None else float(score)


def _met(number: int, given: Assessment) -> float | None:
    met = given.expectations[number]
    return None if met is None else float(met)


def _reasons(case: Case) -> None:
    rows = [
        {"Reviewer": review.person, "Value": address, "Reason": text}
        for review in case.reviews
        for address, text in review.reasons.items()
    ]
    if rows:
        with st.expander("Reasons", expanded=True):
            st.dataframe(rows, key=f"panel_reasons_{case.comparison_id}", hide_index=True)


def _rule(case: Case, edited: pd.DataFrame) -> None:
    with st.form(f"panel_rule_{case.comparison_id}", border=True):
        winner = st.segmented_control(
            "Winner",
            list(WINNERS),
            default="",
            format_func=lambda option: safe.text(WINNERS[option]),
            key=f"panel_winner_{case.comparison_id}",
            required=True,
        )
        reason = st.text_area(
            f"Reason ({'required' if case.reason_required else 'optional'}); it becomes the reasoning",
            key=f"panel_reason_{case.comparison_id}",
            height=90,
        )
        if not st.form_submit_button("Settle", key=f"panel_settle_{case.comparison_id}", type="primary"):
            return
    values = [None if pd.isna(value) else Decimal(str(value)) for value in edited[SETTLED]]

    def side(own: list[Decimal | None]) -> Assessment:
        paths = case.rubric.paths
        return Assessment(
            scores={path: value for path, value in zip(paths, own, strict=False) if value is not None},
            expectations=tuple(None if value is None else value > 0 for value in own[len(paths) :]),
        )

    adjudicate(
        session.as_me(),
        case.comparison_id,
        assessments=PerOutput[Assessment](A=side(values[::2]), B=side(values[1::2])),
        winner=Winner(winner) if winner else None,
        reason=reason,
    )
    st.rerun()
