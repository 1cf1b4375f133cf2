"""The tab Record: how each version of each judge did against people, in both orders, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import streamlit as st

from comparator.domain.scoring.several_judges import default_quorum
from comparator.judges.protocol import judge_called
from comparator.reporting.scope import HOW_NAMES, HOW_SHORT
from comparator.reporting.trust.labelled_record import (
    LabelledRecord,
    beyond,
    hidden_from,
    labelled_records,
    together,
)
from comparator.reporting.trust.record import JudgeVersion, VersionRecord, record, versions
from comparator.stats.figures import Estimate, TooFew
from comparator.ui.frame import charts, estimates, safe, session
from comparator.ui.frame.charts.box import Box, Cell
from comparator.ui.frame.charts.box import show as show_boxes
from comparator.ui.frame.charts.labelled import FIGURES, first_figure, labelled_boxes, warnings, who
from comparator.ui.frame.charts.theme import PALETTES, ColourTheme
from comparator.ui.frame.state import PageScript
from comparator.ui.frame.words import counted
from comparator.ui.judge.measure import measure
from comparator.ui.judge.scope import Scope

CHANCE = 1 / 3
"""The share that a guess among A, B and tie gets right."""


def show(scope: Scope) -> None:
    """Show the record with people and on labelled pairs; where there is none yet, what will stand here."""
    database = session.services().database
    found = record(database, scope.project_ids)
    measured = labelled_records(database, scope.readable)
    judged = any(each.judged for each in found)
    if judged:
        _headline(found)
        _beyond(scope, found, measured)
    measure(scope)
    here = [each for each in measured if each.project_id in scope.project_ids]
    if here:
        _on_labelled_pairs(scope, here)
    if judged:
        st.header("With people", anchor=False)
        show_boxes(tuple(record_boxes(found, theme=scope.theme)))
    elif not here:
        _nothing_yet()


def _on_labelled_pairs(scope: Scope, found: Sequence[LabelledRecord]) -> None:
    database = session.services().database
    st.header("On labelled pairs", anchor=False)
    figure = st.segmented_control(
        "Figure",
        list(FIGURES),
        default=first_figure(found),
        format_func=lambda each: safe.inked(FIGURES[each].name),
        key="judge_figure",
        label_visibility="collapsed",
        required=True,
    )
    known = versions(database)
    show_boxes(
        tuple(
            labelled_boxes(
                (*found, *_together(scope, found, known)),
                known,
                figure=figure or first_figure(found),
                hidden=hidden_from(database, found, session.me().id),
                theme=scope.theme,
            )
        )
    )


def _together(
    scope: Scope, found: Sequence[LabelledRecord], known: Mapping[str, JudgeVersion]
) -> tuple[LabelledRecord, ...]:
    """What several judges that are chosen here would come to together on the labelled pairs that they have read."""
    judges = {each.judge.digest: each for each in found if each.project_id == scope.one and each.judge.digest}
    if scope.one is None or len(judges) < 2:
        return ()
    chosen = st.multiselect(
        "Combine several judges",
        list(judges),
        format_func=lambda digest: who(judges[digest], known),
        key="judge_together",
        placeholder="None",
        width=640,
    )
    if len(chosen) < 2:
        return ()
    quorum = st.number_input(
        "Quorum",
        min_value=1,
        max_value=len(chosen),
        value=default_quorum(len(chosen)),
        key=f"judge_quorum_{len(chosen)}",
        width=160,
        help="How many judges must reach a verdict before there is a joint verdict.",
    )
    return (
        together(
            session.services().database,
            scope.one,
            [judges[digest].judge for digest in chosen],
            quorum=int(quorum),
        ),
    )


def _beyond(scope: Scope, found: Sequence[VersionRecord], measured: Sequence[LabelledRecord]) -> None:
    newest = _newest(found)
    if scope.project_id is not None:
        warnings(
            beyond(
                session.services().database,
                scope.project_id,
                measured,
                model=newest.model,
                digest=newest.digest,
            ),
            model=newest.model,
        )


def _newest(found: Sequence[VersionRecord]) -> VersionRecord:
    def age(each: VersionRecord) -> tuple[str, int]:
        return each.since.isoformat() if each.since else "", each.number or 0

    return max((each for each in found if each.judged), key=age)


def record_boxes(found: Sequence[VersionRecord], *, theme: ColourTheme) -> Iterator[Box]:
    """The charts of these versions, in the order in which they are read."""
    judged = [each for each in found if each.judged]
    yield _agreement(judged, theme)
    yield _consistency(judged, theme)
    yield _counts(
        "contradictions",
        judged,
        title="Pairs on which the judge's scores and its own verdict disagreed",
        counts="The first reading in each order, after the judge was asked once more. Such pairs come first in the "
        "review queue.",
        names=("agreed", "disagreed"),
        number=lambda each: each.contradicted,
        theme=theme,
    )
    yield _counts(
        "repetitions",
        judged,
        title="Pairs that the judge read again because it was unsure",
        counts="Read again: more than once in each order. Agreement and consistency above use the first reading in "
        "each order only.",
        names=("read once", "read again"),
        number=lambda each: each.again,
        theme=theme,
    )
    yield _cost(found)


def called(each: VersionRecord) -> str:
    """The version in words, with the day on which it was first used."""
    since = f", since {each.since:%d %b %Y}" if each.since else ""
    return f"{judge_name(each)}, version {each.number or each.digest[:6]}{since}"


def short(each: VersionRecord) -> str:
    """The version for the axis of a chart."""
    return f"{judge_name(each)} {f'v{each.number}' if each.number else each.digest[:6]}"


def judge_name(each: VersionRecord) -> str:
    """The model's name; the offline check's own."""
    return judge_called(each.kind, each.model)


def _nothing_yet() -> None:
    with st.container(border=True, width=720):
        st.subheader("No model has judged here yet", anchor=False)
        st.caption(
            "This tab will show, for each judge and version: agreement with reviewers, the same winner in both "
            "orders, contradictions, repeated readings and cost."
        )
        if st.button("Judge pairs", key="judge_batches", type="primary", icon=":material/stacks:"):
            st.switch_page(PageScript.BATCHES)


def _headline(found: Sequence[VersionRecord]) -> None:
    """The version used last, in four figures."""
    newest = _newest(found)
    st.caption(safe.text(f"Last used: {called(newest)}"))
    agreed = newest.agreement[0] if newest.agreement else None
    with st.container(horizontal=True, gap="medium"):
        st.metric("Pairs judged", f"{newest.judged:,d}", width="content")
        st.metric(
            "Agreement with people",
            safe.text(_share(agreed.share, agreed.same, agreed.n) if agreed else "–"),
            width="content",
        )
        st.metric(
            "Same winner in both orders",
            safe.text(_share(newest.consistent, newest.read_twice - newest.flipped, newest.read_twice)),
            width="content",
        )
        st.metric("Cost a pair", safe.text(_per_pair(newest)), width="content")


def _share(found: Estimate | TooFew, successes: int, n: int) -> str:
    return f"{found.value:.0%}" if isinstance(found, Estimate) else f"{successes:d} of {n:d}"


def _agreement(found: Sequence[VersionRecord], theme: ColourTheme) -> Box:
    rows = [(each, agreed) for each in found for agreed in each.agreement]
    shown = PALETTES[theme]
    return Box(
        "judge_agreement",
        title="How often reviewers named the judge's winner",
        counts="Final reviews in which a value was confirmed or changed. Reviewers who saw the judge's scores are "
        "pulled towards them; those who scored first are not. A hollow dot has too few reviews for an interval."
        if rows
        else "No final review of a pair that a model judged yet.",
        figure=charts.points(
            [
                charts.Point(
                    f"{short(each)}: {HOW_SHORT[agreed.how]}",
                    agreed.same / agreed.n,
                    agreed.share.interval if isinstance(agreed.share, Estimate) else None,
                    f"{agreed.same / agreed.n:.0%} of {counted(agreed.n, 'review')}",
                )
                for each, agreed in rows
            ],
            colour=shown.accent,
            even=CHANCE,
            low="as a guess",
            high="agree",
            palette=shown,
            between=(-0.03, 1.04),
        )
        if rows
        else None,
        rows=[
            {
                "Judge": called(each),
                "Reviews by": HOW_NAMES[agreed.how],
                "Same winner": agreed.same,
                "Reviews": agreed.n,
                "Share": estimates.interval(agreed.share),
            }
            for each, agreed in rows
        ],
    )


def _consistency(found: Sequence[VersionRecord], theme: ColourTheme) -> Box:
    rows = [each for each in found if each.read_twice]
    shown = PALETTES[theme]
    return Box(
        "judge_consistency",
        title="How often the judge named the same winner in both orders",
        counts="Each pair is read with A first and with B first. The rest depends on the order."
        if rows
        else "No pair was read in both orders yet.",
        figure=charts.points(
            [
                charts.Point(
                    short(each),
                    (each.read_twice - each.flipped) / each.read_twice,
                    each.consistent.interval if isinstance(each.consistent, Estimate) else None,
                    f"{(each.read_twice - each.flipped) / each.read_twice:.0%} of "
                    f"{counted(each.read_twice, 'pair')}",
                )
                for each in rows
            ],
            colour=shown.accent,
            even=1.0,
            low="follows the order",
            high="consistent",
            palette=shown,
            between=(-0.03, 1.04),
        )
        if rows
        else None,
        rows=[
            {
                "Judge": called(each),
                "Same winner": each.read_twice - each.flipped,
                "Read in both orders": each.read_twice,
                "Share": estimates.interval(each.consistent),
            }
            for each in rows
        ],
    )


def _counts(
    name: str,
    found: Sequence[VersionRecord],
    *,
    title: str,
    counts: str,
    names: tuple[str, str],
    number: Callable[[VersionRecord], int],
    theme: ColourTheme,
) -> Box:
    shown = PALETTES[theme]
    return Box(
        f"judge_{name}",
        title=title,
        counts=counts,
        figure=charts.stacked(
            [short(each) for each in found],
            (
                charts.Segment(
                    names[0], shown.muted, shown.page, tuple(each.judged - number(each) for each in found)
                ),
                charts.Segment(names[1], shown.line, shown.ink, tuple(number(each) for each in found)),
            ),
            palette=shown,
        ),
        rows=[
            {
                "Judge": called(each),
                names[0].capitalize(): each.judged - number(each),
                names[1].capitalize(): number(each),
                "Judged": each.judged,
            }
            for each in found
        ],
    )


def _cost(found: Sequence[VersionRecord]) -> Box:
    return Box(
        "judge_cost",
        title="What each version cost",
        counts="All attempts, failed ones included. Attempts of a model without a known price count as free, "
        "and are listed.",
        figure=None,
        rows=[_cost_row(each) for each in found],
    )


def _cost_row(each: VersionRecord) -> dict[str, Cell]:
    return {
        "Judge": called(each),
        "Pairs judged": each.judged,
        "Readings": each.readings,
        "Pairs read with tools": each.tools,
        "Tries": each.tries,
        "Failed": each.failed,
        "Cost": ", ".join(f"{amount:.4f} {currency}" for currency, amount in each.cost if amount) or "–",
        "Cost a pair": _per_pair(each),
        "Attempts without a known price": each.unpriced,
    }


def _per_pair(each: VersionRecord) -> str:
    if not each.judged or (each.unpriced and not any(amount for _, amount in each.cost)):
        return "–"
    paid = [f"{amount / each.judged:.4f} {currency}" for currency, amount in each.cost if amount]
    return ", ".join(paid) or "0"
