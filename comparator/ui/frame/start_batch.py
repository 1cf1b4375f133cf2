"""Starting a batch: which project's unjudged pairs, by which judge, for how much at most."""

from collections.abc import Mapping
from decimal import Decimal

import streamlit as st

from comparator.domain.rights import Act
from comparator.jobs import estimate_batches, start_batches
from comparator.jobs.start_batches import WaitingPairs
from comparator.store.bulk.batches import BatchRequest, Via
from comparator.store.people.projects import Project
from comparator.ui.frame import safe, session, shell, words

VIAS = {
    Via.MESSAGES: "At once",
    Via.BATCHES: "Within a day, at half the price",
}


def judged_here() -> list[Project]:
    """The projects that are looked at and whose judging the person may steer."""
    chosen = session.project_id()
    return [project for project in session.projects(Act.JUDGE) if chosen in (None, project.id)]


def waiting_here() -> dict[str, WaitingPairs]:
    """What waits for a judge in each of these projects; without those in which nothing does."""
    return start_batches.waiting_pairs(session.services(), [project.id for project in judged_here()])


def start_batch(*, first: bool) -> bool:
    """Offer to judge what waits in the shown projects, as the page's `first` step or not; whether anything waits."""
    waiting = waiting_here()
    count = sum(len(pairs.usual) for pairs in waiting.values())
    failed = sum(pairs.failed for pairs in waiting.values())
    if count == failed:
        label = f"Retry {words.counted(failed, 'failed pair')}"
    else:
        label = f"Start a batch of {words.counted(count, 'pair')}{f', {failed:,} failed' if failed else ''}"
    names = [project.name for project in judged_here() if project.id in waiting and waiting[project.id].usual]
    if session.project_id() is None and len(names) == 1:
        label += f" of {names[0]}"
    if waiting:
        with st.popover(
            safe.text(label if count else "Judge pairs that were set aside"),
            type="primary" if first and count else "secondary",
            icon=":material/gavel:",
            help="Pairs that are in no open batch; failed ones are tried again.",
            # Once a batch has begun, the form is another one: it does not stay open.
            key=f"start_batch_{count}",
        ):
            _ask_what_to_judge(waiting)
    return bool(count)


def _ask_what_to_judge(waiting: Mapping[str, WaitingPairs]) -> None:
    """The form that starts a batch of what waits in one of these projects."""
    names = {
        project.id: f"{project.name} ({words.counted(len(waiting[project.id].usual), 'pair')})"
        for project in sorted(
            judged_here(), key=lambda project: not (project.id in waiting and waiting[project.id].usual)
        )
        if project.id in waiting
    }
    row = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
    project_id = row[0].selectbox(
        "Project",
        list(names),
        format_func=lambda id: names.get(id, ""),
        key="batches_project",
    )
    via = row[1].selectbox(
        "How", (Via.MESSAGES, Via.BATCHES), index=0, format_func=VIAS.__getitem__, key="batches_via"
    )
    sample = row[2].number_input(
        "Random sample",
        min_value=1,
        value=None,
        step=1,
        placeholder="all",
        help="So many pairs, drawn at random. The others still wait here.",
        # Not kept for the next batch.
        key=f"batches_sample_{sum(len(pairs.usual) for pairs in waiting.values())}",
    )
    budget = row[3].number_input(
        "Budget, USD", min_value=0.0, value=None, step=1.0, placeholder="none", key="batches_budget"
    )
    here = waiting[project_id]
    all_runs = bool(here.aside) and st.toggle(
        safe.text(f"Include {here.aside_in_words}"), key="batches_all_runs"
    )
    offered = here.all_runs if all_runs else here.usual
    if not offered:
        return
    known = session.named_judges()
    judge = st.selectbox(
        "Judge",
        known,
        index=None,
        placeholder=session.usual_judge(),
        accept_new_options=True,
        key="batches_named",
        help="Choose a judge of COMPARATOR_JUDGES, or type the name of another model.",
        width=320,
    )
    request = BatchRequest(
        project_id=project_id,
        named=(judge,) if judge in known else (),
        model=None if judge in known else judge,
        via=Via(via),
        budget=None if budget is None else Decimal(str(budget)),
        all_runs=all_runs,
        sample=None if sample is None else int(sample),
    )
    with shell.guard():
        _offer(request, offered)


def _offer(request: BatchRequest, waiting: tuple[str, ...]) -> None:
    services = session.services()
    # What the start itself would refuse is told before it is pressed.
    judge_choices = start_batches.judges_of(services, request).members
    about = estimate_batches.estimate_of(services, request)
    with shell.row():
        # A page may have been open for long: the key goes with what it no longer offers, so that nothing is started.
        pressed = st.button(
            safe.text(f"Judge {words.counted(about.pairs, 'pair')}"),
            key=f"batches_start_{hash((request.project_id, waiting, judge_choices))}",
            type="primary",
            icon=":material/play_arrow:",
        )
        safe.caption(estimate_batches.in_words(about))
    if len(judge_choices) > 1:
        names = ", ".join(str(choice.named) for choice in judge_choices)
        safe.caption(
            f"Each pair is read by {len(judge_choices)} judges: {names}. There is a batch for each of them."
        )
    if pressed:
        start_batches.start(session.as_me(), request)
        shell.tell_next("The batch has started. It continues while you work elsewhere.")
        st.rerun()
