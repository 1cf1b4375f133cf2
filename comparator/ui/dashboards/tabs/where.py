"""Where the result differs: one property at a time, each part against the rest; and the order of all candidates."""

from collections.abc import Iterator

import streamlit as st

from comparator.reporting.findings import Findings
from comparator.reporting.results.candidates import Names, Ranking, ranking
from comparator.reporting.scope import By, ResultFilter, Within
from comparator.reporting.why.pairs import RANKED
from comparator.reporting.why.slices import Parts, SlicePart, comparable, models_apart, slices
from comparator.stats.intervals import ENOUGH, EVEN, Evidence, TooFew
from comparator.ui.dashboards.pairs_behind import pairs_link
from comparator.ui.frame import safe, session
from comparator.ui.frame.charts import PAIRS, Chart, Dots, ends, outcome, show
from comparator.ui.frame.charts.drawing import low
from comparator.ui.frame.estimates import CLAIMS, percent
from comparator.ui.frame.lists.filters import BY, narrow, one_of
from comparator.ui.frame.words import counted


def where(top: Findings) -> None:
    """Ask for a property, and show its parts; below, how all candidates compare where there are more than two."""
    database = session.services().database
    # What Over time shows needs no second place.
    over_time = {By.ITERATION} if top.history else set()
    if models_apart(database, top.filter):
        over_time.add(By.MODEL)
    properties = {by.value: BY[by] for by in comparable(database, top.filter) if by not in over_time}
    if properties:
        parts = slices(database, top.filter, By(one_of("by", properties, "Compare by")))
        show([parts_chart(parts, result_filter=top.filter, names=top.names)])
        _narrow(parts)
    else:
        safe.say("Nothing to compare: all counted pairs are alike.")
    show(ranking_charts(ranking(database, top.filter), result_filter=top.filter))


def _narrow(parts: Parts) -> None:
    pieces = {piece.part.value: piece for piece in parts.parts}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Narrow the whole page to",
            list(pieces),
            format_func=lambda value: pieces[value].name,
            key="dashboards_narrow",
            width=360,
        )
        for label, tab in (("Narrow", "where"), ("Why there?", "why")):
            args = (pieces[chosen].part, tab)
            st.button(
                safe.text(label),
                key=f"narrow_to_{tab}",
                icon=":material/filter_alt:",
                on_click=_open,
                args=args,
            )


def _open(part: Within, tab: str) -> None:
    narrow(part)
    st.session_state["part"] = tab


def parts_chart(parts: Parts, *, result_filter: ResultFilter, names: Names) -> Chart:
    """A forest plot: rate, interval and number of pairs of each part, with a line at 50%."""
    one = names[0]
    others = result_filter.without(parts.by)
    turned = [part for part in parts.parts if part.reverses]
    out = [part for part in parts.parts if part.stands_out]
    how = {"less" if part.difference < 0 else "more" for part in out}
    if turned:
        surest = min((part.evidence for part in turned), key=list(Evidence).index)
        claim = f"{CLAIMS[surest]}{'wins' if parts.share < EVEN else 'loses'}"
        title = f"{one} {claim} on {_some([part for part in turned if part.evidence is surest])}"
        if surest is Evidence.LIKELY:
            title += f", from fewer than {ENOUGH} tasks"
    elif len(how) == 1:
        title = f"{one} wins {how.pop()} often on {_some(out)} than on the rest"
    elif out:
        title = (
            f"{BY[parts.by]} matters: {_some(out)} {'differ' if len(out) > 1 else 'differs from the rest'}"
        )
    else:
        rates = [part.share or 0.0 for part in parts.parts]
        title = f"By {low(BY[parts.by])}, {one} wins {percent(min(rates))} to {percent(max(rates))}"
        if any(part.p is not None for part in parts.parts):
            title += ", within chance"
    return Chart(
        "where",
        title,
        [
            {
                BY[parts.by]: f"{'◆ ' if part.stands_out else ''}{part.name}",
                **outcome(part),
                "Tasks": part.tasks,
                **_to_the_rest(part),
                "Stands out": _stands_out(part),
            }
            for part in parts.parts
        ],
        Dots(
            BY[parts.by],
            "Win rate",
            sides=(f"{names.two} better", f"{names.one} better"),
            n="Pairs",
            legend="◆ differs from the rest by more than chance" if out else "",
        ),
        {PAIRS: [pairs_link(others.copy_with(within=(*others.within, part.part))) for part in parts.parts]},
        note=f"Share of pairs won by {one}; overall {percent(parts.share)}."
        + ("" if others == result_filter else f" Not narrowed by {low(BY[parts.by])}.")
        + (f" Not looked at: {parts.left_out:,} more with fewer pairs." if parts.left_out else ""),
        help=f"{counted(len(parts.parts), 'part')} looked at. ◆ differs from the rest by more than chance, corrected "
        "for the number of parts tried (Benjamini and Hochberg, 5%). A full dot rests on 20 tasks or more, and its "
        "interval leaves out 50%; one without an interval rests on fewer than 5 tasks or 10 pairs.",
    )


def _to_the_rest(part: SlicePart) -> dict[str, float | None]:
    """The difference with its chance; of a part without a rate the counts say all that is known."""
    few = isinstance(part.rate, TooFew)
    return {
        "Difference to the rest": None if few else round(part.difference, 3),
        "Chance (p)": None if few or part.p is None else float(f"{part.p:.3g}"),
    }


def _stands_out(part: SlicePart) -> str:
    answer = "yes" if part.stands_out else "too few tasks" if part.p is None else "no"
    return f"{answer}, the other one wins" if part.turned else answer


def _some(parts: list[SlicePart]) -> str:
    first = ", ".join(part.name for part in parts[:4])
    return f"{first} and {len(parts) - 4} more" if len(parts) > 4 else first


def ranking_charts(standings: Ranking | None, *, result_filter: ResultFilter) -> Iterator[Chart]:
    """The order of all candidates, counted as `result_filter` counts its two."""
    if standings is None or not standings.order:
        return
    yield Chart(
        "ranking",
        "Ranking: the share of pairs that each candidate would win against the others",
        [
            {
                "Candidate": standings.called[candidate.id],
                "Share won": round(candidate.against_others.value, 3),
                **ends(candidate.against_others),
                "Pairs": candidate.against_others.n,
            }
            for candidate in standings.order
        ],
        Dots("Candidate", "Share won", sides=("loses more", "wins more"), n="Pairs"),
        {PAIRS: [pairs_link(result_filter, RANKED, candidate=candidate.id) for candidate in standings.order]},
        note="Where two lines overlap, their order is open.",
        help="By Bradley and Terry; ties count as half; the line is the 95% interval of 200 resamples.",
    )
