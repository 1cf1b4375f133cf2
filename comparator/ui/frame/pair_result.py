"""A pair as a result: the verdict with its reason, both outputs, and what each criterion got."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import streamlit as st

from comparator.domain.counted import natural
from comparator.domain.labels import Label, Winner
from comparator.domain.pair.notes import VOID
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, ExportFormat, Remark
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import pair_link
from comparator.ui.frame.charts.drawing import Row
from comparator.ui.frame.lists.list_rows import SAYS_WHO
from comparator.workflow.exporting.formats import ExportRequest, gather

LONGEST, AROUND = 20_000, 240
"""Characters of an output, and characters before and after a quote."""
SHORT, HEIGHT = 600, 480
"""Characters of an output that is seen whole, and pixels of the box of a longer one."""


class Place(NamedTuple):
    """Words that were quoted from an output."""

    label: Label
    quote: str


OPENED, SHOWN = "pair_opened", "pair_shown"
"""In the session's state: the pair that was opened just now with its list, and the pair of it that is shown."""


class Pair(NamedTuple):
    """A pair of a list, and its project."""

    project_id: str
    id: str


def open_pair_result(pair: Pair, among: Sequence[Pair]) -> None:
    """In a callback: have the page show the pair over itself, from which one goes on to the others of its list."""
    st.session_state[OPENED] = (pair, among)


def show_opened_pair() -> None:
    """The pair that was opened just now, in a dialog over the page."""
    if opened := st.session_state.pop(OPENED, None):
        st.session_state[SHOWN], among = opened
        st.dialog("Result of the pair", width="large")(_show)(among)


def _show(among: Sequence[Pair]) -> None:
    pair_steps(among, SHOWN)
    pair_result(*st.session_state[SHOWN])


def pair_steps(among: Sequence[object], state: str) -> None:
    """Buttons to the pairs before and after the one that stands in the session's state."""
    at = among.index(st.session_state[state])
    with st.container(horizontal=True, vertical_alignment="center"):
        for words, to in (("Previous", at - 1), ("Next", at + 1)):
            st.button(
                safe.text(words),
                key=f"pair_{words}",
                shortcut=words[0],
                disabled=not 0 <= to < len(among),
                on_click=st.session_state.update,
                args=({state: among[to % len(among)]},),
            )
        safe.caption(f"Pair {at + 1} of {len(among)}", width="content")


def pair_result(project_id: str, comparison_id: str, *, one: str = "", says: str = "") -> None:
    """Show the pair; the candidate `one` (its id) stands at the left, else the first by name. A reason that `says` this
    opens its quote."""
    request = ExportRequest(format=ExportFormat.CSV, comparisons=(comparison_id,))
    pair = next(gather(session.services(), request, Counter()), None)
    if pair is None or pair.makers is None:
        st.info("This pair has no verdict, or an output was purged.", icon=":material/info:")
        return
    makers = pair.makers
    sides = sorted(
        Label, key=lambda label: (makers[label].candidate_id != one, natural(makers[label].candidate))
    )
    # Both may be runs of one candidate.
    called = {label: f"{makers[label].candidate} ({label.value})" for label in sides}
    void = [
        f"{name}: {makers[label].void or VOID.name.lower()}"
        for label, name in called.items()
        if pair.marks[label].state == "void"
    ]
    first = pair.loser.other if pair.loser else sides[0]
    heading = "Tie" if pair.winner is Winner.TIE else f"{called[first]} wins" if pair.loser else "No winner"
    how, reasoning = f", {pair.decided}.", pair.prose.reasoning
    scores = pair.result.rubric.map(lambda of: of.overall_score) if pair.result else None
    if scores:
        heading += f", {scores[first]} to {scores[first.other]}"
        lead = scores[first] - scores[first.other]
        if lead <= 0 if pair.loser else lead:
            heading, how = f"{heading} ({pair.decided})", "."
    if void:
        figures = ", ".join(f"{name} {scores[label]}" for label, name in called.items()) if scores else ""
        how = ": ".join(filter(None, (", not counted", figures, SAYS_WHO.sub("", reasoning))))
        reasoning = ""
    st.title(safe.text(f"{pair.title}: {'not counted' if void else heading}"), anchor=False)
    if void:
        st.warning(safe.text(f"{'; '.join(void)}."), icon=":material/warning:")
    st.caption(safe.text(f"Verdict by {pair.source.value}{how}"))
    with st.expander(safe.text(f"Task: {safe.beginning(pair.prompt, 100)}")):
        st.code(pair.prompt, language=None, wrap_lines=True)
    if reasoning:
        safe.write(safe.text(reasoning))
    placed = _place(pair, called, says)
    height: int | Literal["content"] = (
        HEIGHT if any(len(pair.texts[label]) > SHORT for label in sides) else "content"
    )
    for column, label in zip(st.columns(2, gap="small"), sides, strict=True):
        with column:
            won = " won" if label is first and pair.loser and not void else ""
            safe.write(safe.text(f"{called[label]}{won}"))
            text = pair.texts[label]
            if placed and placed.label is label:
                at = text.index(placed.quote)
                around = text[max(at - AROUND, 0) : at + len(placed.quote) + AROUND]
                safe.write(safe.marked(f"… {around} …", placed.quote))
            if (makers[label].file or "").endswith(".md"):
                with st.container(height=height, border=True):
                    safe.write(safe.rendered(text[:LONGEST]))
            else:
                st.code(text[:LONGEST] or "No text", language=None, wrap_lines=True, height=height)
            if len(text) > LONGEST:
                st.caption(safe.text(f"The first {LONGEST:,} of {len(text):,} characters."))
    if rows := _remarks(pair, called):
        st.dataframe(rows, hide_index=True, key=f"remarks_{comparison_id}")
    if session.may(Act.REVIEW, project_id=project_id):
        pair_link(comparison_id, label="Open the review")


def _place(pair: Exported, called: Mapping[Label, str], says: str) -> Place | None:
    """Ask for one of the quotes that reasons rest on; it is shown in its output, with what stands around it."""
    said = [
        (remark.rationale, quote, f"{remark.name}, {name}: {safe.beginning(quote, 90)}", Place(label, quote))
        for label, name in called.items()
        for remark in pair.of(label)
        for quote in remark.quotes
        if quote in pair.texts[label]
    ]
    if not said:
        return None
    at = st.selectbox(
        "Quoted for a reason",
        range(len(said)),
        index=next((at for at, (why, quote, *_) in enumerate(said) if says in why or quote in says), 0),
        format_func=lambda at: safe.visible(said[at][2]),
        key=f"place_{pair.id}_{says}",
    )
    return said[at][3]


def _remarks(pair: Exported, called: Mapping[Label, str]) -> list[Row]:
    """A row for each criterion and expectation, with what both sides got and the reasons."""
    by_side = {label: {(line.dimension, line.key): line for line in pair.of(label)} for label in called}
    rows: list[Row] = []
    for key, first in by_side[next(iter(called))].items():
        row = {"": safe.visible(first.name)}
        for label, name in called.items():
            remark = by_side[label].get(key)
            row[name] = _value(remark)
            row[f"Why: {name}"] = safe.visible((remark.reason or remark.rationale) if remark else "")
        rows.append(row)
    return rows


def _value(remark: Remark | None) -> str:
    """A score, or whether an expectation is met, as text: one column has both."""
    if remark is None or remark.final is None:
        return ""
    if remark.is_expectation:
        return "met" if remark.final else "not met"
    return f"{remark.final:f}"
