"""The tab Judges: every judge that a project may ask, what several of them did together, and second opinions."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial

import streamlit as st

from comparator.domain.counted import counted
from comparator.domain.errors import ComparatorError
from comparator.domain.rights import Act
from comparator.domain.scoring.several_judges import Vote, default_quorum
from comparator.jobs import ask_judges
from comparator.jobs.ask_judges import SecondOpinions
from comparator.judges.named import NamedJudge
from comparator.reporting.trust.several_judges import JudgesTogether, judges_together
from comparator.stats.figures import Estimate, TooFew
from comparator.stats.raters.several_judges import JointWorth
from comparator.stats.shares import wilson
from comparator.ui.frame import charts, estimates, safe, session
from comparator.ui.frame.charts.box import PAIR, Box, numbers
from comparator.ui.frame.charts.box import show as show_boxes
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.inputs.project_choice import choose_project
from comparator.ui.judge.edit_judges import edit_judges
from comparator.ui.judge.scope import Scope
from comparator.workflow.judging.paying.budgets import NO_PRICE, money


def show(scope: Scope) -> None:
    """Show the named judges; in a project, ask them for second opinions and compare them."""
    services = session.services()
    try:
        known = services.named_judges()
        identity = services.judge_identity()
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    usual = "the offline check"
    if identity.kind != "offline":
        often = services.settings.repetitions
        usual = f"{identity.model}, " + (
            "which reads again what it is unsure of"
            if often == "auto"
            else f"with {counted(often, 'reading')} in each order"
        )
    with st.container(border=True, width=860):
        st.subheader("Who judges", anchor=False)
        st.caption(
            safe.text(
                f"Pairs are judged by {usual}. The file in COMPARATOR_JUDGES names further judges, and administrators "
                "add more here. A project asks several of them if its settings say so: a judge panel's votes count for "
                "fewer independent ones, because judges tend to make the same mistakes. Second opinions change no "
                "verdict."
            )
        )
        if known:
            numbers("judges", [_row(one) for one in known.values()])
        if session.may(Act.OPERATE, project_id=None):
            edit_judges()
    if scope.one in scope.readable:
        _together(scope.one, scope.theme)
    if not known:
        return
    if scope.one is None or not session.may(Act.JUDGE, project_id=scope.one):
        choose_project(
            session.projects(Act.JUDGE), why="You can ask for second opinions in a project that you lead."
        )
        return
    _compare(scope.one, tuple(known), scope.theme)


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


def _together(project_id: str, theme: ColourTheme) -> None:
    """What the judges did that read pairs of the project together, whether these have a label or not."""
    found = judges_together(session.services().database, project_id)
    if found:
        st.header("Asked together", anchor=False)
        show_boxes(
            [
                box
                for number, each in enumerate(found)
                for box in (_among_others(each, number), _bias(each, number, theme))
            ]
        )


def _among_others(found: JudgesTogether, number: int) -> Box:
    return Box(
        f"judges_together_{number}",
        title=_names(found),
        counts=f"{counted(found.pairs, 'pair')} that these judges were asked about together. {_worth(found)}",
        figure=None,
        rows=[
            {
                "Judge": each.name,
                "Model": each.model,
                **{_votes(vote): votes for vote, votes in each.votes.items()},
                "Right, of labelled pairs": f"{each.right:,} of {found.labelled:,}",
                "For the first shown": each.first,
                "For the second shown": each.second,
                "Cost": money(each.cost)
                + (f", {counted(each.unpriced, 'attempt')} without a known price" if each.unpriced else ""),
            }
            for each in found.judges
        ],
    )


def _bias(found: JudgesTogether, number: int, theme: ColourTheme) -> Box:
    shown = PALETTES[theme]
    leans = [(each, readings) for each in found.judges if (readings := each.first + each.second)]
    return Box(
        f"judges_bias_{number}",
        title=f"Position bias: {_names(found)}",
        counts="Of the first readings in each order that named a winner: the share for the output shown first. Half is "
        "unbiased.",
        figure=charts.points(
            [
                charts.Point(
                    each.name,
                    each.first / readings,
                    each.to_first.interval if isinstance(each.to_first, Estimate) else None,
                    f"{each.first / readings:.0%} of {counted(readings, 'reading')}",
                )
                for each, readings in leans
            ],
            colour=shown.accent,
            even=0.5,
            low="second shown",
            high="first shown",
            palette=shown,
            between=(-0.03, 1.04),
        )
        if leans
        else None,
        rows=[
            {"Judge": each.name, "Share for the first shown": estimates.interval(each.to_first)}
            for each, _ in leans
        ],
    )


def _names(found: JudgesTogether) -> str:
    return ", ".join(each.name for each in found.judges)


def _worth(found: JudgesTogether) -> str:
    if isinstance(found.votes, TooFew):
        return (
            f"Their effective number of votes needs {found.votes.needed} pairs with a label or a blind review; "
            f"there are {found.votes.n}."
        )
    return (
        f"On the {counted(found.labelled, 'pair')} with a label or a blind review, their joint verdict is right on "
        f"{found.right:,}. Their effective number of votes is {found.votes:.1f} of {len(found.judges)}."
    )


def _compare(project_id: str, known: Sequence[str], theme: ColourTheme) -> None:
    services = session.services()
    names = st.multiselect("Judges", known, default=list(known), key="judges_chosen", width=640)
    if not names:
        return
    quorum = st.number_input(
        "Quorum",
        min_value=1,
        max_value=len(names),
        value=default_quorum(len(names)),
        key=f"judges_quorum_{len(names)}",
        width=160,
        help="How many judges must reach a verdict before they have a joint one.",
    )
    budget = st.number_input(
        "Budget per judge, USD",
        min_value=0.0,
        value=None,
        step=1.0,
        placeholder="none",
        key="judges_budget",
        width=220,
    )
    if st.toggle("Ask these judges about the labelled pairs", key="judges_ask"):
        _ask(project_id, names, None if budget is None else Decimal(str(budget)))
    if st.button("Compare judges", key="judges_compare", type="primary"):
        try:
            with st.spinner("Reading their answers …"):
                found = ask_judges.opinions(
                    services, project_id, names, quorum=int(quorum), person_id=session.me().id
                )
        except ComparatorError as error:
            st.warning(safe.message(error))
            return
        if not found.n:
            st.caption("None of these judges has read a labelled pair yet.")
            return
        show_boxes(tuple(_boxes(found, theme)))


def _ask(project_id: str, names: Sequence[str], budget: Decimal | None) -> None:
    services = session.services()
    try:
        about = ask_judges.estimate(services, project_id, names)
    except ComparatorError as error:
        st.warning(safe.message(error))
        return
    for name, each in zip(names, about, strict=True):
        cost = NO_PRICE if each.cost is None else money(each.cost)
        st.caption(
            safe.text(
                f"{name}: {counted(each.comparisons, 'pair')}, about {counted(each.calls, 'request')}, {cost}"
            )
        )
    st.button(
        "Start asking",
        key="judges_start",
        on_click=partial(_start, project_id, tuple(names), budget),
    )


def _start(project_id: str, names: tuple[str, ...], budget: Decimal | None) -> None:
    try:
        ask_judges.ask(session.services(), project_id, names, money=budget, person_id=session.me().id)
    except ComparatorError as error:
        st.error(safe.message(error), icon=":material/error:")
        return
    session.wake_worker()
    st.session_state["judges_ask"] = False


def _boxes(found: SecondOpinions, theme: ColourTheme) -> list[Box]:
    shown, n = PALETTES[theme], found.n
    right = [(each.name, each.right) for each in found.judges]
    right.append(("Judge panel", found.panel_right))
    accuracy = Box(
        "judges_accuracy",
        title="How often each judge, and all together, named the better output",
        counts=f"{counted(n, 'pair')} with a label or a blind review. {_votes_in_words(found.worth)}",
        figure=charts.points(
            [
                charts.Point(name, hits / n, wilson(hits, n, units=n), f"{hits / n:.0%} of {n}")
                for name, hits in right
            ],
            colour=shown.accent,
            even=1 / 3,
            low="as a guess",
            high="right",
            palette=shown,
            between=(0, 1.04),
        ),
        rows=[
            {
                "Judge": each.name,
                "Model": each.model,
                "Read in both orders": each.read,
                "Right": each.right,
                "Flipped": each.flipped,
                "For the first shown": each.first,
                "For the second shown": each.second,
                **{_votes(vote): number for vote, number in each.votes.items()},
                "Cost": NO_PRICE if each.cost is None else money(each.cost),
            }
            for each in found.judges
        ],
    )
    pairs = Box(
        "judges_pairs",
        title="Pair by pair",
        counts="A vote is inconclusive where the judge's two orders name different winners.",
        figure=None,
        rows=[
            {
                PAIR: each.comparison_id,
                "Better": each.truth.value,
                **{name: vote.value for name, vote in each.panel.votes.items()},
                "Judge panel": each.panel.winner.value if each.panel.winner else each.panel.settled.value,
            }
            for each in found.pairs
        ],
    )
    return [accuracy, pairs]


def _votes_in_words(worth: JointWorth | TooFew) -> str:
    if isinstance(worth, TooFew):
        return f"From {worth.needed} pairs on, the judge panel is compared with its best judge."
    beats = "beat" if worth.beats_best else "do not beat"
    return (
        f"The effective number of votes of {counted(len(worth.members), 'judge')} is {worth.votes:.1f}. Together "
        f"they {beats} the best of them, {worth.members[0].name}, beyond chance."
    )
