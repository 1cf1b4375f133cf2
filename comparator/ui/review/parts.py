"""The parts of the review page around the two components: task, progress, what to do after finalising."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import NotFound
from comparator.domain.labels import Label, PerOutput
from comparator.domain.rights import Act
from comparator.domain.scoring.judgment import JudgeState
from comparator.domain.scoring.review import Blindness
from comparator.reporting.queue import progress
from comparator.reporting.trust.confidence import probability
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.ui.components.sheet.component import Afterwards, Command, Reply, pressed, score_sheet
from comparator.ui.frame import address, brief, safe, session, shell, words
from comparator.ui.frame.recheck_rights import require_with
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.ui.review.commands import carry_out, opened_at
from comparator.ui.review.looked_at import what_the_judge_looked_at
from comparator.workflow.exporting.comparison_json import usual_place
from comparator.workflow.projects.reveal import revealed_names, set_size
from comparator.workflow.review.sheet import Sheet, read_sheet

LOOK_AGAIN_SECONDS = 1.0
TITLE_LENGTH = 70


def opened() -> Sheet | None:
    """The sheet of the comparison in the address; None (with a sentence on the page) where there is none."""
    comparison_id = st.query_params.get(Param.COMPARISON)
    if not comparison_id:
        st.info("No comparison is open. Choose one from the queue.")
        st.page_link(PageScript.QUEUE, icon=":material/inbox:")
        return None
    try:
        return read_sheet(session.services(), comparison_id, person_id=session.me().id)
    except NotFound:
        st.error("There is no such comparison. It may have been removed; choose another one from the queue.")
        st.page_link(PageScript.QUEUE, icon=":material/inbox:")
        return None


def candidates(sheet: Sheet) -> PerOutput[str] | None:
    """What the heads call the candidates, once they are revealed to whoever looks."""
    if not sheet.revealed or not session.may_with(Act.SEE_CANDIDATES, sheet.comparison_id):
        return None
    return revealed_names(session.services(), sheet.comparison_id, person_id=session.me().id)


def title(sheet: Sheet) -> DeltaGenerator:
    """The title in a line of its own; the line, for `title_details`."""
    line = st.container(horizontal=True, vertical_alignment="center", gap="small", key="review_head")
    line.subheader(safe.text(safe.beginning(sheet.title, TITLE_LENGTH)), anchor=False, width="content")
    return line


def title_details(sheet: Sheet) -> None:
    """Progress and mode; the task and the brief open from here."""
    st.caption(safe.text(" · ".join(_about(sheet))), width="content")
    with st.popover("Task", type="tertiary", icon=":material/description:", width="content"):
        # Not st.code: its highlighter, 1.5 MB of script, would be read before the outputs are drawn.
        st.text(sheet.prompt)
        for number, line in enumerate(sheet.expectations, start=1):
            safe.write(safe.text(f"{number}. {line}"))
    brief.brief_button(sheet.project_id)


def _about(sheet: Sheet) -> Iterator[str]:
    """Where the reviewer is in the queue, what comes first, and how many expectations the task has."""
    services = session.services()
    far = progress(
        services.database,
        person_id=session.me().id,
        at=services.now(),
        project_id=session.project_id(),
        all_runs=session.all_runs(),
    )
    yield f"{far.done:d} of {words.counted(far.total, 'pair')} reviewed"
    if far.skipped:
        yield f"{far.skipped:d} skipped"
    if sheet.preference:
        yield "one preference, blind" if sheet.blind else "one preference"
    else:
        yield "blind first" if sheet.blind else "judge first"
    if sheet.expectations:
        yield words.counted(len(sheet.expectations), "expectation")
    if sheet.blindness is Blindness.SIDES_HIDDEN:
        yield "sides hidden"
    elif sheet.blindness is Blindness.KNOWN:
        yield "not blind"


def scores(sheet: Sheet, called: PerOutput[str] | None) -> None:
    """The score sheet; reruns by itself, and looks again by itself while the judge is at work."""
    in_progress = session.progress(sheet.comparison_id).in_progress
    part = st.fragment(run_every=LOOK_AGAIN_SECONDS if in_progress else None)(_guarded_scores)
    # What was read just now holds for this run, unless a judge at work may have added to it; later runs read anew.
    part(sheet.comparison_id, sheet.seen, [sheet] if sheet.judge.state is JudgeState.DONE else [], called)


def _guarded_scores(
    comparison_id: str, seen: int | None, just_read: list[Sheet], called: PerOutput[str] | None
) -> None:
    # A rerun of the fragment alone does not pass through the page's own frame.
    with shell.guard():
        require_with(comparison_id)
        _scores(comparison_id, seen, just_read.pop() if just_read else None, called)


def _scores(
    comparison_id: str, seen: int | None, just_read: Sheet | None, called: PerOutput[str] | None
) -> None:
    me = session.me()
    key = f"sheet-{comparison_id}"
    before = session.progress(comparison_id)
    command = pressed(comparison_id, key=key)
    reply = _reply(comparison_id, command)
    _follow(reply)
    sheet = just_read if command is None else None
    sheet = sheet or read_sheet(session.services(), comparison_id, person_id=me.id, files=False)
    score_sheet(
        sheet,
        key=key,
        owner=me.id,
        began=opened_at(comparison_id),
        reply=reply,
        after=_afterwards(sheet),
        probability=_probability(sheet),
        names=called,
    )
    st.session_state.pop(SessionKey.REPLY, None)
    now = session.progress(comparison_id)
    if sheet.seen != seen or (now.state, now.in_progress) != (before.state, before.in_progress):
        # The outputs have become pages; the sheet looks again by itself from now on, or no longer; or the judge was
        # through before it was shown.
        st.rerun()
    about_the_judgment(sheet, called)
    what_the_judge_looked_at(sheet)


def _reply(comparison_id: str, command: Command | None) -> Reply:
    """What came of the command; of an earlier one where a run was broken off before it could tell.

    Streamlit breaks a run off as soon as the browser asks for another, and a command is carried out only once.
    """
    if command is not None:
        st.session_state[SessionKey.REPLY] = (comparison_id, carry_out(comparison_id, command))
    known: tuple[str, Reply] | None = st.session_state.get(SessionKey.REPLY)
    return known[1] if known is not None and known[0] == comparison_id else Reply()


def _follow(reply: Reply) -> None:
    if reply.go_home:
        st.session_state.pop(SessionKey.REPLY, None)
        st.session_state[SessionKey.NOTICE] = "All pairs are reviewed."
        st.switch_page(PageScript.QUEUE, query_params=address.with_project())
    if reply.anew:
        st.session_state.pop(SessionKey.REPLY, None)
        st.rerun()
    if reply.go_to is not None:
        st.query_params[Param.COMPARISON] = reply.go_to
        st.rerun()


def _probability(sheet: Sheet) -> float | None:
    """What the judge's stated confidence is worth by blind reviews of this project; None until there are enough."""
    if sheet.judgment is None:
        return None
    return probability(
        session.services().database,
        sheet.project_id,
        version=sheet.judge.version,
        stated=sheet.judgment.stated_confidence,
    )


