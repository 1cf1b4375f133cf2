"""Who judges: every judge that a project may ask, and what several of them did together."""

from __future__ import annotations

import streamlit as st

from comparator.domain.counted import counted
from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.domain.scoring.several_judges import Vote
from comparator.judges.choose import NamedJudge
from comparator.reporting.trust.several_judges import JudgesTogether, judges_together
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import Chart, Dots, ends, numbers
from comparator.ui.frame.charts import show as show_charts
from comparator.workflow.judging.paying import money


def show(project_id: str | None) -> None:
    """Show who judges new pairs, the named judges, and in a project what those did that it asks together."""
    with st.container(border=True):
        st.subheader("Who judges", anchor=False)
        st.caption(safe.text(f"New pairs are judged by: {session.usual_judge()}."))
        try:
            known = session.services().named_judges()
        except ComparatorError as error:
            st.warning(safe.message(error))
            return
        if known:
            numbers("judges", [_row(one) for one in known.values()])
        safe.write(safe.Markdown("[Name more judges, or have several read each pair](help?page=judge)"))
    if project_id is not None and session.may(Act.SEE_RESULTS, project_id=project_id):
        _together(project_id)


def _row(one: NamedJudge) -> dict[str, str]:
    return {
        "Judge": one.name,
        "Model": one.model,
        "Server": one.server or one.provider.value,
        "Key from": one.key or "–",
        "Tools": one.tools.value if one.tools else "as the project says",
        "Repetitions": str(one.repetitions or "as the settings say"),
    }


def _votes(vote: Vote) -> str:
    return f"Votes: {'tie' if vote is Vote.TIE else vote.value}"


def _together(project_id: str) -> None:
    """What the judges did that read pairs of the project together, whether these have a label or not."""
    found = judges_together(session.services().database, project_id)
    if found:
        st.header("Asked together", anchor=False)
        show_charts(
            [
                chart
                for number, each in enumerate(found)
                for chart in (_among_others(each, number), _bias(each, number))
            ]
        )


def _among_others(found: JudgesTogether, number: int) -> Chart:
    return Chart(
        f"judges_together_{number}",
        _names(found),
        [
            {
                "Judge": each.name,
                "Model": each.model,
                **{_votes(vote): votes for vote, votes in each.votes.items()},
                "Right, of labelled pairs": f"{each.right:,} of {found.labelled:,}",
                "For the first shown": each.first,
                "For the second shown": each.second,
                "Cost": ("unknown" if each.unpriced and not each.cost else money(each.cost))
                + (f", {counted(each.unpriced, 'attempt')} without a known price" if each.unpriced else ""),
            }
            for each in found.judges
        ],
        note=f"{counted(found.pairs, 'pair')} that these judges were asked about together. On the "
        f"{counted(found.labelled, 'pair')} with a label or a blind review, their joint verdict is right on "
        f"{found.right:,}.",
    )


def _bias(found: JudgesTogether, number: int) -> Chart:
    return Chart(
        f"judges_bias_{number}",
        f"Position bias: {_names(found)}",
        [
            {
                "Judge": each.name,
                "Share naming the first": round(each.first / readings, 3),
                **ends(each.to_first),
                "Readings": readings,
            }
            for each in found.judges
            if (readings := each.first + each.second)
        ],
        Dots("Judge", "Share naming the first", (0, 1), sides=("second shown", "first shown"), n="Readings"),
        help="Of the first readings in each order that named a winner. Half is unbiased.",
    )


def _names(found: JudgesTogether) -> str:
    return ", ".join(each.name for each in found.judges)
