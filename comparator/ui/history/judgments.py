"""One comparison's judgments beside each other: by which model and rubric, and how their scores differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from comparator.domain.errors import ComparatorError
from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.scoring.judgment import MergedJudgment
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
    complete = [(number, each.merged) for number, each in enumerate(known, start=1) if each.merged]
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


def _row(number: int, each: JudgmentOf, names: PerOutput[str]) -> dict[str, str]:
    by, merged = each.passed, each.merged
    verdict = merged.verdict if merged else None
    overall = verdict.overall if verdict else None
    return {
        "No.": f"{number}{', counts' if each.current else ''}",
        "Judged (UTC)": f"{by.started_at:%Y-%m-%d %H:%M}",
        "Judge": (f"{each.name}: " if each.name else "") + words.judge_in_list(by.judge_kind, by.judge_model),
        "Rubric": f"version {each.rubric.number}",
        "Winner": _winner(verdict.winner, names)
        if verdict
        else "not assessed enough"
        if merged
        else "not complete",
        _both(names): f"{overall.A} : {overall.B}" if overall else "",
        "Decided": decided_in_words(verdict.decided_by, len(verdict.left_out)) if verdict else "",
        "Orders agree": _yes(merged.position_consistent) if merged else "",
        "Scores agree with verdict": _yes(merged.self_consistent) if merged else "",
        "Stated": f"{merged.stated_confidence}%" if merged else "",
        "Quotes found": f"{merged.quotes_found} of {merged.quotes_total}" if merged and verdict else "",
        "Cost": "" if each.cost is None else f"{each.cost:.4f}",
        "Guidance": "" if by.guidance is None else f"version {by.guidance}",
        # Another prompt or setting of the same model is another judge.
        "Set-up": by.judge_digest[:8],
    }


def _yes(agree: bool) -> str:
    return "yes" if agree else "no"


def _scored(judgment: MergedJudgment, path: str) -> str:
    if path not in judgment.rubric.paths:
        return ""
    scores = (judgment.assessments[label].scores.get(path) for label in Label)
    return " : ".join("–" if score is None else str(score) for score in scores)


def _by_criterion(judgments: list[tuple[int, MergedJudgment]]) -> pd.DataFrame:
    paths = dict.fromkeys(path for _, each in judgments for path in each.rubric.paths)
    return pd.DataFrame(
        [
            {
                "Criterion": path,
                **{f"No. {number}": _scored(each, path) for number, each in judgments},
            }
            for path in paths
        ]
    )