def _afterwards(sheet: Sheet) -> Afterwards | None:
    """What a final review offers beside export and next: files at a chosen place, and the reveal."""
    if not sheet.finalised:
        return None
    services, me = session.services(), session.me()
    writes = session.may(Act.USE_SERVER_FILES, project_id=None)
    reveals = not sheet.revealed and session.may_with(Act.REVEAL, sheet.comparison_id)
    return Afterwards(
        place=usual_place(services, sheet.comparison_id, person_id=me.id) if writes else None,
        together=set_size(services, sheet.comparison_id) if reveals else 0,
    )


def about_the_judgment(sheet: Sheet, called: PerOutput[str] | None) -> None:
    """Which judge it was, what it was given and what it used; it names the candidates that may be named."""
    if not sheet.judge.kind:
        return
    with st.expander("About the judgment"):
        st.text("\n".join(_judgment_lines(sheet, called)))


def _judgment_lines(sheet: Sheet, called: PerOutput[str] | None) -> list[str]:
    judge = sheet.judge
    sides = (
        {label.value: f"{safe.visible(called[label])} ({label.value})" for label in Label} if called else {}
    )
    cost = "no price known" if judge.cost is None else f"{judge.cost.normalize():f} {judge.currency}"
    lines = [
        f"judge: {judge.kind}, {judge.model}",
        f"rubric: version {sheet.rubric_version} by {sheet.rubric_author}",
        f"tokens: {judge.input_tokens} in, {judge.cached_tokens} from a cache, {judge.output_tokens} out",
        f"cost: {'nothing' if judge.kind == OFFLINE_KIND else cost}",
        f"seconds: {judge.seconds:.1f}",
    ]
    for each in judge.judges:
        scores = f" {each.overall.A} : {each.overall.B}" if each.overall else ""
        paid = "no price known" if each.cost is None else f"{each.cost.normalize():f} {judge.currency}"
        vote = sides.get(each.vote.value, each.vote.value)
        lines.append(f"{each.name} ({each.model}): {vote}{scores}, cost: {paid}")
    if judge.settled is not None:
        lines.append(f"together: {judge.settled.value}")
    if (judgment := sheet.judgment) is not None:
        if judge.rule:
            lines.append(f"readings: {len(judgment.passes)}. Rule: {judge.rule}")
        lines.append(f"same winner in both orders: {'yes' if judgment.position_consistent else 'no'}")
        lines.append(f"scores and verdict agree: {'yes' if judgment.self_consistent else 'no'}")
    if judge.view_digests is not None:
        lines += [
            f"sha256 of output {sides.get(label.value, label.value)} as seen: {judge.view_digests[label]}"
            for label in Label
        ]
    return lines + [
        f"sha256 of prompt {name}: {digest}" for name, digest in sorted(judge.prompt_digests.items())
    ]
