"""All reviews of a pair side by side, and the lead's ruling."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pandas as pd
import streamlit as st

from comparator.domain.labels import Label, PerOutput, Winner
from comparator.domain.scoring.verdict import Assessment
from comparator.reporting.trust.panel import contested
from comparator.ui.frame import safe, session, shell
from comparator.ui.frame.charts.chart import pair_link
from comparator.ui.frame.words import counted
from comparator.workflow.review.panel import Case, adjudicate, read_case

SETTLED = "Settled"
WINNERS = {"": "By the scores", "A": "A", "B": "B", "TIE": Winner.TIE.in_words}


def adjudication(project_id: str) -> None:
    """The pairs with several reviews, those that disagree first, and the one that is chosen."""
    services = session.as_me()
    found = {each.comparison_id: each for each in contested(services.database, project_id)}
    if not found:
        st.caption("Pairs with two or more final reviews appear here, those with different winners first.")
        return

    def label(id: str) -> str:
        each = found[id]
        state = "to settle" if each.disputed else "settled" if each.ruled else "agreed"
        return f"{safe.beginning(each.title, 90)} ({state}, {counted(each.reviews, 'review')})"

    chosen = st.selectbox("Pair", list(found), format_func=label, key=f"panel_pair_{project_id}", width=640)
    with shell.guard():
        case = read_case(services, chosen)
        pair_link(chosen, label="Look at both outputs")
        # A column for each review; two people may have one name.
        names = [f"{number}. {each.person}" for number, each in enumerate(case.reviews, start=1)]
        _winners(case, names)
        edited = _scores(case, names)
        _reasons(case)
        _rule(case, edited)


def _winners(case: Case, names: list[str]) -> None:
    rows = [
        {
            "Review": name,
            "Winner": each.verdict.winner.value,
            **{
                f"Overall {label.value}": float(each.verdict.overall[label]) if each.verdict.overall else None
                for label in Label
            },
            "Reasoning": each.reasoning,
        }
        for name, each in zip(names, case.reviews, strict=True)
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
                name: value(each.verdict.assessments[label])
                for name, each in zip(names, case.reviews, strict=True)
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
        {"Reviewer": each.person, "Value": address, "Reason": text}
        for each in case.reviews
        for address, text in each.reasons.items()
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
            format_func=lambda each: safe.text(WINNERS[each]),
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
