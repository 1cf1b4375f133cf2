"""The parts of the review page: the head, the component, and what is to be known of the judgment and its tools."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from comparator.domain.errors import NotFound
from comparator.domain.labels import Label, Order, PerOutput
from comparator.domain.pair.examination import ToolCall
from comparator.reporting.queue import QueueProgress, progress
from comparator.store.facts.verdicts import OFFLINE_KIND
from comparator.ui.components import TOKENS
from comparator.ui.components import component as mount
from comparator.ui.frame import safe, session, words
from comparator.ui.frame.inputs import project_sees_first
from comparator.ui.frame.notices import brief_button
from comparator.ui.frame.state import PageScript, Param, SessionKey
from comparator.web.review.commands import clean
from comparator.web.review.shown import WORDS, names_of, whole
from comparator.web.start import shipped
from comparator.workflow.projects.settings import project_settings
from comparator.workflow.review.notes import mark_judge_seen
from comparator.workflow.review.sheet import ReadingWithTools, Sheet, read_sheet, readings_with_tools
from comparator.workflow.submit.intake import title_of

KEY = "review"
_FOLLOWED = f"{KEY}:followed"
TITLE_LENGTH, TASK_LENGTH = 70, 90
ORDERS = {Order.A_FIRST: "A first", Order.B_FIRST: "B first"}
_LONGEST_ARGUMENTS = 300
_JUDGE_FIRST = "You see the judge's scores from the start, to confirm or correct them."
_BLIND_FIRST = "You say which output is better before you see the judge's scores."


def opened() -> Sheet | None:
    """The sheet of the comparison in the address; None (with a sentence on the page) where there is none."""
    comparison_id = st.query_params.get(Param.COMPARISON)
    with suppress(NotFound):
        if comparison_id:
            return read_sheet(session.as_me(), comparison_id)
    with st.container(key="review_lost"):
        if comparison_id:
            st.error(
                "There is no such comparison. It may have been removed; choose another one from the queue."
            )
        else:
            st.info("No comparison is open. Choose one from the queue.")
        st.page_link(PageScript.QUEUE, icon=":material/inbox:")
    return None


def candidates(sheet: Sheet) -> PerOutput[str] | None:
    """What the heads call the candidates, once they are revealed to whoever looks."""
    return names_of(session.as_me(), sheet)


def title(sheet: Sheet) -> DeltaGenerator:
    """The title in a line of its own; the line, for `title_details`."""
    line = st.container(horizontal=True, vertical_alignment="center", gap="small", key="review_head")
    line.subheader(safe.text(safe.beginning(sheet.title, TITLE_LENGTH)), anchor=False, width="content")
    return line


def title_details(sheet: Sheet) -> None:
    """Progress and mode; the task and the brief open from here."""
    safe.caption(" · ".join(_about(sheet)), width="content")
    with st.popover(safe.text(_task(sheet)), type="tertiary", icon=":material/description:", width="content"):
        # Not st.code: its highlighter, 1.5 MB of script, would be read before the outputs are drawn.
        st.text(sheet.prompt)
        if sheet.expectations:
            st.caption("Expectations")
        for number, line in enumerate(sheet.expectations, start=1):
            safe.say(f"{number}. {line}")
    brief_button(sheet.project_id)
    if not (sheet.revealed or sheet.versions) and (sheet.blind or _judges(sheet)):
        blind = project_settings(session.services(), sheet.project_id).mode.blind
        same = blind == sheet.blind
        with st.popover(
            ("Blind first" if blind else "Judge first") + ("" if same else " from the next pair on"),
            type="tertiary",
            icon=":material/visibility_off:" if blind else ":material/visibility:",
            width="content",
        ):
            st.text(_BLIND_FIRST if blind else _JUDGE_FIRST)
            project_sees_first(sheet.project_id)


def _task(sheet: Sheet) -> str:
    """What is wanted, as far as the title does not say so."""
    prompt, head = " ".join(sheet.prompt.split()), safe.beginning(sheet.title, TITLE_LENGTH).rstrip("…")
    if prompt.startswith(head):
        more = prompt[len(head) :].strip()
        return f"Task: …{safe.beginning(more, TASK_LENGTH)}" if more else "Task"
    first = title_of(sheet.prompt)
    return "Task" if first == sheet.title else f"Task: {first}"


def _judges(sheet: Sheet) -> bool:
    """Whether a model has judged the pair, or is to."""
    return bool({sheet.judge.last_kind, sheet.judge.kind} - {"", OFFLINE_KIND})


def _scope(sheet: Sheet) -> str | None:
    """The project whose pairs follow and are counted: the pair's own, whichever is chosen; None for all."""
    one = session.project_id() or st.session_state.get(SessionKey.BATCH)
    return sheet.project_id if one else None


def _progress(sheet: Sheet) -> QueueProgress:
    services = session.as_me()
    return progress(
        services.database,
        person_id=session.me().id,
        at=services.now(),
        project_id=_scope(sheet),
        opened=sheet.comparison_id,
    )


def _about(sheet: Sheet) -> Iterator[str]:
    """Where the reviewer is in the queue, and what there is to score."""
    far = _progress(sheet)
    if far.total:
        yield f"{far.done:d} of {words.counted(far.total, 'pair')} reviewed"
    if far.skipped:
        yield f"{far.skipped:d} skipped"
    if sheet.revealed:
        yield "revealed"
        return
    if sheet.preference:
        yield "one preference"
    if not sheet.blind and not _judges(sheet):
        yield "no judge"


