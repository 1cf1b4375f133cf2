"""One comparison's judgments beside each other: by which model and rubric, and how their scores differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.scoring.verdict import decided_in_words
from comparator.reporting.history.earlier_judgments import JudgmentOf, judgments_of
from comparator.ui.frame import safe, session, words


@st.dialog("Judgments of this pair", width="large")
def show_judgments(comparison_id: str, made_by: PerOutput[str] | None) -> None:
    """A dialog with all judgments, oldest first, and their scores by criterion; `made_by` once that may be told."""
    names = made_by or PerOutput[str](A="A", B="B")
    try:
        known = judgments_of(session.services().database, comparison_id, reader=session.me().id)
    except ComparatorError as error:
        st.info(safe.message(error))
        return
    if not known:
        st.info("No judge has read this pair yet.")
        return
    st.dataframe(
        pd.DataFrame([_row(number, each, names) for number, each in enumerate(known, start=1)]),
        key="judgments",
        hide_index=True,
    )
    complete = [(number, each) for number, each in enumerate(known, start=1) if each.criteria]
    if len(complete) > 1:
        st.caption(
            safe.text(
                f"Scores of {_both(names)} by criterion. A criterion that a rubric does not have stays empty."
            )
        )
        st.dataframe(_by_criterion(complete), key="judgments_by_criterion", hide_index=True)
    elif len(known) == 1:
        st.caption(
            "There is one judgment. Judge the pair again with another model or rubric to compare them here."
        )


def _both(names: PerOutput[str]) -> str:
    return f"{names.A} : {names.B}"


def _winner(winner: Winner, names: PerOutput[str]) -> str:
    return winner.value if winner is Winner.TIE else names[Label(winner)]


def _row(number: int, judgment: JudgmentOf, names: PerOutput[str]) -> dict[str, str]:
    overall = judgment.overall
    return {
        "No.": f"{number}{', counts' if judgment.current else ''}",
        "Judged (UTC)": f"{judgment.started_at:%Y-%m-%d %H:%M}",
        "Judge": (f"{judgment.name}: " if judgment.name else "")
        + words.judge_in_list(judgment.judge_kind, judgment.judge_model),
        "Rubric": f"version {judgment.rubric_number}",
        "Winner": _winner(judgment.winner, names)
        if judgment.winner
        else "not assessed enough"
        if judgment.criteria
        else "not complete",
        _both(names): f"{overall.A} : {overall.B}" if overall else "",
        "Decided": decided_in_words(judgment.decided_by, judgment.left_out) if judgment.decided_by else "",
        "Orders agree": ""
        if judgment.position_consistent is None
        else "yes"
        if judgment.position_consistent
        else "no",
        "Scores agree with verdict": ""
        if judgment.self_consistent is None
        else "yes"
        if judgment.self_consistent
        else "no",
        "Stated": "" if judgment.stated_confidence is None else f"{judgment.stated_confidence}%",
        "Quotes found": f"{judgment.quotes_found} of {judgment.quotes_total}" if judgment.winner else "",
        "Cost": "" if judgment.cost is None else f"{judgment.cost:.4f}",
        "Guidance": "" if judgment.guidance is None else f"version {judgment.guidance}",
        # Another prompt or setting of the same model is another judge.
        "Set-up": judgment.judge_digest[:8],
    }


def _scored(judgment: JudgmentOf, path: str) -> str:
    both = judgment.criteria.get(path)
    return (
        "" if both is None else " : ".join("–" if score is None else str(score) for score in (both.A, both.B))
    )


def _by_criterion(judgments: list[tuple[int, JudgmentOf]]) -> pd.DataFrame:
    paths = dict.fromkeys(path for _, each in judgments for path in each.criteria)
    return pd.DataFrame(
        [
            {
                "Criterion": path,
                **{f"No. {number}": _scored(each, path) for number, each in judgments},
            }
            for path in paths
        ]
    )
