"""The dashboards of a project in which something is still blind, or in which nothing has happened yet."""

import streamlit as st

from comparator.domain.rights import Act
from comparator.reporting.results.candidates import Meeting, ProjectState
from comparator.reporting.results.result import not_reviewed
from comparator.ui.dashboards.tabs.plan import plan_part
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Bars, Chart, Tone
from comparator.ui.frame.charts.chart import draw, numbers
from comparator.ui.frame.notices import empty_page
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.workflow.projects.reveal import reveal_sets

SETS_NAMED = 6
"""More than these stand in a list of their own."""


def hidden_badge() -> None:
    """The verdict before the reveal: there is none."""
    st.badge("Results are hidden until the reveal", icon=":material/visibility_off:", color="gray")


def nothing_yet() -> None:
    """What will stand here, and the one next step."""
    empty_page(
        "No comparisons in this project yet",
        "This page will show which candidate wins, by how much, how certain that is, and the pairs behind each number.",
        step=("New comparison", PageScript.NEW, ":material/add_circle:"),
        key="dashboards_new",
    )


def before_the_reveal(state: ProjectState, *, project_id: str) -> None:
    """How far the project is in one picture, the one next step, and the plan, folded."""
    hidden_badge()
    with st.container(border=True):
        st.subheader(safe.text(_progress(state)), anchor=False)
        draw(progress_chart(state))
        if state.measured:
            words = f"A judge read {counted(state.measured, 'pair')} to be measured; those verdicts are kept apart."
            st.caption(safe.text(words))
        st.caption(safe.text(_missing(state)))
        if state.reviewed < state.comparisons and st.button(
            "Start reviewing",
            key="dashboards_queue",
            type="primary",
            icon=":material/rate_review:",
            on_click=session.look_at,
            args=(project_id,),
        ):
            session.go(PageScript.QUEUE)
        meetings(state, project_id=project_id)
    with st.expander("Decision plan", key="dashboards_plan", icon=":material/lock_clock:"):
        plan_part(project_id)


def progress_chart(state: ProjectState) -> Chart:
    """How many pairs are reviewed, judged and waiting for a reviewer, measured a judge alone, or wait for a judge."""
    # A review may stand on a pair that no model read.
    judged = max(state.judged - state.reviewed, 0)
    left = state.comparisons - state.reviewed - judged
    measured = min(state.measured, left)
    parts = {
        "Reviewed": (Tone.STRONG, state.reviewed),
        "Judged, to review": (Tone.PLAIN, judged),
        "Read to measure a judge": (Tone.VARIES, measured),
        "Not judged": (Tone.EVEN, left - measured),
    }
    if not measured:
        del parts["Read to measure a judge"]
    return Chart(
        "progress",
        "",
        [{"": "", **{name: pairs for name, (_, pairs) in parts.items()}}],
        Bars("", {name: tone for name, (tone, _) in parts.items()}, overall=True),
    )


def _progress(state: ProjectState) -> str:
    done = f"{state.reviewed:,} of {counted(state.comparisons, 'pair')} reviewed, {state.judged:,} judged"
    return f"{done}, {counted(state.open_reviews, 'review')} open" if state.open_reviews else done


def others_blind(state: ProjectState, *, project_id: str) -> None:
    """The candidates of which something is not revealed, beside those of which a result is shown."""
    if not state.unrevealed:
        return
    with st.expander(
        safe.text(f"{state.unrevealed} of {counted(state.comparisons, 'comparison')} not revealed yet"),
        key="dashboards_blind",
        icon=":material/visibility_off:",
    ):
        st.caption("They count in no result yet. Pairs added after a reveal are revealed here, too.")
        meetings(state, project_id=project_id)


def meetings(state: ProjectState, *, project_id: str) -> None:
    """Each two candidates that are not wholly revealed, with the one act that reveals all or some of them."""
    blind = tuple(met for met in (*state.meetings, *state.repeated) if met.unrevealed)
    if len(blind) > 1:
        numbers(
            "blind",
            [
                {
                    "Candidates": _who(met),
                    "Pairs": met.pairs,
                    "Judged": met.judged,
                    "Reviewed": met.reviewed,
                    "Revealed": met.revealed,
                    "Reviews open": met.open_reviews,
                }
                for met in blind
            ],
        )
    ready = tuple(met for met in blind if not met.open_reviews and (met.judged or met.reviewed))
    if ready and session.may(Act.REVEAL, project_id=project_id):
        # Another one after each reveal, so that it closes: what was kept back is then not a click from its reveal.
        key = f"reveal_{state.unrevealed}"
        with st.popover("Reveal", icon=":material/visibility:", key=key, on_change="rerun"):
            _reveal(ready, blind=len(blind), project_id=project_id)


def _reveal(ready: tuple[Meeting, ...], *, blind: int, project_id: str) -> None:
    """Ask which sets, say what will be told, and tell it."""
    by_ids = {f"{met.one}.{met.two}": met for met in ready}
    chosen = ready
    if len(ready) > 1:
        picked = st.multiselect(
            "Candidates to reveal",
            list(by_ids),
            format_func=lambda ids: _who(by_ids[ids]),
            key="reveal_sets",
            placeholder=f"All {len(ready)} sets that are ready",
        )
        chosen = tuple(by_ids[ids] for ids in picked) or ready
    if len(ready) < blind:
        st.caption(
            safe.text(
                f"{counted(blind - len(ready), 'set')} not ready: a review is open, or nobody has read it."
            )
        )
    sets = [(met.one, met.two) for met in chosen]
    unread = not_reviewed(session.services().database, project_id, sets)
    safe.write(safe.text(_will_tell(chosen, unread=unread)))
    if len(chosen) > SETS_NAMED:
        with st.container(height=160, key="reveal_named"):
            st.caption(safe.text(f"{'; '.join(map(_who, chosen))}."))
    note = st.text_input("Note for the audit log", key="reveal_note", max_chars=400)
    pairs = counted(sum(met.unrevealed for met in chosen), "pair")
    if st.button(safe.text(f"Reveal {pairs}"), key="reveal_now", type="primary"):
        reveal_sets(
            session.as_me(),
            project_id,
            sets,
            reason=note.strip(),
        )
        st.rerun()


def _will_tell(chosen: tuple[Meeting, ...], *, unread: int) -> str:
    """What a reveal of these sets tells, and what cannot be had any more afterwards.

    `unread` is how many of their unrevealed pairs nobody has reviewed.
    """
    pairs = sum(met.unrevealed for met in chosen)
    who = "; ".join(map(_who, chosen)) if len(chosen) <= SETS_NAMED else f"the {len(chosen)} sets named below"
    left = ""
    if unread == pairs:
        left = " Nobody has reviewed any of them; they rest on the judge alone."
    elif unread:
        left = f" {unread} of them without a review."
    if unread:
        left += " They can no longer be reviewed blind."
    return (
        f"Shows everybody, for good, who made which output of {counted(pairs, 'pair')}: "
        f"{who}.{left} Reviews changed afterwards are marked and left out of blind "
        "statistics."
    )


def _who(met: Meeting) -> str:
    if met.one == met.two:
        return f"Two runs of {met.one_name}"
    return f"{met.one_name.capitalize()} and {met.two_name}"


def _missing(state: ProjectState) -> str:
    left = f"{state.unrevealed} of {counted(state.comparisons, 'comparison')} not revealed yet."
    drafts = f" {counted(state.open_reviews, 'review')} to finalise first." if state.open_reviews else ""
    return (
        f"{left}{drafts} A lead reveals all pairs of two candidates together, once none of their "
        "reviews is open."
    )