def component(sheet: Sheet, *, led: bool = False) -> None:
    """Outputs, scores and decision. What is done there goes to the server at once; the page only hears what follows for
    itself: that another pair is opened, that none is left, or that what stands around the component has changed.

    A component that `led` here has all of the pair already.
    """
    services, me = session.as_me(), session.me()
    if not led:
        mark_judge_seen(services, sheet)
    review_component(
        data={
            "id": sheet.comparison_id,
            "whole": None if led else whole(services, sheet.comparison_id, sheet=sheet) | WORDS,
            "owner": me.id,
            "keys": keys(),
            "began": opened_at(sheet.comparison_id).isoformat(),
            "scope": {"project_id": _scope(sheet), "batch_id": st.session_state.get(SessionKey.BATCH)},
            "queued": st.session_state.get(SessionKey.FROM_QUEUE),
            "last": sheet.finalised and not _progress(sheet).left,
        }
    )


@cache
def keys() -> list[list[str]]:
    """The keys and what they do, as the help lists them."""
    text = (shipped("docs") / "reviewing.md").read_text("utf-8").partition("## Keys")[2]
    rows = re.findall(r"^\| (.+) \| (.+) \|$", text, re.MULTILINE)
    return [[re.sub(r"[`\\]", "", key), what] for key, what in rows[1:]]


def review_component(*, data: dict[str, Any]) -> None:
    """Put the component on the page; one element for all comparisons, so that the next one comes into what is there."""
    mounted = mount("review", "review/src/main.js", TOKENS, "review/src/review.css")
    mounted(key=KEY, data=data, on_event_change=lambda: None)


def follow() -> bool:
    """Go where the component led since the last run; whether that is another pair, which it shows already."""
    state = st.session_state.get(KEY)
    event = clean(state.get("event")) if isinstance(state, Mapping) else None
    if not isinstance(event, dict) or event.get("at") == st.session_state.get(_FOLLOWED):
        # Streamlit may hand out an event again where it broke a run off.
        return False
    st.session_state[_FOLLOWED] = event.get("at")
    if event.get("name") == "none left":
        session.go(PageScript.QUEUE)
    if event.get("name") != "next" or not isinstance(following := event.get("to"), str):
        return False
    # The browser shows that address already.
    st.query_params[Param.COMPARISON] = following
    return True


def opened_at(comparison_id: str) -> datetime:
    """When this session first showed the comparison to its reviewer; now, if that is only now."""
    key = f"{SessionKey.OPENED_PREFIX}-{comparison_id}"
    began: datetime = st.session_state.setdefault(key, session.services().now())
    return began


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
    cost = "no price known" if judge.cost is None else f"{judge.cost.normalize():f} USD"
    lines = [
        f"judge: {judge.kind}, {judge.model}",
        f"rubric: version {sheet.rubric_version} by {sheet.rubric_author}",
        f"tokens: {judge.input_tokens} in, {judge.cached_tokens} from a cache, {judge.output_tokens} out",
        f"cost: {'nothing' if judge.kind == OFFLINE_KIND else cost}",
        f"seconds: {judge.seconds:.1f}",
    ]
    for opinion in judge.judges:
        scores = f" {opinion.overall.A} : {opinion.overall.B}" if opinion.overall else ""
        paid = "no price known" if opinion.cost is None else f"{opinion.cost.normalize():f} USD"
        vote = sides.get(opinion.vote.value, opinion.vote.value)
        lines.append(f"{opinion.name} ({opinion.model}): {vote}{scores}, cost: {paid}")
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


def what_the_judge_looked_at(sheet: Sheet) -> None:
    """An expander with the record of the judge's tools; nothing where it used none."""
    examined = sheet.judgment.examined if sheet.judgment else None
    if examined is None:
        return
    with st.expander(safe.text(f"What the judge looked at ({words.counted(examined.calls, 'call')})")):
        if examined.stopped:
            st.warning(safe.text(f"It reached a limit before its verdict: {examined.stopped}."))
        readings = readings_with_tools(session.services(), sheet.comparison_id)
        if not readings:
            return
        for number, reading in enumerate(readings):
            safe.caption(_caption(reading))
            if reading.looked_at:
                calls = [_call(at, call) for at, call in enumerate(reading.looked_at, 1)]
                st.dataframe(
                    pd.DataFrame(calls),
                    key=f"looked_at_calls_{number}",
                    hide_index=True,
                    column_config={
                        "Bytes": st.column_config.NumberColumn(format="localized"),
                        "Seconds": st.column_config.NumberColumn(format="%.3f"),
                    },
                )


def _name(reading: ReadingWithTools) -> str:
    again = f", reading {reading.repetition + 1}" if reading.repetition else ""
    return f"{ORDERS[reading.order]}{again}{', failed' if reading.problem else ''}"


def _caption(reading: ReadingWithTools) -> str:
    sentence = (
        f"{_name(reading)}: {words.counted(len(reading.looked_at), 'call')}, "
        f"{words.counted(reading.requests, 'request')}, {reading.tokens:,} tokens"
    )
    if reading.tokens:
        sentence += f", {reading.cached_tokens / reading.tokens:.0%} of them from a cache"
    return f"{sentence}. {reading.problem}" if reading.problem else f"{sentence}."


def _call(number: int, call: ToolCall) -> dict[str, object]:
    arguments = ", ".join(f"{name}: {value}" for name, value in call.arguments.items())
    return {
        "No.": number,
        "Tool": call.tool,
        "Asked for": safe.cut(arguments, _LONGEST_ARGUMENTS),
        "Bytes": call.size,
        "Seconds": round(call.seconds, 3),
        "Result": "refused: limit" if call.refused else "not possible" if call.problem else "answered",
        "sha256": call.digest[:12],
    }
