"""One pair as a result: who won and why, both outputs side by side, and the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from comparator.domain.labels import Label, Winner
from comparator.domain.rights import Act
from comparator.interop.exported import Exported, ExportFormat, Remark
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts.chart import pair_link
from comparator.ui.frame.charts.drawing import Row
from comparator.workflow.exporting.formats import ExportRequest, gather

MOST, HEIGHT, AROUND = 20_000, 300, 240
"""Characters of an output, pixels of its box, and characters before and after a quote."""


class Place(NamedTuple):
    """Words that were quoted from an output."""

    label: Label
    quote: str


def pair_result(project_id: str, comparison_id: str, *, one: str = "", says: str = "") -> None:
    """Show the pair; the candidate `one` (its id) stands at the left. A reason that `says` this opens its quote."""
    request = ExportRequest(format=ExportFormat.CSV, comparisons=(comparison_id,))
    pair = next(gather(session.services(), request, Counter()), None)
    if pair is None or pair.made is None:
        st.info("This pair has no verdict, or an output was purged.", icon=":material/info:")
        return
    names = pair.made.map(lambda made: made.candidate)
    left = next((label for label in Label if pair.made[label].candidate_id == one), Label.A)
    sides = (left, left.other)
    # Both may be runs of one candidate.
    called = {label: f"{names[label]} ({label.value})" for label in sides}
    who = "Tie" if pair.winner is Winner.TIE else "No winner"
    if pair.loser:
        who = f"{called[pair.loser.other]} wins"
    scores = pair.result.rubric.map(lambda of: of.overall_score) if pair.result else None
    figures = f" {scores[sides[0]]} : {scores[sides[1]]}" if scores else ""
    st.subheader(safe.text(f"{pair.title}: {who}{figures}"), anchor=False)
    st.caption(safe.text(f"Verdict by {pair.source.value}, {pair.decided}. A is {names.A}, B is {names.B}."))
    if pair.prose.reasoning:
        safe.write(safe.text(pair.prose.reasoning))
    placed = _place(pair, called, says)
    for column, label in zip(st.columns(2, gap="small"), sides, strict=True):
        with column:
            won = " ✓" if pair.winner is not None and pair.winner.value == label.value else ""
            safe.write(safe.text(f"{called[label]}{won}"))
            text = pair.texts[label]
            if placed and placed.label is label:
                safe.write(safe.marked(_around(text, placed.quote), placed.quote))
            st.code(text[:MOST] or "No text", language=None, wrap_lines=True, height=HEIGHT)
            if len(text) > MOST:
                st.caption(safe.text(f"The first {MOST:,} of {len(text):,} characters."))
    if rows := _remarks(pair, called):
        st.dataframe(rows, hide_index=True, key=f"remarks_{comparison_id}")
    if session.may(Act.REVIEW, project_id=project_id):
        pair_link(comparison_id, label="Open the review")


def _place(pair: Exported, called: Mapping[Label, str], says: str) -> Place | None:
    """Ask for one of the quotes that reasons rest on; it is shown in its output, with what stands around it."""
    quotes = [
        (each, Place(label, quote))
        for label in called
        for each in pair.of(label)
        for quote in each.quotes
        if quote in pair.texts[label]
    ]
    if not quotes:
        return None
    at = st.selectbox(
        "Quoted for a reason",
        range(len(quotes)),
        index=next((at for at, (each, _) in enumerate(quotes) if says and says in each.rationale), None),
        format_func=lambda at: safe.visible(
            f"{quotes[at][0].name}, {called[quotes[at][1].label]}: {safe.beginning(quotes[at][1].quote, 90)}"
        ),
        placeholder="Choose a quote to see where it stands",
        key=f"place_{pair.id}_{says}",
    )
    return None if at is None else quotes[at][1]


def _around(text: str, quote: str) -> str:
    """What stands before and after a quote."""
    at = text.index(quote)
    return f"… {text[max(at - AROUND, 0) : at + len(quote) + AROUND]} …"


def _remarks(pair: Exported, called: Mapping[Label, str]) -> list[Row]:
    """A row for each criterion and expectation, with what both sides got and the reasons."""
    by_side = {label: {(each.dimension, each.key): each for each in pair.of(label)} for label in called}
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
