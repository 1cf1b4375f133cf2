"""What to do next: the analysis of the two candidates, and files to take away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from comparator.api.analysing import analysis, fix_list_text
from comparator.interop.analysis import OURS, Analysis
from comparator.reporting.findings import Findings
from comparator.reporting.scope import ResultFilter
from comparator.reporting.why.pairs import PairOutcome, Slice
from comparator.ui.dashboards.pairs_behind import MOST, part_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Cell, numbers
from comparator.ui.frame.inputs.file_to_save import file_to_save
from comparator.ui.frame.lists.filters import one_of

KEPT = "analysis_kept"
"""In the session's state: of which pairs, and the analysis that is shown."""


def next_steps(top: Findings) -> None:
    """The analysis once it is asked for, and the files."""
    services, asked, names = session.services(), top.asked, (top.names.one, top.names.two)
    with st.container(border=True, key="next_steps"):
        st.subheader("What to do next", anchor=False)
        lost = PairOutcome(one_of("fix", _named(top), "What to change in"))
        to_change = _named(top)[lost.value]
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
                lambda: analysis(services, asked, names).text(),
                name="analysis.json",
                key="analysis_json",
                icon=":material/data_object:",
            )
            file_to_save(
                "Fix list for an issue (Markdown)",
                lambda: fix_list_text(services, asked, candidate=to_change, lost=lost),
                name="fix-list.md",
                key="analysis_fix_list",
                icon=":material/checklist:",
            )
        if show:
            # Reading all pairs takes a while: what was read stays until other pairs are asked for.
            with st.status("Reading the pairs") as status:
                found = analysis(
                    services,
                    asked,
                    names,
                    fix=lost,
                    on_step=lambda done, of: status.update(label=f"Reading the pairs: {done:d} of {of:d}"),
                )
                st.session_state[KEPT] = ((asked, lost), found)
                status.update(state="complete")
        kept = st.session_state.get(KEPT)
        if kept is not None and kept[0] == (asked, lost):
            _shown(top, kept[1], lost)


def _named(top: Findings) -> dict[str, str]:
    """Each candidate's name under the outcome of the pairs that it lost; the one under test first."""
    return {PairOutcome.LOST.value: top.names.one, PairOutcome.WON.value: top.names.two}


def _shown(top: Findings, analysis: Analysis, lost: PairOutcome) -> None:
    to_change = _named(top)[lost.value]
    other = top.names.two if to_change == top.names.one else top.names.one
    if not (top.result.lost if lost is PairOutcome.LOST else top.result.won):
        st.caption(safe.text(f"{to_change} lost none of these pairs, so this shows what {other} lacks."))
        to_change, other = other, to_change
    found: dict[str, Any] = analysis.document()
    evidence = found[OURS]["evidence"]
    st.caption(safe.text(analysis.reasoning))
    for key, title in (
        ("winner_strengths", f"What {other} does better"),
        ("loser_weaknesses", f"What {to_change} lacks"),
    ):
        st.caption(safe.text(title))
        numbers(
            key,
            [
                {"Finding": text, **evidence_columns(top.asked, each)}
                for text, each in zip(found[key], evidence[key], strict=True)
            ],
            pinned=PAIRS,
        )
    st.caption(safe.text(f"What to fix in {to_change}, starting with what would flip the most lost pairs"))
    numbers(
        "improvement_suggestions",
        [
            {
                "Priority": each["priority"],
                "Suggestion": each["suggestion"],
                "Would flip": len(behind["flips"]),
                **evidence_columns(top.asked, behind),
                "Expected": each["expected_impact"],
            }
            for each, behind in zip(
                found["improvement_suggestions"], evidence["improvement_suggestions"], strict=True
            )
        ],
        pinned=PAIRS,
    )
    st.caption(safe.text(f"Priority: {found[OURS]['priority_rule']}."))


def evidence_columns(asked: ResultFilter, evidence: Mapping[str, Any]) -> dict[str, Cell]:
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
        PAIRS: part_link(asked, only) if only.comparisons else None,
    }
